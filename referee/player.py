"""The bots of one match as the referee reaches them: bytes out, bytes in with their times, an end.

Processes stand behind it in matches (`referee.process`), scripts in tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

HEAD_CAP: Final = 16 * 2**10
TAIL_CAP: Final = 48 * 2**10

Arrival: TypeAlias = tuple[int, bytes | None, int]
"""Something that happened to a seat, and when by the clock: bytes of its output; `b""`, its output has ended or its
input is closed; None, everything that was sent to it has now been written."""


class Exit(Protocol):
    """How a bot's main process ended."""

    @property
    def code(self) -> int | None: ...
    @property
    def signal(self) -> int | None: ...
    @property
    def out_of_memory(self) -> bool: ...


class Usage(Protocol):
    """What a bot has used; None where nobody can tell."""

    @property
    def cpu_s(self) -> float | None: ...
    @property
    def memory_peak_bytes(self) -> int | None: ...


class Channels(Protocol):
    """All bots of a match, by seat."""

    def send(self, seat: int, data: bytes) -> int | None:
        """Write without waiting; the time at which all was written, or None while a part is still queued.

        What is queued goes out during `wait`. Raises BrokenPipeError when the bot has closed its input.
        """
        ...

    def exchange(self, seat: int, data: bytes, patience_ms: int) -> tuple[int | None, bytes, int]:
        """`send`, then read what this seat answers if that is the next thing to happen, and soon.

        Gives when all was written (None while a part is queued), the bytes and when they came. No bytes: whatever has
        happened still waits for `wait`. It is what a decision of one seat costs, so it is worth a way of its own.
        Raises BrokenPipeError as `send`.
        """
        ...

    def wait(self, until: int) -> Sequence[Arrival]:
        """What happens next, waiting until that time at most; may be empty before it. Error output is drained."""
        ...

    def mute(self, seat: int) -> None:
        """Read no more of this seat's output."""
        ...

    def listening(self, seat: int) -> bool:
        """Whether the bot still holds its input open."""
        ...

    def freeze(self, seat: int, frozen: bool) -> None:
        """Stop or resume everything of this bot, where its sandbox can; else nothing happens."""
        ...

    def hang_up(self, seat: int) -> None:
        """Close the bot's input, which it reads as end-of-file."""
        ...

    def exit(self, seat: int, wait_s: float) -> Exit | None:
        """How its main process ended, after waiting at most `wait_s` seconds; None while it lives."""
        ...

    def usage(self, seat: int) -> Usage: ...

    def stderr(self, seat: int) -> Capture: ...

    def end(self, seat: int) -> None:
        """Kill whatever is left of this bot; may be called twice."""
        ...


class Capture:
    """A bot's error output: all of its bytes counted, the first and the last of them kept."""

    __slots__ = ("_head", "_tail", "size")

    def __init__(self) -> None:
        self._head = b""
        self._tail = b""
        self.size = 0

    def feed(self, data: bytes) -> None:
        self.size += len(data)
        room = HEAD_CAP - len(self._head)
        if room:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail = data[-TAIL_CAP:] if len(data) >= TAIL_CAP else (self._tail + data)[-TAIL_CAP:]

    @property
    def cut(self) -> int:
        """How many bytes in the middle were not kept."""
        return self.size - len(self._head) - len(self._tail)

    def bytes(self) -> bytes:
        """What was kept, with a line between the two parts that says what was cut."""
        note = b"\n[... %d bytes cut ...]\n" % self.cut if self.cut else b""
        return self._head + note + self._tail

    def text(self) -> str:
        """`bytes` as text; what is not UTF-8 is replaced. It is the author's text: hostile until escaped."""
        return self.bytes().decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """What a match leaves of one seat beside its result, for the bot's author alone."""

    stderr: str
    stderr_bytes: int
    hints: tuple[str, ...]
    """Sentences that may help its author, drawn from its error output and its faults."""
    name: str
    version: str
    """What the bot called itself in its greeting; hostile text."""
    exit_code: int | None
    signal: int | None
    cpu_s: float | None
    memory_peak_bytes: int | None
