"""The data of the charts: few points at common places, so that pages stay light however long a competition lasts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from leaderboard.model import Bot, Moment, Version
from leaderboard.names import shown
from leaderboard.stats import Bin

POINTS: Final = 120
CHECKPOINTS: Final = 8
TOP: Final = 6


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table beside a chart: a value at each checkpoint, None where there is none."""

    name: str
    points: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A line chart and the same as a table."""

    series: tuple[str, ...] = ()
    data: Any = None
    """What `charts.js` draws: axis labels, names, and columns of x and y."""
    checkpoints: tuple[int, ...] = ()
    table: tuple[Line, ...] = ()


def ratings(bots: Sequence[Bot]) -> Chart:
    """The conservative ratings of the first bots that have a history."""
    chosen = [bot for bot in bots if bot.current.history][:TOP]
    return _conservative([(shown(bot.name, 24), bot.current.history, True) for bot in chosen])


def versions(bot: Bot) -> Chart:
    """The rating of a bot over time: with its band for one version, the conservative ones for several."""
    rated = [version for version in bot.versions if version.history]
    if len(rated) != 1:
        return _conservative([(f"version {v.number}", v.history, v is bot.current) for v in rated])
    return _band(rated[0])


def _band(version: Version) -> Chart:
    history = version.history
    last = history[-1].match
    places = _places(history[0].match, last, POINTS)
    picked = [moment for moment in (_at(history, place) for place in places) if moment]
    columns = [[m.mu + k * m.sigma for m in picked] for k in (3, 0, -3)]
    names = ("mu + 3 sigma", "mu", "mu − 3 sigma")
    checkpoints = _places(history[0].match, last, CHECKPOINTS)
    found = [_at(history, place) for place in checkpoints]
    table = tuple(
        Line(name, tuple(m and m.mu + k * m.sigma for m in found)) for name, k in zip(names, (3, 0, -3), strict=True)
    )
    return Chart((f"version {version.number}",), _data(places, names, columns), checkpoints, table)


def _conservative(lines: Sequence[tuple[str, Sequence[Moment], bool]]) -> Chart:
    if not lines:
        return Chart()
    first = min(history[0].match for _, history, _ in lines)
    last = max(history[-1].match for _, history, _ in lines)
    places, checkpoints = _places(first, last, POINTS), _places(first, last, CHECKPOINTS)
    names = tuple(name for name, _, _ in lines)
    columns = [_values(history, places, goes_on) for _, history, goes_on in lines]
    table = tuple(Line(name, tuple(_values(history, checkpoints, goes_on))) for name, history, goes_on in lines)
    return Chart(names, _data(places, names, columns), checkpoints, table)


def _values(history: Sequence[Moment], places: Sequence[int], goes_on: bool) -> list[float | None]:
    moments = [_at(history, place) if goes_on or place <= history[-1].match else None for place in places]
    return [None if moment is None else moment.mu - 3 * moment.sigma for moment in moments]


def _at(history: Sequence[Moment], place: int) -> Moment | None:
    index = bisect_right(history, place, key=lambda moment: moment.match)
    return history[index - 1] if index else None


def _places(first: int, last: int, most: int) -> tuple[int, ...]:
    """At most so many match counts, evenly from the first to the last."""
    steps = min(most, last - first + 1)
    if steps <= 1:
        return (last,)
    return tuple(dict.fromkeys(first + round(n * (last - first) / (steps - 1)) for n in range(steps)))


def _data(places: Sequence[int], names: Sequence[str], columns: Sequence[Sequence[float | None]]) -> Any:
    rounded = [[None if value is None else round(value, 2) for value in column] for column in columns]
    return {"x": "matches played", "y": "rating", "names": list(names), "points": [list(places), *rounded]}


def bars(bins: Sequence[Bin], x: str) -> Any:
    """A histogram for `charts.js`, each bar at the middle of its values."""
    middles = [(low + high - 1) / 2 for low, high, _ in bins]
    span = [bins[0].low - 0.5, bins[-1].high - 0.5] if bins else [0, 1]
    return {"x": x, "y": "matches", "range": span, "points": [middles, [matches for _, _, matches in bins]]}
