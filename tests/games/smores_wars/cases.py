"""S'mores Wars for the suite that every game passes."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from referee.game import Seat
from referee.games.smores_wars.actions import Act
from referee.games.smores_wars.state import State
from tests.games.cases import Cases, Final, World
from tests.games.smores_wars.positions import GAME, A, B, C, D, area, before_battle, before_selection, fight, select


def disguise(before: State, actions: Mapping[Seat, Act], seat: Seat, rng: Random) -> tuple[State, Mapping[Seat, Act]]:
    """The same: no state holds anything that a seat may not know (S-R43), and a step reveals all choices of it."""
    return before, actions


TWO_BATTLES = fight(
    select(before_selection(5, areas={C: area("G1 C2", smorage="M1")}), "G", "G", "M", "M", "M"), A="Toast", B="Toast"
)

CASES = Cases(
    # Rounds: at most 53 use up a card of the board (all 55 less the last one of two stacks) and 52 more move one out
    # of S'morage; at most 9 quiet ones before each of these 105, and 10 at the end: 1,060. Steps: 1 deal, 53 fillings
    # of the board, 1,060 selections, 53 Battles of 20 reveals, 1,060 x 5 placements.
    longest=1 + 53 + 1_060 + 53 * 20 + 1_060 * 5,
    secrets=frozenset(),
    disguise=disguise,
    worlds=(
        World("before the deal", GAME.start(4), A, 1, "nothing lies anywhere; Tiebreakers are not yet drawn"),
        World("between two Battles, seen by a battler", TWO_BATTLES, A, 1, "all that was played is face up"),
        World("between two Battles, seen by one who waits", TWO_BATTLES, D, 1, "all that was played is face up"),
        World(
            "tokens revealed",
            select(before_selection(3), "G", "C", "M"),
            B,
            1,
            "stacks are counts; their order is nobody's",
        ),
        World("a Battle about to begin", before_battle(3, (A, B)), C, 1, "the cards are chosen within one step"),
    ),
    finals=(
        Final(
            "S-T34 and S-T35",
            before_selection(3, areas={A: area("G2 C5 M3 G1", "G5 C5"), B: area("G5"), C: area("G2 C5 M3 G1")}),
            (9.0, -3.0, 11.0),
            (2, 3, 1),
        ),
        Final(
            "S-T38: nothing beats a lonely Graham",
            before_selection(3, areas={A: area("G2 C5 M3 G1"), C: area("G1")}),
            (11.0, 0.0, -3.0),
            (1, 2, 3),
        ),
        Final(
            "S-T39: shared victory",
            before_selection(4, areas={A: area("G5 C5 M5 G1"), B: area("G5 C5 M3 G1"), C: area("G1 C5 M5 G5")}),
            (16.0, 14.0, 16.0, 0.0),
            (1, 3, 1, 4),
        ),
        Final(
            "S-R40: S'morage counts nothing",
            before_selection(3, areas={B: area("G5 M5 C5", smorage="G5 C5")}),
            (0.0, -1.0, 0.0),
            (1, 3, 1),
        ),
    ),
)
