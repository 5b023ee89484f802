"""Hands, each made once: what it allows and where it leads are looked up, not worked out again in every tick."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from referee.games.sbam.actions import CALLS, PASS, PLAYS, Action, Move
from referee.games.sbam.cards import OOPS, SBAM, VALUE, Card, arranged


class Outcome(NamedTuple):
    """What a commit does."""

    hand: Hand
    """What is left of the hand."""
    letter: str
    """As `Move.letter`."""
    card: Card
    """As `Move.card`."""


class Hand(tuple[Card, ...]):
    """At most three cards in the order of the deck; made by `hand_of` only, so that equal hands are one object."""

    commits: tuple[Action, ...]
    """The legal commits in their fixed order, the mildest first."""
    outcomes: Mapping[Action, Outcome]
    """What each of `commits` does."""
    grown: dict[tuple[Card, ...], Hand]
    """The hands that drawing led to so far, by the cards drawn."""

    def draw(self, cards: tuple[Card, ...]) -> Hand:
        """The hand with these cards added."""
        more = self.grown[cards] = hand_of(tuple(self) + cards)
        return more

    def without(self, cards: tuple[Card, ...]) -> Hand:
        """The hand that is left when these cards go, which it holds."""
        left = list(self)
        for card in cards:
            left.remove(card)
        return hand_of(tuple(left))

    def __reduce__(self) -> tuple[object, ...]:
        return hand_of, (tuple(self),)


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
            made.grown = {}
            made.outcomes = {
                move: Outcome(made.without(move.cards) if move.cards else made, move.letter, move.card)
                for move in _commits(made)
            }
            made.commits = tuple(made.outcomes)
    return made


def _commits(hand: Hand) -> list[Move]:
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
