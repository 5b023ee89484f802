"""The deck as one data table: every assumption about the cards of Sbam! stands here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, TypeAlias

Card: TypeAlias = str
"""A kind of card by its name in views, such as `r1`, `=b`, `xy` or `sbam`; copies of a kind are alike."""

COLOURS: Final = ("r", "b", "y")
STRENGTHS: Final = (1, 2, 3)
HAND: Final = 3
"""Cards in a hand whenever a tick begins."""

SBAM: Final[Card] = "sbam"
OOPS: Final[Card] = "oops"
NO3: Final[Card] = "no3"
"""The 61st card. Its kind is lost in the rulebook's text; the effect that it has here is a reconstruction."""

COPIES: Final[dict[Card, int]] = {
    # 45 coloured cards are sourced; that they are five of each kind is an assumption.
    **{f"{colour}{strength}": 5 for colour in COLOURS for strength in STRENGTHS},
    **{f"{sign}{colour}": 1 for sign in "=+x" for colour in COLOURS},
    NO3: 1,
    SBAM: 5,
    OOPS: 1,
}
"""How many of each kind, in the order in which hands and piles are written."""

PLAYABLE: Final = tuple(card for card in COPIES if card not in (SBAM, OOPS))
"""The kinds that go to a side of a rope."""

VALUE: Final[dict[Card, tuple[str, int]]] = {f"{c}{s}": (c, s) for c in COLOURS for s in STRENGTHS}
"""Colour and strength of the coloured cards; specials have neither, even those that name a colour (B-R33)."""

COLOUR_NAMES: Final = {"r": "red", "b": "blue", "y": "yellow"}

_SIGN_NAMES: Final = {"=": "bars", "+": "plus", "x": "X"}
_RANK: Final = {card: rank for rank, card in enumerate(COPIES)}


def deck(with_no3: bool) -> tuple[Card, ...]:
    """All cards in order: 61, or 60 without the reconstructed one."""
    return tuple(card for card, copies in COPIES.items() if with_no3 or card != NO3 for _ in range(copies))


def arranged(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in the order of the deck."""
    return tuple(sorted(cards, key=_RANK.__getitem__))


def spell(card: Card) -> str:
    """The card for people, such as `red 1`, `bars blue`, `Sbam!`."""
    if card in VALUE:
        colour, strength = VALUE[card]
        return f"{COLOUR_NAMES[colour]} {strength}"
    if card[0] in _SIGN_NAMES:
        return f"{_SIGN_NAMES[card[0]]} {COLOUR_NAMES[card[1]]}"
    return {NO3: "No-3 (reconstructed)", SBAM: "Sbam!", OOPS: "Oops"}[card]


@cache
def spell_all(cards: tuple[Card, ...]) -> str:
    """The cards that a seat draws, for people; remembered, since a tick is told in a few microseconds."""
    return ", ".join(map(spell, cards))
