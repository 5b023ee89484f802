"""Stopping on Ctrl-C, SIGTERM and a closed terminal: the first ends the run in good order, the second at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """Someone asked the run to stop; `number` is the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.number = number

    @property
    def code(self) -> int:
        """The exit code that shells expect of a program ended by this signal."""
        return 128 + self.number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raises Stopped inside the block at the first such signal; a second one ends the process on the spot."""
    asked = False

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            os._exit(128 + number)
        asked = True
        raise Stopped(number)

    # Who told us to ignore a signal (nohup, a shell's background) meant it.
    heeded = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = [(number, signal.signal(number, stop)) for number in heeded]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
