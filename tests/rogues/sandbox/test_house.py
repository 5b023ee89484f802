"""Faults of the house itself: they void a match, and are never a bot's loss."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.result import Ending
from sandbox.api import Caps, SandboxError
from sandbox.docker import DockerSandbox, DockerSettings
from sandbox.engine import Engine
from tests.rogues.sandbox.arena import HONEST, play
from tests.sandbox.bots import python
from tests.sandbox.walls import IMAGE, named

pytestmark = [pytest.mark.timeout(120)]


@pytest.mark.needs("docker")
@pytest.mark.parametrize("transport", ["pipe", "attach_socket"])
def test_a_container_that_the_operator_removes_voids_the_match(transport: str, tmp_path: Path) -> None:
    sandbox = DockerSandbox(DockerSettings(IMAGE, named("house"), transport))  # type: ignore[arg-type]
    slow = HONEST.replace("choice = message", "import time; time.sleep(0.3); choice = message")
    bots = (python(tmp_path / "a", slow), python(tmp_path / "b", HONEST))

    def remove() -> None:
        (victim, _) = sorted(sandbox.engine.boxes(named("house")))
        threading.Timer(0.5, other.api.remove_container, (victim,), {"force": True}).start()

    other = Engine()
    try:
        played = play(sandbox, bots, tmp_path / "m.jsonl.gz", during=remove)
        assert played.record.result.ending is Ending.VOID, played.record.result
        after = play(sandbox, (bots[1], bots[1]), tmp_path / "n.jsonl.gz")
        assert after.record.result.ending is Ending.FINISHED
    finally:
        other.close()
        sandbox.close()


@pytest.mark.needs("docker")
def test_a_container_that_cannot_start_is_no_bots_fault(tmp_path: Path) -> None:
    sandbox = DockerSandbox(DockerSettings(IMAGE, named("house"), runtime="no-such-runtime"))
    try:
        with pytest.raises(SandboxError, match="container engine failed"):
            sandbox.open(python(tmp_path / "a", HONEST), Caps(), 0, "m")
    finally:
        sandbox.close()


@pytest.fixture
def deaf(tmp_path: Path) -> Iterator[Path]:
    """An engine that takes every call and hangs up."""
    place = tmp_path / "engine.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen(8)

        def refuse() -> None:
            while True:
                try:
                    caller, _ = listener.accept()
                except OSError:
                    return
                caller.close()

        thread = threading.Thread(target=refuse, daemon=True)
        thread.start()
        yield place
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def test_an_engine_that_hangs_up_is_told_with_remedies(deaf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{deaf}")
    with pytest.raises(SandboxError, match="no container engine answers: start it"):
        DockerSandbox(DockerSettings(IMAGE, named("house")))
