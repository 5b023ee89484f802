"""The Marshmallow Test for the suite that every game passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from referee.game import CHANCE, Seat
from referee.games.marshmallow_test.actions import DECK, HAND, NO_SUIT, Deal, Move, Play
from referee.games.marshmallow_test.state import ROUND_LIMIT, Phase, State, in_order
from tests.games.cases import Cases, Final, World
from tests.games.marshmallow_test.deals import GAME, A, B, D, after_deal, play


def disguise(before: State, actions: Mapping[Seat, Move], seat: Seat, rng: Random) -> tuple[State, Mapping[Seat, Move]]:
    """Other hands, other cards laid aside, another unseen rest; a card that is played now stays where it is."""
    kept = [list(hand) if other == seat else [] for other, hand in enumerate(before.hands)]
    (move,) = actions.values()
    if isinstance(move, Play) and before.turn != seat:
        kept[before.turn] = [move]
    played = {entry.split(":")[1] for trick in (*before.tricks, before.trick) for entry in trick.split()}
    hidden = [card for card in DECK if card.card not in played and not any(card in hand for hand in kept)]
    rng.shuffle(hidden)
    hands = tuple(
        in_order((*hand, *(hidden.pop() for _ in range(len(real) - len(hand)))), before.trump)
        for hand, real in zip(kept, before.hands, strict=True)
    )
    if isinstance(move, Deal):
        rest = [card for card in DECK if card not in move.hands[seat]]
        rng.shuffle(rest)
        new = [in_order(tuple(rest.pop() for _ in range(HAND)), NO_SUIT) for _ in range(len(move.hands) - 1)]
        new.insert(seat, move.hands[seat])
        actions = {CHANCE: Deal(tuple(new))}
    return replace(before, hands=hands), actions


def five(trump: str, last: list[str]) -> State:
    """Five players after ten tricks, A to lead; `last`: each one's card of trick 10 and the two left.

    Nine tricks of one suit each go to B B C C D D E E A. Everybody follows suit in them, so they show nothing.
    """
    tops = ("R12", "U12", "U7", "G12", "G7", "Y12", "Y7", "P12", "P7")
    runs = []
    for top, winner in zip(tops, (1, 1, 2, 2, 3, 3, 4, 4, 0), strict=True):
        order = [winner, *(seat for seat in range(5) if seat != winner)]
        runs.append({seat: f"{top[0]}{int(top[1:]) - below}" for below, seat in enumerate(order)})
    hands = [" ".join(run[seat] for run in runs) + " " + last[seat] for seat in range(5)]
    state = after_deal(hands, trump)
    for run in runs:
        for _ in range(5):
            state = play(state, run[state.turn])
    return play(state, " ".join(hand.split()[0] for hand in last))


# A leads R4; B and C cannot follow; A wins with it, is out, and lays R5 aside.
TWO_VOIDS = play(five("", ["G2 R4 R5", "G1 P2 U2", "Y1 P1 U1", "Y2 R1 R2", "R7 R3 R6"]), "R4 P2 P1 R1 R3")
# Purple is trump. A leads R4; B cannot follow and trumps; C trumps too and still holds R5, as M-R8 lets it.
TRUMPED = play(five("P", ["G2 R4 U1", "G1 P2 U2", "Y1 P1 R5", "Y2 R1 R2", "R7 R3 R6"]), "R4 P2 P1 R1 R3")
# B could not follow red in trick 3; it leads trick 11 and keeps one card.
TWO_PLAYERS = play(
    after_deal(["R12 R11 R10 U12 U11 U3 Y1 Y2 Y3 Y4 P1 P2", "R1 R2 G1 U1 U2 U4 Y12 Y11 Y10 Y9 P5 G5"]),
    "R12 R1 R11 R2 R10 G1 U12 U1 U11 U2 U3 U4 Y12 Y1 Y11 Y2 Y10 Y3 Y9 Y4 P5",
)

CASES = Cases(
    # M-R29: 200 rounds; two players need a trump and at most 22 cards a round, beside the deal and the first dealer.
    # Others reach 20 points sooner: at most 32 rounds of 60 cards with five (rules page, 2).
    longest=ROUND_LIMIT * 24 + 1,
    secrets=frozenset({"hands", "unseen"}),
    disguise=disguise,
    worlds=(
        World(
            "two voids, seen by a player", TWO_VOIDS, D, 4, "B and C share U1 U2 (2), A's aside and E share R5 R6 (2)"
        ),
        World("two voids, seen by the one who is out", TWO_VOIDS, A, 4, "B and C share U1 U2 (2), D and E R2 R6 (2)"),
        World(
            "two voids, seen by a void", TWO_VOIDS, B, 6, "C has U1, for it holds no red; A, D, E share R5 R2 R6 (3!)"
        ),
        World("trump after trump is no void", TRUMPED, A, 6, "B laid U2 aside; C, D, E share R5 R2 R6 (3!)"),
        World("trump after trump, more open", TRUMPED, D, 12, "B laid U1 or U2 aside (2); A, C, E share the rest (3!)"),
        World(
            "two players", TWO_PLAYERS, A, 30, "60 cards, 21 played, 2 own: 37 unseen, 7 of them red; B has one not red"
        ),
        World("before the deal", GAME.start(3), B, 1, "nothing is hidden yet"),
    ),
    finals=(
        Final(
            "M-T25: A wins; the others by points",
            replace(GAME.start(4), phase=Phase.OVER, points=(20, 19, 3, 10)),
            (20.0, 19.0, 3.0, 10.0),
            (1, 2, 4, 3),
        ),
        Final(
            "M-R25: equal points share a place",
            replace(GAME.start(5), phase=Phase.OVER, points=(7, 21, 7, 0, 9)),
            (7.0, 21.0, 7.0, 0.0, 9.0),
            (3, 1, 3, 5, 2),
        ),
        Final(
            "M-R29: stopped after 200 rounds with equal points",
            replace(GAME.start(2), phase=Phase.OVER, round=ROUND_LIMIT, points=(12, 12)),
            (12.0, 12.0),
            (1, 1),
        ),
    ),
    variants=({"first_dealer": 1},),
)
