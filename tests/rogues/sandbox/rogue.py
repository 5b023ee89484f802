"""What every rogue brings: honest play around one misdeed, and a report of what it could do. Runs inside the box."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

Probe = Callable[[], Any]
libc = ctypes.CDLL(None, use_errno=True)


def play(first: Callable[[], str] | None = None, turn: Callable[[int, Mapping[str, Any]], None] | None = None) -> None:
    """Play any legal moves; call `first` at the first decision and send what it gives as a note, `turn` at each."""
    count = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            say({"type": "ready"})
        elif message["type"] == "decide":
            answer = {"type": "choice", "id": message["id"], "choice": message["id"] * 5 % len(message["legal"])}
            count += 1
            if count == 1 and first is not None:
                answer["note"] = first()
            if turn is not None:
                turn(count, message)
            say(answer)


def say(message: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def denied(probes: Mapping[str, Probe]) -> str:
    """Try each: `denied`, or the names of those that did not fail, be it by an error or an assertion."""
    through = []
    for name, probe in probes.items():
        try:
            got = probe()
        except (OSError, AssertionError, ValueError, AttributeError):
            continue
        through.append(f"{name}={got!r:.60}")
    return "denied" if not through else "OPEN " + "; ".join(through)


def call(number: int, *arguments: Any) -> int:
    """A system call by its number. Raises OSError."""
    got: int = libc.syscall(ctypes.c_long(number), *arguments)
    if got < 0:
        raise OSError(ctypes.get_errno(), f"call {number}")
    return got


def read_text(path: str) -> Probe:
    """A probe that reads a file; an empty one counts as denied."""

    def probe() -> str:
        data = Path(path).read_bytes()[:200]
        assert data
        return data.decode("latin-1")

    return probe


def write_text(path: str, text: str = "x") -> Probe:
    def probe() -> str:
        Path(path).write_text(text)
        return "written"

    return probe


def until_error(step: Callable[[int], Any], most: int) -> int:
    """How often a step works before it fails."""
    for count in range(most):
        try:
            step(count)
        except (OSError, MemoryError, RuntimeError):
            return count
    return most


def children(count: int, work: Callable[[], Any]) -> Iterable[int]:
    """Fork workers, as far as that goes."""
    for _ in range(count):
        try:
            pid = os.fork()
        except OSError:
            return
        if pid == 0:
            try:
                work()
            finally:
                os._exit(0)
        yield pid
