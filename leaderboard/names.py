"""Texts that strangers choose, made safe to show, to link and to file.

Jinja2's autoescape keeps markup from running; this module keeps the rest from doing harm: control and bidirectional
characters, towers of combining marks, endless names, names that are no file names, and names that look like another's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Final

NAME_LENGTH: Final = 48
TEXT_LENGTH: Final = 500
MARKS_IN_A_ROW: Final = 2
_SLUG_LENGTH: Final = 40
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN: Final = re.compile(r"[!-~]+( [!-~]+)*")
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that draw nothing, though their categories don't say so."""

_LOOK_ALIKES: Final = str.maketrans(
    "аеорсухіјѕԁһӏԛԝвкмнтьαβγεηικνορτυχωⅼ|01iI!$@35",
    "aeopcyxljsdhlqwbkmhtbabyenlkvoptuxwllollllsaes",
)
"""Letters of other scripts, digits and signs that pass for a Latin letter; the usual ones, not all of Unicode's."""

_KEPT: Final = frozenset({"index", "con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(10))})
"""File names that web servers and some systems keep for themselves."""


def shown(text: str, limit: int = NAME_LENGTH) -> str:
    """The text on one line as people may see it, at most `limit` characters.

    Characters that hide or reorder others become `\ufffd`, further combining marks on one letter are left out.
    """
    if len(text) <= limit and _PLAIN.fullmatch(text):
        return text
    kept: list[str] = []
    marks = 0
    for character in text[: 4 * limit]:
        category = unicodedata.category(character)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks > MARKS_IN_A_ROW:
            continue
        if character.isspace():
            kept.append(" ")
        elif category in _HIDDEN or character in _BLANK_LETTERS:
            kept.append("\ufffd")
        else:
            kept.append(character)
    line = " ".join("".join(kept).split())
    if len(line) > limit or len(text) > 4 * limit:
        line = line[: limit - 1].rstrip() + "…"
    return line


@lru_cache(1 << 14)
def slug(name: str) -> str:
    """A file name for a bot, the same for ever; different names give different ones, in any file system.

    A name of lower-case letters, digits and single hyphens is its own; others have a digest of the whole name behind.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_SLUG_LENGTH].strip("-")
    if plain and plain == name and plain not in _KEPT:
        return plain
    return f"{plain or 'bot'}--{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def skeleton(name: str) -> str:
    """The name with letters that look alike made the same; two names with one skeleton may be mistaken."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    lowered = "".join(c for c in bare.translate(_LOOK_ALIKES).casefold() if c.isalnum() or ord(c) > 127)
    return lowered.translate(_LOOK_ALIKES)


def look_alikes(names: Iterable[str]) -> Mapping[str, str]:
    """For each name that could be mistaken for an earlier one, that earlier name."""
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for name in names:
        key = skeleton(name) or name
        original = first.setdefault(key, name)
        if original != name:
            found[name] = original
    return found
