"""Names of bots: which are allowed, and which would be mistaken for one that is there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from harness.errors import Refusal
from harness.text import visible

LENGTH: Final = 32
AUTHOR_LENGTH: Final = 64
_ALLOWED: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,30}[A-Za-z0-9])?")
_RESERVED: Final = frozenset({"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(10))})
_ALIKE: Final = str.maketrans({"I": "l", "1": "l", "0": "o", "O": "o", "5": "s", "S": "s", "_": "-", ".": "-"})


def check(name: str, taken: Iterable[str]) -> str:
    """The name, when it is allowed and is the same as or unlike all that are taken. Raises Refusal with the reason."""
    if not _ALLOWED.fullmatch(name):
        raise Refusal(
            f"{visible(name, limit=60)!r} cannot be a bot's name; a name has 1 to {LENGTH} letters, digits, "
            "dots, dashes or underscores (ASCII), and begins and ends with a letter or digit"
        )
    if name.partition(".")[0].lower() in _RESERVED:
        raise Refusal(f"{name!r} cannot be a bot's name; some systems keep it for a device")
    for other in taken:
        if other != name and (other.casefold() == name.casefold() or skeleton(other) == skeleton(name)):
            raise Refusal(f"the name {name!r} looks like {other!r}, which is taken; choose another with --name")
    return name


def skeleton(name: str) -> str:
    """What is left of a name when characters that look alike are made the same."""
    return name.translate(_ALIKE).casefold().replace("rn", "m").replace("vv", "w")


def check_author(author: str) -> str:
    """The author's name without blanks around it. Raises Refusal when it is too long or holds unprintable text."""
    stripped = author.strip()
    if len(stripped) > AUTHOR_LENGTH or visible(stripped) != stripped:
        raise Refusal(f"an author's name has at most {AUTHOR_LENGTH} printable characters")
    return stripped
