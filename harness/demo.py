"""The bots of the demonstration, and what it is played with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import bots
from harness.bots import find
from sandbox import recipes
from sandbox.recipes import LANGUAGES, Recipe

GAME: Final = "marshmallow-test"
PLAYERS: Final = 3
ROUNDS: Final = 2
_KITS: Final = Path(bots.__file__).parent / "kits"


def field() -> Iterator[tuple[Path, str]]:
    """Where each bot lies, and what this machine lacks to run it (empty when nothing)."""
    kits = sorted(folder for folder in _KITS.glob("*") if folder.is_dir())
    for path in (find("uniform"), find("greedy"), *kits):
        yield path, lacking(recipes.read(path))


def lacking(recipe: Recipe) -> str:
    """The executables that a bot's language needs and this machine does not have."""
    needs = next((each.needs for each in LANGUAGES if each.name == recipe.language), ())
    return ", ".join(need for need in needs if shutil.which(need) is None)
