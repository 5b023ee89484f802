"""`harness games`."""

from __future__ import annotations

import json

import click

from harness.text import columns


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def games(as_json: bool) -> None:
    """List the games with their player counts and options."""
    from referee.games import GAMES, load

    classes = [load(name) for name in GAMES]
    if as_json:
        for game in classes:
            options = [
                {"name": option.name, "default": option.default, "choices": list(option.choices), "help": option.help}
                for option in game.option_table
            ]
            facts = {"game": game.name, "title": game.title, "version": game.version}
            click.echo(json.dumps({**facts, "players": list(game.seats), "options": options}))
        return
    rows = [("game", "players", "version", "title")]
    rows += [(game.name, f"{game.seats[0]} to {game.seats[-1]}", game.version, game.title) for game in classes]
    for line in columns(rows):
        click.echo(line)
    for game in classes:
        for option in game.option_table:
            choices = f", one of {', '.join(map(str, option.choices))}" if option.choices else ""
            default = str(option.default).lower() if isinstance(option.default, bool) else option.default
            click.echo(f"\n{game.name} --option {option.name}={default}{choices}\n  {option.help.removesuffix('.')}.")
