"""What a bot has written and the referee has not yet judged: bytes in, lines out, within the caps."""

from __future__ import annotations

from referee.protocol import BOM, LINE_CAP, MATCH_CAP, TURN_CAP


class Inbox:
    """The output of one bot as a queue of lines; it holds bytes, so its memory is bounded by what the caps let in."""

    __slots__ = ("_first", "_scanned", "buffer", "flood", "match_bytes", "turn_bytes")

    def __init__(self) -> None:
        self.buffer = bytearray()
        self._scanned = 0
        self._first = True
        self.match_bytes = 0
        self.turn_bytes = 0
        """Bytes since the last request; whoever sends one sets it to 0."""
        self.flood = ""
        """Why the output is a flood, as a clause; empty while it is none. Nothing is taken in after that."""

    def feed(self, data: bytes) -> bool:
        """Take in bytes; False when they are a flood."""
        self.turn_bytes += len(data)
        self.match_bytes += len(data)
        if self.turn_bytes > TURN_CAP:
            self.flood = f"it wrote more than {TURN_CAP:,} bytes in one turn"
        elif self.match_bytes > MATCH_CAP:
            self.flood = f"it wrote more than {MATCH_CAP:,} bytes in the match"
        elif len(data) + len(self.buffer) > LINE_CAP and self._long_line(data):
            self.flood = f"it wrote a line of more than {LINE_CAP:,} bytes"
        if self.flood:
            return False
        self.buffer += data
        return True

    def pop(self) -> bytes | None:
        """The next whole line without its newline, or None; the mark at the head of the first line is left out."""
        buffer = self.buffer
        end = buffer.find(b"\n", self._scanned)
        if end < 0:
            self._scanned = len(buffer)
            return None
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        self._scanned = 0
        if self._first:
            self._first = False
            line = line.removeprefix(BOM)
        return line

    def take(self) -> bytes:
        """Everything that is left, which becomes empty."""
        rest = bytes(self.buffer)
        self.buffer.clear()
        self._scanned = 0
        return rest

    def _long_line(self, data: bytes) -> bool:
        """Whether a line with an end in `data`, or begun in it, is over the cap."""
        start = -(len(self.buffer) - self.buffer.rfind(b"\n") - 1)
        while (end := data.find(b"\n", max(start, 0))) >= 0:
            if end - start > LINE_CAP:
                return True
            start = end + 1
        return len(data) - start > LINE_CAP
