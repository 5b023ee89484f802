"""`harness check`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import click

from harness import intake, sandboxes, worker
from harness.bots import find
from harness.check import Terms, examine
from harness.cli import options as shared
from harness.crew import Crew
from harness.errors import HarnessFault
from harness.logs import logging_to
from harness.sandboxes import SandboxChoice
from harness.stop import stoppable
from referee.result import LONGEST_MS, Limits


@click.command()
@click.argument("bot")
@click.option("--game", required=True, metavar="GAME", help="The game that it is to play; `harness games` lists them.")
@shared.game_options
@click.option(
    "--start-ms",
    type=shared.Whole(1, LONGEST_MS),
    metavar="MS",
    default=Limits().start_ms,
    show_default=True,
    help="Time to get ready.",
)
@click.option(
    "--move-ms",
    type=shared.Whole(1, LONGEST_MS),
    metavar="MS",
    default=Limits().move_ms,
    show_default=True,
    help="Time a decision.",
)
@shared.sandbox_option
def check(bot: str, game: str, options: tuple[str, ...], sandbox_name: str, **given: Any) -> int:
    """See whether BOT starts in time, speaks the protocol and finishes a match at every player count without a fault.

    Exit code 0 only if all is well.
    """
    made = shared.game_class(game)
    choice = SandboxChoice(sandbox_name)
    sandboxes.load(choice.name)
    limits = Limits(start_ms=given["start_ms"], move_ms=given["move_ms"])
    terms = Terms(game, shared.read_options(made, options), limits, sandbox=choice)
    source, opponent = find(bot), find("uniform")
    at_once = min(len(os.sched_getaffinity(0)), len(made.seats))
    with (
        stoppable(),
        logging_to(None),
        tempfile.TemporaryDirectory(prefix="harness-") as folder,
        Crew(at_once, worker.begin) as crew,
    ):
        stored, other = (intake.receive(each, Path(folder)) for each in (source, opponent))
        intake.build_all([stored, other], choice)
        click.echo(f"bot {stored.recipe.name} plays {game} against `uniform`, once at every player count")
        failed = void = 0
        for finding in examine(stored, other, terms, made.seats, 1, crew, at_once):
            click.echo(finding.headline())
            for line in () if failed else finding.details():
                click.echo(line)
            failed += bool(finding.faults)
            void += finding.played.void
    if void:
        raise HarnessFault("the check could not be finished; that is not the bot's fault")
    click.echo(f"bot {stored.recipe.name}: " + ("not fit to play" if failed else "fit to play"))
    return 1 if failed else 0
