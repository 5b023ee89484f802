"""The engine's attached stream as three plain pipes: the portable way when descriptors cannot be handed over."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")

CHUNK: Final = 16_384
HEADER: Final = 8
STDOUT: Final = 1
STDERR: Final = 2


class Deframer:
    """Cuts the engine's frames (stream, three zero bytes, length in four) into pieces; holds at most one header."""

    def __init__(self) -> None:
        self._header = b""
        self._stream = 0
        self._left = 0

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """The pieces of payload in `data`, each with its stream's number. Never allocates by a frame's length."""
        pieces: list[tuple[int, bytes]] = []
        at = 0
        while at < len(data):
            if self._left:
                piece = data[at : at + self._left]
                pieces.append((self._stream, piece))
                self._left -= len(piece)
                at += len(piece)
                continue
            taken = data[at : at + HEADER - len(self._header)]
            self._header += taken
            at += len(taken)
            if len(self._header) == HEADER:
                self._stream, self._left = self._header[0], int.from_bytes(self._header[4:], "big")
                self._header = b""
        return pieces


class Relay:
    """A thread that carries bytes between an attached stream and a box's pipes, and holds back when they are full."""

    def __init__(self, raw: socket.socket, held: Any, stdin: int, stdout: int, stderr: int) -> None:
        """Takes the stream and its keeper, and the far ends of the box's pipes, which it closes."""
        self._raw, self._held = raw, held
        self._stdin, self._out = stdin, {STDOUT: stdout, STDERR: stderr}
        self._stop_read, self._stop_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        raw.setblocking(False)
        for descriptor in (stdin, stdout, stderr):
            os.set_blocking(descriptor, False)
        self._thread = threading.Thread(target=self._guarded, name="relay", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread and the stream; must come before the container is killed, or the engine's call may hang."""
        with contextlib.suppress(OSError):
            os.write(self._stop_write, b"x")
        with contextlib.suppress(OSError):
            self._raw.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)
        for descriptor in (self._stop_read, self._stop_write):
            os.close(descriptor)
        self._raw.close()
        with contextlib.suppress(Exception):
            self._held.close()

    def _guarded(self) -> None:
        try:
            self._carry()
        except OSError:
            pass  # A closed stream: the box sees the end of its pipes, as it would of a bot's.
        finally:
            for descriptor in (self._stdin, *self._out.values()):
                if descriptor >= 0:
                    os.close(descriptor)

    def _carry(self) -> None:
        frames = Deframer()
        inward = b""
        outward: list[tuple[int, bytes]] = []
        while True:
            ready = self._wait(bool(inward), outward[0][0] if outward else 0)
            if self._stop_read in ready:
                return
            if outward:
                self._write_out(outward)
            elif self._raw.fileno() in ready and ready[self._raw.fileno()] & ~select.POLLOUT:
                data = self._attempt(lambda: self._raw.recv(CHUNK))
                if data == b"":
                    return
                outward = [piece for piece in frames.feed(data or b"") if self._out.get(piece[0], -1) >= 0]
            if inward:
                sent = self._attempt(lambda: self._raw.send(inward))  # noqa: B023 (called at once)
                inward = inward[sent or 0 :]
            elif self._stdin >= 0 and self._stdin in ready:
                inward = self._read_in()

    def _wait(self, sending: bool, blocked_on: int) -> dict[int, int]:
        poll = select.poll()
        poll.register(self._stop_read, select.POLLIN)
        poll.register(self._raw, (select.POLLOUT if sending else 0) | (0 if blocked_on else select.POLLIN))
        if blocked_on:
            poll.register(self._out[blocked_on], select.POLLOUT)
        if self._stdin >= 0 and not sending:
            poll.register(self._stdin, select.POLLIN)
        return dict(poll.poll())

    def _read_in(self) -> bytes:
        data = self._attempt(lambda: os.read(self._stdin, CHUNK))
        if data == b"":
            os.close(self._stdin)
            self._stdin = -1
            self._raw.shutdown(socket.SHUT_WR)
        return data or b""

    def _write_out(self, outward: list[tuple[int, bytes]]) -> None:
        """Write as much of the first piece as its pipe takes; a stream that nobody reads any more is dropped."""
        stream, piece = outward[0]
        try:
            written = self._attempt(lambda: os.write(self._out[stream], piece)) or 0
        except BrokenPipeError:
            os.close(self._out[stream])
            self._out[stream] = -1
            outward[:] = [later for later in outward if later[0] != stream]
            return
        outward[:1] = [(stream, piece[written:])] if written < len(piece) else []

    @staticmethod
    def _attempt(action: Callable[[], T]) -> T | None:
        try:
            return action()
        except BlockingIOError:
            return None
