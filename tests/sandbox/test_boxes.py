"""What every walled sandbox does alike, on each that this machine can run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.api import Box, BuildFailed, BuildLimits, Caps, Program, Sandbox
from tests.sandbox.bots import ECHO, everything, python, read
from tests.sandbox.walls import WALLS, wall

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(params=WALLS)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    made = wall(request.param, "boxes")
    yield made
    made.close()


def test_a_bot_reads_and_writes_and_ends_with_its_code(sandbox: Sandbox, tmp_path: Path) -> None:
    program = python(tmp_path / "bot", ECHO + "print('bye', file=sys.stderr)\nsys.exit(3)")
    box = sandbox.open(program, Caps(), 0, "match/0")
    os.write(box.stdin, b"hello\n")
    assert read(box.stdout) == b"hello\n"
    assert box.exit(0) is None
    os.close(os.dup(box.stdin))
    _close_input(box)
    assert everything(box)[1:] == (b"bye\n", box.exit(5))
    ended = box.exit(0)
    assert ended is not None
    assert (ended.code, ended.signal, ended.out_of_memory) == (3, None, False)
    box.end()
    box.end()


def _close_input(box: Box) -> None:
    """Half-close: what the referee does when a match is over."""
    null = os.open("/dev/null", os.O_WRONLY)
    os.dup2(null, box.stdin)
    os.close(null)


@pytest.mark.parametrize(
    ("source", "code", "signal", "memory"),
    [
        ("import os; os._exit(0)", 0, None, False),
        ("import os; os._exit(255)", 255, None, False),
        ("import os; os.abort()", None, 6, False),
        ("x = []\nwhile True: x.append(bytearray(1 << 20))", None, 9, True),
    ],
)
def test_how_a_bot_ended(
    sandbox: Sandbox, tmp_path: Path, source: str, code: int | None, signal: int | None, memory: bool
) -> None:
    box = sandbox.open(python(tmp_path / "bot", source), Caps(memory_bytes=64 << 20), 0, "m")
    ended = everything(box)[2]
    assert ended is not None
    assert (ended.code, ended.signal, ended.out_of_memory) == (code, signal, memory)
    box.end()


def test_a_program_that_is_not_there_says_so_by_its_code(sandbox: Sandbox, tmp_path: Path) -> None:
    tmp_path.joinpath("bot").mkdir()
    box = sandbox.open(Program(("./nothing",), tmp_path / "bot"), Caps(), 0, "m")
    _, error, ended = everything(box)
    assert b"./nothing" in error
    assert ended is not None
    assert ended.code == 127


def test_a_frozen_bot_stands_still_and_goes_on(sandbox: Sandbox, tmp_path: Path) -> None:
    box = sandbox.open(python(tmp_path / "bot", ECHO), Caps(), 0, "m")
    os.write(box.stdin, b"a\n")
    assert read(box.stdout) == b"a\n"
    box.freeze(True)
    os.write(box.stdin, b"b\n")
    assert read(box.stdout, 0.3) == b""
    box.freeze(False)
    assert read(box.stdout) == b"b\n"
    box.freeze(True)
    box.end()


def test_what_a_bot_used_is_counted(sandbox: Sandbox, tmp_path: Path) -> None:
    spend = "import time\nwhile time.process_time() < 0.5: pass\nx = bytearray(32 << 20)\n"
    source = spend + "print('done', flush=True)\ninput()"
    box = sandbox.open(python(tmp_path / "bot", source), Caps(), 0, "m")
    assert read(box.stdout) == b"done\n"
    usage = box.usage()
    assert usage.cpu_s is not None
    assert 0.45 < usage.cpu_s < 2.0
    assert usage.memory_peak_bytes is not None
    assert usage.memory_peak_bytes > 32 << 20
    box.end()
    assert box.usage().cpu_s is not None


def test_a_build_runs_apart_and_its_output_plays(sandbox: Sandbox, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "bot.c").write_text('#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n')
    log = sandbox.build(source, ("gcc", "-Wall", "-o", "bot", "bot.c"), tmp_path / "out")
    assert log == ""
    assert (tmp_path / "out" / "bot").stat().st_mode & 0o777 == 0o555
    box = sandbox.open(Program(("./bot",), tmp_path / "out"), Caps(), 0, "m")
    assert everything(box)[0] == b"built\n"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("gcc", "bot.c"), "code 1"),
        (("sleep", "60"), "longer than 2 s"),
        (("ln", "-s", "/etc/passwd", "x"), "'./x': a symbolic link, neither a plain file nor a directory"),
        (("python3", "-c", "open('big', 'wb').write(bytes(40 << 20))"), "MiB"),
        (("python3", "-c", "x = bytearray(b'x') * (400 << 20)"), "MiB of memory"),
        (("python3", "-c", "[open(f'f{i}', 'x').close() for i in range(3000)]"), "more than 2,000 entries"),
        (("python3", "-c", "import os; [os.write(2, bytes(1 << 20)) for i in range(99)]"), "MiB of log"),
    ],
)
def test_a_build_that_fails_leaves_nothing(
    sandbox: Sandbox, tmp_path: Path, command: tuple[str, ...], says: str
) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "bot.c").write_text("int main(void) { return oops; }")
    time_s = 2.0 if command[0] == "sleep" else 60.0
    limits = BuildLimits(time_s, memory_bytes=256 << 20, output_bytes=32 << 20, scratch_bytes=128 << 20)
    with pytest.raises(BuildFailed, match=says):
        sandbox.build(tmp_path / "source", command, tmp_path / "out", "", limits)
    assert not (tmp_path / "out").exists()
