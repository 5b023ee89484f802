"""Handing jobs to an executor: never more at once than asked for, a lost job given again, outcomes as they come."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Final

from harness import worker
from harness.crew import WorkerDied
from harness.errors import HarnessFault
from harness.model import Played
from harness.worker import Job

log = logging.getLogger(__name__)

ATTEMPTS: Final = 3
VOIDS_IN_A_ROW: Final = 4
"""So many matches that could not be played one after the other, and no more are tried: it is the machine."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one job; `number` is its place among the jobs, from 0."""

    number: int
    job: Job
    played: Played


def outcomes(executor: Executor, jobs: Iterator[Job], at_once: int, attempts: int = ATTEMPTS) -> Iterator[Outcome]:
    """The outcome of every job, in the order in which they end.

    `jobs` is read lazily: one job more than can be played waits in the executor, so that no worker is idle. A void
    match, or one whose worker died, is played again, `attempts` times in all; then it is handed out as void.
    Raises HarnessFault when matches cannot be played one after the other.
    """
    voids = 0
    running: dict[Future[Played], tuple[int, Job, int]] = {}
    numbered = enumerate(jobs)
    more = True
    while True:
        while more and len(running) <= at_once:
            try:
                number, job = next(numbered)
            except StopIteration:
                more = False
                break
            running[executor.submit(worker.play, job)] = (number, job, 1)
        if not running:
            return
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            number, job, attempt = running.pop(future)
            played = _outcome(job, future)
            if played.void and attempt < attempts:
                log.warning("match %s is played again: %s", job.spec.match, played.record.result.reason)
                running[executor.submit(worker.play, job)] = (number, job, attempt + 1)
                continue
            yield Outcome(number, job, played)
            voids = voids + 1 if played.void else 0
            if voids == VOIDS_IN_A_ROW:
                reason = played.record.result.reason
                raise HarnessFault(f"{voids} matches in a row could not be played, the last one because: {reason}")


def _outcome(job: Job, future: Future[Played]) -> Played:
    try:
        return future.result()
    except WorkerDied as error:
        return worker.void(job.spec, f"harness: {error}")
