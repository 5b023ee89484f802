"""Text that a bot's author chose (names, notes, stderr), made safe for terminals and log lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

_SHOWN: Final = frozenset("\n\t")
_BLANK_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARK_CATEGORIES: Final = frozenset({"Mn", "Me"})
_MARKS_IN_A_ROW: Final = 4


def visible(text: str, *, limit: int = 0, lines: bool = False) -> str:
    r"""The text with every control, direction and invisible character spelled out, as `\x1b` or `\u202e`.

    Line ends and tabs stay only when `lines` is true. More than four combining marks in a row are dropped. With a
    `limit` the result has at most that many code points, the last one an ellipsis where something was cut.
    """
    if text.isascii() and text.isprintable():
        return _cut(text, limit)
    out: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in _MARK_CATEGORIES else 0
        if marks > _MARKS_IN_A_ROW:
            continue
        if lines and character in _SHOWN:
            out.append(character)
        elif category in _BLANK_CATEGORIES:
            out.append(_spell(character))
        else:
            out.append(character)
    return _cut("".join(out), limit)


def width(text: str) -> int:
    """How many terminal cells the text takes: wide East Asian characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def columns(rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset(), room: int = 0) -> list[str]:
    """The rows as lines with aligned columns, two spaces between them; the columns in `right` lean right.

    Where `room` is given and the lines would be wider, one space stands between them.
    """
    cells = list(rows)
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    gap = " " if room and sum(widths) + 2 * (len(widths) - 1) > room else "  "
    lines = []
    for row in cells:
        padded = [
            " " * (widths[index] - width(cell)) + cell if index in right else cell + " " * (widths[index] - width(cell))
            for index, cell in enumerate(row)
        ]
        lines.append(gap.join(padded).rstrip())
    return lines


def plural(count: int, noun: str) -> str:
    """`1 match`, `2 matches`, `3 bots`."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun}es" if noun.endswith(("s", "ch", "sh")) else f"{count} {noun}s"


def _spell(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _cut(text: str, limit: int) -> str:
    return text if not limit or len(text) <= limit else text[: limit - 1] + "…"
