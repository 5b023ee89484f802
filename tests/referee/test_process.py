"""Bots as real processes: pipes that fill, error output that floods, and runners that die."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.match import play
from referee.player import HEAD_CAP, TAIL_CAP, Capture
from referee.process import Pipes
from referee.result import Ending, Entrant, Limits, MatchSpec
from sandbox.api import BuildFailed, Caps, Program, SandboxError
from sandbox.local import LocalSandbox
from tests.doubles import CountingGame
from tests.referee.test_rogues import strays
from tests.rogues.table import install

ROOT = Path(__file__).parents[2]


@pytest.fixture
def sandbox() -> Iterator[LocalSandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


def python(folder: Path, source: str) -> Program:
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(source)
    return Program((sys.executable, "-I", "-S", "bot.py"), folder, "python")


def test_capture_keeps_the_first_and_the_last_and_says_what_was_cut() -> None:
    for size in (10, 1_000, 65_536):
        capture = Capture()
        data = bytes(number % 251 for number in range(200_000))
        for at in range(0, len(data), size):
            capture.feed(data[at : at + size])
        cut = 200_000 - HEAD_CAP - TAIL_CAP
        assert capture.bytes() == data[:HEAD_CAP] + b"\n[... %d bytes cut ...]\n" % cut + data[-TAIL_CAP:]
        assert capture.size == 200_000
    small = Capture()
    small.feed(b"a" * HEAD_CAP)
    small.feed(b"b" * TAIL_CAP)
    assert small.bytes() == b"a" * HEAD_CAP + b"b" * TAIL_CAP


def test_large_requests_reach_a_bot_that_reads_slowly(sandbox: LocalSandbox, tmp_path: Path) -> None:
    """A request of a megabyte is more than a pipe holds."""
    boxes = [
        sandbox.open(Program((sys.executable, "-S", "bot.py"), install("honest", tmp_path), "python"), Caps(), 0, "m"),
        sandbox.open(Program((sys.executable, "-S", "bot.py"), tmp_path / "honest", "python"), Caps(), 1, "m"),
    ]
    spec = MatchSpec("m", "g", "counting", {}, (Entrant("a"), Entrant("b")), 1)
    game = CountingGame(rounds=4, together=True, chance=False, padding=1_000_000)
    result = play(spec, game, Pipes(boxes)).result
    assert (result.ending, result.faults, result.scores) == (Ending.FINISHED, (), (12.0, 12.0))


def test_a_command_that_cannot_run_is_a_crash_that_names_it(sandbox: LocalSandbox, tmp_path: Path) -> None:
    """A49."""
    (tmp_path / "plain").write_text("no program")
    boxes = [
        sandbox.open(Program(("./missing",), tmp_path), Caps(), 0, "m"),
        sandbox.open(Program(("./plain",), tmp_path), Caps(), 1, "m"),
    ]
    spec = MatchSpec("m", "g", "counting", {}, (Entrant("a"), Entrant("b")), 1)
    record = play(spec, CountingGame(), Pipes(boxes), commands=["./missing", "./plain \u202e"])
    assert sorted(fault.message for fault in record.result.faults) == [
        "bot a: its command './missing' could not be run (exit code 127): it, or what it runs, is not there",
        "bot b: its command './plain \\u202e' could not be run (exit code 126): "
        "it, or what it runs, may not be executed or is no program there",
    ]
    assert "./missing" in record.seats[0].stderr
    assert str(tmp_path) in record.seats[0].stderr


def test_waiting_burns_no_cpu(sandbox: LocalSandbox, tmp_path: Path) -> None:
    """A24: an idle referee stays below 1 % of a core; the answer ends the turn."""
    sleeper = python(
        tmp_path / "s",
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'start': print('{\"type\":\"ready\"}', flush=True)\n"
        "    if m['type'] == 'decide':\n"
        "        time.sleep(0.5)\n"
        "        print(json.dumps({'type': 'choice', 'id': m['id'], 'choice': 0}), flush=True)\n",
    )
    boxes = [sandbox.open(sleeper, Caps(), seat, "m") for seat in range(2)]
    spec = MatchSpec("m", "g", "counting", {}, (Entrant("a"), Entrant("b")), 1, Limits(move_ms=20_000))
    pipes = Pipes(boxes)
    gc.collect()  # of all that the tests before this one left
    cpu, wall = time.thread_time(), time.monotonic()
    result = play(spec, CountingGame(rounds=4, chance=False), pipes).result
    cpu, wall = time.thread_time() - cpu, time.monotonic() - wall
    assert result.faults == ()
    assert wall < 20  # four moves of half a second, far from the limit of 20 s each
    assert cpu < 0.01 * wall + 0.2  # start, end and verdicts have their own cost; waiting busily would take 2 s


def test_bots_see_a_clean_world(sandbox: LocalSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A93: few variables, three descriptors, a scratch directory of their own, a session of their own."""
    monkeypatch.setenv("CANARY", "harness")
    held = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(held, True)
    source = (
        "import os, sys\n"
        "print(sorted(os.environ), sorted(map(int, os.listdir('/proc/self/fd')))[:4], os.getsid(0) == os.getpid(),\n"
        "      os.getcwd(), os.listdir(os.environ['TMPDIR']), oct(os.stat(os.environ['HOME']).st_mode), flush=True)\n"
    )
    box = sandbox.open(python(tmp_path / "s", source), Caps(), 0, "m")
    assert (ended := box.exit(10.0)) is not None
    assert ended.code == 0
    words = os.read(box.stdout, 4_096).decode()
    os.close(held)
    names = "['BOTPIT_BOX', 'HOME', 'LANG', 'LC_CTYPE', 'PATH', 'TMPDIR']".replace("'LC_CTYPE', ", "")
    assert words == f"{names} [0, 1, 2, 3] True {tmp_path / 's'} [] 0o40700\n"
    scratch = box.scratch
    box.end()
    assert not scratch.exists()


def test_limits_of_a_box_hold(sandbox: LocalSandbox, tmp_path: Path) -> None:
    source = (
        "import os, resource\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE), resource.getrlimit(resource.RLIMIT_NOFILE))\n"
        "try:\n"
        "    open(os.environ['TMPDIR'] + '/x', 'wb').write(b'x' * 2_000_000)\n"
        "except OSError as error:\n"
        "    print(error.strerror)\n"
    )
    source = "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + source
    box = sandbox.open(python(tmp_path / "s", source), Caps(files=64, scratch_bytes=1_000_000), 0, "m")
    box.exit(10.0)
    assert os.read(box.stdout, 4_096).decode() == "(0, 0) (64, 64)\nFile too large\n"


RUNNER = """
import sys
from pathlib import Path
from referee.match import play
from referee.process import Pipes
from referee.result import Entrant, Limits, MatchSpec
from sandbox.api import Caps, Program
from sandbox.local import LocalSandbox
from tests.doubles import CountingGame

sandbox = LocalSandbox()
program = Program((sys.executable, "-S", "bot.py"), Path(sys.argv[1]), "python")
try:
    boxes = [sandbox.open(program, Caps(), seat, "m") for seat in range(2)]
    print(sandbox.marker, flush=True)
    spec = MatchSpec("m", "g", "counting", {}, (Entrant("a"), Entrant("b")), 1, Limits(move_ms=60_000))
    play(spec, CountingGame(rounds=4, chance=False), Pipes(boxes))
finally:
    sandbox.close()
"""

DAEMONISER = """
import os, signal, time
from rogue import decisions
for message in decisions():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(60)
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_no_bot_outlives_its_runner(number: signal.Signals, tmp_path: Path) -> None:
    """A01, A02, A10: gone within 2 s, daemons, scratch directories and the warden included."""
    folder = install("honest", tmp_path)
    (folder / "bot.py").write_text(DAEMONISER)
    runner = subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        start_new_session=True,
        text=True,
    )
    try:
        assert runner.stdout is not None
        marker = runner.stdout.readline().strip()
        assert marker.startswith("BOTPIT_BOX=botpit-")
        deadline = time.monotonic() + 20
        while len(found := strays(marker)) < 3 and time.monotonic() < deadline:  # two bots and a daemon at least
            time.sleep(0.05)
        assert len(found) >= 3
        os.killpg(runner.pid, number)
        runner.wait(10)
        deadline = time.monotonic() + 2
        while strays(marker) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert strays(marker) == []
        root = Path(os.environ.get("TMPDIR", "/tmp")) / marker.removeprefix("BOTPIT_BOX=").rstrip("/")
        while root.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not root.exists()
    finally:
        if runner.poll() is None:
            os.killpg(runner.pid, signal.SIGKILL)
        runner.wait()
        if runner.stdout is not None:
            runner.stdout.close()


def test_a_bot_dies_with_its_warden(sandbox: LocalSandbox, tmp_path: Path) -> None:
    program = python(tmp_path / "s", "import time\ntime.sleep(60)\n")
    box = sandbox.open(program, Caps(), 0, "m")
    marker = sandbox.marker
    warden = sandbox._warden
    assert warden is not None
    os.kill(warden.pid, signal.SIGKILL)
    deadline = time.monotonic() + 2
    while strays(marker) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert strays(marker) == []
    with pytest.raises(SandboxError, match="the warden of the local sandbox"):
        box.exit(1.0)
    box.end()


def test_a_build_leaves_its_result_or_its_log(sandbox: LocalSandbox, tmp_path: Path) -> None:
    """A51."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.txt").write_text("1")
    log = sandbox.build(source, ("sh", "-c", "echo building; cp a.txt b.txt"), tmp_path / "out")
    assert (log, (tmp_path / "out" / "b.txt").read_text()) == ("building\n", "1")
    assert not (source / "b.txt").exists()
    with pytest.raises(BuildFailed, match="failed with exit code 3") as error:
        sandbox.build(source, ("sh", "-c", "echo no >&2; exit 3"), tmp_path / "failed")
    assert error.value.log == "no\n"
    assert not (tmp_path / "failed").exists()
