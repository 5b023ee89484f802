"""The fights of the rules page, each by its id, and laws of counting that hold for any two sides."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.sbam.cards import COLOURS, PLAYABLE, VALUE, Card, deck
from referee.games.sbam.fights import Fight, check, fight

from .positions import cards

FIGHTS = {
    "B-T1": ("B2 B2 B1 R3", "B1 B2 B3 Y1", (1, 4, 1), "b", (1, 6)),
    "B-T2": ("R1 R1 R3 B3 B1 =R Y2 Y3", "R3 R2 R1 B3 B2 Y1 +B xY", (6, 4, 0), "rb", (9, 11)),
    "B-T3": ("R2 R2 R2", "R1", (2, 0, 0), "r", (2, 1)),
    "B-T4": ("R3 R3 R3 R3", "Y1", (0, 0, 1), "y", (0, 1)),
    "B-T6": ("R3 R3", "R2", (1, 0, 0), "r", (0, 2)),
    "B-T7": ("R3 R3", "R2 =R", (3, 0, 0), "r", (6, 2)),
    "B-T8": ("R3 Y1", "R1 Y2", (2, 0, 2), "ry", (4, 3)),
    "B-T9": ("R1 B1 Y1", "R2 B2 Y2", (2, 2, 2), "rby", (3, 6)),
    "B-T10": ("R2 R3 +R", "R1 Y3", (3, 0, 1), "r", (5, 1)),
    "B-T11": ("R1 R2", "R1 B3 +B", (3, 1, 0), "rb", (3, 4)),
    "B-T11 without the plus": ("R1 R2", "R1 B3", (3, 1, 0), "r", (3, 1)),
    "B-T12": ("R3 R2 xR", "R1 Y1", (0, 0, 1), "y", (0, 1)),
    "B-T14": ("=B B2 B2", "xB", (0, 0, 0), "", (0, 0)),
    "B-T15": ("B1 B1 R2", "B3 R1", (2, 1, 0), "r", (2, 1)),
    "B-T15 with bars": ("B1 B1 R2 =B", "B3 R1", (2, 3, 0), "b", (2, 3)),
    "B-T16": ("R3 R3 R1", "R1 R3 Y2 no3", (2, 0, 1), "r", (1, 1)),
    "B-T17": ("=R", "+B", (0, 0, 0), "", (0, 0)),
    "B-T19": ("R2 R2 B1 B3 Y1", "R1 R3 B2", (2, 3, 1), "b", (4, 2)),
    "B-T20": ("B2 B2 B2 =B", "B3 B3", (0, 5, 0), "b", (6, 6)),
    "B-T51": ("R3 Y1 +B", "R1 Y2 B3", (2, 1, 2), "rby", (4, 6)),
    "B-T51 without the plus": ("R3 Y1", "R1 Y2 B3", (2, 1, 2), "ry", (4, 3)),
    "B-T53": ("", "R1", (1, 0, 0), "r", (0, 1)),
}


@pytest.mark.parametrize("case", FIGHTS)
def test_fight(case: str) -> None:
    p, q, counts, colours, sums = FIGHTS[case]
    assert fight(cards(p), cards(q)) == Fight(counts, tuple(colours), sums)
    assert fight(cards(q), cards(p)) == Fight(counts, tuple(colours), sums[::-1])
    lower = [] if sums[0] == sums[1] else [sums.index(min(sums))]
    assert list(at_rope(p, q)) == lower


def at_rope(p: str, q: str, *calls: tuple[int, int]) -> tuple[int, ...]:
    """Who takes a token at the rope between P (seat 0) and Q (seat 1), of three who play."""
    found = check((0, 1, 2), (p.lower(), "", ""), ("", q.lower(), ""), calls, "sbam")
    return found.ropes[0].hurt


@pytest.mark.parametrize(
    ("calls", "hurt"),
    [
        pytest.param((), (), id="B-T21"),
        pytest.param(((0, 1),), (0,), id="B-T22"),
        pytest.param(((0, 1), (1, 1)), (0, 1), id="B-T23"),
        pytest.param(((0, 2),), (), id="B-T25"),
    ],
)
def test_tied_fight(calls: tuple[tuple[int, int], ...], hurt: tuple[int, ...]) -> None:
    assert at_rope("R2 R1", "R3", *calls) == hurt


@pytest.mark.parametrize(
    ("calls", "hurt"),
    [
        pytest.param((), (0,), id="B-T26 none"),
        pytest.param(((0, 1),), (0,), id="B-T26 single"),
        pytest.param(((0, 2),), (), id="B-T26 double"),
        pytest.param(((1, 2),), (0,), id="B-T27"),
    ],
)
def test_lost_fight(calls: tuple[tuple[int, int], ...], hurt: tuple[int, ...]) -> None:
    assert at_rope("R1", "R3", *calls) == hurt


@st.composite
def both_sides(draw: st.DrawFn) -> tuple[list[Card], list[Card]]:
    """Two sides of a rope as a round can leave them: any cards of the deck, few or many, on either side."""
    rng = draw(st.randoms(use_true_random=False))
    pile = [card for card in deck(with_no3=True) if card in PLAYABLE]
    rng.shuffle(pile)
    first, second = draw(st.integers(0, 27)), draw(st.integers(0, 27))
    return pile[:first], pile[first : first + second]


def counted_slowly(left: list[Card], right: list[Card]) -> Fight:
    """The same count card by card, as a person does it at the table."""
    here = set(left) | set(right)
    kept: list[Counter[Card]] = []
    for side in (left, right):
        piles = Counter(card for card in side if card in VALUE)
        for card in list(piles):
            colour, strength = VALUE[card]
            if f"x{colour}" in here or (strength == 3 and "no3" in here):
                piles[card] = 0
            while piles[card] >= 2 and f"={colour}" not in here:
                piles[card] -= 2
        kept.append(piles)
    counts = tuple(sum(n for side in kept for card, n in side.items() if card[0] == c) for c in COLOURS)
    chosen = {c for c, n in zip(COLOURS, counts, strict=True) if n == max(counts) or f"+{c}" in here}
    used = tuple(c for c, n in zip(COLOURS, counts, strict=True) if c in chosen and n)
    one, two = (sum(VALUE[card][1] * n for card, n in side.items() if card[0] in used) for side in kept)
    return Fight(counts, used, (one, two))


@given(both_sides())
def test_digits_count_as_a_person_does(sides: tuple[list[Card], list[Card]]) -> None:
    assert fight(*sides) == counted_slowly(*sides)


@given(both_sides())
def test_order_of_play_is_nothing_to_a_fight(sides: tuple[list[Card], list[Card]]) -> None:
    left, right = sides
    assert fight(left[::-1], right[::-1]) == fight(left, right)
