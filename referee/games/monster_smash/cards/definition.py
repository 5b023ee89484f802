"""What a card and a base are: printed facts, and the hooks through which the engine asks for their effects.

A card in play is one number, its *piece*: the owner's seat in bits 0 and 1, the card's number in bits 2 to 11, and a
serial number above them, so that owner and card of a piece are read off without a table. No card changes its
controller in this set, so owner and controller are one (R-31). A base is unique, and stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypedDict, Unpack

if TYPE_CHECKING:
    from referee.games.monster_smash.state import State

Piece: TypeAlias = int
"""A card in play."""
CardNo: TypeAlias = int
"""The number of a card in the table of cards; copies share it."""
BaseNo: TypeAlias = int
"""The number of a base in the table of bases."""

DECLINED: Final = -1
"""The value of a choice that says no more, no, or nothing."""


def owner(piece: Piece) -> int:
    """The seat that owns and controls a card in play."""
    return piece & 3


def card_of(piece: Piece) -> CardNo:
    """The number of the card that a piece is."""
    return piece >> 2 & 1023


def serial(piece: Piece) -> int:
    """The serial number of a piece, from 1 in order of entering play."""
    return piece >> 12


def make_piece(number: int, card: CardNo, seat: int) -> Piece:
    """The piece with this serial number, card and owner."""
    return number << 12 | card << 2 | seat


class Frame(NamedTuple):
    """An effect in progress: which one, its next step, whose it is, what it comes from, and what was picked so far.

    Frames hold numbers and public facts only, so that a stack of them is plain data.
    """

    effect: str
    at: int
    seat: int
    source: int
    """A piece, a card's number or a base's, as the effect knows."""
    picks: tuple[Any, ...] = ()

    def on(self, steps: int = 1) -> Frame:
        """The frame that many steps further."""
        return Frame(self[0], self[1] + steps, self[2], self[3], self[4])

    def picking(self, *picks: Any) -> Frame:
        """The frame at the same step with these picks."""
        return Frame(self[0], self[1], self[2], self[3], picks)


Do: TypeAlias = Callable[["State", Frame], None]
"""A step that changes the state; its frame on the stack already stands at the next step, or is gone after the last."""


class Ask:
    """A step that offers a choice; with nothing to offer it passes by, with one thing it takes it.

    `hidden` choices depend on a hand, so they are asked even then: who is asked must tell nothing.
    """

    kind: str = "minion"
    """What is chosen: the type of the actions offered."""
    decline: str = "done"
    """The type of the action that says no."""
    hidden: bool = False

    def seat(self, s: State, f: Frame) -> int:  # noqa: ARG002
        """Who is asked."""
        return f.seat

    def values(self, s: State, f: Frame) -> Sequence[int]:
        """What may be chosen, the mildest first; empty when there is nothing to choose."""
        raise NotImplementedError

    def chosen(self, s: State, f: Frame, value: int) -> None:
        """Take one of `values`; the frame is still at this step."""
        raise NotImplementedError

    def nothing(self, s: State, f: Frame) -> None:  # noqa: ARG002
        """There was nothing to choose: by default the effect ends."""
        s.stack.pop()


Step: TypeAlias = "Do | Ask"
Steps: TypeAlias = "tuple[Step, ...]"


class On(Enum):
    """What a trigger waits for; in brackets what it is told happened."""

    TURN_START = "turn-start"  # (the seat)
    PLAYED = "played"  # (a Played)
    DESTROYED = "destroyed"  # (the Fallen of one ability)
    GONE = "gone"  # (this piece went from play to the discard pile)
    BEFORE_SCORING = "before-scoring"  # (the base)
    AFTER_SCORING = "after-scoring"  # (the base)


class Played(NamedTuple):
    """A minion that was just played, and whether it is the first one there this turn (R-34)."""

    piece: Piece
    base: BaseNo
    first: bool


class Fallen(NamedTuple):
    """A minion that was destroyed, where it stood, and whose card did it (R-33)."""

    piece: Piece
    base: BaseNo
    by: int


Due: TypeAlias = Iterable[tuple[int, tuple[Any, ...]]]
"""For each time that a trigger fires: the seat that it is for, and the first picks of its effect."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """An effect that follows an event."""

    on: On
    when: Callable[[State, int, Any], Due]
    """Given the source and what happened: the times it fires."""
    steps: Steps
    plain: bool = False
    """It asks nobody, so nobody cares when it happens, unless another trigger reads what it changes."""
    reads: bool = False
    """What it does depends on power or places, so its order among others matters (R-01)."""


@dataclass(frozen=True, slots=True)
class Talent:
    """An ability for once in each of its controller's turns."""

    ready: Callable[[State, Piece], bool]
    """Whether its condition and its cost can be met now (R-21)."""
    steps: Steps


class Goes(Enum):
    """Where a card goes when it is played, or the only window that it may be played in (R-04)."""

    MINION = "minion"
    TABLE = "action"
    ON_BASE = "action on a base"
    ON_MINION = "action on a minion"
    BEFORE = "special before scoring"
    AFTER = "special after scoring"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A minion or an action: its facts, its text in our words, and what it does."""

    slug: str
    name: str
    copies: int
    text: str
    power: int = 0
    """Printed power, for a minion."""
    goes: Goes = Goes.TABLE
    on_play: Steps = ()
    talent: Talent | None = None
    triggers: Sequence[Trigger] = ()
    adds_power: Callable[[State, Piece, Piece], int] | None = None
    """Attached to a base: the power that it (first piece) gives to a minion there (second piece)."""
    adds_total: Callable[[State, Piece], int] | None = None
    """Attached to a base: what it adds to its controller's total there while that player has a minion there."""
    shields: Callable[[State, Piece, Piece], bool] | None = None
    """Attached to a minion: whether this minion cannot be destroyed."""
    wards: Callable[[State, Piece, Piece, int], bool] | None = None
    """Attached to a base: whether a minion there is unaffected by a card of that seat (R-11)."""
    rescues: Callable[[State, Piece, Piece], bool] | None = None
    """A minion that can save another from being destroyed now, for one of its counters."""
    recalls: Callable[[State, Piece, Piece], bool] | None = None
    """Attached to a base: whether a minion there goes to its owner's hand instead of being destroyed (R-09)."""


class Hooks(TypedDict, total=False):
    """What a card may do, as `Card` has it."""

    on_play: Steps
    talent: Talent
    triggers: Sequence[Trigger]
    adds_power: Callable[[State, Piece, Piece], int]
    adds_total: Callable[[State, Piece], int]
    shields: Callable[[State, Piece, Piece], bool]
    wards: Callable[[State, Piece, Piece, int], bool]
    rescues: Callable[[State, Piece, Piece], bool]
    recalls: Callable[[State, Piece, Piece], bool]


def minion(slug: str, name: str, power: int, copies: int, text: str, **hooks: Unpack[Hooks]) -> Card:
    """A minion card."""
    return Card(slug=slug, name=name, power=power, copies=copies, text=text, goes=Goes.MINION, **hooks)


def action(slug: str, name: str, copies: int, text: str, *, goes: Goes = Goes.TABLE, **hooks: Unpack[Hooks]) -> Card:
    """An action card."""
    return Card(slug=slug, name=name, copies=copies, text=text, goes=goes, **hooks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """A base: its facts, its text in our words, and what it does."""

    slug: str
    name: str
    breakpoint: int
    vp: tuple[int, int, int]
    text: str
    triggers: Sequence[Trigger] = ()
    shields: Callable[[State, BaseNo, Piece], bool] | None = None
    """Whether a minion here cannot be destroyed."""
    second_talent: bool = False
    """Whether one minion here may use its talent twice in its controller's turn."""


@dataclass(frozen=True, slots=True)
class Faction:
    """Twenty cards that are drafted together."""

    slug: str
    name: str
    cards: tuple[Card, ...] = field(repr=False)
