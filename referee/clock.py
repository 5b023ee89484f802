"""Time: the clock that measures bots, the account of one seat's time, and the guard of a match that stands still."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic_ns
from types import FrameType
from typing import Final, TypeAlias

Clock: TypeAlias = Callable[[], int]
"""Gives nanoseconds that never go back; the wall clock is never asked."""

MONOTONIC: Final[Clock] = monotonic_ns

NS_PER_MS: Final = 1_000_000
US_PER_MS: Final = 1_000


SOON_NS: Final = 10 * NS_PER_MS
"""Who has not answered after this is thinking: time to write the replay."""


class Bank:
    """The time of one seat: an allowance for each decision and a bank for the match, in whole microseconds."""

    __slots__ = ("allowance_us", "json", "left_us", "move_us", "soon_ms", "soon_ns")

    def __init__(self, move_ms: int, bank_ms: int) -> None:
        self.move_us = move_ms * US_PER_MS
        self._set(bank_ms * US_PER_MS)

    def _set(self, left_us: int) -> None:
        self.left_us = left_us
        self.allowance_us = self.move_us + left_us
        """What the next decision may take in all."""
        self.soon_ns = min(SOON_NS, self.allowance_us * 1000)
        self.soon_ms = self.soon_ns // NS_PER_MS + 1
        self.json = b'"time_ms":%d,"bank_ms":%d' % (self.move_us // US_PER_MS, left_us // US_PER_MS)
        """Its two fields of a `decide` line, in whole milliseconds."""

    def charge(self, used_us: int) -> None:
        """Take what a decision used beyond its allowance from the bank, which never falls below zero."""
        over = used_us - self.move_us
        if over > 0:
            self._set(max(0, self.left_us - over))


class Stalled(Exception):
    """The match made no progress for longer than any bot may take: the harness's own failure."""


@contextmanager
def stall_guard(progress: Callable[[], int], patience_s: float) -> Iterator[None]:
    """Raise Stalled within the block when `progress` gives the same number for `patience_s` seconds.

    It interrupts Python code and system calls of the main thread; elsewhere, or where somebody else uses the alarm,
    it does nothing and the caller's own deadline for the whole job has to serve.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGALRM) != signal.SIG_DFL:
        yield
        return
    seen, since = progress(), monotonic_ns()

    def look(_signal: int, _frame: FrameType | None) -> None:
        nonlocal seen, since
        now, at = progress(), monotonic_ns()
        if now != seen:
            seen, since = now, at
        elif at - since > patience_s * 1e9:
            raise Stalled(f"harness: the match made no progress for {patience_s:.0f} s")

    every = min(1.0, patience_s / 4)
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, every, every)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
