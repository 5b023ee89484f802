"""What nature decides: the base class of its steps, drawing cards, and bases that come into play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from referee.game import CHANCE
from referee.games.monster_smash.cards.definition import Ask, Frame, Steps
from referee.games.monster_smash.state import State, without


class Chance(Ask):
    """A step that nature decides."""

    hidden = True

    def seat(self, s: State, f: Frame) -> int:  # noqa: ARG002
        return CHANCE

    def values(self, s: State, f: Frame) -> Sequence[int]:  # noqa: ARG002
        return (0,)

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> Any:
        """An outcome, from the stream of its pile or purpose."""
        raise NotImplementedError

    def happens(self, s: State, f: Frame, outcome: Any) -> None:
        """The outcome came. Raises ValueError if it cannot."""
        raise NotImplementedError


class NewBases(Chance):
    """Bases from the base deck come into play, as many as the frame's source says and there are (R-26)."""

    kind = "bases"

    def values(self, s: State, f: Frame) -> Sequence[int]:
        return (0,) if s.base_deck and f.source else ()

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> tuple[int, ...]:
        rng = stream("bases")
        deck = list(s.base_deck)
        return tuple(deck.pop(int(rng.random() * len(deck))) for _ in range(min(f.source, len(deck))))

    def happens(self, s: State, f: Frame, outcome: tuple[int, ...]) -> None:
        if len(outcome) != min(f.source, len(s.base_deck)):
            raise ValueError(outcome)
        for base in outcome:
            s.base_deck = without(s.base_deck, base)
            s.bases.append(base)
            s.log.append(("base", base))
        s.stack.pop()


class Draw(Chance):
    """Cards from a deck: first the unordered rest, then what was put under it, then the shuffled discards (R-27)."""

    kind = "deal"

    def values(self, s: State, f: Frame) -> Sequence[int]:
        return (0,) if f.source and (s.rest[f.seat] or s.under[f.seat] or s.discards[f.seat]) else ()

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> tuple[int, ...]:
        rng = stream(f"deck {f.seat}")
        rest, under, discards = list(s.rest[f.seat]), list(s.under[f.seat]), sorted(s.discards[f.seat])
        cards: list[int] = []
        while len(cards) < f.source:
            if rest:
                cards.append(rest.pop(int(rng.random() * len(rest))))
            elif under:
                cards.append(under.pop(0))
            elif discards:
                rest, discards = discards, []
            else:
                break
        return tuple(cards)

    def happens(self, s: State, f: Frame, outcome: tuple[int, ...]) -> None:
        seat = f.seat
        if len(outcome) != min(f.source, len(s.rest[seat]) + len(s.under[seat]) + len(s.discards[seat])):
            raise ValueError(outcome)
        drawn: tuple[int, ...] = ()
        for card in outcome:
            if not (s.rest[seat] or s.under[seat]):
                self._take(s, seat, drawn)
                drawn = ()
                self._shuffle(s, seat)
            if s.rest[seat]:
                s.rest[seat] = without(s.rest[seat], card)
            elif s.under[seat][0] == card:
                self._take_under(s, seat)
            else:
                raise ValueError(outcome)
            drawn += (card,)
        self._take(s, seat, drawn)
        s.stack.pop()

    def _take(self, s: State, seat: int, cards: tuple[int, ...]) -> None:
        s.hands[seat] = tuple(sorted(s.hands[seat] + cards))
        s.log.append(("draw", seat, len(cards), cards))

    def _take_under(self, s: State, seat: int) -> None:
        """With the last card from under the deck, what was known to be there or in hand is in hand."""
        s.under[seat] = s.under[seat][1:]
        if not s.under[seat]:
            s.known[seat] = tuple(sorted(s.known[seat] + s.either[seat]))
            s.either[seat] = ()

    def _shuffle(self, s: State, seat: int) -> None:
        """The discard pile is the new deck; as all other cards of this player are in sight, so is now the hand."""
        s.rest[seat] = tuple(sorted(s.discards[seat]))
        s.discards[seat] = ()
        s.known[seat] = s.hands[seat]
        s.holds_minion[seat] = False
        s.log.append(("shuffle", seat))


NATURE: Final[dict[str, Steps]] = {"base": (NewBases(),), "draw": (Draw(),)}
"""The effects of this module, by name; the frame's source is how many."""
