"""What a game is: the questions that the table, the referee, bots and viewers ask of it.

A game object is rules plus options and holds no state of a match. A state is a value: `Game.apply` gives a new one
and leaves its argument as it was, so a search may keep as many states as it likes. Games know no clock, no files,
no players and no random generator of their own; nature's moves are drawn through streams that the caller hands in.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec

Seat: TypeAlias = int
"""A place at the table, 0-based; clockwise is increasing."""

encode: Final = msgspec.json.Encoder().encode
"""JSON as it goes over the wire and into replays."""

CHANCE: Final[Seat] = -1
"""The seat of nature: shuffles, deals and dice are its actions."""

Json: TypeAlias = Any
"""What JSON can hold: dict with string keys, list, str, int, float, bool or None."""

View: TypeAlias = dict[str, Json]
"""Everything that one seat may know at one moment, ready for JSON."""

Event: TypeAlias = dict[str, Json]
"""One thing that a seat saw happen; its `type` says what."""

Stream: TypeAlias = Callable[[str], Random]
"""Gives the random generator of a pile or purpose by its label; the same label gives the same generator."""


class Action(Protocol):
    """A frozen, hashable move of a seat or of nature; `str` gives its one-line spelling for people."""

    def to_json(self) -> dict[str, Json]:
        """The action as plain data; `Game.read_action` is the inverse."""
        ...


S = TypeVar("S")
A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of a game that an organiser may change."""

    name: str
    default: bool | int | str
    help: str
    choices: tuple[bool | int | str, ...] = ()
    """The values allowed; empty means any value of the default's type."""


class GameError(Exception):
    """The caller asked a game or a table for something that the rules do not allow; says what in one sentence."""


class OptionError(GameError):
    """An option that the game does not know, or a value that it does not take."""


class IllegalAction(GameError):
    """An action that is not among the legal ones of that seat."""


class OutOfTurn(GameError):
    """A call for a seat that is not to act, or for an action of nature when it is a seat's turn."""


class Game(ABC, Generic[S, A]):
    """The rules of one game with its options chosen."""

    name: ClassVar[str]
    """Its name on the command line, such as `marshmallow-test`."""
    title: ClassVar[str]
    """Its name for people, such as `The Marshmallow Test`."""
    version: ClassVar[str]
    """Changes whenever the same seed and choices could give another match; stands in every replay."""
    seats: ClassVar[range]
    """The player counts that it takes."""
    option_table: ClassVar[tuple[Option, ...]] = ()
    step_limit: ClassVar[int] = 20_000
    """More steps than any honest match needs; the referee ends a match there."""
    marks: ClassVar[frozenset[str]] = frozenset()
    """The event types that a replay viewer marks on its time line."""

    options: Mapping[str, bool | int | str]

    def __init__(self, options: Mapping[str, bool | int | str] | None = None) -> None:
        """Fix the options; those not named keep their defaults. Raises OptionError."""
        self.options = read_options(self.name, self.option_table, options or {})

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences that people must see beside the game: assumptions, reconstructions, guards of the harness."""
        return ()

    @abstractmethod
    def start(self, seats: int) -> S:
        """The state before anything happened. Raises GameError for a player count outside `seats`."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that decide now, all at the same moment; `(CHANCE,)` is nature, `()` is over. Public knowledge."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> Sequence[A]:
        """The legal actions of a seat that is to act, never empty, in a fixed order, the mildest first.

        For a seat that is not to act it raises OutOfTurn.
        """

    @abstractmethod
    def apply(self, state: S, actions: Mapping[Seat, A]) -> S:
        """The state after these actions, one for each seat to act (or nature's); never changes its argument."""

    @abstractmethod
    def draw(self, state: S, stream: Stream) -> A:
        """Nature's move, from the stream of the pile or purpose that it concerns; valid when nature is to act."""

    @abstractmethod
    def view(self, state: S, seat: Seat) -> View:
        """Everything this seat may know now, with every public fact of this game so far; built up from nothing."""

    def view_json(self, state: S, seat: Seat) -> bytes:
        """`view` as JSON, the bytes that a bot is sent; a game that keeps parts of them may write them cheaper."""
        return encode(self.view(state, seat))

    @abstractmethod
    def events(self, before: S, actions: Mapping[Seat, A], after: S, seat: Seat | None) -> list[Event]:
        """What this seat saw of a step, in order; None sees everything (replays only)."""

    def events_by_seat(self, before: S, actions: Mapping[Seat, A], after: S, seats: int) -> Sequence[list[Event]]:
        """`events` for every seat at once; a game may share lists between seats, so nobody may change them."""
        return [self.events(before, actions, after, seat) for seat in range(seats)]

    @abstractmethod
    def scores(self, state: S) -> tuple[float, ...]:
        """The score of each seat, higher is better; ranks follow from them, ties share a rank. Valid at any time."""

    @abstractmethod
    def reveal(self, state: S) -> View:
        """The whole state for replays and their digest, secrets included; never sent to a bot."""

    @abstractmethod
    def imagine(self, view: View, seat: Seat, rng: Random) -> S:
        """A full state that this view allows, hidden parts drawn from `rng`; its own view for that seat is the same."""

    @abstractmethod
    def read_action(self, data: Json) -> A:
        """The action that `to_json` wrote, a seat's or nature's. Raises IllegalAction when it is not one."""

    @abstractmethod
    def tell(self, before: S, actions: Mapping[Seat, A], after: S) -> str:
        """One line of plain text for people who follow the replay: what happened in this step, secrets included."""

    def tell_seat(self, before: S, actions: Mapping[Seat, A], after: S, seat: Seat) -> str:
        """The line of `tell` as this seat may read it; a game with steps that not everybody sees whole overrides it."""
        if self.events(before, actions, after, seat) == self.events(before, actions, after, None):
            return self.tell(before, actions, after)
        return f"seat {seat} did not see all of this"

    @abstractmethod
    def reason(self, state: S) -> str:
        """One sentence on why the game is over; valid when nobody is to act."""

    def counted(self, event: Event) -> str:  # noqa: ARG002
        """The short name for people under which a match counts this event beside its `tally`; empty: not at all.

        Asked of events that all seats saw alike.
        """
        return ""

    def tally(self, state: S) -> Mapping[str, int]:  # noqa: ARG002
        """Counts of what happened in the game so far, by a short name for people, for the game's page of statistics."""
        return {}


def read_options(
    game: str, table: Sequence[Option], given: Mapping[str, bool | int | str]
) -> dict[str, bool | int | str]:
    """All options of a game with the given ones in place. Raises OptionError naming the option and what it takes."""
    known = {option.name: option for option in table}
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            raise OptionError(f"{game} has no option {name!r}; it has {', '.join(known) or 'none'}")
        if option.choices and not any(value == c and type(value) is type(c) for c in option.choices):
            allowed = ", ".join(str(choice) for choice in option.choices)
            raise OptionError(f"{game}: option {name} is {value!r}, it takes one of {allowed}")
        if not option.choices and type(value) is not type(option.default):
            raise OptionError(f"{game}: option {name} is {value!r}, it takes a value like {option.default!r}")
    return {name: given.get(name, option.default) for name, option in known.items()}


def ranks(scores: Sequence[float]) -> tuple[int, ...]:
    """The rank of each seat, 1 is best; equal scores share the better rank (1, 2, 2, 4)."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
