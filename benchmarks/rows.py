"""One measured figure, and how figures are printed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal, NamedTuple


class Row(NamedTuple):
    """A figure with its unit and, where one is promised, the limit that it must keep."""

    name: str
    value: float | None
    """None when it could not be measured here; `note` says why."""
    unit: str
    limit: float | None = None
    better: Literal["lower", "higher"] = "lower"
    note: str = ""

    @property
    def verdict(self) -> str:
        """`ok` or `MISSED` against the limit, `not run` without a value, empty without a limit."""
        if self.value is None:
            return "not run"
        if self.limit is None:
            return ""
        kept = self.value <= self.limit if self.better == "lower" else self.value >= self.limit
        return "ok" if kept else "MISSED"


def table(rows: Iterable[Row]) -> str:
    """The rows as an aligned text table."""
    cells = [("figure", "value", "unit", "limit", "", "note")]
    for row in rows:
        value = "-" if row.value is None else f"{row.value:,.4g}" if row.value < 1000 else f"{row.value:,.0f}"
        limit = "" if row.limit is None else f"{'<=' if row.better == 'lower' else '>='} {row.limit:,g}"
        cells.append((row.name, value, row.unit, limit, row.verdict, row.note))
    widths = [max(len(line[column]) for line in cells) for column in range(5)]
    lines = []
    for line in cells:
        padded = [line[0].ljust(widths[0]), line[1].rjust(widths[1])]
        padded += [line[column].ljust(widths[column]) for column in (2, 3, 4)]
        lines.append("  ".join([*padded, line[5]]).rstrip())
    return "\n".join(lines)


def to_json(rows: Iterable[Row]) -> str:
    """The rows as one JSON array, an object a row."""
    return json.dumps([{**row._asdict(), "verdict": row.verdict} for row in rows], indent=1)
