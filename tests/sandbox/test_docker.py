"""The container sandbox on a real engine."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import premises
from sandbox.api import BuildFailed, BuildLimits, Caps, Order, Program, SandboxError, open_all
from sandbox.container import LABEL_INSTANCE, LABEL_OWNER
from sandbox.docker import DockerSandbox, DockerSettings, Transport
from sandbox.engine import Engine
from tests.sandbox.bots import ECHO, everything, python, read

pytestmark = [pytest.mark.needs("docker"), pytest.mark.timeout(120)]
IMAGE = "botpit-bots:small"


@pytest.fixture(params=["pipe", "attach_socket"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[DockerSandbox]:
    transport: Transport = request.param
    made = DockerSandbox(DockerSettings(IMAGE, f"test-{transport.replace('_', '-')}", transport))
    yield made
    made.close()


@pytest.fixture
def piped() -> Iterator[DockerSandbox]:
    made = DockerSandbox(DockerSettings(IMAGE, "test-piped"))
    yield made
    made.close()


def test_a_bot_reads_and_writes_and_ends_with_its_code(sandbox: DockerSandbox, tmp_path: Path) -> None:
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


def _close_input(box: object) -> None:
    """Half-close: what the referee does when a match is over."""
    null = os.open("/dev/null", os.O_WRONLY)
    os.dup2(null, box.stdin)  # type: ignore[attr-defined]
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
    sandbox: DockerSandbox, tmp_path: Path, source: str, code: int | None, signal: int | None, memory: bool
) -> None:
    box = sandbox.open(python(tmp_path / "bot", source), Caps(memory_bytes=64 << 20), 0, "m")
    ended = everything(box)[2]
    assert ended is not None
    assert (ended.code, ended.signal, ended.out_of_memory) == (code, signal, memory)
    box.end()


def test_a_program_that_is_not_there_says_so_by_its_code(piped: DockerSandbox, tmp_path: Path) -> None:
    tmp_path.joinpath("bot").mkdir()
    box = piped.open(Program(("./nothing",), tmp_path / "bot"), Caps(), 0, "m")
    _, error, ended = everything(box)
    assert b"cannot run ./nothing" in error
    assert ended is not None
    assert ended.code == 127


def test_two_boxes_of_a_match_have_two_users_and_start_together(piped: DockerSandbox, tmp_path: Path) -> None:
    program = python(tmp_path / "bot", "import os, time; print(os.getuid(), time.monotonic())")
    boxes = open_all(piped, [Order(program, Caps(), seat, f"m/{seat}") for seat in range(2)])
    said = [everything(box)[0].split() for box in boxes]
    assert said[0][0] != said[1][0]
    assert abs(float(said[0][1]) - float(said[1][1])) < 0.2


def test_a_frozen_bot_stands_still_and_goes_on(piped: DockerSandbox, tmp_path: Path) -> None:
    box = piped.open(python(tmp_path / "bot", ECHO), Caps(), 0, "m")
    os.write(box.stdin, b"a\n")
    assert read(box.stdout) == b"a\n"
    box.freeze(True)
    os.write(box.stdin, b"b\n")
    assert read(box.stdout, 0.3) == b""
    box.freeze(False)
    assert read(box.stdout) == b"b\n"
    box.freeze(True)
    box.end()


def test_what_a_bot_used_is_counted(piped: DockerSandbox, tmp_path: Path) -> None:
    spend = "import time\nwhile time.process_time() < 0.5: pass\nx = bytearray(32 << 20)\n"
    source = spend + "print('done', flush=True)\ninput()"
    box = piped.open(python(tmp_path / "bot", source), Caps(), 0, "m")
    assert read(box.stdout) == b"done\n"
    usage = box.usage()
    assert usage.cpu_s is not None
    assert 0.45 < usage.cpu_s < 2.0
    assert usage.memory_peak_bytes is not None
    assert usage.memory_peak_bytes > 32 << 20
    box.end()
    assert box.usage().cpu_s is not None


def test_nothing_is_left_when_the_sandbox_is_closed(tmp_path: Path) -> None:
    sandbox = DockerSandbox(DockerSettings(IMAGE, "test-left"))
    fork = "import os, time\nif os.fork() == 0:\n os.setsid(); time.sleep(600)\n"
    fork += "print('up', flush=True); time.sleep(600)"
    box = sandbox.open(python(tmp_path / "bot", fork), Caps(), 0, "m")
    assert read(box.stdout) == b"up\n"
    sandbox.close()
    engine = Engine()
    assert engine.boxes("test-left") == {}
    engine.close()
    assert not list(premises.runtime_directory().glob("test-left-*"))
    assert _processes_of_seat_users() == []


def _processes_of_seat_users() -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/status"):
        try:
            text = entry.read_text("utf-8", "replace")
        except OSError:
            continue
        user = int(text.partition("Uid:\t")[2].split("\t")[0])
        if premises.FIRST_USER <= user < premises.FIRST_USER + premises.USERS and "State:\tZ" not in text:
            found.append(text.splitlines()[0])
    return found


def test_the_sweeper_takes_what_the_dead_left_and_nothing_else(tmp_path: Path) -> None:
    engine = Engine()

    def orphan(instance: str, owner: str) -> str:
        labels = {LABEL_INSTANCE: instance, LABEL_OWNER: owner}
        return str(engine.api.create_container(IMAGE, ["sleep", "60"], labels=labels)["Id"])

    dead, other, living = (
        orphan("test-a", "1-1-0"),
        orphan("test-b", "1-1-0"),
        orphan("test-a", premises.mark(1) + "-0"),
    )
    try:
        assert engine.sweep("test-a") == 1
        assert dead not in engine.boxes()
        assert {other, living} <= engine.boxes().keys()
    finally:
        for container in (dead, other, living):
            engine.remove(container)
        engine.close()


def test_a_pooled_container_serves_at_once_and_a_series_reuses_it(tmp_path: Path) -> None:
    sandbox = DockerSandbox(DockerSettings(IMAGE, "test-pool", "pipe", series=3))
    probe = """
import os, time
open('/tmp/left', 'x').close()
print(len([name for name in os.listdir('/proc') if name.isdigit()]), flush=True)
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
input()
"""
    program = python(tmp_path / "bot", probe)
    sandbox.warm(program, Caps())
    sandbox.settle()
    said = []
    containers: set[str] = set()
    for _ in range(3):
        began = time.monotonic()
        box = sandbox.open(program, Caps(), 0, "m")
        said.append(read(box.stdout).strip())
        assert time.monotonic() - began < 2.0
        containers |= sandbox.engine.boxes("test-pool").keys()
        box.end()
    # Scratch was empty each time (the file is made with `x`), and no process of the game before was left.
    assert said == [b"3", b"3", b"3"]
    assert len(containers) == 1
    sandbox.end_series()
    sandbox.close()


def test_a_build_runs_apart_and_its_output_plays(piped: DockerSandbox, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "bot.c").write_text('#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n')
    log = piped.build(source, ("gcc", "-Wall", "-o", "bot", "bot.c"), tmp_path / "out")
    assert log == ""
    assert (tmp_path / "out" / "bot").stat().st_mode & 0o777 == 0o555
    box = piped.open(Program(("./bot",), tmp_path / "out"), Caps(), 0, "m")
    assert everything(box)[0] == b"built\n"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("gcc", "bot.c"), "code 1"),
        (("sleep", "60"), "longer than 2 s"),
        (("ln", "-s", "/etc/passwd", "x"), "'./x': neither a plain file nor a directory"),
        (("python3", "-c", "open('big', 'wb').write(bytes(40 << 20))"), "MiB"),
        (("python3", "-c", "x = bytearray(b'x') * (400 << 20)"), "MiB of memory"),
        (("python3", "-c", "[open(f'f{i}', 'x').close() for i in range(3000)]"), "more than 2,000 entries"),
        (("python3", "-c", "import os; [os.write(2, bytes(1 << 20)) for i in range(99)]"), "MiB of log"),
    ],
)
def test_a_build_that_fails_leaves_nothing(
    piped: DockerSandbox, tmp_path: Path, command: tuple[str, ...], says: str
) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "bot.c").write_text("int main(void) { return oops; }")
    limits = BuildLimits(time_s=2.0, memory_bytes=256 << 20, output_bytes=32 << 20, scratch_bytes=128 << 20)
    with pytest.raises(BuildFailed, match=says):
        piped.build(tmp_path / "source", command, tmp_path / "out", "", limits)
    assert not (tmp_path / "out").exists()


def test_no_engine_is_told_with_its_remedies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent")
    with pytest.raises(SandboxError, match=r"no container engine answers: start it.*--sandbox bwrap"):
        Engine()


def test_a_missing_image_is_told_with_its_remedy() -> None:
    with pytest.raises(SandboxError, match="harness image build"):
        DockerSandbox(DockerSettings("botpit-bots:nosuch", "test-none"))
