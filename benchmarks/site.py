"""The site of 200 bots and 20,000 matches: how long a publication takes, first and later ones, and how large it gets.

Each publication runs in a process of its own, so that its peak memory is its own, the made-up competition included.
"""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.competition import site
from benchmarks.rows import Row
from leaderboard.publish import publish

BOTS = 200
MATCHES = 20_000
NEW = 200
"""Matches that the later publication adds: 50 deal groups of 4 seats."""


def run() -> list[Row]:
    """Publish all but the newest matches, then all, then the same again."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "site"
        first = _measure(out, MATCHES - NEW)
        later = _measure(out, MATCHES)
        again = _measure(out, MATCHES)
        disk = sum(path.stat().st_blocks * 512 for path in out.rglob("*") if path.is_file())
        rows = [
            Row("site, first publication", first["seconds"], "s", note=f"{first['written']:,} files"),
            Row(f"site, {NEW} more matches", later["seconds"], "s", note=f"{later['written']:,} files written"),
            Row("site, later against first", later["seconds"] / first["seconds"], "", limit=0.5),
            Row("site, nothing new", again["seconds"], "s", note=f"{again['written']:,} files written"),
            Row("site, size on disk", disk / 2**20, "MiB", note=f"{BOTS} bots, {MATCHES:,} matches, no replays"),
            Row("site, peak memory", max(first["memory"], later["memory"]), "MiB", limit=400),
        ]
        return rows + _weights(out)


def _weights(out: Path) -> list[Row]:
    """What a reader loads: pages as they are and as a server would send them, and all that goes with one page."""
    largest = {
        "leaderboard": out / "index.html",
        "head to head, with its data": out / "pairs.html",
        "a bot": max((out / "bots").iterdir(), key=lambda path: path.stat().st_size),
        "all matches of a bot": max((out / "played").iterdir(), key=lambda path: path.stat().st_size),
        "a match": max((out / "matches" / "1").iterdir(), key=lambda path: path.stat().st_size),
    }
    rows = []
    for name, path in largest.items():
        content = path.read_bytes() + ((out / "data" / "pairs.js").read_bytes() if path.name == "pairs.html" else b"")
        packed = len(gzip.compress(content, 6)) / 1024
        rows.append(Row(f"page weight, {name}", len(content) / 1024, "KiB", note=f"{packed:.0f} KiB packed"))
    shared = sum(path.stat().st_size for path in (out / "static").iterdir() if path.suffix in {".css", ".js"})
    rows.append(Row("page weight, all styles and scripts", shared / 1024, "KiB", limit=100, note="loaded once"))
    return rows


def _measure(out: Path, matches: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.site", str(out), str(matches)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def _publish(out: Path, matches: int) -> dict[str, Any]:
    whole = site(BOTS, MATCHES)
    shown = replace(whole, matches=whole.matches[:matches], snapshot=f"after-{matches}")
    began = time.perf_counter()
    done = publish(shown, out)
    return {
        "seconds": time.perf_counter() - began,
        "written": done.written,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    print(json.dumps(_publish(Path(sys.argv[1]), int(sys.argv[2]))))
