"""Where attacks meet honest bots: a match, a canary beside it, and what must hold of the house whatever a bot does."""

from __future__ import annotations

import gzip
import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from referee import games, match
from referee.match import MatchRecord
from referee.process import Pipes
from referee.replay import Writer
from referee.result import Ending, Entrant, Limits, MatchSpec, Policy
from sandbox import premises
from sandbox.api import Caps, Order, Program, Sandbox, open_all

GAME = "marshmallow-test"
MEMORY_GROWTH = 8 * 2**20
LEFT_S = 2.0
"""How soon nothing of a bot is left, on a machine that has nothing else to do."""

HONEST = """
import sys, json
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        choice = message["id"] * 7 % len(message["legal"])
        print(json.dumps({"type": "choice", "id": message["id"], "choice": choice}), flush=True)
"""
"""Plays the same moves whenever it sees the same decisions, so a canary match has one right course."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match as the tests look at it."""

    record: MatchRecord
    notes: tuple[str, ...]
    """The notes of seat 0, the rogue's, in order."""
    acts: tuple[str, ...]
    """What the honest seats did, as canonical JSON."""
    seconds: float
    usage: tuple[float | None, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The faults of seat 0, by kind."""
        return tuple(str(fault.kind) for fault in self.record.result.faults if fault.seat == 0)

    def per_decision_ms(self, seat: int) -> float:
        result = self.record.result
        return result.think_ms[seat] / max(1, result.decisions[seat])


def spec_of(seed: int, limits: Limits, policy: Policy = Policy.STRIKES, seats: int = 2) -> MatchSpec:
    names = ("rogue", "honest", "third", "fourth")
    entrants = tuple(Entrant(names[seat]) for seat in range(seats))
    return MatchSpec(f"m{seed}", f"g{seed}", GAME, {}, entrants, seed, limits, policy)


def play(
    sandbox: Sandbox,
    programs: tuple[Program, ...],
    replay: Path,
    *,
    seed: int = 7,
    limits: Limits = Limits(start_ms=20_000, move_ms=2_000, bank_ms=0),  # noqa: B008 (frozen)
    policy: Policy = Policy.STRIKES,
    caps: Caps = Caps(),  # noqa: B008 (frozen)
    during: Callable[[], None] | None = None,
) -> Played:
    """Play one match on a sandbox and read its replay back; `during` is called when the bots have started."""
    game = games.create(GAME, {})
    spec = spec_of(seed, limits, policy, len(programs))
    boxes = open_all(sandbox, [Order(program, caps, seat, f"m/{seat}") for seat, program in enumerate(programs)])
    began = time.monotonic()
    try:
        if during is not None:
            during()
        record = match.play(spec, game, Pipes(boxes), Writer(replay, "test"))
    finally:
        for box in boxes:
            box.end()
    seconds = time.monotonic() - began
    # A void match leaves no replay.
    notes, acts = _read(replay) if record.result.ending is not Ending.VOID else ((), ())
    return Played(record, notes, acts, seconds, tuple(box.usage().cpu_s for box in boxes))


def _read(replay: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The notes of seat 0 and all acts, from a replay whose every line must be JSON."""
    notes: list[str] = []
    acts: list[str] = []
    with gzip.open(replay, "rt", encoding="utf-8") as lines:
        for line in lines:
            step = json.loads(line)
            for seat, act in step.get("acts", {}).items():
                acts.append(json.dumps([seat, act["action"]], sort_keys=True))
                if seat == "0" and act.get("note"):
                    notes.append(act["note"])
    return tuple(notes), tuple(acts)


@dataclass(slots=True)
class Canary:
    """A match of two honest bots that is played again and again beside the attacks, and must always come out alike."""

    sandbox: Sandbox
    program: Program
    folder: Path
    expected: tuple[str, ...] = ()
    baseline_ms: float = 0.0
    played: int = 0
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def settle(self) -> None:
        """Play it alone, which gives its course and the baseline of times."""
        alone = self._play()
        assert alone.record.result.ending is Ending.FINISHED, alone.record.result
        self.expected = alone.acts
        self.baseline_ms = max(alone.per_decision_ms(seat) for seat in range(2))

    def start(self) -> Future[Played]:
        return self._pool.submit(self._play)

    def _play(self) -> Played:
        self.played += 1
        replay = self.folder / f"canary-{self.played}.jsonl.gz"
        return play(self.sandbox, (self.program, self.program), replay, seed=99)

    def close(self) -> None:
        self._pool.shutdown()


@contextmanager
def unharmed(instance: str) -> Iterator[None]:
    """Hold the house to its invariants: memory, descriptors, threads, and nothing of a bot's left on the machine."""
    descriptors, resident = _descriptors(), _memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    yield
    peak = _memory("VmHWM")
    assert peak - resident < MEMORY_GROWTH, f"the referee grew by {(peak - resident) >> 20} MiB"
    # A machine at work for others needs as many times longer as it has work a core.
    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    deadline = time.monotonic() + LEFT_S * busy
    while left := leftovers(instance):
        assert time.monotonic() < deadline, left
        time.sleep(0.05)
    # Those who clear up use descriptors too, for as long as they are at it.
    while _descriptors() > descriptors + 2:
        assert time.monotonic() < deadline + LEFT_S, "the referee kept descriptors"
        time.sleep(0.05)


def leftovers(instance: str) -> list[str]:
    """What an instance has on this machine that belongs to a box: processes, groups, mounts, directories, sockets."""
    from sandbox import cgroups

    home = premises.runtime_directory()
    found = [str(path) for path in home.glob(f"{instance}-*/[0-9]*")]
    found += list(cgroups.named(f"{instance}-"))
    found += [line for line in Path("/proc/self/mounts").read_text("utf-8").splitlines() if f"/{instance}-" in line]
    users = {int(path.name) for path in (home / "users").glob("*") if _held_by_us(path)}
    return found + [text for user, text in seat_processes() if user in users]


def _held_by_us(lock: Path) -> bool:
    """Whether a lock file is open in this process: the numbers that boxes of ours have now."""
    targets = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            targets.append(entry.readlink())
        except OSError:
            continue
    return lock in targets


def seat_processes() -> Iterator[tuple[int, str]]:
    """Every live process of any seat user: the user's number and what runs."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            status = (entry / "status").read_text("utf-8", "replace")
        except OSError:
            continue
        user = int(status.partition("Uid:\t")[2].split("\t")[0])
        if premises.FIRST_USER <= user < premises.FIRST_USER + premises.USERS and "\nState:\tZ" not in status:
            yield user, f"{entry.name} {status.splitlines()[0]}"


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _memory(what: str) -> int:
    for line in Path("/proc/self/status").read_text("ascii", "replace").splitlines():
        if line.startswith(what):
            return int(line.split()[1]) * 1024
    return 0
