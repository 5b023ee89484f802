"""What the walls cost: round trips, starts, matches a second, memory beside a bot's own, and the time to clear up.

Ratios are taken in one run, rounds of both sides alternating, on one core where it says so.
"""

from __future__ import annotations

import os
import select
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.rows import Row
from benchmarks.throughput import matches
from harness import intake, worker
from harness.bots import find
from harness.crew import Crew
from harness.local import Plan
from harness.sandboxes import SandboxChoice
from sandbox import cgroups
from sandbox.api import Box, Caps, Program, Sandbox, SandboxError
from sandbox.docker import DockerSandbox, DockerSettings

IMAGE = "botpit-bots:small"
EXCHANGES = 2_000
ROUNDS = 7
STARTS = 9
MATCHES = 20
ECHO = """
#include <unistd.h>
int main(void) { char line[65536]; ssize_t n; while ((n = read(0, line, sizeof line)) > 0) write(1, line, n); }
"""
LINE = b"x" * 63 + b"\n"
HELLO = b'{"type":"start","protocol":1,"match":"m","game":"marshmallow-test","seat":0,"players":2,"options":{}}\n'


class Bare:
    """The same program with nothing around it, in a box's shape."""

    def __init__(self, program: Program) -> None:
        self._process = subprocess.Popen(
            program.command, cwd=program.directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.stdin, self.stdout = self._process.stdin.fileno(), self._process.stdout.fileno()

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def exchange(stdin: int, stdout: int, line: bytes = LINE) -> bytes:
    """One line out and one back."""
    os.write(stdin, line)
    poll = select.poll()
    poll.register(stdout, select.POLLIN)
    answer = b""
    while not answer.endswith(b"\n"):
        poll.poll()
        piece = os.read(stdout, 65_536)
        assert piece, "the bot is gone"
        answer += piece
    return answer


def round_trip_us(box: Bare | Box) -> float:
    """The median time of an exchange, in microseconds."""
    os.set_blocking(box.stdout, False)
    times = []
    for _ in range(EXCHANGES):
        began = time.perf_counter()
        exchange(box.stdin, box.stdout)
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1e6


def first_line_ms(open_box: Callable[[], Bare | Box]) -> float:
    """Milliseconds from asking for a bot to its first line."""
    began = time.perf_counter()
    box = open_box()
    exchange(box.stdin, box.stdout, HELLO)
    took = (time.perf_counter() - began) * 1000
    box.end()
    return took


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return [*_walls(Path(folder)), *_matches(Path(folder))]


def _walls(folder: Path) -> Iterator[Row]:
    core = min(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        for name, limit in (("docker", 2.0), ("bwrap", 1.5)):
            try:
                sandbox = _sandbox(name)
            except SandboxError as error:
                yield Row(f"round trip, {name}", None, "ratio", limit, note=f"not run: {error}")
                continue
            try:
                yield from _wall(name, sandbox, limit, Caps(cpus=(core,)), folder)
            finally:
                sandbox.close()
    finally:
        os.sched_setaffinity(0, before)


def _sandbox(name: str, series: int = 1) -> Sandbox:
    if name == "bwrap":
        from sandbox.bwrap import BwrapSandbox, BwrapSettings

        return BwrapSandbox(BwrapSettings(instance="bench"))
    return DockerSandbox(DockerSettings(IMAGE, "bench", "pipe", series))


def _wall(name: str, sandbox: Sandbox, limit: float, caps: Caps, folder: Path) -> Iterator[Row]:
    echo = _echo(folder)
    if echo is None:
        yield Row(f"round trip, {name}", None, "ratio", limit, note="not run: needs gcc")
    else:
        bare, box = Bare(echo), sandbox.open(echo, caps, 0, "bench")
        pairs = [(round_trip_us(bare), round_trip_us(box)) for _ in range(ROUNDS)]
        bare.end()
        yield _ratio(f"round trip, {name} against a bare pipe", pairs, "us", limit, "a C bot, one core")
        yield Row(f"memory of a box beside the bot's, {name}", _overhead_mib(box, echo), "MiB")
        yield Row(f"from the verdict to nothing left, {name}", _clearing_ms(sandbox, echo, caps), "ms", 2000)
    yield from _starts(name, sandbox, caps)


def _ratio(name: str, pairs: Sequence[tuple[float, float]], unit: str, limit: float | None, what: str) -> Row:
    ratio = statistics.median(walled / bare for bare, walled in pairs)
    bare, walled = (statistics.median(column) for column in zip(*pairs, strict=True))
    return Row(name, ratio, "ratio", limit, note=f"{walled:.1f} {unit} against {bare:.1f}; {what}")


def _echo(folder: Path) -> Program | None:
    """A static echo in C, which runs the same in every box."""
    place = folder / "echo"
    if shutil.which("gcc") is None:
        return None
    if not place.is_dir():
        place.mkdir()
        (place / "echo.c").write_text(ECHO)
        subprocess.run(["gcc", "-O2", "-static", "-o", "echo", "echo.c"], cwd=place, check=True, capture_output=True)
    return Program(("./echo",), place)


def _starts(name: str, sandbox: Sandbox, caps: Caps) -> Iterator[Row]:
    program = Program(("/usr/bin/python3", "-I", "-S", "main.py"), find("uniform"))
    if not Path("/usr/bin/python3").exists():
        yield Row(f"start to first line, {name}", None, "ratio", note="not run: needs the system's Python")
        return
    bare, fresh, pooled = [], [], []
    for _ in range(STARTS):
        bare.append(first_line_ms(lambda: Bare(program)))
        fresh.append(first_line_ms(lambda: sandbox.open(program, caps, 0, "bench")))
        if isinstance(sandbox, DockerSandbox):
            sandbox.warm(program, caps)
            sandbox.settle()
            pooled.append(first_line_ms(lambda: sandbox.open(program, caps, 0, "bench")))
    what = "the Python bot `uniform`"
    yield _ratio(f"start to first line, {name}, fresh", list(zip(bare, fresh, strict=True)), "ms", None, what)
    if pooled:
        yield _ratio(f"start to first line, {name}, from the pool", list(zip(bare, pooled, strict=True)), "ms", 2, what)


def _overhead_mib(box: Box, program: Program) -> float:
    """What all processes of a box take but the bot's own, with the engine's keeper of the container."""
    assert box.pid is not None
    inside = cgroups.Group.of(box.pid, "/").processes()
    name = Path(program.command[0]).name
    others = {pid for pid in inside if Path(f"/proc/{pid}/comm").read_text().strip() != name}
    for pid in inside:
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        if "shim" in Path(f"/proc/{parent}/comm").read_text():
            others.add(parent)
    return sum(_proportional_kib(pid) for pid in others) / 1024


def _proportional_kib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def _clearing_ms(sandbox: Sandbox, program: Program, caps: Caps) -> float:
    """Milliseconds from the order to end a box until neither process nor container of it is there."""
    times = []
    for _ in range(5):
        box = sandbox.open(program, caps, 0, "bench")
        exchange(box.stdin, box.stdout)
        assert box.pid is not None
        group = cgroups.Group.of(box.pid, "/")
        began = time.perf_counter()
        box.end()
        # The echo of the measurement before still runs in a box of its own.
        while group.processes() or (isinstance(sandbox, DockerSandbox) and len(sandbox.engine.boxes("bench")) > 1):
            time.sleep(0.005)
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def _matches(folder: Path) -> Iterator[Row]:
    stored = (intake.receive(find("uniform"), folder / "store"),) * 2
    (folder / "replays").mkdir()
    kinds: list[tuple[str, SandboxChoice]] = [("local", SandboxChoice("local")), ("bwrap", SandboxChoice("bwrap"))]
    for series in (1, 20):
        wanted = (("image", IMAGE), ("instance", "bench"), ("series", series))
        kinds.append(
            ("docker, fresh" if series == 1 else f"docker, series of {series}", SandboxChoice("docker", wanted))
        )
    for name, choice in kinds:
        title = f"matches a second, {name}"
        try:
            if choice.name != "local":
                _sandbox(choice.name).close()
        except SandboxError as error:
            yield Row(title, None, "1/s", note=f"not run: {error}", better="higher")
            continue
        with Crew(2, worker.begin) as crew:
            plan = Plan("marshmallow-test", stored, MATCHES, "bench", sandbox=choice, replays=folder / "replays")
            matches(crew, plan)
            rate = MATCHES / matches(crew, plan)
        yield Row(title, rate, "1/s", better="higher", note="2 jobs, 2 seats, bots `uniform`, replays kept")
