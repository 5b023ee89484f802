"""The page of a replay: the time to make it, against rebuilding the match; its weight; when it is usable.

Every game is played once at its largest table by the baseline's rule of thumb, in this process.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.rows import Row
from harness import viewing
from leaderboard import viewer
from referee import games
from referee.rebuild import rebuild
from referee.replay import read
from tests.browser import chromium, visit
from tests.leaderboard.replays import record

ROUNDS = 7
MEGABYTE = 2**20


def _seconds(do: Callable[[], object]) -> float:
    began = time.process_time()
    do()
    return time.process_time() - began


def _rebuilt(replay: Path) -> None:
    kept = read(replay)
    for _ in rebuild(kept, games.create(kept.spec.game, kept.spec.options)):
        pass


def _made(name: str, replay: Path) -> list[Row]:
    pairs = [
        (_seconds(lambda: _rebuilt(replay)), _seconds(lambda: viewer.page(viewing.watch(replay))))
        for _ in range(ROUNDS)
    ]
    ratio = statistics.median(ours / bare for bare, ours in pairs)
    cpu = statistics.median(ours for _, ours in pairs) * 1000
    match = viewing.watch(replay)
    weight = len(viewer.page(match).encode())
    note = f"{cpu:.0f} ms of processor time, {len(match.steps)} steps"
    return [
        Row(f"{name}: a viewer page against rebuilding the match", ratio, "times", note=note),
        Row(f"{name}: weight of the page", weight / 1024, "KiB", MEGABYTE / 1024),
    ]


def _usable(pages: dict[str, Path]) -> list[Row]:
    executable = shutil.which("chromium")
    names = [f"{name}: from opening to usable" for name in pages]
    if executable is None:
        return [Row(name, None, "ms", note="needs chromium") for name in names]
    rows = []
    with chromium(executable) as browser:
        for name, path in zip(names, pages.values(), strict=True):
            times = []
            for _ in range(3):
                with visit(browser) as found:
                    began = time.perf_counter()
                    found.opened(path).wait_for_selector("body[data-ready]")
                    times.append((time.perf_counter() - began) * 1000)
            rows.append(Row(name, statistics.median(times), "ms", note="headless Chromium, file://, a fresh profile"))
    return rows


def run() -> list[Row]:
    rows: list[Row] = []
    pages = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in games.GAMES:
            replay = record(Path(folder), name, games.create(name, {}).seats[-1], note="a note of a usual length")
            rows += _made(name, replay)
            pages[name] = replay.with_name(f"{name}.html")
            viewing.write(replay, pages[name])
        rows += _usable(pages)
    return rows
