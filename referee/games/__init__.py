"""The table of games: a name for each, and where its rules are; nothing is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from referee.game import Game, GameError

GAMES: Final[dict[str, str]] = {
    "marshmallow-test": "referee.games.marshmallow_test:MarshmallowTest",
    "sbam": "referee.games.sbam.game:Sbam",
    "smores-wars": "referee.games.smores_wars:SmoresWars",
    "monster-smash": "referee.games.monster_smash.game:MonsterSmash",
}
"""Name -> `module:class`."""


def load(name: str) -> type[Game[Any, Any]]:
    """The class of a game by its name. Raises GameError naming the games there are."""
    if name not in GAMES:
        raise GameError(f"there is no game {name!r}; the games are {', '.join(GAMES)}")
    module, _, attribute = GAMES[name].partition(":")
    game: type[Game[Any, Any]] = getattr(import_module(module), attribute)
    return game


def create(name: str, options: Mapping[str, bool | int | str] | None = None) -> Game[Any, Any]:
    """A game with its options chosen. Raises GameError for an unknown game, OptionError for a bad option."""
    return load(name)(options)
