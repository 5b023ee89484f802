from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing.util import Finalize
from pathlib import Path

import pytest

from harness.crew import Crew, WorkerDied


@pytest.fixture
def crew() -> Iterator[Crew]:
    made = Crew(2)
    yield made
    made.end()


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def whose(_: int) -> int:
    return os.getpid()


def fail(text: str) -> None:
    raise ValueError(text)


def die(code: int) -> None:
    os._exit(code)


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def stubborn() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)


def test_tasks_are_done_in_the_workers_and_results_come_back(crew: Crew) -> None:
    done = {future.result(10) for future in [crew.submit(whose, number) for number in range(20)]}
    assert done <= set(crew.pids())
    assert os.getpid() not in done


def test_an_error_of_a_task_is_that_tasks_alone(crew: Crew) -> None:
    failing = crew.submit(fail, "no")
    fine = crew.submit(whose, 1)
    with pytest.raises(ValueError, match="no"):
        failing.result(10)
    assert fine.result(10) in crew.pids()


def test_a_result_that_does_not_travel_is_an_error_and_the_worker_lives_on(crew: Crew) -> None:
    with pytest.raises(WorkerDied, match="could not be sent"):
        crew.submit(sys._getframe).result(10)
    assert crew.submit(whose, 1).result(10) in crew.pids()


def test_a_worker_that_dies_loses_one_task_and_is_replaced(crew: Crew) -> None:
    before = set(crew.pids())
    lost = crew.submit(die, 7)
    others = [crew.submit(whose, number) for number in range(10)]
    with pytest.raises(WorkerDied, match="exit code 7"):
        lost.result(10)
    assert all(future.result(10) for future in others)
    assert len(crew.pids()) == 2
    assert set(crew.pids()) != before


def test_shutdown_waits_for_what_was_submitted() -> None:
    crew = Crew(2)
    futures = [crew.submit(whose, number) for number in range(6)]
    pids = crew.pids()
    crew.shutdown()
    assert all(future.done() and not future.cancelled() for future in futures)
    assert not any(map(alive, pids))
    with pytest.raises(RuntimeError):
        crew.submit(whose, 1)


def slow_to_leave(place: str) -> None:
    def leave() -> None:
        time.sleep(1.0)
        Path(place).write_text("cleared up")

    Finalize(None, leave, exitpriority=10)


def test_a_worker_whose_work_is_done_may_take_its_time_to_clear_up(tmp_path: Path) -> None:
    place = tmp_path / "left"
    with Crew(1) as hands:
        hands.submit(slow_to_leave, str(place)).result()
    assert place.read_text() == "cleared up"


@pytest.mark.parametrize("task", [lambda crew: crew.submit(sleep, 60), lambda crew: crew.submit(stubborn)])
def test_end_takes_less_than_a_second_whatever_the_workers_do(task: object) -> None:
    """A06: Ctrl-C never waits for a task."""
    crew = Crew(2)
    pids = crew.pids()
    futures = [task(crew) for _ in range(4)]  # type: ignore[operator]
    while not futures[1].running():
        time.sleep(0.01)
    began = time.monotonic()
    crew.end()
    assert time.monotonic() - began < 1
    assert not any(map(alive, pids))
    assert all(future.done() for future in futures)


def test_workers_die_with_a_parent_that_is_killed() -> None:
    """A01, the runner's part: a worker in the middle of a task does not outlive a SIGKILL of its parent."""
    script = (
        "import time\nfrom harness.crew import Crew\n"
        "crew = Crew(2)\nfor _ in range(2): crew.submit(time.sleep, 60)\n"
        "time.sleep(0.3)\nprint(*crew.pids(), flush=True)\ntime.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(pids) == 2
    assert all(map(alive, pids))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 2
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(alive, pids))
