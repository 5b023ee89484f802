"""A Battle: who is still in, what was revealed, and what a reveal settles."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from referee.game import Seat
from referee.games.smores_wars.cards import BATTLE_CARDS, NOT_PLAYING, UNDEFEATED

REVEAL_LIMIT: Final = 20
"""Reveals in one Battle, after which the harness discards the card (S-R22)."""


class Battle(NamedTuple):
    """A Battle for the face-up card of a kind: who is still in, and each reveal so far, a card for every seat."""

    kind: int
    seats: tuple[Seat, ...]
    reveals: tuple[tuple[int, ...], ...] = ()
    """NOT_PLAYING for a seat that did not take part."""

    def played(self, seat: Seat) -> tuple[int, ...]:
        """The cards that a seat still in has set aside.

        Whoever is still in took part in every reveal, so after each fifth one all five cards are back (S-R21).
        """
        reveals = self.reveals
        if not reveals:
            return ()
        return tuple([row[seat] for row in reveals[len(reveals) // 5 * 5 :]])

    def row(self, cards: tuple[int, ...], seats: int) -> tuple[int, ...]:
        """The cards of `self.seats`, in their order, as a reveal with a place for every seat."""
        row = [NOT_PLAYING] * seats
        for seat, card in zip(self.seats, cards, strict=True):
            row[seat] = card
        return tuple(row)


@cache
def hand(played: tuple[int, ...]) -> tuple[int, ...]:
    """The Battle cards left when these are set aside (S-R13)."""
    return tuple(card for card in range(len(BATTLE_CARDS)) if card not in played)


def settle(battle: Battle, cards: tuple[int, ...], tiebreakers: tuple[int, ...]) -> tuple[Seat, ...]:
    """Who is still in after a reveal, by the cards of `battle.seats` in their order; one seat alone has won.

    The only undefeated card wins, whatever ties below it (S-R16). Of two undefeated, equal by necessity, the owner of
    that Tiebreaker wins, else those two go on without the third (S-R15); Tiebreakers of others do not matter (S-R17,
    S-R18). A circle (S-R19) or three equal cards, whose Tiebreaker is ignored (S-R14), leave all in.
    """
    standing = UNDEFEATED[cards]
    seats = battle.seats
    if len(standing) == 1:
        return (seats[standing[0]],)
    if len(standing) == 2:
        first, second = seats[standing[0]], seats[standing[1]]
        tied = cards[standing[0]]
        for seat in (first, second):
            if tiebreakers[seat] == tied:
                return (seat,)
        return (first, second)
    return seats
