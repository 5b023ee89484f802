# ruff: noqa: ARG002 (a game that does nothing)
"""What the referee costs a decision, beside a bare round trip of the same bytes between the same processes.

The bare round trip is the least that any referee in Python could do: encode the request, write it, `poll`, read,
decode the answer. Both sides are measured in turns in one run, on one core, with the same C bots.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from select import POLLIN, poll
from time import monotonic_ns, perf_counter
from typing import Any, ClassVar, Final

import msgspec

from benchmarks.rows import Row
from referee import games
from referee.closing import close
from referee.game import Event, Game, Json, Seat, Stream, View
from referee.match import Match, play
from referee.process import Pipes
from referee.replay import Writer
from referee.result import Entrant, Limits, MatchSpec
from sandbox.api import Caps, Program
from sandbox.local import LocalBox, LocalSandbox

ROUNDS: Final = 25
IDLE_MOVES: Final = 2_000
SOURCE: Final = Path(__file__).parent / "c" / "quick.c"


class Step:
    """An action of the game that does nothing."""

    def to_json(self) -> dict[str, Json]:
        return {"type": "step"}


class Nothing(Game[int, Step]):
    """A game that does nothing: two seats in turn, two actions that are the same, no events."""

    name: ClassVar[str] = "nothing"
    title: ClassVar[str] = "Nothing"
    version: ClassVar[str] = "1"
    seats: ClassVar[range] = range(2, 3)
    _actions: ClassVar[list[Step]] = [Step(), Step()]
    _silence: ClassVar[list[list[Event]]] = [[], []]

    def start(self, seats: int) -> int:
        return 0

    def to_act(self, state: int) -> tuple[Seat, ...]:
        return ((0,), (1,))[state & 1] if state < IDLE_MOVES else ()

    def legal(self, state: int, seat: Seat) -> Sequence[Step]:
        return self._actions

    def apply(self, state: int, actions: Mapping[Seat, Step]) -> int:
        return state + 1

    def view(self, state: int, seat: Seat) -> View:
        return {"state": state}

    def events(self, before: int, actions: Mapping[Seat, Step], after: int, seat: Seat | None) -> list[Event]:
        return []

    def events_by_seat(
        self, before: int, actions: Mapping[Seat, Step], after: int, seats: int
    ) -> Sequence[list[Event]]:
        return self._silence

    def scores(self, state: int) -> tuple[float, ...]:
        return (0.0, 0.0)

    def reveal(self, state: int) -> View:
        return {"state": state}

    def draw(self, state: int, stream: Stream) -> Step:
        raise NotImplementedError

    def imagine(self, view: View, seat: Seat, rng: object) -> int:
        raise NotImplementedError

    def read_action(self, data: Json) -> Step:
        return self._actions[0]

    def tell(self, before: int, actions: Mapping[Seat, Step], after: int) -> str:
        return ""

    def reason(self, state: int) -> str:
        return "nothing more happens"


class Listening(Pipes):
    """Channels that keep every request, to send the same bytes again."""

    def __init__(self, boxes: Sequence[LocalBox]) -> None:
        super().__init__(boxes)
        self.requests: list[tuple[int, bytes]] = []

    def send(self, seat: int, data: bytes) -> int | None:
        if data.startswith(b'{"type":"decide"'):
            self.requests.append((seat, data))
        return super().send(seat, data)

    def exchange(self, seat: int, data: bytes, patience_ms: int) -> tuple[int | None, bytes, int]:
        self.requests.append((seat, data))
        return super().exchange(seat, data, patience_ms)


def run() -> list[Row]:
    """The rows of this topic."""
    if shutil.which("gcc") is None:
        return [Row(f"referee overhead, {what}", None, "x bare round trip", note="needs gcc") for what in WHAT]
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        with tempfile.TemporaryDirectory() as folder:
            directory = Path(folder)
            subprocess.run(["gcc", "-O2", "-o", directory / "quick", SOURCE], check=True)
            rows = []
            for what, (name, seats, limit) in WHAT.items():
                rig = Rig(games.create(name) if name else Nothing(), seats, directory)
                rows += _rows(f"referee overhead, {what}", limit, rig, rig.match if name else rig.asking)
                if name:
                    rows += _rows("  the same with its replay written", None, rig, rig.recorded)[:1]
            return rows
    finally:
        os.sched_setaffinity(0, cores)


WHAT: Final[Mapping[str, tuple[str, int, float]]] = {
    "The Marshmallow Test": ("marshmallow-test", 4, 3.0),
    "asking and judging alone": ("", 2, 1.5),
    "S'mores Wars": ("smores-wars", 4, 3.0),
    "Sbam!": ("sbam", 4, 3.0),
    "Monster Smash": ("monster-smash", 4, 5.0),
}
"""What is measured -> the game (none for one that does nothing), its seats, and what it may cost at most."""


class Rig:
    """A game with quick bots, and three ways to pass its requests: all give seconds a decision."""

    def __init__(self, game: Game[Any, Any], seats: int, directory: Path) -> None:
        self.game = game
        self.seats = seats
        self.directory = directory
        entrants = tuple(Entrant(f"quick-{seat}") for seat in range(seats))
        self.spec = MatchSpec("m", "g", game.name, {}, entrants, 2**100, Limits())
        with self.bots() as boxes:
            listening = Listening(boxes)
            play(self.spec, game, listening)
        self.requests = listening.requests
        self.messages = [(seat, msgspec.json.decode(line)) for seat, line in listening.requests]

    @contextmanager
    def bots(self) -> Iterator[list[LocalBox]]:
        """Fresh bots, one a seat; starting and ending them is measured elsewhere (`throughput`)."""
        sandbox = LocalSandbox()
        program = Program(("./quick",), self.directory)
        try:
            yield [sandbox.open(program, Caps(), seat, "bench") for seat in range(self.seats)]
        finally:
            sandbox.close()

    def match(self, clock: Clock, replay: bool = False) -> float:
        """A whole match, from the first step to the result, and to the packed file of its replay if one is written."""
        with self.bots() as boxes:
            path = self.directory / "m.jsonl.gz"
            path.unlink(missing_ok=True)  # a match has a name of its own; to replace a file makes ext4 flush it
            writer = Writer(path, "bench") if replay else None
            match = Match(self.spec, self.game, Pipes(boxes), writer, monotonic_ns, 1.0)
            if writer is not None:
                writer.header(self.spec, self.game)
            match.start()
            began = clock()
            ending, reason = match.go_on()
            state = match.table.state
            outcome = close(self.spec, self.game, state, match.court, ending, reason, match.table.index)
            match.close_replay(outcome)
            took = clock() - began
            assert not outcome.faults, outcome.faults
            return took / sum(outcome.decisions)

    def recorded(self, clock: Clock) -> float:
        """`match` with its replay."""
        return self.match(clock, replay=True)

    def asking(self, clock: Clock) -> float:
        """Asking and judging, each decision's act thrown away."""
        with self.bots() as boxes:
            match = Match(self.spec, self.game, Pipes(boxes), None, monotonic_ns, 1.0)
            match.start()
            began = clock()
            for seat, _ in self.requests:
                match.turn(seat)
            took = clock() - began
            assert not match.court.faults, match.court.faults
            return took / len(self.requests)

    def bare(self, clock: Clock) -> float:
        """The bare round trip of the same bytes."""
        encode, decode = msgspec.json.Encoder().encode, msgspec.json.Decoder().decode
        with self.bots() as boxes:
            waiting = poll()
            for box in boxes:
                waiting.register(box.stdout, POLLIN)
            pairs = [(box.stdin, box.stdout) for box in boxes]
            for stdin, stdout in pairs:  # the bots have run before they are measured, as in a match
                os.write(stdin, b'{"type":"start"}\n')
                waiting.poll(1000)
                os.read(stdout, 16_384)
            began = clock()
            for seat, message in self.messages:
                stdin, stdout = pairs[seat]
                os.write(stdin, encode(message) + b"\n")
                waiting.poll(1000)
                decode(os.read(stdout, 16_384))
            return (clock() - began) / len(self.messages)


Clock = Callable[[], float]


def _rows(name: str, limit: float | None, rig: Rig, measured: Callable[[Clock], float]) -> list[Row]:
    costs, bares = [], []
    for _ in range(ROUNDS):
        costs.append(measured(perf_counter))
        bares.append(rig.bare(perf_counter))
    cost, bare = min(costs), min(bares)  # other work on the machine only ever adds
    return [
        Row(name, cost / bare, "x bare round trip", limit),
        Row(f"  a decision of {rig.game.name}", cost * 1e6, "us", note=f"{len(rig.requests):,} decisions"),
        Row("  a bare round trip of the same bytes", bare * 1e6, "us"),
    ]
