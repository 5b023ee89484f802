"""How far a run has come, with the time left: one line that is rewritten on a terminal, plain lines elsewhere."""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final, TextIO

from harness.text import visible, width

_REDRAW_S: Final = 0.1
_WINDOW: Final = 200


class Progress:
    """Counts what is done of `total` and tells a stream about it."""

    def __init__(self, total: int, stream: TextIO, clock: Callable[[], float] = monotonic) -> None:
        self._total = total
        self._stream = stream
        self._clock = clock
        self._live = stream.isatty()
        self._done = 0
        self._began = clock()
        self._drawn = 0.0
        self._ends: deque[float] = deque([self._began], maxlen=_WINDOW)

    def done(self, text: str) -> None:
        """One more is done; `text` is a line about it."""
        text = visible(text)
        self._done += 1
        now = self._clock()
        self._ends.append(now)
        if not self._live:
            self._stream.write(f"{self._done} of {self._total}: {text}\n")
            self._stream.flush()
        elif now - self._drawn >= _REDRAW_S or self._done == self._total:
            self._drawn = now
            self._draw(f"{self._done} of {self._total}, {self._rate()}{self._left()} | {text}")

    def note(self, text: str) -> None:
        """A line that stays."""
        self.clear()
        self._stream.write(visible(text) + "\n")
        self._stream.flush()

    def clear(self) -> None:
        """Take the live line away."""
        if self._live:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def seconds_left(self) -> float | None:
        """By the pace of late; None before anything is done."""
        span = self._ends[-1] - self._ends[0]
        if len(self._ends) < 2 or span <= 0:
            return None
        return (self._total - self._done) * span / (len(self._ends) - 1)

    def _rate(self) -> str:
        span = self._ends[-1] - self._ends[0]
        return f"{(len(self._ends) - 1) / span:.1f} a second" if span > 0 else "..."

    def _left(self) -> str:
        left = self.seconds_left()
        return "" if left is None else f", {duration(left)} left"

    def _draw(self, line: str) -> None:
        columns = shutil.get_terminal_size().columns - 1
        while width(line) > columns:
            line = line[:-1]
        self._stream.write(f"\r\x1b[K{line}")
        self._stream.flush()


def duration(seconds: float) -> str:
    """`8 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
