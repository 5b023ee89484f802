"""`python -m benchmarks [TOPIC...] [--json FILE]`: run the measurements and print them as a table and as JSON.

A topic is a module of this package with `run() -> list[Row]`. The exit code is 1 when a promised limit was missed.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.rows import Row, table, to_json

TOPICS = ("startup", "engines", "referee", "throughput", "sandbox", "site", "viewer")
"""What `make bench` runs, in this order."""


def main() -> int:
    """Run the topics named on the command line, all of them by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure, each ratio in one run.")
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=f"one of {', '.join(TOPICS)}; default: all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there too")
    arguments = parser.parse_args()
    unknown = [topic for topic in arguments.topics if topic not in TOPICS]
    if unknown:
        parser.error(f"there is no topic {unknown[0]!r}; the topics are {', '.join(TOPICS)}")
    rows: list[Row] = []
    for topic in arguments.topics or TOPICS:
        print(f"measuring {topic} ...", file=sys.stderr, flush=True)
        rows += import_module(f"benchmarks.{topic}").run()
    print(table(rows))
    print(to_json(rows) if arguments.json is None else f"JSON: {arguments.json}")
    if arguments.json is not None:
        arguments.json.write_text(to_json(rows) + "\n")
    return 1 if any(row.verdict == "MISSED" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
