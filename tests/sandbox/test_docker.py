"""The container sandbox on a real engine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import premises
from sandbox.api import Caps, Order, SandboxError, open_all
from sandbox.cgroups import Group
from sandbox.container import LABEL_INSTANCE, LABEL_OWNER
from sandbox.docker import DockerSandbox, DockerSettings
from sandbox.engine import Engine
from tests.sandbox.bots import everything, python, read
from tests.sandbox.walls import IMAGE, named

pytestmark = [pytest.mark.needs("docker"), pytest.mark.timeout(120)]


@pytest.fixture
def piped() -> Iterator[DockerSandbox]:
    made = DockerSandbox(DockerSettings(IMAGE, named("piped")))
    yield made
    made.close()


def test_the_record_names_the_transport_in_use(piped: DockerSandbox) -> None:
    assert "transport-pipe" in piped.controls()
    attached = DockerSandbox(DockerSettings(IMAGE, named("attached"), "attach_socket"))
    assert "transport-attach_socket" in attached.controls()
    attached.close()


def test_two_boxes_of_a_match_have_two_users_and_start_together(piped: DockerSandbox, tmp_path: Path) -> None:
    program = python(tmp_path / "bot", "import os, time; print(os.getuid(), time.monotonic())")
    boxes = open_all(piped, [Order(program, Caps(), seat, f"m/{seat}") for seat in range(2)])
    said = [everything(box)[0].split() for box in boxes]
    assert said[0][0] != said[1][0]
    assert abs(float(said[0][1]) - float(said[1][1])) < 0.2


def test_nothing_is_left_when_the_sandbox_is_closed(tmp_path: Path) -> None:
    sandbox = DockerSandbox(DockerSettings(IMAGE, named("left")))
    fork = "import os, time\nif os.fork() == 0:\n os.setsid(); time.sleep(600)\n"
    fork += "print('up', flush=True); time.sleep(600)"
    box = sandbox.open(python(tmp_path / "bot", fork), Caps(), 0, "m")
    assert read(box.stdout) == b"up\n"
    assert box.pid is not None
    inside = Group.of(box.pid, "docker").processes()
    assert len(inside) == 3
    sandbox.close()
    engine = Engine()
    assert engine.boxes(named("left")) == {}
    engine.close()
    assert not list(premises.runtime_directory().glob(f"{named('left')}-*"))
    assert not [pid for pid in inside if Path(f"/proc/{pid}").exists()]


def test_the_sweeper_takes_what_the_dead_left_and_nothing_else(tmp_path: Path) -> None:
    engine = Engine()

    def orphan(instance: str, owner: str) -> str:
        labels = {LABEL_INSTANCE: instance, LABEL_OWNER: owner}
        return str(engine.api.create_container(IMAGE, ["sleep", "60"], labels=labels)["Id"])

    dead, other, living = (
        orphan(named("a"), "1-1-0"),
        orphan(named("b"), "1-1-0"),
        orphan(named("a"), premises.mark(1) + "-0"),
    )
    try:
        assert engine.sweep(named("a")) == 1
        assert dead not in engine.boxes()
        assert {other, living} <= engine.boxes().keys()
    finally:
        for container in (dead, other, living):
            engine.remove(container)
        engine.close()


def test_a_pooled_container_serves_at_once_and_a_series_reuses_it(tmp_path: Path) -> None:
    sandbox = DockerSandbox(DockerSettings(IMAGE, named("pool"), "pipe", series=3))
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
        containers |= sandbox.engine.boxes(named("pool")).keys()
        box.end()
    # Scratch was empty each time (the file is made with `x`), and no process of the game before was left.
    assert said == [b"2", b"2", b"2"]
    assert len(containers) == 1
    sandbox.close()


def test_containers_are_made_ahead_and_never_pile_up(tmp_path: Path) -> None:
    sandbox = DockerSandbox(DockerSettings(IMAGE, named("ahead"), "pipe", ahead=True))
    bots = [python(tmp_path / name, "print('x', flush=True)\ninput()") for name in "abcd"]
    taken = []
    for pair in ((0, 1), (0, 1), (2, 3)):
        orders = [Order(bots[at], Caps(), seat, f"m/{seat}") for seat, at in enumerate(pair)]
        before = sandbox.engine.boxes(named("ahead")).keys()
        boxes = sandbox.open_together(orders)
        taken.append(len(sandbox.engine.boxes(named("ahead")).keys() & before))
        assert [read(box.stdout) for box in boxes] == [b"x\n", b"x\n"]
        for box in boxes:
            box.end()
        sandbox.settle()
    assert taken[1] >= 2, "the second match did not take the containers that were waiting"
    deadline = time.monotonic() + 10
    while len(sandbox.engine.boxes(named("ahead"))) > 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    sandbox.close()


def test_a_container_is_thrown_away_when_its_bot_plays_no_more(tmp_path: Path) -> None:
    sandbox = DockerSandbox(DockerSettings(IMAGE, named("series"), "pipe", series=9))
    first, second = python(tmp_path / "a", "input()"), python(tmp_path / "b", "input()")
    sandbox.open(first, Caps(), 0, "m").end()
    kept = sandbox.engine.boxes(named("series")).keys()
    assert len(kept) == 1
    sandbox.open(second, Caps(), 0, "m").end()
    deadline = time.monotonic() + 10
    while kept & sandbox.engine.boxes(named("series")).keys():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert len(sandbox.engine.boxes(named("series"))) == 1
    sandbox.close()


def test_a_bot_leaves_nothing_in_what_serves_the_next_game(tmp_path: Path) -> None:
    """Neither the memory nor the limits of a process that outlives a game can be written."""
    probe = """
import os, resource
for pid in (1, os.getppid()):
    for attempt in (lambda: os.open(f"/proc/{pid}/mem", os.O_RDWR), lambda: resource.prlimit(pid, 7, (10, 256))):
        try:
            attempt()
        except OSError:
            print("denied", end=" ")
        else:
            print("open", end=" ")
print(flush=True)
input()
"""
    sandbox = DockerSandbox(DockerSettings(IMAGE, named("marks"), "pipe", series=2))
    try:
        box = sandbox.open(python(tmp_path / "a", probe), Caps(), 0, "m")
        assert read(box.stdout).split() == [b"denied"] * 4
        box.end()
    finally:
        sandbox.close()


def test_a_bot_that_leaves_files_it_cannot_delete_costs_its_container(tmp_path: Path) -> None:
    """What the wipe cannot clean is not cleaned: the next game gets a fresh container."""
    sandbox = DockerSandbox(DockerSettings(IMAGE, named("dirty"), "pipe", series=9))
    deep = "import os\nos.chdir('/tmp')\nfor _ in range(100): os.mkdir('d'); os.chdir('d')\n"
    deep += "print('made', flush=True)\ninput()"
    program = python(tmp_path / "a", deep)
    said = []
    for _ in range(2):
        box = sandbox.open(program, Caps(), 0, "m")
        said.append(read(box.stdout))
        box.end()
    assert said == [b"made\n", b"made\n"]
    sandbox.close()


def test_no_engine_is_told_with_its_remedies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent")
    with pytest.raises(SandboxError, match=r"no container engine answers: start it.*--sandbox bwrap"):
        Engine()


def test_a_missing_image_is_told_with_its_remedy() -> None:
    with pytest.raises(SandboxError, match="harness image build"):
        DockerSandbox(DockerSettings("botpit-bots:nosuch", named("none")))
