"""`harness demo`."""

from __future__ import annotations

from pathlib import Path

import click

from harness import config as settings
from harness import worker
from harness.cli import competition
from harness.cli import options as shared
from harness.crew import Crew
from harness.demo import GAME, PLAYERS, ROUNDS, field
from harness.logs import logging_to
from harness.stop import stoppable
from referee.games import load


@click.command()
@click.argument("folder", metavar="[DIR]", default="demo")
def demo(folder: str) -> int:
    """Play a small tournament of the bundled bots in DIR (`demo` unless said): table, replays and site.

    Run again, it plays what is missing.
    """
    place = Path(folder)
    if not (place / settings.FILE).exists():
        text = settings.write(load(GAME), PLAYERS, {}, title="Botpit demo", rounds=ROUNDS, sandbox="local")
        competition.make(place, GAME, PLAYERS, text)
        click.echo(f"made a competition of {load(GAME).title} in {place}")
    config = settings.read(place)
    competition.warn(config)
    at_once = shared.at_once(config.jobs)
    with stoppable(), logging_to(config.logs / "harness.log"), Crew(at_once, worker.begin) as hands:
        from harness.pipeline import Unchanged, hand_in, settle

        with competition.opened(config) as store, competition.alone(config):
            for source, lacks in field():
                if lacks:
                    click.echo(f"bot {source.name} is left out: this machine has no {lacks}")
                    continue
                try:
                    hand_in(config, store, source, None, "Botpit", competition.now())
                except Unchanged:
                    continue
            with competition.locked(config, "settle"):
                for verdict in settle(config, store, hands, at_once):
                    competition.tell(verdict, store)
            voids = competition.play_missing(config, store, hands, at_once, config.rounds)
            competition.print_table(store.snapshot(competition.now()))
    from harness.export import publish

    publish(config.folder, config.site)
    click.echo(f"the site is in {config.site / 'index.html'}, the replays are in {config.replays}")
    return 1 if voids else 0
