from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from harness import worker
from harness.crew import Crew
from harness.dispatch import outcomes
from harness.logs import logging_to
from harness.model import Played
from harness.worker import Job, cpus
from referee.match import MatchRecord
from referee.result import Ending, Entrant, MatchResult, MatchSpec
from sandbox.api import Program


def job(number: int, folder: Path = Path()) -> Job:
    spec = MatchSpec(f"m{number}", "g", "tiny", {}, (Entrant("a"), Entrant("b")), number)
    return Job(spec, (Program(("x",), folder),) * 2)


def played(task: Job, ending: Ending = Ending.FINISHED) -> Played:
    result = MatchResult(task.spec.match, ending, "why", (1, 2), (1.0, 0.0), (), 1, (1, 1), (0.0, 0.0))
    return Played(task.spec, MatchRecord(result, ()), "1", 1.0)


def fine(task: Job) -> Played:
    return played(task)


def dies_once(task: Job) -> Played:
    """Number 2 takes its worker along the first time."""
    mark = task.programs[0].directory / f"seen-{task.spec.match}"
    if task.spec.seed == 2 and not mark.exists():
        mark.touch()
        os._exit(9)
    return played(task)


def always_dies(task: Job) -> Played:
    os._exit(9)


def logs(task: Job) -> Played:
    logging.getLogger("harness.worker").warning("match %s in process %d", task.spec.match, os.getpid())
    return played(task)


def void_twice(task: Job) -> Played:
    mark = task.programs[0].directory / task.spec.match
    tries = len(mark.read_text()) if mark.exists() else 0
    mark.write_text("x" * (tries + 1))
    return played(task, Ending.VOID if tries < 2 else Ending.FINISHED)


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> Iterator[Crew]:
    made = Crew(2)
    yield made
    made.end()


def test_every_job_has_one_outcome(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "play", fine)
    found = list(outcomes(crew, map(job, range(20)), 2))
    assert sorted(outcome.number for outcome in found) == list(range(20))
    assert all(outcome.played.spec == outcome.job.spec for outcome in found)


def test_the_match_of_a_worker_that_died_is_played_again(
    crew: Crew, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(worker, "play", dies_once)
    found = list(outcomes(crew, (job(number, tmp_path) for number in range(6)), 2))
    assert sorted(outcome.number for outcome in found) == list(range(6))
    assert not any(outcome.played.void for outcome in found)
    assert (tmp_path / "seen-m2").exists()


def test_a_match_that_always_kills_its_worker_is_void_in_the_end(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "play", always_dies)
    (outcome,) = outcomes(crew, iter([job(1)]), 2)
    assert outcome.played.void
    assert "exit code 9" in outcome.played.record.result.reason


def test_a_void_match_is_played_again_as_often_as_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "play", void_twice)
    with ThreadPoolExecutor(1) as pool:
        assert [o.played.void for o in outcomes(pool, iter([job(1, tmp_path)]), 1, attempts=2)] == [True]
        assert [o.played.void for o in outcomes(pool, iter([job(2, tmp_path)]), 1, attempts=3)] == [False]


def test_no_more_jobs_are_taken_than_can_be_played_and_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A14 A61: the schedule is read as it is needed."""
    taken = []

    class Counting(Executor):
        def __init__(self) -> None:
            self.open: list[tuple[Future[Any], Job]] = []

        def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            self.open.append((future, args[0]))
            if len(self.open) == 4:
                self.finish()
            return future

        def finish(self) -> None:
            future, task = self.open.pop(0)
            threading.Timer(0.01, lambda: future.set_result(played(task))).start()

    def jobs() -> Iterator[Job]:
        number = 0
        while True:
            taken.append(number)
            yield job(number)
            number += 1

    stream = outcomes(Counting(), jobs(), 3)
    assert next(stream).number == 0
    assert taken == [0, 1, 2, 3]


def test_what_workers_log_reaches_the_file_whole_and_in_one_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "play", logs)
    path = tmp_path / "logs" / "harness.log"
    with logging_to(path), Crew(2) as crew:
        assert len(list(outcomes(crew, map(job, range(50)), 2))) == 50
        pids = crew.pids()
    lines = path.read_text().splitlines()
    assert sorted(line.split("match ")[1].split()[0] for line in lines) == sorted(f"m{number}" for number in range(50))
    assert {int(line.rsplit(" ", 1)[1]) for line in lines} <= set(pids)
    assert not logging.getLogger().handlers or all(
        "mp-handler" not in (handler.name or "") for handler in logging.getLogger().handlers
    )


def test_without_a_file_warnings_are_one_line_for_people(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with logging_to(None):
        error = ValueError("inside")
        logging.getLogger("harness.worker").error("match m1 is void", exc_info=error)
        logging.getLogger("harness.worker").info("not for people")
        deadline = time.monotonic() + 5
        while "void" not in (said := capfd.readouterr().err) and time.monotonic() < deadline:
            time.sleep(0.01)
    assert said == "harness: match m1 is void\n"


@pytest.mark.parametrize(
    ("placement", "cores", "seats", "expected"),
    [
        ("packed", (4, 5), 2, [(5,), (5,)]),
        ("packed", (4,), 2, [(4,), (4,)]),
        ("spread", (0, 1, 2, 3), 2, [(2,), (3,)]),
        ("spread", (0, 1), 2, [(), ()]),
        ("packed", (), 2, [(), ()]),
    ],
)
def test_bots_share_a_core_or_have_one_each_where_there_are_enough(
    placement: str, cores: tuple[int, ...], seats: int, expected: list[tuple[int, ...]]
) -> None:
    assert [cpus(placement, cores, 1, seat, seats) for seat in range(seats)] == expected
