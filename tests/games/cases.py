"""What a game tells the suite about itself: `tests/games/<game>/cases.py` holds one `CASES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any, NamedTuple, TypeAlias

from referee.game import Game, Seat

Options: TypeAlias = Mapping[str, bool | int | str]
Actions: TypeAlias = Mapping[Seat, Any]
Disguise: TypeAlias = Callable[[Any, Actions, Seat, Random], tuple[Any, Actions]]


@dataclass(frozen=True, slots=True)
class World:
    """A small position and how many full states one seat must hold possible there."""

    name: str
    state: Any
    seat: Seat
    count: int
    """Worked out by hand, not by the engine; at most about 100."""
    working: str
    """How the number was worked out, for whoever doubts it."""


@dataclass(frozen=True, slots=True)
class Final:
    """A position with the scores and ranks that the rules page gives it."""

    name: str
    state: Any
    scores: tuple[float, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """What the suite cannot find out by itself."""

    longest: int
    """A bound on the steps of any match, nature's included, whatever the seats choose; within `step_limit`."""
    secrets: frozenset[str]
    """The keys of `reveal` that hold anything not public. Each other key stands in every seat's view just the same."""
    disguise: Disguise
    """`(before, actions, seat, rng)` -> another state and other actions that look the same to that seat.

    Everything that the seat may not know is drawn afresh: other hands, piles, what was committed face down; in the
    actions, the others' hidden parts, such as the hands of a deal. What the step itself makes known to the seat stays
    (the card that another seat plays now stays in its hand). It must not ask `view` or `imagine`. It need not be a
    position that the rules can reach, but `apply` must take it.
    """
    worlds: tuple[World, ...]
    """At least two with more than one world, unless the game has no secrets; then at least one, of one world."""
    finals: tuple[Final, ...]
    variants: tuple[Options, ...] = ()
    """Choices of options to play as well; together they give every option a value that is not its default."""


class Subject(NamedTuple):
    """A game under test with its cases."""

    make: Callable[[Options], Game[Any, Any]]
    cases: Cases

    @property
    def game(self) -> Game[Any, Any]:
        """The game with its default options."""
        return self.make({})


def cases_of(name: str) -> Cases:
    """The cases of a game by its name; fails when it has none."""
    module = f"tests.games.{name.replace('-', '_')}.cases"
    try:
        cases: Cases = import_module(module).CASES
    except ModuleNotFoundError as error:
        raise AssertionError(f"{name} gives the suite nothing to test it with: write {module}") from error
    return cases
