"""Where a bot given on the command line is: a bundled one by its name, else a file or a directory."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import bots
from harness.errors import Refusal
from harness.text import visible
from sandbox import recipes

_BASELINES: Final = Path(bots.__file__).parent / "baselines"


def bundled() -> Mapping[str, Path]:
    """The bots that come with the harness, by name."""
    return {folder.parent.name: folder.parent for folder in sorted(_BASELINES.glob(f"*/{recipes.MANIFEST}"))}


def find(argument: str) -> Path:
    """Where the bot lies that an argument names; a name without a slash is a bundled bot first. Raises Refusal."""
    here = bundled()
    path = here[argument] if argument in here else Path(argument)
    if not path.exists():
        close = get_close_matches(argument, here, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"bundled bots are {', '.join(here) or 'none'}"
        raise Refusal(f"there is no bot {visible(argument)!r}: no such file or directory; {hint}")
    return path
