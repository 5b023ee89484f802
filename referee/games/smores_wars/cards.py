"""The cards as plain data: ingredients with their values, Battle cards with what beats what, Tiebreakers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from typing import Final, TypeAlias

INGREDIENTS: Final = ("graham", "chocolate", "marshmallow")
"""By kind; Battles are settled in this order (S-R12)."""
GRAHAM, CHOCOLATE, MARSHMALLOW = KINDS = (0, 1, 2)

TOKENS: Final = (*INGREDIENTS, "smorage")
"""The Selection tokens: one for each kind, and the one for S'morage."""
SMORAGE: Final = 3

VALUES: Final = (1, 2, 3, 5)
"""The points that a card may show."""

ASSUMED_COPIES: Final[Mapping[str, tuple[int, int, int, int]]] = {
    "graham": (9, 8, 5, 3),
    "chocolate": (5, 5, 3, 2),
    "marshmallow": (5, 5, 3, 2),
}
"""How many cards of each of VALUES a stack has. ASSUMED: the rulebook gives the stacks' sizes (25, 15, 15) and the
four values, not how often each occurs. Nothing else in this game depends on these numbers."""

Counts: TypeAlias = tuple[int, ...]
"""Cards of one kind, counted for each of VALUES."""
Card: TypeAlias = int
"""An Ingredient card: 8 x kind + value, so that sorting orders by kind, then value; 0 is no card."""

FULL: Final[tuple[Counts, ...]] = tuple(ASSUMED_COPIES[name] for name in INGREDIENTS)
EMPTY: Final[Counts] = (0, 0, 0, 0)
PLACE_OF_VALUE: Final = {value: place for place, value in enumerate(VALUES)}


@cache
def without(counts: Counts, value: int) -> Counts:
    """The counts with one card of this value gone; remembered, for there are some 2,500 counts at most."""
    place = PLACE_OF_VALUE[value]
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])


@cache
def spread(counts: Counts) -> tuple[int, ...]:
    """The value of each card, rising."""
    return tuple(value for value, count in zip(VALUES, counts, strict=True) for _ in range(count))


CARD_NAMES: Final[Mapping[Card, str]] = {
    8 * kind + value: f"{name[0].upper()}{value}" for kind, name in enumerate(INGREDIENTS) for value in VALUES
}
"""Every card's short name, such as `G3` for Graham 3."""
CARDS: Final = {name: card for card, name in CARD_NAMES.items()}
LONG_NAMES: Final = {name: f"{INGREDIENTS[card >> 3].capitalize()} {card & 7}" for name, card in CARDS.items()}
"""Short name -> name for people."""


def names(cards: Iterable[Card]) -> list[str]:
    """The short names of cards."""
    return [CARD_NAMES[card] for card in cards]


BATTLE_CARDS: Final = ("chomp", "smash", "splat", "stretch", "toast")
"""In the order of `legal`: Chomp, which beats one card of five, comes first."""
CHOMP, SMASH, SPLAT, STRETCH, TOAST = range(5)
NOT_PLAYING: Final = -1

BEATS: Final = {
    CHOMP: {TOAST},
    TOAST: {SMASH, SPLAT, STRETCH},
    SMASH: {STRETCH, CHOMP},
    SPLAT: {SMASH, CHOMP},
    STRETCH: {SPLAT, CHOMP},
}
TIEBREAKERS: Final = {
    3: (SMASH, SPLAT, STRETCH),
    4: (SMASH, SPLAT, STRETCH, CHOMP),
    5: (SMASH, SPLAT, STRETCH, CHOMP, TOAST),
}
"""The Tiebreakers in use, by player count (S-R1, S-R2)."""


def _undefeated(cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(i for i, card in enumerate(cards) if not any(card in BEATS[other] for other in cards))


UNDEFEATED: Final = {cards: _undefeated(cards) for battlers in (2, 3) for cards in product(range(5), repeat=battlers)}
"""For two or three cards revealed together: the places of those that no other one beats."""
