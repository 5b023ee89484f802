"""Sbam! for the suite that every game passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from referee.game import CHANCE, Seat
from referee.games.sbam.actions import PASS, Action, Drawn, Move
from referee.games.sbam.cards import OOPS, SBAM, Card, arranged, deck
from referee.games.sbam.hands import hand_of
from referee.games.sbam.state import OVER, ROUND_LIMIT, State
from tests.games.cases import Cases, Final, World
from tests.games.sbam.positions import GAME, at_tick, cards, draw, step


def disguise(
    before: State, actions: Mapping[Seat, Action], seat: Seat, rng: Random
) -> tuple[State, Mapping[Seat, Action]]:
    """Other hands and another pile; what others play now is in their hands, and who passes holds what allows it."""
    kept: list[tuple[Card, ...]] = []
    for other, hand in enumerate(before.hands):
        move = actions.get(other)
        if other == seat or move is PASS:
            kept.append(hand.cards)
        else:
            kept.append(move.cards if isinstance(move, Move) else ())
    drawn = actions.get(CHANCE)
    mine = drawn.cards[seat] if isinstance(drawn, Drawn) else ()
    hidden = Counter(before.pile)
    for hand in before.hands:
        hidden.update(hand.cards)
    hidden.subtract(card for hand in (*kept, mine) for card in hand)
    loose = list(hidden.elements())
    rng.shuffle(loose)
    hands = [
        hand_of((*hand, *(loose.pop() for _ in range(len(real.cards) - len(hand)))))
        for hand, real in zip(kept, before.hands, strict=True)
    ]
    pile = arranged((*loose, *mine))
    if isinstance(drawn, Drawn):
        draws = [
            mine if other == seat else tuple(loose.pop() for _ in range(len(real)))
            for other, real in enumerate(drawn.cards)
        ]
        actions = {CHANCE: Drawn(tuple(draws))}
    return replace(before, hands=tuple(hands), pile=pile), actions


def late(mine: str, theirs: str, pile: str, bound: int = 0) -> State:
    """Two seats late in a round: all other cards lie in the open, at the rope to the left of seat 0.

    All five Sbam! cards (S below) and Oops are in the hands and the pile. `bound` is 3 where seat 1 has passed.
    """
    unseen = Counter(cards(mine)) + Counter(cards(theirs)) + Counter(cards(pile))
    seen = Counter(deck(with_no3=True)) - unseen
    assert not seen[SBAM]
    assert not seen[OOPS]
    state = at_tick([mine, theirs], left={0: " ".join(seen.elements())})
    assert Counter(state.pile) == Counter(cards(pile))
    return replace(state, tick=20, bound=(0, bound), trail="LL " * 18 + ("LP" if bound else "LL"))


def ended(number: int, damage: tuple[int, ...], out: tuple[int, ...]) -> State:
    """The end of a game in this round, with each seat's damage and the round that put it out (0 for none)."""
    state = GAME.start(len(damage))
    alive = tuple(seat for seat, when in enumerate(out) if not when)
    standing = state.standing._replace(round=number, damage=damage, out=out, alive=alive)
    return replace(state, phase=OVER, asked=(), standing=standing)


PASSED = late("Sbam Sbam R1", "Sbam Sbam Sbam", "Oops B1 B1", bound=3)
# Seat 0 calls two of its three S, seat 1 plays R1 and keeps two cards; the window is open.
CALLED = step(late("Sbam Sbam Sbam", "R1 Sbam Oops", "Sbam B1"), "Sbam 2", "R1 left")
# Seat 1 passed and then cancelled the single S of seat 0 with Oops: what it has left are two S, as all know.
CANCELLED = step(step(late("Sbam R1 R2", "Sbam Sbam Oops", "Sbam Sbam B1 B2 Y1", bound=3), "Sbam 1", "pass"), "oops")
REFILLED = draw(CANCELLED, "B1", "Sbam")

CASES = Cases(
    # B-R50: 200 rounds. Each tick that does not end its round draws a card, and two players leave 55 in the pile: 55
    # ticks of a commit and a refill, beside the deal and at most one window: it ends the round, or Oops is gone.
    longest=ROUND_LIMIT * (1 + 55 * 2 + 1),
    secrets=frozenset({"hands", "pile_cards"}),
    disguise=disguise,
    worlds=(
        World(
            "nobody passed",
            late("Sbam Sbam Sbam", "B1 Sbam Oops", "B1 Sbam"),
            0,
            5,
            "unseen are S S Oops B1 B1; the pile of two is B1 B1, B1 S, B1 Oops, S S or S Oops",
        ),
        World(
            "a pass that proves a hand",
            late("Sbam Sbam Sbam", "Sbam Sbam Oops", "B1 B1", bound=3),
            0,
            1,
            "unseen are S S Oops B1 B1; seat 1 holds three cards that are S or Oops",
        ),
        World("a pass", PASSED, 0, 2, "unseen are S S S Oops B1 B1; seat 1 holds S S S or S S Oops"),
        World(
            "the seat that passed",
            PASSED,
            1,
            10,
            "unseen are S S R1 Oops B1 B1; three of them: S S and one of R1 Oops B1 (3); one S and two of these "
            "(R1 Oops, R1 B1, Oops B1, B1 B1: 4); no S (R1 Oops B1, R1 B1 B1, Oops B1 B1: 3)",
        ),
        World("the window", CALLED, 0, 4, "seat 1 keeps two of S S Oops B1: S S, S Oops, S B1 or Oops B1"),
        World(
            "after Oops, seen by the caller",
            CANCELLED,
            0,
            1,
            "seat 0 sees R1 R2; unseen are S S S S B1 B2 Y1, and the two cards of seat 1 are S S; the rest is the pile",
        ),
        World(
            "after Oops and the refill",
            REFILLED,
            0,
            3,
            "seat 0 sees R1 R2 B1; unseen are S S S S B2 Y1, and the hand of seat 1 is S S and one of S B2 Y1",
        ),
        World("before the deal", GAME.start(3), 1, 1, "nothing is hidden yet: all cards are in the pile"),
    ),
    finals=(
        Final("B-T46: three out at once share", ended(4, (5, 5, 5), (4, 4, 4)), (0.0, 0.0, 0.0), (1, 1, 1)),
        Final("B-T47: one is left and wins", ended(7, (5, 5, 3), (7, 7, 0)), (0.0, 0.0, 2.0), (2, 2, 1)),
        Final("B-T49: the last two out at once share", ended(6, (5, 6), (6, 6)), (0.0, 0.0), (1, 1)),
        Final(
            "B-R46: later is better, the same round shares; damage beyond 5 means nothing (B-R40)",
            ended(9, (5, 6, 5, 2, 5), (3, 9, 3, 0, 8)),
            (0.0, 3.0, 0.0, 4.0, 2.0),
            (4, 2, 4, 1, 3),
        ),
        Final(
            "B-R50: at the guard less damage is better",
            ended(ROUND_LIMIT, (4, 1, 5, 4), (0, 0, 11, 0)),
            (1.0, 3.0, 0.0, 1.0),
            (2, 1, 4, 2),
        ),
    ),
    variants=({"reconstructed_card": False},),
)
