"""Hands, each made once: what it allows and where it leads are looked up, not worked out again in every tick."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from referee.games.sbam.actions import CALLS, PASS, PLAYS, Action, Move
from referee.games.sbam.cards import OOPS, SBAM, VALUE, Card, arranged


@dataclass(slots=True, eq=False)
class Hand:
    """At most three cards; made by `hand_of` only, so that equal hands are one object."""

    cards: tuple[Card, ...]
    """In the order of the deck."""
    commits: tuple[Action, ...] = field(default=(), repr=False)
    """The legal commits in their fixed order, the mildest first."""
    outcomes: Mapping[Action, tuple[Hand, str, Card]] = field(default_factory=dict, repr=False)
    """What each of `commits` does: what is left of the hand, and `letter` and `card` of the move."""
    grown: dict[Card, Hand] = field(default_factory=dict, repr=False)
    """The hands that drawing a card led to so far."""
    filled: dict[tuple[Card, ...], Hand] = field(default_factory=dict, repr=False)
    """The hands that drawing several cards led to so far."""

    def grow(self, card: Card) -> Hand:
        """The hand with a card added."""
        more = self.grown.get(card)
        if more is None:
            more = self.grown[card] = hand_of((*self.cards, card))
        return more

    def fill(self, cards: tuple[Card, ...]) -> Hand:
        """The hand with cards added."""
        more = self.filled.get(cards)
        if more is None:
            more = self.filled[cards] = hand_of(self.cards + cards)
        return more

    def without(self, cards: tuple[Card, ...]) -> Hand:
        """The hand that is left when these cards go, which it holds."""
        left = list(self.cards)
        for card in cards:
            left.remove(card)
        return hand_of(tuple(left))

    def __reduce__(self) -> tuple[object, ...]:
        return hand_of, (self.cards,)


_MADE: Final[dict[tuple[Card, ...], Hand]] = {}
"""Every hand that came up, by its cards in each order in which they came; at most some 9,700."""


def hand_of(cards: tuple[Card, ...]) -> Hand:
    """The hand of these cards, in any order."""
    made = _MADE.get(cards)
    if made is None:
        ordered = arranged(cards)
        made = _MADE.get(ordered)
        if made is None:
            made = _MADE[ordered] = Hand(ordered)
            made.outcomes = {
                move: (made.without(move.cards) if move.cards else made, move.letter, move.card)
                for move in _commits(ordered)
            }
            made.commits = tuple(made.outcomes)
    return made


def _commits(hand: tuple[Card, ...]) -> list[Move]:
    """What a hand may do in a tick.

    Playing is a duty (B-R4), to either side (B-R5), one card at a time but for Sbam! cards (B-R6), of which the seat
    chooses how many (B-R8). Passing is legal only when nothing but Sbam! and Oops is held (B-R4); it is the mildest.
    """
    playable = [card for card in dict.fromkeys(hand) if card not in (SBAM, OOPS)]
    # The mildest play is a coloured card: it is what everybody plays all the time.
    playable.sort(key=lambda card: card not in VALUE)
    moves = [move for card in playable for move in PLAYS[card]] or [PASS]
    return [*moves, *CALLS[: hand.count(SBAM)]]


EMPTY: Final = hand_of(())
