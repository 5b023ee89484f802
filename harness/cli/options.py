"""Options that several commands share, and what people type turned into values."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final, TypeVar

import click

from harness.errors import Refusal
from harness.sandboxes import unknown
from harness.text import plural
from referee.game import Game, Option
from referee.games import GAMES, load
from referee.result import LONGEST_MS, MOST_STRIKES

F = TypeVar("F", bound=Callable[..., Any])

MOST_MATCHES: Final = 1_000_000
_A_CORE: Final = 16
"""Jobs that one core can serve when bots mostly wait; more would only take memory."""


class Whole(click.IntRange):
    """A whole number within bounds, which are spelled out in words."""

    def _describe_range(self) -> str:
        return f"{self.min} or more" if self.max is None else f"{self.min} to {self.max}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return super().convert(int(value), param, ctx)
        except ValueError:
            self.fail(f"{value!r} is not a whole number; it takes {self._describe_range()}.", param, ctx)


def room() -> int:
    """The columns of the terminal that stdout is; 0 where it is none, and nothing needs to fit."""
    if sys.stdout is None or not sys.stdout.isatty():
        return 0
    from shutil import get_terminal_size

    return get_terminal_size().columns


game_options = click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; may be given several times."
)
sandbox_option = click.option(
    "--sandbox",
    "sandbox_name",
    default="local",
    show_default=True,
    metavar="NAME",
    help="How bots are confined: local (not at all, for bots that you trust), docker or bwrap.",
)
competition_folder = click.option(
    "-C", "folder", default=".", metavar="DIR", show_default=True, help="The competition's folder."
)


def limit_options(command: F) -> F:
    """The clocks and the fault policy of a match."""
    for option in (
        click.option(
            "--policy",
            type=click.Choice(["strict", "strikes", "lenient"]),
            default="strikes",
            show_default=True,
            help="What faults lead to: out at the first, after the limit, never.",
        ),
        click.option(
            "--strikes",
            type=Whole(1, MOST_STRIKES),
            metavar="N",
            default=3,
            show_default=True,
            help="Strikes that put a bot out.",
        ),
        click.option(
            "--start-ms",
            type=Whole(1, LONGEST_MS),
            metavar="MS",
            default=10_000,
            show_default=True,
            help="Time to get ready.",
        ),
        click.option(
            "--bank-ms",
            type=Whole(0, LONGEST_MS),
            metavar="MS",
            default=10_000,
            show_default=True,
            help="Time beyond the allowance of moves, for the whole match.",
        ),
        click.option(
            "--move-ms",
            type=Whole(1, LONGEST_MS),
            metavar="MS",
            default=1_000,
            show_default=True,
            help="Time a decision.",
        ),
    ):
        command = option(command)
    return command


def at_once(wanted: int | None) -> int:
    """How many matches to play at once: as many as cores unless said. What the machine cannot serve is cut, aloud."""
    cores = len(os.sched_getaffinity(0))
    if not wanted:
        return cores
    if wanted > (most := cores * _A_CORE):
        click.echo(
            f"harness: {wanted} matches at once are too many for {plural(cores, 'core')}; playing {most}", err=True
        )
    return min(wanted, most)


def game_class(name: str) -> type[Game[Any, Any]]:
    """The class of a game. Raises Refusal with the nearest name."""
    if name not in GAMES:
        raise Refusal(unknown("game", name, GAMES))
    return load(name)


def read_options(game: type[Game[Any, Any]], given: Iterable[str]) -> dict[str, bool | int | str]:
    """The game's options from `KEY=VALUE` words. Raises Refusal for a bad word or key, OptionError for a bad value."""
    table = {option.name: option for option in game.option_table}
    values: dict[str, bool | int | str] = {}
    for word in given:
        key, equals, text = word.partition("=")
        if not equals:
            raise Refusal(f"--option {word}: write it as KEY=VALUE")
        if key not in table:
            raise Refusal(_unknown_option(game.name, key, table))
        values[key] = _value(table[key], text)
    game(values)
    return values


def _unknown_option(game: str, key: str, table: Mapping[str, Option]) -> str:
    close = get_close_matches(key, table, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"it has {', '.join(table) or 'none'}"
    return f"{game} has no option {key!r}; {hint}"


def _value(option: Option, text: str) -> bool | int | str:
    if isinstance(option.default, bool):
        words = {
            "true": True,
            "yes": True,
            "on": True,
            "1": True,
            "false": False,
            "no": False,
            "off": False,
            "0": False,
        }
        if text.lower() not in words:
            raise Refusal(f"--option {option.name}={text}: write true or false")
        return words[text.lower()]
    if isinstance(option.default, int):
        try:
            return int(text)
        except ValueError:
            raise Refusal(f"--option {option.name}={text}: write a whole number") from None
    return text


def check_seats(game: type[Game[Any, Any]], count: int) -> None:
    """Raises Refusal when the game does not take that many players."""
    if count not in game.seats:
        raise Refusal(f"{game.name} takes {game.seats[0]} to {game.seats[-1]} players, not {count}")
