"""The bots of the demonstration, and what it is played with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import bots
from harness.bots import Source, find
from sandbox.recipes import LANGUAGES

GAME: Final = "marshmallow-test"
PLAYERS: Final = 3
ROUNDS: Final = 2
_KITS: Final = Path(bots.__file__).parent / "kits"


def field() -> Iterator[tuple[str, Source, str]]:
    """The name of each bot, the bot, and what this machine lacks to run it (empty when nothing)."""
    yield "uniform", find("uniform"), ""
    yield "greedy", find("greedy"), ""
    for kit in sorted(folder for folder in _KITS.glob("*") if folder.is_dir()):
        source = find(str(kit))
        yield source.name, source, lacking(source)


def lacking(source: Source) -> str:
    """The executables that a bot's language needs and this machine does not have."""
    needs = next((each.needs for each in LANGUAGES if each.name == source.recipe.language), ())
    return ", ".join(need for need in needs if shutil.which(need) is None)
