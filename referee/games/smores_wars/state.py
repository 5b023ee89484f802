"""A state of S'mores Wars: tuples and small integers, all of it public, and what views show of them once asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from referee.game import Seat
from referee.games.smores_wars.battle import Battle
from referee.games.smores_wars.cards import CARDS, CHOCOLATE, EMPTY, GRAHAM, KINDS, Card, Counts, names

DEAL, REVEAL, SELECT, BATTLE, PLACE, OVER = range(6)
STAGES: Final = ("deal", "reveal", "select", "battle", "place", "over")

QUIET_LIMIT: Final = 10
"""Rounds in a row of nothing but idle S'morage tokens, after which the harness ends the game (S-R42)."""

Smore: TypeAlias = tuple[int, int, int, int]
"""The values of bottom Graham, Chocolate, Marshmallow and top Graham; 0 where the card is missing."""

TO_SMORAGE: Final = -2
TO_NEW: Final = -1
"""Where a card goes: into S'morage, to a new s'more, or (0 and up) onto the s'more of that number."""


@cache
def smore_shown(smore: Smore) -> tuple[str, int]:
    """The cards of a s'more from bottom to top, such as `G3 C2 M5 G1`, and what it is worth now.

    That is all its points if it is complete, else one less than nothing for each card missing (S-R39).
    """
    cards = [8 * (place % 3) + value for place, value in enumerate(smore) if value]
    return " ".join(names(cards)), sum(smore) if smore[3] else -smore.count(0)


def read_smore(name: str) -> Smore:
    """The s'more of a name."""
    values = [0, 0, 0, 0]
    for card in name.split():
        kind, value = CARDS[card] >> 3, CARDS[card] & 7
        values[3 if kind == GRAHAM and values[0] else kind] = value
    return values[0], values[1], values[2], values[3]


@dataclass(slots=True, unsafe_hash=True)
class Area:
    """What lies before one seat: its s'mores in the order begun, and its S'morage, sorted.

    A value like any other; it is not declared frozen because that makes it three times as slow to make.
    """

    smores: tuple[Smore, ...] = ()
    smorage: tuple[Card, ...] = ()
    shown: tuple[list[str], list[str], int] | None = field(default=None, init=False, compare=False, repr=False)
    """S'mores and S'morage by name, and the score, once `show` has been asked for them; never to be changed."""

    def show(self) -> tuple[list[str], list[str], int]:
        """Makes `shown` and gives it."""
        smores, score = [], 0
        for smore in self.smores:
            name, points = smore_shown(smore)
            smores.append(name)
            score += points
        self.shown = shown = (smores, names(self.smorage), score)
        return shown

    def score(self) -> int:
        """The points of its s'mores (S-R39); S'morage is 0 (S-R40)."""
        return (self.shown or self.show())[2]

    def spots(self, kind: int) -> list[int]:
        """Where a card of this kind may be put besides S'morage, TO_NEW first; of equal s'mores only the first.

        Chocolate and Marshmallow: once on each open s'more (S-R27), as many open ones as there are (S-R24). Graham:
        a new s'more, or the top of one that has both (S-R25); never a top before that (S-R26). A complete s'more is
        closed (S-R32).
        """
        smores, spot = self.smores, 0
        found: list[int] = [TO_NEW] if kind == GRAHAM else []
        for smore in smores:
            _, middle, other, top = smore
            if (middle and other and not top if kind == GRAHAM else not smore[kind]) and smores.index(smore) == spot:
                found.append(spot)
            spot += 1  # noqa: SIM113 - so few s'mores that making an enumerate costs more
        return found

    def put(self, card: Card, spot: int) -> Area:
        """The area with a card put on a legal spot."""
        kind, value = card >> 3, card & 7
        smores = self.smores
        if spot == TO_SMORAGE:
            return _area(smores, tuple(sorted((*self.smorage, card))))
        if spot == TO_NEW:
            return _area((*smores, (value, 0, 0, 0)), self.smorage)
        bottom, chocolate, marshmallow, top = smores[spot]
        if kind == GRAHAM:
            top = value
        elif kind == CHOCOLATE:
            chocolate = value
        else:
            marshmallow = value
        return _area((*smores[:spot], (bottom, chocolate, marshmallow, top), *smores[spot + 1 :]), self.smorage)

    def move(self, card: Card, spot: int) -> Area:
        """The area with a card of its S'morage put on a legal spot."""
        at = self.smorage.index(card)
        return _area(self.smores, (*self.smorage[:at], *self.smorage[at + 1 :])).put(card, spot)


bare = object.__new__  # half the cost of calling Area or State


def _area(smores: tuple[Smore, ...], smorage: tuple[Card, ...]) -> Area:
    made = bare(Area)
    made.smores = smores
    made.smorage = smorage
    made.shown = None
    return made


@dataclass(slots=True, unsafe_hash=True)
class State:
    """Everything that matters at one moment; a value like `Area`."""

    stage: int
    round: int
    tiebreakers: tuple[int, ...]
    """By seat; empty before the deal."""
    stacks: tuple[Counts, ...]
    """Face-down cards by kind; their order is drawn when it matters."""
    board: tuple[int, ...]
    """The value of the face-up card of each kind, 0 where none lies."""
    areas: tuple[Area, ...]
    tokens: tuple[int, ...]
    """This round's tokens by seat once they are revealed, else empty."""
    battles: tuple[Battle, ...]
    """Those still to be settled, the current one first (S-R12)."""
    pending: tuple[tuple[Seat, Card], ...]
    """Who still has to place a card, in seat order (S-R34); card 0 is a move out of S'morage."""
    discarded: tuple[Card, ...]
    """Cards out of the game, sorted."""
    quiet: int
    """Rounds in a row, up to now, in which all played S'morage and nobody moved a card (S-R42)."""
    gains: tuple[int, int, int]
    """Cards taken unopposed, cards won in Battle, cards moved out of S'morage."""
    shown: Shown | None = field(default=None, init=False, compare=False, repr=False)
    """Some of what views show, once one has been asked for; never to be changed."""
    stacks_shown: dict[str, int] | None = field(default=None, init=False, compare=False, repr=False)
    """What views show of `stacks`, likewise."""


class Shown(NamedTuple):
    """What views show of a state and does not change from one placement to the next."""

    board: list[str]
    tiebreakers: list[str]
    tokens: list[str]
    discarded: list[str]


def exhausted(stacks: tuple[Counts, ...], board: tuple[int, ...]) -> list[int]:
    """The kinds of which no card is left, face down or face up (S-R35)."""
    return [kind for kind in KINDS if not board[kind] and stacks[kind] == EMPTY]
