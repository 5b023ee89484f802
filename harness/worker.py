"""A worker's one task: a job in, a played match out. It knows no database and no command line."""

from __future__ import annotations

import logging
import math
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.util import Finalize
from pathlib import Path
from time import perf_counter
from typing import Any

from harness import __version__, sandboxes
from harness.model import Played
from harness.sandboxes import SandboxChoice
from harness.unrunnable import with_remedies
from referee import games, match
from referee.game import Game
from referee.match import MatchRecord
from referee.process import Pipes
from referee.replay import Writer
from referee.result import Ending, MatchResult, MatchSpec
from sandbox.api import Caps, Order, Program, Sandbox, SandboxError, open_all

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """A match to be played, and how: plain data that can travel to any process or machine that has the files."""

    spec: MatchSpec
    programs: tuple[Program, ...]
    """By seat."""
    sandbox: SandboxChoice = field(default_factory=SandboxChoice)
    caps: Caps = field(default_factory=Caps)
    replay: Path | None = None
    """Where its replay goes; None for none."""
    grace_ms: int = match.GRACE_MS
    idle: str = "billed"
    """Bots that are not asked are `billed` for the CPU that they use, `frozen` where the sandbox can, or `free`."""


class _Station:
    """What a worker keeps from one job to the next: its number, its cores, its sandboxes."""

    number = 0
    cores: tuple[int, ...] = ()
    sandboxes: dict[SandboxChoice, Sandbox] = {}  # noqa: RUF012


def begin(number: int) -> None:
    """Called once in a new worker process."""
    _Station.number = number
    _Station.cores = tuple(sorted(os.sched_getaffinity(0)))
    _Station.sandboxes = {}
    Finalize(None, leave, exitpriority=10)


def play(job: Job) -> Played:
    """Play a match. A failure of the harness is a void match with its reason; a bot's failure is its result."""
    log.debug("match %s begins", job.spec.match)
    began = perf_counter()
    game = games.create(job.spec.game, job.spec.options)
    record = _play(job, game)
    for fault in record.result.faults:
        log.info("match %s, step %d: %s", job.spec.match, fault.step, fault.message)
    if record.result.ending is Ending.VOID:
        log.error("match %s is void: %s", job.spec.match, record.result.reason)
    return Played(job.spec, record, game.version, (perf_counter() - began) * 1000, games.digest(job.spec.game))


def leave() -> None:
    """End every box that is still open; the worker takes no more jobs."""
    for sandbox in _Station.sandboxes.values():
        sandbox.close()
    _Station.sandboxes = {}


def _play(job: Job, game: Game[Any, Any]) -> MatchRecord:
    spec = job.spec
    try:
        _settle(spec.placement)
        boxes = open_all(_sandbox(job.sandbox), [_order(job, seat) for seat in range(len(spec.seats))])
        try:
            writer = None if job.replay is None else Writer(job.replay, __version__)
        except OSError:
            for box in boxes:
                box.end()
            raise
        record = match.play(
            spec,
            game,
            Pipes(boxes),
            writer,
            cores=math.inf if job.idle == "free" else job.caps.cores,
            grace_ms=job.grace_ms,
            freeze_idle=job.idle == "frozen",
            commands=[shlex.join(program.command) for program in job.programs],
        )
        return with_remedies(record, job.programs, job.sandbox)
    except (SandboxError, OSError) as error:
        log.info("match %s was not set up", spec.match, exc_info=True)
        return _void(spec, f"the match could not be set up: {error}")


def _order(job: Job, seat: int) -> Order:
    spec = job.spec
    caps = replace(job.caps, cpus=cpus(spec.placement, _Station.cores, _Station.number, seat, len(spec.seats)))
    return Order(job.programs[seat], caps, seat, f"{spec.match}/{seat}")


def cpus(placement: str, cores: Sequence[int], worker: int, seat: int, seats: int) -> tuple[int, ...]:
    """The processors of one seat: the worker's own when packed, one for each seat when spread over enough of them."""
    if not cores:
        return ()
    if placement == "packed":
        return (cores[worker % len(cores)],)
    return (cores[(worker + 1 + seat) % len(cores)],) if len(cores) > seats else ()


def _sandbox(choice: SandboxChoice) -> Sandbox:
    made = _Station.sandboxes.get(choice)
    if made is None:
        made = _Station.sandboxes[choice] = sandboxes.create(choice)
    return made


def _settle(placement: str) -> None:
    """Put this worker on its core when bots are to share it: then a line goes from one to the other without a trip."""
    cores = _Station.cores
    if cores:
        os.sched_setaffinity(0, {cores[_Station.number % len(cores)]} if placement == "packed" else cores)


def void(spec: MatchSpec, reason: str) -> Played:
    """A match that could not be played."""
    return Played(spec, _void(spec, reason), "", 0.0)


def _void(spec: MatchSpec, reason: str) -> MatchRecord:
    seats = len(spec.seats)
    result = MatchResult(
        spec.match, Ending.VOID, reason, (1,) * seats, (0.0,) * seats, (), 0, (0,) * seats, (0.0,) * seats
    )
    return MatchRecord(result, ())
