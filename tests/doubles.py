"""Stand-ins for what a match touches: a clock that only moves when told, scripted bots, small games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from referee.game import CHANCE, Event, Game, GameError, IllegalAction, Json, OutOfTurn, Seat, Stream, View
from referee.player import Arrival, Capture

MS = 1_000_000


class FixedClock:
    """A clock in nanoseconds that stands still between calls of `to`."""

    def __init__(self, at: int = 1_000 * MS) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at

    def to(self, at: int) -> None:
        self.at = max(self.at, at)


@dataclass(frozen=True)
class ExitDouble:
    code: int | None = None
    signal: int | None = None
    out_of_memory: bool = False


@dataclass(frozen=True)
class UsageDouble:
    cpu_s: float | None = None
    memory_peak_bytes: int | None = None


Timed = tuple[float, bytes]
"""Milliseconds after a line was sent, and bytes that the bot writes then; `b""` closes its output."""

Answerer = Callable[[int, bytes], Sequence[Timed]]
"""What a bot does on reading its n-th line."""


class ScriptedChannels:
    """Bots as functions from lines to timed bytes, on a fixed clock; keeps everything that was sent."""

    def __init__(
        self,
        clock: FixedClock,
        bots: Sequence[Answerer],
        exits: Mapping[int, ExitDouble] | None = None,
        cpu_s: Mapping[int, float] | None = None,
    ) -> None:
        self.clock = clock
        self.bots = bots
        self.exits = exits or {}
        self.cpu_s = cpu_s or {}
        self.sent: list[list[bytes]] = [[] for _ in bots]
        self.log: list[str] = []
        self.pending: list[tuple[int, int, int, bytes | None]] = []
        self.ended: set[int] = set()
        self.hung_up: set[int] = set()
        self.stuck_after: dict[int, int] = {}
        """Seats that take nothing more after so many lines."""
        self.deaf_after: dict[int, int] = {}
        """Seats whose input is closed after so many lines."""
        self.captures = [Capture() for _ in bots]
        self._order = 0

    def send(self, seat: int, data: bytes) -> int | None:
        if not self.listening(seat) or seat in self.ended:
            raise BrokenPipeError
        self.log.append(f"send {seat}")
        self.sent[seat].append(data)
        if len(self.sent[seat]) > self.stuck_after.get(seat, len(self.sent[seat])):
            return None
        for after_ms, answer in self.bots[seat](len(self.sent[seat]) - 1, data):
            self._order += 1
            self.pending.append((self.clock.at + round(after_ms * MS), self._order, seat, answer))
        self.pending.sort()
        return self.clock.at

    def exchange(self, seat: int, data: bytes, patience_ms: int) -> tuple[int | None, bytes, int]:
        sent_at = self.send(seat, data)
        until = self.clock.at + patience_ms * MS
        first = next((row for row in self.pending if row[2] not in self.ended), None)
        if sent_at is None or first is None or first[0] > until:
            if sent_at is not None:
                self.clock.to(until)
            return sent_at, b"", 0
        self.clock.to(first[0])
        if first[2] != seat or not first[3]:
            return sent_at, b"", 0
        self.pending.remove(first)
        self.log.append(f"read {seat}")
        return sent_at, first[3], first[0]

    def wait(self, until: int) -> Sequence[Arrival]:
        while self.pending and self.pending[0][2] in self.ended:
            self.pending.pop(0)
        if not self.pending or self.pending[0][0] > until:
            self.clock.to(until + 1)
            return []
        at, _, seat, data = self.pending.pop(0)
        self.clock.to(at)
        self.log.append(f"read {seat}")
        return [(seat, data, at)]

    def mute(self, seat: int) -> None:
        self.pending = [row for row in self.pending if row[2] != seat]

    def listening(self, seat: int) -> bool:
        return len(self.sent[seat]) < self.deaf_after.get(seat, len(self.sent[seat]) + 1)

    def freeze(self, seat: int, frozen: bool) -> None:
        self.log.append(f"{'freeze' if frozen else 'thaw'} {seat}")

    def hang_up(self, seat: int) -> None:
        self.hung_up.add(seat)
        self._order += 1
        self.pending.append((self.clock.at, self._order, seat, b""))

    def exit(self, seat: int, wait_s: float) -> ExitDouble | None:
        return self.exits.get(seat, ExitDouble(code=0) if seat in self.hung_up else None)

    def usage(self, seat: int) -> UsageDouble:
        return UsageDouble(self.cpu_s.get(seat))

    def stderr(self, seat: int) -> Capture:
        return self.captures[seat]

    def end(self, seat: int) -> None:
        self.ended.add(seat)


@dataclass(frozen=True, slots=True)
class Pick:
    """Take so many counters, or nature's roll."""

    count: int

    def to_json(self) -> dict[str, Json]:
        return {"take": self.count}

    def __str__(self) -> str:
        return f"take {self.count}"


@dataclass(frozen=True, slots=True)
class Heap:
    """A round of the counting game: what everybody has, whose turn it is, what nature rolled."""

    round: int
    totals: tuple[int, ...]
    to_act: tuple[Seat, ...]
    roll: int = 0


class CountingGame(Game[Heap, Pick]):
    """Each round nature rolls 1 to 6; then a seat (or all at once) takes 0 up to 3 counters. After `rounds` it ends.

    A roll of 1 leaves one legal action. It exercises every path of a match and hides nothing.
    """

    name: ClassVar[str] = "counting"
    title: ClassVar[str] = "Counting"
    version: ClassVar[str] = "1"
    seats: ClassVar[range] = range(2, 6)

    def __init__(self, rounds: int = 6, together: bool = False, chance: bool = True, padding: int = 0) -> None:
        super().__init__()
        self.padding = "x" * padding
        self.rounds = rounds
        self.together = together
        self.chance = chance

    def start(self, seats: int) -> Heap:
        if seats not in self.seats:
            raise GameError(f"counting takes 2 to 5 players, not {seats}")
        return self._open(Heap(0, (0,) * seats, ()))

    def _open(self, state: Heap) -> Heap:
        seats = len(state.totals)
        if state.round == self.rounds:
            return Heap(state.round, state.totals, ())
        if self.chance:
            return Heap(state.round, state.totals, (CHANCE,))
        return self._turn(Heap(state.round, state.totals, (), 6), seats)

    def _turn(self, state: Heap, seats: int) -> Heap:
        acting = tuple(range(seats)) if self.together else (state.round % seats,)
        return Heap(state.round, state.totals, acting, state.roll)

    def to_act(self, state: Heap) -> tuple[Seat, ...]:
        return state.to_act

    def legal(self, state: Heap, seat: Seat) -> Sequence[Pick]:
        if seat not in state.to_act:
            raise OutOfTurn(f"seat {seat} is not to act")
        return [Pick(0)] if state.roll == 1 else [Pick(count) for count in range(4)]

    def apply(self, state: Heap, actions: Mapping[Seat, Pick]) -> Heap:
        if CHANCE in actions:
            return self._turn(Heap(state.round, state.totals, (), actions[CHANCE].count), len(state.totals))
        totals = tuple(
            total + actions[seat].count if seat in actions else total for seat, total in enumerate(state.totals)
        )
        return self._open(Heap(state.round + 1, totals, ()))

    def draw(self, state: Heap, stream: Stream) -> Pick:
        return Pick(stream("roll").randint(1, 6))

    def view(self, state: Heap, seat: Seat) -> View:
        view: View = {"round": state.round, "totals": list(state.totals), "roll": state.roll}
        return {**view, "padding": self.padding} if self.padding else view

    def events(self, before: Heap, actions: Mapping[Seat, Pick], after: Heap, seat: Seat | None) -> list[Event]:
        return [{"type": "took", "seat": who, "count": action.count} for who, action in actions.items()]

    def scores(self, state: Heap) -> tuple[float, ...]:
        return tuple(float(total) for total in state.totals)

    def reveal(self, state: Heap) -> View:
        return self.view(state, 0)

    def imagine(self, view: View, seat: Seat, rng: Random) -> Heap:
        raise NotImplementedError

    def read_action(self, data: Json) -> Pick:
        if not isinstance(data, dict) or type(data.get("take")) is not int:
            raise IllegalAction(f"{data!r} is not a pick")
        return Pick(data["take"])

    def tell(self, before: Heap, actions: Mapping[Seat, Pick], after: Heap) -> str:
        return "; ".join(f"{who}: {action}" for who, action in actions.items())

    def reason(self, state: Heap) -> str:
        return f"all {self.rounds} rounds were played"
