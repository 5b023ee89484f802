"""Who gets which card: what tokens lead to, Battles, and what a reveal settles."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from referee.game import Seat
from referee.games.smores_wars.cards import BATTLE_CARDS, KINDS, NOT_PLAYING, SMORAGE, UNDEFEATED

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


class Claims(NamedTuple):
    """What revealed tokens lead to, whatever the cards are."""

    served: tuple[tuple[Seat, int], ...]
    """Who may place or move a card without a Battle, with the token, in seat order (S-R34)."""
    taken: tuple[int, ...]
    """Kinds that one seat takes (S-R9)."""
    crowded: tuple[int, ...]
    """Kinds whose card is discarded, for four or five seats chose it (S-R11)."""
    battles: tuple[Battle, ...]
    """Kinds that two or three seats battle for (S-R10), in order (S-R12)."""


@cache
def claims(tokens: tuple[int, ...]) -> Claims:
    """What these tokens, by seat, lead to; S'morage tokens never clash (S-R6)."""
    rivals = [tokens.count(kind) for kind in KINDS]
    served = tuple((seat, token) for seat, token in enumerate(tokens) if token == SMORAGE or rivals[token] == 1)
    battles = [
        Battle(kind, tuple(seat for seat, token in enumerate(tokens) if token == kind))
        for kind in KINDS
        if 2 <= rivals[kind] <= 3
    ]
    taken = tuple(kind for kind in KINDS if rivals[kind] == 1)
    crowded = tuple(kind for kind in KINDS if rivals[kind] > 3)
    return Claims(served, taken, crowded, tuple(battles))


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
