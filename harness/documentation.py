"""The project's documentation as text, wherever the harness is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PUBLIC: Final = ("protocol.md", "write-a-bot.md", "rules", "games")
"""What the site carries along; the wheel holds these beside this package."""

_INSTALLED: Final = Path(__file__).parent / "_docs"
_CLONED: Final = Path(__file__).parent.parent / "docs"


def read() -> dict[str, str]:
    """The Markdown of every public page that is there, by its path below `docs/`, such as `rules/sbam.md`."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _CLONED
    found = [path for name in PUBLIC for path in (folder / name, *(folder / name).glob("*.md")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}
