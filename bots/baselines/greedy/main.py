"""A bot that plays each game by a simple rule of thumb: the rules are in the file named after the game.

Each of them has `choose(start, view, legal) -> int`: from the `start` message, the view and the legal actions of a
decision, the index of the action to take. Only the file of the game that is played is loaded.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # spares the import of typing, which would double the time to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def reader() -> Callable[[str], Any]:
    """What reads a line of JSON: the scanner inside `json` where it can be had, for `json` takes long to load."""
    try:
        from _json import make_scanner

        scan: Any = make_scanner(Plain)  # type: ignore[arg-type]
    except (ImportError, AttributeError):
        from json import loads

        return loads
    return lambda line: scan(line, 0)[0]


class Plain:
    """The settings of the scanner: plain JSON."""

    strict = True
    object_hook = object_pairs_hook = parse_constant = None
    parse_float = float
    parse_int = int


def main() -> None:
    """Answer until the input ends."""
    sys.path.insert(0, __file__.rpartition("/")[0] or ".")  # python -I leaves the bot's own directory out
    read = reader()
    first = sys.stdin.readline()
    if not first:
        return
    start = read(first)
    try:
        choose = __import__(start["game"].replace("-", "_")).choose
    except ModuleNotFoundError:
        sys.exit(f"greedy does not know the game {start['game']}")
    print('{"type":"ready"}', flush=True)
    for line in sys.stdin:
        message = read(line)
        if message["type"] == "decide":
            choice = choose(start, message["view"], message["legal"])
            print(f'{{"type":"choice","id":{message["id"]},"choice":{choice}}}', flush=True)


main()
