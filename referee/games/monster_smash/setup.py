"""Setting up: who begins, the factions, decks, bases and opening hands (R-28, R-35)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Final

from referee.games.monster_smash.cards import FACTION_DECK, FACTIONS, IS_MINION
from referee.games.monster_smash.cards.definition import Ask, Frame, Steps
from referee.games.monster_smash.nature import Chance
from referee.games.monster_smash.state import State

OPENING_HAND: Final = 5


class FirstPlayer(Chance):
    kind = "first"

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> int:  # noqa: ARG002
        return stream("first player").randrange(s.seats)

    def happens(self, s: State, f: Frame, outcome: int) -> None:
        if outcome not in range(s.seats):
            raise ValueError(outcome)
        s.first = s.current = outcome
        s.log.append(("first", outcome))
        s.stack[-1] = f.on()


def pool(seats: int) -> tuple[int, ...]:
    """How many of each faction there are to take: one box for two players, else two (R-35)."""
    return (1 if seats == 2 else 2,) * len(FACTIONS)


@cache
def snake(first: int, seats: int) -> tuple[int, ...]:
    """The order of drafting: clockwise from the first player, and back."""
    clockwise = tuple((first + i) % seats for i in range(seats))
    return clockwise + clockwise[::-1]


def take(left: tuple[int, ...], faction: int) -> tuple[int, ...]:
    """What is left of each faction after one is taken."""
    return tuple(n - (taken == faction) for taken, n in enumerate(left))


@lru_cache(maxsize=1 << 14)
def completes(order: tuple[int, ...], held: tuple[frozenset[int], ...], left: tuple[int, ...]) -> bool:
    """Whether everybody still to pick can end with two different factions."""
    if not order:
        return True
    seat, rest = order[0], order[1:]
    for faction, copies in enumerate(left):
        if copies and faction not in held[seat]:
            now = (*held[:seat], held[seat] | {faction}, *held[seat + 1 :])
            if completes(rest, now, take(left, faction)):
                return True
    return False


class Draft(Ask):
    """A faction each in snake order; a pick that would leave a later picker only one it holds is not offered."""

    kind = "draft"

    def seat(self, s: State, f: Frame) -> int:
        return snake(s.first, s.seats)[len(f.picks)]

    def values(self, s: State, f: Frame) -> Sequence[int]:
        order = snake(s.first, s.seats)[len(f.picks) :]
        if not order:
            return ()
        left = tuple(n - f.picks.count(faction) for faction, n in enumerate(pool(s.seats)))
        held = tuple(frozenset(factions) for factions in s.factions)
        seat = order[0]
        return [
            faction
            for faction in range(len(FACTIONS))
            if left[faction]
            and faction not in held[seat]
            and completes(
                order[1:],
                (*held[:seat], held[seat] | {faction}, *held[seat + 1 :]),
                take(left, faction),
            )
        ]

    def chosen(self, s: State, f: Frame, value: int) -> None:
        seat = self.seat(s, f)
        s.factions[seat] += (value,)
        s.log.append(("draft", seat, value))
        s.stack[-1] = f.picking(*f.picks, value)

    def nothing(self, s: State, f: Frame) -> None:
        s.stack[-1] = f.on()


class RandomFactions(Chance):
    kind = "factions"

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> tuple[tuple[int, ...], ...]:  # noqa: ARG002
        rng = stream("factions")
        cards = [faction for faction, n in enumerate(pool(s.seats)) for _ in range(n)]
        while True:
            rng.shuffle(cards)
            hands = tuple(tuple(cards[2 * seat : 2 * seat + 2]) for seat in range(s.seats))
            if all(len(set(hand)) == 2 for hand in hands):
                return hands

    def happens(self, s: State, f: Frame, outcome: tuple[tuple[int, ...], ...]) -> None:
        left = list(pool(s.seats))
        for faction in (faction for hand in outcome for faction in hand):
            left[faction] -= 1
        if [len(set(hand)) for hand in outcome] != [2] * s.seats or min(left) < 0:
            raise ValueError(outcome)
        for seat, factions in enumerate(outcome):
            s.factions[seat] = tuple(factions)
            s.log.append(("factions", seat, *factions))
        s.stack[-1] = f.on()


def make_decks(s: State, f: Frame) -> None:  # noqa: ARG001
    """Shuffle the two factions of each player, and have opening hands drawn and bases laid out."""
    for seat in range(s.seats):
        s.rest[seat] = tuple(sorted(card for faction in s.factions[seat] for card in FACTION_DECK[faction]))
    s.stack.append(Frame("turn", 0, s.first, 0))
    for i in reversed(range(s.seats)):
        s.stack.append(Frame("opening", 0, (s.first + i) % s.seats, 0))
    s.stack.append(Frame("base", 0, 0, s.seats + 1))


def open_hand(s: State, f: Frame) -> None:
    s.draw(f.seat, OPENING_HAND)


def redraw_without_minion(s: State, f: Frame) -> None:
    """A hand without minions is shown, discarded and replaced once (R-28)."""
    hand = s.hands[f.seat]
    if any(IS_MINION[card] for card in hand):
        s.holds_minion[f.seat] = True
        return
    s.log.append(("redraw", f.seat, hand))
    s.hands[f.seat] = ()
    s.discards[f.seat] += hand
    s.draw(f.seat, OPENING_HAND)


SETUP: Final[dict[str, Steps]] = {
    "draft": (FirstPlayer(), Draft(), make_decks),
    "deal": (FirstPlayer(), RandomFactions(), make_decks),
    "opening": (open_hand, redraw_without_minion),
}
"""The effects of this module, by name; a match begins with `draft` or `deal`."""
