"""The stepping core: one game in progress, synchronous and without I/O.

The referee, training loops, searches and replay readers all step through a `Table`; it draws nature's moves, checks
what the seats do and hands back each step as a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple

from referee.game import CHANCE, A, Game, GameError, IllegalAction, OutOfTurn, S, Seat, Stream


class Step(NamedTuple, Generic[S, A]):
    """One step of a match: the state before, the actions that made it, the state after."""

    number: int
    before: S
    actions: Mapping[Seat, A]
    after: S


class Table(Generic[S, A]):
    """A game in progress for a number of seats, with the streams that nature draws from."""

    __slots__ = ("game", "index", "seats", "state", "stream")

    def __init__(self, game: Game[S, A], seats: int, stream: Stream) -> None:
        if seats not in game.seats:
            low, high = game.seats[0], game.seats[-1]
            raise GameError(f"{game.name} takes {low} to {high} players, not {seats}")
        self.game = game
        self.seats = seats
        self.stream = stream
        self.state = game.start(seats)
        self.index = 0

    def to_act(self) -> tuple[Seat, ...]:
        """The seats that decide now; `(CHANCE,)` is nature, `()` is over."""
        return self.game.to_act(self.state)

    def legal(self, seat: Seat) -> Sequence[A]:
        """The legal actions of a seat that is to act. Raises OutOfTurn."""
        return self.game.legal(self.state, seat)

    def chance(self) -> Step[S, A]:
        """Draw and apply nature's move; valid when `to_act` is `(CHANCE,)`, else raises OutOfTurn."""
        if self.to_act() != (CHANCE,):
            raise OutOfTurn("nature is not to act; call `play` with an action of each seat in `to_act`")
        return self._step({CHANCE: self.game.draw(self.state, self.stream)})

    def play(self, actions: Mapping[Seat, A]) -> Step[S, A]:
        """Apply one action of each seat to act. Raises OutOfTurn or IllegalAction and then changes nothing."""
        acting = self.to_act()
        if acting == (CHANCE,) or set(actions) != set(acting):
            raise OutOfTurn(f"{_names(acting)} to act, but actions came for {_names(tuple(actions))}")
        for seat, action in actions.items():
            if action not in self.game.legal(self.state, seat):
                raise IllegalAction(f"seat {seat} may not play {action}")
        return self._step(actions)

    def replay(self, actions: Mapping[Seat, A]) -> Step[S, A]:
        """Apply recorded actions, nature's included. Raises OutOfTurn or IllegalAction."""
        if CHANCE in actions and self.to_act() == (CHANCE,):
            return self._step(actions)
        return self.play(actions)

    def advance(self, actions: Mapping[Seat, A]) -> S:
        """The state after actions that the caller took from `legal` or `draw` itself; nothing is checked."""
        state = self.state = self.game.apply(self.state, actions)
        self.index += 1
        return state

    def _step(self, actions: Mapping[Seat, A]) -> Step[S, A]:
        number, before = self.index, self.state
        return Step(number, before, actions, self.advance(actions))


def _names(seats: tuple[Seat, ...]) -> str:
    if not seats:
        return "nobody"
    return ", ".join("nature" if seat == CHANCE else f"seat {seat}" for seat in seats)
