"""`harness play`."""

from __future__ import annotations

import json
import secrets
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from harness import intake, sandboxes, worker
from harness.bots import find
from harness.cli import options as shared
from harness.crew import Crew
from harness.dispatch import Outcome, outcomes
from harness.errors import HarnessFault
from harness.local import Account, Plan, match_json
from harness.logs import logging_to
from harness.progress import Progress
from harness.sandboxes import SandboxChoice
from harness.stop import Stopped, stoppable
from harness.text import columns, plural, visible
from referee.replay import SUFFIX
from referee.result import Limits, Policy


@click.command()
@click.argument("game")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@click.option(
    "--matches",
    type=shared.Whole(1, shared.MOST_MATCHES),
    metavar="N",
    default=1,
    show_default=True,
    help="How many matches.",
)
@click.option(
    "--seed", metavar="TEXT", help="Whatever you like; the same seed gives the same deals.  [default: a new one]"
)
@click.option(
    "--jobs",
    type=shared.Whole(1),
    metavar="N",
    help="Matches at once, up to 16 a core.  [default: the number of cores]",
)
@shared.game_options
@shared.limit_options
@click.option(
    "--record",
    type=click.Choice(["none", "result", "full"]),
    default="full",
    show_default=True,
    help="What is kept: nothing, a line a match in results.jsonl, or replays and the bots' stderr too.",
)
@click.option("--replays", default="replays", show_default=True, metavar="DIR", help="Where it is kept.")
@click.option(
    "--placement",
    type=click.Choice(["packed", "spread"]),
    default="packed",
    show_default=True,
    help="All bots of a match on one core, or a core each.",
)
@shared.sandbox_option
@click.option("--watch", is_flag=True, help="Open the last match in the browser when all is played.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a match on stdout, nothing else.")
def play(game: str, bots: tuple[str, ...], as_json: bool, watch: bool, **given: Any) -> int:
    """Play matches of GAME between bots: bundled ones by name, others by the path of a file or directory.

    The same bot may sit twice. Several matches rotate the seats; each full rotation shares a seed.
    """
    made = shared.game_class(game)
    shared.check_seats(made, len(bots))
    options = shared.read_options(made, given["options"])
    sources = [find(bot) for bot in bots]
    jobs = shared.at_once(given["jobs"])
    choice = SandboxChoice(given["sandbox_name"])
    sandboxes.load(choice.name)
    if choice.name in sandboxes.WARNINGS:
        click.echo(f"harness: {sandboxes.WARNINGS[choice.name]}", err=True)
    keep = Keep(given["record"], Path(given["replays"]))
    if watch and not keep.replays:
        raise click.UsageError("--watch needs the replays; take --record full")
    with (
        stoppable(),
        logging_to(None),
        tempfile.TemporaryDirectory(prefix="harness-") as folder,
        Crew(min(jobs, given["matches"]), worker.begin) as hands,
    ):
        stored = [intake.receive(source, Path(folder)) for source in sources]
        isolation = intake.build_all(stored, choice)
        plan = Plan(
            game=game,
            bots=tuple(stored),
            matches=given["matches"],
            seed=given["seed"] if given["seed"] is not None else str(secrets.randbits(64)),
            options=options,
            limits=Limits(given["start_ms"], given["move_ms"], given["bank_ms"], given["strikes"]),
            policy=Policy(given["policy"]),
            placement=given["placement"],
            sandbox=choice,
            isolation=isolation,
            replays=keep.folder if keep.replays else None,
        )
        keep.begin()
        plan = plan.reserved()
        try:
            code = _play(plan, outcomes(hands, plan.jobs(), min(jobs, plan.matches)), keep, as_json)
        finally:
            plan.release()
    if watch:
        _watch(keep.folder / f"{plan.filed(plan.matches - 1)}{SUFFIX}")
    return code


def _watch(replay: Path) -> None:
    """Make the page of a match beside its replay and open it."""
    import webbrowser

    from harness import viewing

    page = replay.with_name(replay.name.removesuffix(SUFFIX) + ".html")
    viewing.write(replay, page)
    opened = webbrowser.open(page.resolve().as_uri())
    click.echo(f"the match to watch is in {page}" + ("" if opened else "; no browser could be opened here"), err=True)


@dataclass(frozen=True, slots=True)
class Keep:
    """What is kept of local matches, and where."""

    what: str
    folder: Path

    @property
    def replays(self) -> bool:
        """Whether replays are kept."""
        return self.what == "full"

    def begin(self) -> None:
        """Make the folder. Raises OSError."""
        if self.what != "none":
            self.folder.mkdir(parents=True, exist_ok=True)

    def traces(self, outcome: Outcome) -> Iterator[str]:
        """For every bot with a fault, where its stderr is and how to give it the same input again."""
        if self.replays:
            for seat in sorted({fault.seat for fault in outcome.played.record.result.faults}):
                if outcome.played.record.seats[seat].stderr:
                    yield f"  its stderr: {self._stderr(outcome, seat)}"
                yield f"  its input:  harness replay feed {outcome.job.replay} --seat {seat} [-- COMMAND]"

    def _stderr(self, outcome: Outcome, seat: int) -> Path:
        name = outcome.job.replay.name.removesuffix(SUFFIX) if outcome.job.replay else outcome.job.spec.match
        return self.folder / f"{name}.seat{seat}.stderr"

    def add(self, outcome: Outcome) -> None:
        """Keep a match that was played: its line, and what the bots wrote to stderr."""
        if self.what == "none":
            return
        line = json.dumps(match_json(outcome.job, outcome.played)).encode() + b"\n"
        with (self.folder / "results.jsonl").open("ab", buffering=0) as results:
            results.write(line)  # in one piece: others may write there too
        if self.replays:
            for seat, left in enumerate(outcome.played.record.seats):
                if left.stderr:
                    self._stderr(outcome, seat).write_text(left.stderr, "utf-8", errors="replace")


def _play(plan: Plan, played: Iterator[Outcome], keep: Keep, as_json: bool) -> int:
    progress = Progress(plan.matches, sys.stderr)
    account = Account(plan.names)
    told = _InOrder(as_json)
    try:
        voids = _follow(played, keep, progress, account, told)
    except (Stopped, HarnessFault):
        told.rest()
        raise
    progress.clear()
    if not as_json:
        for row in columns(account.rows(), right=frozenset({1, 2, 3, 4}), room=shared.room()):
            click.echo(row)
        again = "" if plan.take == 1 else f", in names that end with .{plan.take}: these matches were played before"
        click.echo(f"seed {visible(plan.seed)}" + (f", replays in {keep.folder}{again}" if keep.replays else ""))
    if voids:
        raise HarnessFault(f"{plural(voids, 'match')} could not be played; that is no bot's fault")
    return 0


def _follow(played: Iterator[Outcome], keep: Keep, progress: Progress, account: Account, told: _InOrder) -> int:
    """Keep and tell of every match as it ends; how many could not be played."""
    voids = 0
    for outcome in played:
        if outcome.played.void:
            voids += 1
            progress.note(f"match {outcome.job.spec.match} is void: {outcome.played.record.result.reason}")
        else:
            account.add(outcome.played)
            keep.add(outcome)
        told.add(outcome)
        progress.done(line(outcome))
        for fault in (*faults(outcome), *keep.traces(outcome)):
            progress.note(fault)
        told.go_on()
    return voids


class _InOrder:
    """Matches as JSON on stdout, in the order of the schedule: each waits for its turn."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self._waiting: dict[int, str] = {}
        self._following = 0

    def add(self, outcome: Outcome) -> None:
        if self._wanted:
            self._waiting[outcome.number] = json.dumps(match_json(outcome.job, outcome.played))

    def go_on(self) -> None:
        """Print what has its turn now."""
        while self._following in self._waiting:
            click.echo(self._waiting.pop(self._following))
            self._following += 1

    def rest(self) -> None:
        """Print what has ended, when nothing more is to come."""
        for number in sorted(self._waiting):
            click.echo(self._waiting.pop(number))


def line(outcome: Outcome) -> str:
    """One line on how a match came out, best first."""
    result = outcome.played.record.result
    seats = sorted(range(len(result.ranks)), key=lambda seat: (result.ranks[seat], seat))
    names = outcome.job.spec.seats
    places = ", ".join(f"{result.ranks[seat]}. {names[seat].bot} {result.scores[seat]:g}" for seat in seats)
    return f"{result.ending.value}: {places}"


def faults(outcome: Outcome) -> Iterator[str]:
    """A line for every fault of a match, with what may help its author."""
    record = outcome.played.record
    for fault in record.result.faults:
        when = "at the start" if fault.step < 0 else f"at step {fault.step}"
        yield f"  {fault.kind.value} {when}: {visible(fault.message)}"
    for seat, left in enumerate(record.seats):
        for hint in left.hints:
            yield f"  bot {outcome.job.spec.seats[seat].bot}: {visible(hint)}"
