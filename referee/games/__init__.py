"""The table of games: a name for each, and where its rules are; nothing is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
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


@cache
def digest(name: str) -> str:
    """SHA-256 of the source of a game's rules, hexadecimal: two matches under one digest were played by the same code.

    Over every file of the game's package, in the order of their paths, each as its path, its length in bytes and its
    content. Raises GameError for an unknown game.
    """
    package = load(name).__module__.split(".")[2]
    folder = Path(__file__).parent / package
    found = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            content = path.read_bytes()
            found.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return found.hexdigest()
