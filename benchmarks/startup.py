"""How long the command line takes to answer, against the bare import of the library that reads its options."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.rows import Row

ROUNDS = 15
ROOT = Path(__file__).parent.parent


def seconds(*words: str) -> float:
    """The wall time of an interpreter with these arguments."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def ratio(*words: str) -> tuple[float, float]:
    """The median of the ratios to `import click`, pair by pair, and the median time in ms."""
    pairs = [(seconds("-c", "import click"), seconds(*words)) for _ in range(ROUNDS)]
    return statistics.median(ours / bare for bare, ours in pairs), statistics.median(ours for _, ours in pairs) * 1000


def run() -> list[Row]:
    rows = []
    for name, words, limit in (
        ("harness --help", ("-m", "harness", "--help"), 2.5),
        ("harness play --help", ("-m", "harness", "play", "--help"), None),
        ("harness games", ("-m", "harness", "games"), None),
    ):
        times, milliseconds = ratio(*words)
        rows.append(Row(f"{name} against `import click`", times, "times", limit, note=f"{milliseconds:.0f} ms"))
    return rows
