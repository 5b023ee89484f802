"""Bots as processes: three descriptors each, one `poll` for all, nothing that blocks.

Whoever has a box of the shape of `sandbox.api.Box` can hand it in; the referee knows no sandbox.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from select import POLLIN, POLLOUT, poll
from typing import Final, Protocol

from referee.clock import MONOTONIC, NS_PER_MS, Clock
from referee.player import Arrival, Capture, Exit, Usage

_READ: Final = 16_384
_DRAIN: Final = 65_536
_DRAIN_ROUNDS: Final = 64
_BACKLOG: Final = 8 * 2**20
"""Bytes that may wait for one bot to read; a lenient match would let them grow for ever."""


class Box(Protocol):
    """A running bot: non-blocking descriptors of ours, and a way to end it. One that we closed is set to -1."""

    stdin: int
    stdout: int
    stderr: int

    def exit(self, wait_s: float) -> Exit | None: ...
    def usage(self) -> Usage: ...
    def freeze(self, frozen: bool) -> None: ...
    def end(self) -> None: ...


class Pipes:
    """The boxes of one match as its channels."""

    def __init__(self, boxes: Sequence[Box], clock: Clock = MONOTONIC) -> None:
        self._boxes = boxes
        self._clock = clock
        self._poll = poll()
        self._outputs: dict[int, int] = {}
        self._errors: dict[int, int] = {}
        self._inputs: dict[int, int] = {}
        self._queued: dict[int, bytearray] = {}
        self._captures = [Capture() for _ in boxes]
        self._stdin = [box.stdin for box in boxes]
        self._stdout = [box.stdout for box in boxes]
        self._only = [[(box.stdout, POLLIN)] for box in boxes]
        """What `poll` gives when one seat has written and nothing else has happened."""
        for seat, box in enumerate(boxes):
            self._outputs[box.stdout] = seat
            self._poll.register(box.stdout, POLLIN)
        for seat, box in enumerate(boxes):
            self._errors[box.stderr] = seat
            self._poll.register(box.stderr, POLLIN)

    def send(self, seat: int, data: bytes) -> int | None:
        if self._queued and seat in self._queued:
            if len(self._queued[seat]) > _BACKLOG:
                raise BrokenPipeError(f"{_BACKLOG:,} bytes wait to be read")
            self._queued[seat] += data
            return None
        try:
            written = os.write(self._stdin[seat], data)
        except BlockingIOError:
            written = 0
        except OSError as error:  # a socket in a pipe's place answers ECONNRESET, a closed input of ours EBADF
            raise BrokenPipeError(str(error)) from error
        if written == len(data):
            return self._clock()
        self._queued[seat] = bytearray(data[written:])
        self._inputs[self._stdin[seat]] = seat
        self._poll.register(self._stdin[seat], POLLOUT)
        return None

    def exchange(self, seat: int, data: bytes, patience_ms: int) -> tuple[int | None, bytes, int]:
        try:
            written = 0 if self._queued else os.write(self._stdin[seat], data)
        except OSError:
            written = 0  # `send` tries again and says what it is
        sent_at = self._clock() if written == len(data) else self.send(seat, data[written:])
        if sent_at is not None and self._poll.poll(patience_ms) == self._only[seat]:
            try:
                return sent_at, os.read(self._stdout[seat], _READ), self._clock()
            except OSError:
                pass  # `wait` finds the same and says what it is
        return sent_at, b"", 0

    def wait(self, until: int) -> Sequence[Arrival]:
        timeout = until - self._clock()
        return self._take(self._poll.poll(-(-timeout // NS_PER_MS) if timeout > 0 else 0))

    def _take(self, ready: Sequence[tuple[int, int]]) -> list[Arrival]:
        """What the descriptors that are ready bring."""
        arrivals: list[Arrival] = []
        for descriptor, _ in ready:
            seat = self._outputs.get(descriptor)
            if seat is not None:
                data = self._read(descriptor)
                if data is None:
                    continue
                arrivals.append((seat, data, self._clock()))
                if not data:
                    self.mute(seat)
            elif (seat := self._inputs.get(descriptor)) is not None:
                self._push(seat, arrivals)
            else:
                self._drain(descriptor)
        return arrivals

    def _read(self, descriptor: int, size: int = _READ) -> bytes | None:
        """What is there of an output of a bot, empty at its end; None when there is nothing now."""
        try:
            return os.read(descriptor, size)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def mute(self, seat: int) -> None:
        descriptor = self._boxes[seat].stdout
        if self._outputs.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def listening(self, seat: int) -> bool:
        """A pipe whose reader is gone reports an error at once, whatever one asks of it."""
        look = poll()
        look.register(self._stdin[seat], 0)
        return not look.poll(0)

    def freeze(self, seat: int, frozen: bool) -> None:
        self._boxes[seat].freeze(frozen)

    def hang_up(self, seat: int) -> None:
        self._unqueue(seat)
        box = self._boxes[seat]
        if box.stdin >= 0:
            os.close(box.stdin)
            box.stdin = self._stdin[seat] = -1

    def exit(self, seat: int, wait_s: float) -> Exit | None:
        return self._boxes[seat].exit(wait_s)

    def usage(self, seat: int) -> Usage:
        return self._boxes[seat].usage()

    def stderr(self, seat: int) -> Capture:
        return self._captures[seat]

    def end(self, seat: int) -> None:
        box = self._boxes[seat]
        for _ in range(_DRAIN_ROUNDS):
            if not (box.stderr in self._errors and self._drain(box.stderr)):
                break
        self._unqueue(seat)
        self.mute(seat)
        if self._errors.pop(box.stderr, None) is not None:
            self._poll.unregister(box.stderr)
        self._stdin[seat] = -1
        box.end()

    def _push(self, seat: int, arrivals: list[Arrival]) -> None:
        """Write more of what is queued."""
        queued = self._queued[seat]
        try:
            written = os.write(self._stdin[seat], queued)
        except BlockingIOError:
            return
        except OSError:
            self._unqueue(seat)
            arrivals.append((seat, b"", self._clock()))
            return
        del queued[:written]
        if not queued:
            self._unqueue(seat)
            arrivals.append((seat, None, self._clock()))

    def _unqueue(self, seat: int) -> None:
        if self._queued.pop(seat, None) is not None:
            self._inputs.pop(self._stdin[seat], None)
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._stdin[seat])

    def _drain(self, descriptor: int) -> bool:
        """Take in what is there of an error output; False when there is nothing more now."""
        data = self._read(descriptor, _DRAIN)
        if data is None:
            return False
        if data:
            self._captures[self._errors[descriptor]].feed(data)
            return True
        del self._errors[descriptor]
        self._poll.unregister(descriptor)
        return False
