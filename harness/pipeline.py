"""A competition from submission to recorded results: each call does what is missing, so it can be made again.

Only the store remembers. A match counts from the moment that its row is committed; its replay lies in its place
before that. What a run leaves behind when it is killed (replays without a row, half-written files) is swept by the
next, which plays those matches again.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from harness import intake, names, sandboxes
from harness.bots import find
from harness.check import Finding, Terms, examine
from harness.config import FILE, Config
from harness.dispatch import Outcome, outcomes
from harness.errors import HarnessFault, Refusal
from harness.intake import Stored
from harness.model import Pairing, Snapshot, Status, Submission, newest_accepted
from harness.schedule import SCHEDULES
from harness.schedule.round_robin import size
from harness.store import Store
from harness.store.store import NewSubmission, Recorded
from harness.text import plural
from harness.worker import Job
from referee.replay import SUFFIX
from referee.result import Entrant, MatchSpec
from sandbox.api import BuildFailed
from sandbox.recipes import Recipe

log = logging.getLogger(__name__)

Now: TypeAlias = Callable[[], str]
"""The time as the store writes it: UTC, ISO 8601, to the second."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a submission, with the matches of its check."""

    submission: Submission
    status: Status
    reason: str
    log: str


class Unchanged(Refusal):
    """The very content of a bot's newest version, which plays already."""


def hand_in(config: Config, store: Store, source: Path, name: str | None, author: str, at: str) -> Submission:
    """The bot's files stored, and a new version of its name noted as received; without a name it says its own.

    Raises Refusal for a bad name or bad files, and Unchanged; both leave everything as it was.
    """
    before = store.submissions()
    writer = names.check_author(author)
    received = intake.receive(source, config.submissions)
    recipe = received.recipe
    try:
        chosen = names.check(recipe.name if name is None else name, {each.name for each in before})
    except Refusal:
        if received.digest not in {each.digest for each in before}:
            shutil.rmtree(received.folder)
        raise
    versions = [each for each in before if each.name == chosen]
    if versions and versions[-1].digest == received.digest and versions[-1].status is Status.ACCEPTED:
        raise Unchanged(f"nothing has changed since {versions[-1].label}, which plays already")
    return store.add(NewSubmission(chosen, writer, recipe.language, received.digest, recipe.command, recipe.build, at))


def settle(config: Config, store: Store, executor: Executor, at_once: int) -> Iterator[Verdict]:
    """Build and check every submission that still waits, and accept or reject it."""
    for submission in store.submissions():
        if submission.status is Status.RECEIVED:
            verdict = _judge(config, submission, executor, at_once)
            store.settle(submission.number, verdict.status, verdict.reason, verdict.log)
            log.info("%s is %s: %s", submission.label, verdict.status, verdict.reason or "fit to play")
            yield verdict


def _judge(config: Config, submission: Submission, executor: Executor, at_once: int) -> Verdict:
    bot = stored(config, submission)
    opponent = intake.receive(find("uniform"), config.submissions)
    choice = config.choice
    sandbox = sandboxes.create(choice)
    try:
        built = intake.build(bot, sandbox)
        intake.build(opponent, sandbox)
    except BuildFailed as error:
        return Verdict(submission, Status.REJECTED, f"its build failed: {error}", error.log)
    finally:
        sandbox.close()
    terms = Terms(config.game, config.options, config.limits, config.policy, config.caps, choice, config.grace_ms)
    found = list(examine(bot, opponent, terms, [config.players], config.check_matches, executor, at_once))
    unplayed = next((finding for finding in found if finding.played.void), None)
    if unplayed is not None:
        raise HarnessFault(
            f"{submission.label} could not be checked, it still waits: {unplayed.played.record.result.reason}"
        )
    failed = next((finding for finding in found if not finding.fine), None)
    if failed is None:
        return Verdict(submission, Status.ACCEPTED, "", built)
    reason = f"its check failed: {failed.faults[0].message}"
    return Verdict(submission, Status.REJECTED, reason, _account(built, failed))


def _account(built: str, failed: Finding) -> str:
    return "\n".join([*filter(None, [built.rstrip()]), failed.headline(), *failed.details()])


def stored(config: Config, submission: Submission) -> Stored:
    """A submission's files."""
    recipe = Recipe(submission.name, submission.command, submission.build, submission.language)
    return Stored(config.submissions / submission.digest, submission.digest, recipe)


def isolation_of(config: Config) -> str:
    """The isolation that matches are played under now. Raises SandboxError when it cannot be had."""
    sandbox = sandboxes.create(config.choice)
    try:
        return sandboxes.isolation(sandbox)
    finally:
        sandbox.close()


def differences(config: Config, store: Store, isolation: str) -> Iterator[str]:
    """A sentence for each way in which recorded matches were played on other terms than those to come.

    Raises Refusal when they are of another game or number of seats: then a table of both would mean nothing.
    """
    options = json.dumps(dict(config.options), sort_keys=True)
    for (game, seats, other), count in store.terms().items():
        if (game, seats) != (config.game, config.players):
            raise Refusal(
                f"{plural(count, 'match')} of {game} with {seats} seats are recorded, {FILE} now says {config.game} "
                f"with {config.players}; set it back, or make another competition"
            )
        if other != options:
            yield f"{plural(count, 'match')} were played with other options of the game ({other})"
    for there, count in store.isolations().items():
        if there != isolation:
            yield f"{plural(count, 'match')} were played under another isolation ({there})"


def entrants(config: Config, store: Store) -> tuple[Submission, ...]:
    """The submissions that play now. Raises Refusal when they are too few, HarnessFault when files of one are gone."""
    found = newest_accepted(store.submissions())
    if len(found) < config.players:
        raise Refusal(
            f"a match needs {config.players} bots and {len(found)} can play; "
            f"hand in more: harness submit BOT -C {config.folder}"
        )
    for entrant in found:
        files = stored(config, entrant).built
        if not files.is_dir():
            raise HarnessFault(f"the files of {entrant.label} are gone; put {files} back, or hand the bot in again")
    return found


def missing(config: Config, store: Store, rounds: int, playing: Sequence[Submission]) -> Iterator[Pairing]:
    """The pairings of the first rounds that are not recorded, in order, lazily."""
    numbers = [entrant.number for entrant in playing]
    whole = size(len(numbers), config.players)
    counts = store.recorded_by_round(rounds, numbers)
    for round_number in range(1, rounds + 1):
        if counts.get(round_number) == whole:
            continue
        done = store.recorded(round_number, numbers)
        for pairing in SCHEDULES[config.schedule](store.secret, round_number, numbers, config.players):
            if pairing.match not in done:
                yield pairing


def remaining(config: Config, store: Store, rounds: int, playing: Sequence[Submission]) -> tuple[int, int]:
    """How many matches the first rounds have among these bots, and how many are still to be played."""
    numbers = [entrant.number for entrant in playing]
    total = rounds * size(len(numbers), config.players)
    done = sum(store.recorded_by_round(rounds, numbers).values())
    return total, total - done


@dataclass(frozen=True, slots=True)
class Run:
    """What one run is to play: the first rounds among these bots, under one isolation, so many matches at once."""

    playing: tuple[Submission, ...]
    rounds: int
    isolation: str
    at_once: int


def advance(config: Config, store: Store, executor: Executor, run: Run, now: Now) -> Iterator[Outcome]:
    """Play what is missing; every outcome is recorded before it is handed out.

    Raises HarnessFault when matches cannot be played one after the other.
    """
    sweep(config, store)
    pairings: dict[str, Pairing] = {}
    for outcome in outcomes(executor, _jobs(config, store, run, pairings), run.at_once):
        pairing = pairings.pop(outcome.job.spec.match)
        if outcome.played.void:
            store.record_void(pairing.match, outcome.played.record.result.reason, now())
        else:
            _record(config, store, pairing, outcome, now())
        yield outcome


def _jobs(config: Config, store: Store, run: Run, pairings: dict[str, Pairing]) -> Iterator[Job]:
    by_number = {entrant.number: entrant for entrant in run.playing}
    for pairing in missing(config, store, run.rounds, run.playing):
        pairings[pairing.match] = pairing
        yield _job(config, pairing, [by_number[number] for number in pairing.seats], run.isolation)


def _job(config: Config, pairing: Pairing, seated: list[Submission], isolation: str) -> Job:
    spec = MatchSpec(
        match=pairing.match,
        group=pairing.group,
        game=config.game,
        options=config.options,
        seats=tuple(Entrant(each.name, each.version, each.author, each.digest, isolation) for each in seated),
        seed=pairing.seed,
        limits=config.limits,
        policy=config.policy,
        placement=config.placement,
    )
    replay = None
    if config.record == "full":
        replay = config.folder / _replay_path(pairing)
        replay.parent.mkdir(parents=True, exist_ok=True)
    programs = tuple(stored(config, each).program() for each in seated)
    return Job(spec, programs, config.choice, config.caps, replay, config.grace_ms, config.idle)


def _replay_path(pairing: Pairing) -> str:
    return f"replays/r{pairing.round}/{pairing.match}{SUFFIX}"


def _record(config: Config, store: Store, pairing: Pairing, outcome: Outcome, at: str) -> None:
    folder = config.logs / f"r{pairing.round}"
    for seat, left in enumerate(outcome.played.record.seats):
        if left.stderr:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{pairing.match}.seat{seat}.stderr").write_text(left.stderr, "utf-8", errors="replace")
    replay = _replay_path(pairing) if outcome.played.record.result.replay_digest else ""
    if replay:
        _settle(config.folder / replay)
    store.record([Recorded(pairing, outcome.played, replay, at)])


def _settle(path: Path) -> None:
    """Have a file and its name on the disk, so that no row outlives its replay when the power fails."""
    for place in (path, path.parent):
        descriptor = os.open(place, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sweep(config: Config, store: Store) -> None:
    """Remove what a killed run left: half-written replays, and whole ones of matches that are not recorded."""
    known = store.replays()
    for root, _, found in os.walk(config.replays):
        for name in found:
            path = Path(root) / name
            if path.relative_to(config.folder).as_posix() not in known:
                log.info("swept %s, which belongs to no recorded match", path)
                path.unlink(missing_ok=True)


def write_index(config: Config, snapshot: Snapshot) -> Path:
    """Write `logs/abnormal.jsonl`: a line for every match with a fault, another ending, or none at all."""
    config.logs.mkdir(parents=True, exist_ok=True)
    path = config.logs / "abnormal.jsonl"
    working = path.with_suffix(".tmp")
    with working.open("w", encoding="utf-8") as index:
        for row in snapshot.matches:
            faults = [
                {
                    "seat": seat.seat,
                    "bot": seat.bot,
                    "version": seat.version,
                    "step": fault.step,
                    "kind": fault.kind,
                    "message": fault.message,
                    "stderr": f"r{row.round}/{row.match}.seat{seat.seat}.stderr",
                }
                for seat in row.seats
                for fault in seat.faults
            ]
            if faults or row.ending != "finished":
                facts = {"match": row.match, "ending": row.ending, "reason": row.reason, "faults": faults}
                index.write(json.dumps(facts) + "\n")
        for void in snapshot.voids:
            index.write(
                json.dumps({"match": void.match, "ending": "void", "reason": void.reason, "at": void.at}) + "\n"
            )
    working.replace(path)
    return path
