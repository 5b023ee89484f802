"""A bot for every game: any legal action, all equally likely. It imports as little as it can, so it starts fast."""

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
    from time import time_ns

    read = reader()
    state = time_ns()
    for line in sys.stdin:
        message = read(line)
        if message["type"] == "start":
            seed = message.get("bot_seed")
            state = state if seed is None else int(seed)
            print('{"type":"ready"}', flush=True)
        elif message["type"] == "decide":
            # Knuth's 64-bit linear congruential generator; its high bits are the good ones. `random` loads ten modules.
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            choice = (state >> 32) * len(message["legal"]) >> 32
            print(f'{{"type":"choice","id":{message["id"]},"choice":{choice}}}', flush=True)


main()
