"""Matches a second with fresh bot processes, as a share of what starting those processes alone costs in that run.

The limit stands on the match that the referee's overhead is measured with, The Marshmallow Test for four. A match for
two asks each bot more than twice as often, and `uniform` starts in less than half the time of a usual Python bot, so
the bots' own thinking weighs more there.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import bots
from benchmarks.rows import Row
from harness import intake, worker
from harness.bots import find
from harness.crew import Crew
from harness.dispatch import outcomes
from harness.local import Plan
from sandbox.api import Program
from sandbox.local import PATH

JOBS = 2
MATCHES = 40
ROUNDS = 5
KIT = Path(bots.__file__).parent / "kits" / "python"
_START = b'{"type":"start","protocol":1,"match":"m","game":"marshmallow-test","seat":0,"players":2,"options":{}}\n'


def start(programs: tuple[Program, ...]) -> None:
    """Start the bots of a match as plainly as can be, wait until each is ready, and let them go."""
    running = [
        subprocess.Popen(
            program.command,
            cwd=program.directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PATH": PATH, "LANG": "C.UTF-8"},
        )
        for program in programs
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write(_START)
        process.stdin.flush()
    for process in running:
        assert process.stdout is not None
        assert b"ready" in process.stdout.readline()
        process.communicate()


def starts(crew: Crew, programs: tuple[Program, ...]) -> float:
    """Seconds that starting the bots of all matches takes, with as many hands as matches have."""
    began = time.perf_counter()
    for future in [crew.submit(start, programs) for _ in range(MATCHES)]:
        future.result()
    return time.perf_counter() - began


def matches(crew: Crew, plan: Plan) -> float:
    """Seconds that the matches take."""
    began = time.perf_counter()
    played = list(outcomes(crew, plan.jobs(), JOBS))
    assert all(outcome.played.record.result.ending == "finished" for outcome in played)
    return time.perf_counter() - began


def peak_mib(pid: int) -> float:
    """The most memory that a process has held, MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) / 1024


def run() -> list[Row]:
    return list(_rows())


def _rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder, Crew(JOBS, worker.begin) as crew:
        for name, source, seats, limit in (
            ("the Python starter, 4 seats", KIT, 4, 0.8),
            ("the Python starter, 2 seats", KIT, 2, None),
            ("uniform, which starts as bare as Python can, 4 seats", find("uniform"), 4, None),
        ):
            yield from _measure(crew, Path(folder), name, source, seats, limit)
        yield Row("peak memory of a worker", max(map(peak_mib, crew.pids())), "MiB", 60)


def _measure(crew: Crew, folder: Path, name: str, source: Path, seats: int, limit: float | None) -> Iterator[Row]:
    stored = (intake.receive(source, folder),) * seats
    plan = Plan("marshmallow-test", stored, MATCHES, "bench", replays=folder)
    programs = tuple(bot.program() for bot in stored)
    starts(crew, programs)
    matches(crew, plan)
    pairs = [(starts(crew, programs), matches(crew, plan)) for _ in range(ROUNDS)]
    share = statistics.median(bare / whole for bare, whole in pairs)
    rate = MATCHES / statistics.median(whole for _, whole in pairs)
    cores = len(os.sched_getaffinity(0))
    note = f"{rate:.1f} a second, {JOBS} jobs on {cores} cores, replays kept"
    yield Row(f"matches a second against bare starts: {name}", share, "share", limit, "higher", note)
