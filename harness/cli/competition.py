"""`harness init`, `submit`, `run`, `standings` and `publish`."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness import config as settings
from harness import sandboxes, worker
from harness.cli import options as shared
from harness.config import Config
from harness.crew import Crew
from harness.errors import HarnessFault, Refusal
from harness.logs import logging_to
from harness.progress import Progress
from harness.sandboxes import WARNINGS
from harness.stop import Stopped, stoppable
from harness.text import columns, plural, visible
from sandbox.api import SandboxError

if TYPE_CHECKING:
    from harness.model import Snapshot, Standing
    from harness.pipeline import Verdict
    from harness.store import Store

# The store and all that needs it are imported inside the commands, after the workers are made: so workers stay small.


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--game", required=True, metavar="GAME", help="The game; `harness games` lists them.")
@click.option(
    "--players", type=shared.Whole(2), metavar="N", help="Seats a match.  [default: the fewest that the game takes]"
)
@shared.game_options
@click.option(
    "--sandbox",
    "sandbox_name",
    default="docker",
    show_default=True,
    metavar="NAME",
    help="How bots are confined: docker or bwrap for strangers' bots, local for those that you trust.",
)
def init(folder: str, game: str, players: int | None, options: tuple[str, ...], sandbox_name: str) -> None:
    """Make a competition in DIR: its settings, its database, folders for submissions and replays."""
    made = shared.game_class(game)
    seats = players if players is not None else max(2, made.seats[0])
    shared.check_seats(made, seats)
    sandboxes.load(sandbox_name)
    text = settings.write(made, seats, shared.read_options(made, options), sandbox=sandbox_name)
    place = Path(folder)
    if (place / settings.FILE).exists():
        raise Refusal(f"{place} holds a competition already; choose another folder")
    make(place, game, seats, text)
    click.echo(f"made a competition of {made.title} for {plural(seats, 'player')} in {place}")
    click.echo(f"look through {place / settings.FILE}, then hand in bots: harness submit BOT -C {place}")


def make(place: Path, game: str, players: int, text: str) -> None:
    """A competition's database, folders and settings; the settings come last, so a half-made one is none."""
    from harness.store import Store

    place.mkdir(parents=True, exist_ok=True)
    config = Config(place, game, players)
    Store.create(config.database_url).close()
    for kept in (config.submissions, config.replays, config.logs):
        kept.mkdir(exist_ok=True)
    (place / settings.FILE).write_text(text, "utf-8")


@click.command()
@click.argument("bot")
@shared.competition_folder
@click.option("--name", metavar="NAME", help="What the bot is called.  [default: what it calls itself, or its file]")
@click.option("--author", default="", metavar="WHO", help="Who wrote it.")
def submit(bot: str, folder: str, name: str | None, author: str) -> int:
    """Hand BOT in: store it, build it, check it, accept or reject it. A new version of a name keeps the old one."""
    config = settings.read(Path(folder))
    warn(config)
    log = logging_to(config.logs / "harness.log")
    with stoppable(), log, swept_when_stopped(config), Crew(1, worker.begin) as hands:
        from harness.bots import find
        from harness.pipeline import hand_in, settle

        source = find(bot)
        with opened(config) as store:
            added = hand_in(config, store, source, name, author, now())
            click.echo(f"{added.label} received, content {added.digest[:12]}")
            accepted = False
            with locked(config, "settle"):
                for verdict in settle(config, store, hands, 1):
                    told = tell(verdict, store)
                    accepted = told if verdict.submission.number == added.number else accepted
            return 0 if accepted else 1


@contextmanager
def swept_when_stopped(config: Config) -> Iterator[None]:
    """When the block is stopped, take away what workers that were ended on the spot had no time to take away."""
    try:
        yield
    except Stopped:
        with suppress(SandboxError):
            sandboxes.create(config.choice).close()
        raise


def tell(verdict: Verdict, store: Store) -> bool:
    """Say what became of a submission; whether it was accepted."""
    from harness.model import Status, newest_accepted

    label = verdict.submission.label
    log = visible(verdict.log, lines=True).rstrip()
    if log:
        click.echo(log)
    if verdict.status is Status.ACCEPTED:
        click.echo(f"{label} accepted, it plays from now on")
        return True
    playing = [each for each in newest_accepted(store.submissions()) if each.name == verdict.submission.name]
    after = f"{playing[0].label} stays in play" if playing else "no version of it is in play"
    click.echo(f"harness: {label} rejected: {visible(verdict.reason)}; {after}", err=True)
    return False


@click.command()
@shared.competition_folder
@click.option(
    "--jobs",
    type=shared.Whole(1),
    metavar="N",
    help="Matches at once, up to 16 a core.  [default: as the competition says]",
)
@click.option(
    "--rounds",
    type=shared.Whole(1, settings.MOST_ROUNDS),
    metavar="N",
    help="Rounds in all, not more.  [default: as the competition says]",
)
def run(folder: str, jobs: int | None, rounds: int | None) -> int:
    """Play the matches that are missing, record and rate them. Run again, it continues where it was."""
    config = settings.read(Path(folder))
    warn(config)
    at_once = shared.at_once(jobs or config.jobs)
    with (
        stoppable(),
        logging_to(config.logs / "harness.log"),
        swept_when_stopped(config),
        Crew(at_once, worker.begin) as hands,
        opened(config) as store,
    ):
        from harness.pipeline import settle, write_index

        with alone(config):
            with locked(config, "settle"):
                for verdict in settle(config, store, hands, at_once):
                    tell(verdict, store)
            try:
                voids = play_missing(config, store, hands, at_once, rounds or config.rounds)
            except Stopped:
                click.echo("harness: stopped; what is recorded is kept, run again to continue", err=True)
                raise
            snapshot = store.snapshot(now())
            index = write_index(config, snapshot)
            print_table(snapshot)
    if voids:
        raise HarnessFault(
            f"{plural(voids, 'match')} could not be played, see {index}; run again to play what is missing"
        )
    return 0


def play_missing(config: Config, store: Store, hands: Crew, at_once: int, rounds: int) -> int:
    """How many matches could not be played."""
    from harness.cli.play import faults, line
    from harness.pipeline import Run, advance, differences, entrants, isolation_of, remaining

    playing = entrants(config, store)
    isolation = isolation_of(config)
    for difference in differences(config, store, isolation):
        click.echo(f"harness: {difference}", err=True)
    total, left = remaining(config, store, rounds, playing)
    click.echo(
        f"{plural(len(playing), 'bot')}, {plural(rounds, 'round')}, {plural(total, 'match')}: "
        f"{total - left} recorded, {left} to play, {at_once} at once"
    )
    progress = Progress(left, sys.stderr)
    voids = 0
    for outcome in advance(config, store, hands, Run(playing, rounds, isolation, at_once), now):
        voids += outcome.played.void
        progress.done(f"{outcome.job.spec.match} {line(outcome)}")
        for fault in faults(outcome):
            progress.note(fault)
    progress.clear()
    return voids


@click.command()
@shared.competition_folder
@click.option("--all", "every", is_flag=True, help="Older versions too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def standings(folder: str, every: bool, as_json: bool) -> None:
    """Show the table: TrueSkill over all recorded matches, best first."""
    config = settings.read(Path(folder))
    with opened(config) as store:
        snapshot = store.snapshot(now())
    if as_json:
        click.echo(json.dumps(_standings_json(config, snapshot, every)))
    else:
        print_table(snapshot, every)
        if not snapshot.entrants:
            click.echo(f"no bot plays yet; hand one in: harness submit BOT -C {folder}")


def table(snapshot: Snapshot, every: bool = False) -> list[Standing]:
    """The ranked table of the versions that play, or of every version that played."""
    from harness import ratings

    if not every:
        return ratings.table(snapshot.matches, snapshot.entrants)
    sat = {seat.submission for match in snapshot.matches for seat in match.seats}
    playing = {entrant.number for entrant in snapshot.entrants}
    return ratings.table(snapshot.matches, [each for each in snapshot.submissions if each.number in sat | playing])


def _standings_json(config: Config, snapshot: Snapshot, every: bool) -> dict[str, Any]:
    lines = [
        {
            "rank": line.rank,
            "bot": line.submission.name,
            "version": line.submission.version,
            "author": line.submission.author,
            "digest": line.submission.digest,
            "mu": line.mu,
            "sigma": line.sigma,
            "conservative": line.conservative,
            "matches": line.matches,
            "mean_rank": line.mean_rank,
            "faults": line.faults,
        }
        for line in table(snapshot, every)
    ]
    return {
        "game": config.game,
        "players": config.players,
        "matches": len(snapshot.matches),
        "voids": len(snapshot.voids),
        "isolations": snapshot.isolations,
        "standings": lines,
    }


def print_table(snapshot: Snapshot, every: bool = False) -> None:
    heading = ("rank", "bot", "author", "mu", "sigma", "rating", "matches", "mean rank", "faults")
    rows = [heading]
    for line in table(snapshot, every):
        mean_rank = f"{line.mean_rank:.2f}" if line.matches else "-"
        rows.append(
            (
                str(line.rank),
                visible(line.submission.label),
                visible(line.submission.author, limit=40),
                f"{line.mu:.2f}",
                f"{line.sigma:.2f}",
                f"{line.conservative:.2f}",
                str(line.matches),
                mean_rank,
                str(line.faults),
            )
        )
    for text in columns(rows, right=frozenset({0, 3, 4, 5, 6, 7, 8}), room=shared.room()):
        click.echo(text)
    if snapshot.voids:
        click.echo(f"{plural(len(snapshot.voids), 'attempt')} void, not rated")
    isolations = snapshot.isolations
    if len(isolations) > 1:
        click.echo("these results are of different isolations, rated together:")
        for isolation, count in isolations.items():
            click.echo(f"  {plural(count, 'match')} under {isolation}")


@click.command()
@shared.competition_folder
@click.option("--out", metavar="DIR", help="Where it goes.  [default: `site` in the competition's folder]")
def publish(folder: str, out: str | None) -> None:
    """Write the site: the table, a page a bot, a page a match; it opens from disk."""
    config = settings.read(Path(folder))
    place = Path(out) if out is not None else config.site
    from harness.export import publish as write

    write(config.folder, place)
    click.echo(f"the site is in {place / 'index.html'}")


def warn(config: Config) -> None:
    """Tell of a sandbox that confines nobody."""
    if config.sandbox in WARNINGS:
        click.echo(f"harness: {WARNINGS[config.sandbox]}", err=True)


@contextmanager
def opened(config: Config) -> Iterator[Store]:
    """The competition's store for a block."""
    from harness.store import Store

    store = Store.open(config.database_url)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def alone(config: Config) -> Iterator[None]:
    """Makes sure that one run at a time works on a competition. Raises Refusal when another does."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(config, "run", wait=False))
        except BlockingIOError:
            raise Refusal(f"another run is at work on {config.folder}; wait for it, or stop it") from None
        yield


@contextmanager
def locked(config: Config, what: str, *, wait: bool = True) -> Iterator[None]:
    """One process at a time in this block; without `wait` it raises BlockingIOError when another is in it."""
    descriptor = os.open(config.folder / f".{what}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def now() -> str:
    """The time as the store writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
