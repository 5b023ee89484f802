"""One bot's side of a match: what it was asked, what came back, and when."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Any, Final

from referee.inbox import Inbox
from referee.protocol import (
    BLANK_CAP,
    MATCH_CAP,
    PLAIN_ENDS,
    PLAINER,
    PLAINEST,
    Malformed,
    Ready,
    read_choice,
    read_ready,
)
from referee.result import Act, MatchSpec, new_act
from referee.transcript import Script

_BLANK: Final = b" \t\r"
STARTING: Final = -1
"""What a bot is asked for before its greeting; no answer can name it."""


class How(Enum):
    """How a request was closed."""

    ANSWERED = auto()
    MALFORMED = auto()
    LATE = auto()
    UNREAD = auto()
    """The request itself could not be written in time."""
    ENDED = auto()
    FLOOD = auto()


ANSWERED: Final = How.ANSWERED
_WITHOUT_A_LINE: Final = frozenset({How.LATE, How.ENDED})


class Bot:
    """The state of one seat between the referee and its bot.

    A bot's output is judged line by line in the order it came, however it was cut into pieces: the first line that is
    neither blank nor a late answer closes the open request; what follows waits for the next one.
    """

    __slots__ = (
        "allowance_us",
        "asked",
        "blanks",
        "choice",
        "closed_at",
        "decisions",
        "ended_at",
        "how",
        "inbox",
        "late",
        "line",
        "name",
        "note",
        "open",
        "out",
        "owed",
        "ready",
        "request",
        "script",
        "seat",
        "sent_at",
        "start_us",
        "think_us",
        "unanswered",
        "until",
        "used_us",
        "wanted",
        "why",
    )

    def __init__(self, spec: MatchSpec, seat: int) -> None:
        self.seat = seat
        self.name = spec.seats[seat].bot
        self.script = Script(spec, seat)
        self.inbox = Inbox()
        self.out = False
        """Whether the seat is out; its fallback plays on."""
        self.ended_at: int | None = None
        """When its output ended or its input was found closed."""
        self.ready: Ready | None = None
        self.asked = False
        """Whether the seat was asked in this moment of decision."""
        self.open = False
        """Whether a request waits for its answer."""
        self.wanted = STARTING
        """The id that an answer must carry."""
        self.request = b""
        self.sent_at: int | None = None
        """When the whole request had been written; None while it has not."""
        self.until = 0
        self.allowance_us = 0
        self.how = ANSWERED
        self.closed_at = 0
        self.choice: object = None
        """What an answer chose, whatever it is."""
        self.note: str | None = None
        self.why = ""
        """Why a line was malformed."""
        self.line = b""
        """The line that closed the last request, if one did and it was not a plain answer."""
        self.used_us: int | None = None
        """The measured time of the last closed request; None when its clock never ran."""
        self.owed: set[int] = set()
        """The decisions that were closed without their answer; one line for each may come late."""
        self.late = 0
        """How many late answers were dropped."""
        self.decisions = 0
        """How many decisions it was asked."""
        self.unanswered = 0
        """How many of them it could read and left without a line."""
        self.start_us = 0
        """The measured time of its start-up."""
        self.think_us = 0
        """The measured time of its decisions."""
        self.blanks = 0
        """How many blank lines it has written."""

    @property
    def heard(self) -> bool:
        """Whether a line of it ever came for a decision, or nobody can tell."""
        return self.late > 0 or self.decisions - self.open > self.unanswered

    def opened(self, wanted: int, request: bytes, sent_at: int | None, now: int, allowance_us: int) -> None:
        """A request has gone out, wholly at `sent_at` or not yet."""
        self.asked = self.open = True
        self.decisions += wanted != STARTING
        self.wanted = wanted
        self.request = request
        self.inbox.turn_bytes = 0
        self.allowance_us = allowance_us
        self.sent_at = sent_at
        self.until = (now if sent_at is None else sent_at) + allowance_us * 1000
        self.used_us = None
        self.line = b""

    def written(self, at: int) -> None:
        """What was queued for it has been written: the clock of an open request starts."""
        if self.open and self.sent_at is None:
            self.sent_at = at
            self.until = at + self.allowance_us * 1000

    def answered(self, request: bytes, sent_at: int, data: bytes, at: int, legal: Sequence[Any]) -> Act | None:
        """The act of the usual case: a request and, soon, the one whole answer to it in a usual spelling.

        It comes to the same as `opened`, `arrived` and the judgement of an answer, without the detour over the queue
        of lines and the request's own closing. None, and nothing has happened, when anything is unusual.
        """
        script, inbox = self.script, self.inbox
        wanted, size, of = script.id, len(data), len(legal)
        choice = PLAIN_ENDS.get(data.removeprefix((PLAINER if data[8:9] == b" " else PLAINEST) % wanted), of)
        used_ns = at - sent_at
        if choice >= of or used_ns > script.bank.soon_ns or inbox.match_bytes + size > MATCH_CAP:
            return None
        inbox.turn_bytes = size
        inbox.match_bytes += size
        self.decisions += 1
        self.wanted = wanted
        self.request = request
        used_us = used_ns // 1000
        self.think_us += used_us
        script.measured(used_us, True)
        return new_act((legal[choice], choice, of, False, used_us, None, None))

    def arrived(self, data: bytes, at: int) -> None:
        """Its output brought bytes, or its end."""
        if not data:
            self.ended(at)
        elif self.open and at > self.until:
            self.expire(at)
            self.inbox.feed(data)
        elif not self.inbox.feed(data):
            self._close(How.FLOOD, at)
        elif self.open:
            self.look(at)

    def ended(self, at: int) -> None:
        """Its output has ended, or its input is closed; a whole answer that came before still counts."""
        if self.ended_at is None:
            self.ended_at = at
        self._close(How.ENDED, at)

    def expire(self, now: int) -> None:
        """The open request has run out of time."""
        self._close(How.UNREAD if self.sent_at is None else How.LATE, now)

    def look(self, at: int) -> None:
        """Let the lines that have come, up to the first that closes the open request, be what they are."""
        while self.open and (line := self.next_line()) is not None:
            self.line = line
            answer = read_ready(line) if self.wanted == STARTING else read_choice(line, self.wanted)
            if isinstance(answer, Malformed):
                self.why = answer.why
                self._close(How.MALFORMED, at)
            elif isinstance(answer, Ready):
                self.ready = answer
                self._close(ANSWERED, at)
            else:
                self.choice, self.note = answer
                self._close(ANSWERED, at)

    def next_line(self) -> bytes | None:
        """The next line that is neither a forgiven blank nor a late answer."""
        while (line := self.inbox.pop()) is not None:
            if not line.strip(_BLANK):
                self.blanks += 1
                if self.blanks <= BLANK_CAP:
                    continue
            elif self.owed:
                answer = read_choice(line, self.wanted)
                if isinstance(answer, Malformed) and answer.id in self.owed:
                    self.owed.remove(answer.id)
                    self.late += 1
                    continue
            return line
        return None

    def _close(self, how: How, at: int) -> None:
        if not self.open:
            return
        self.open = False
        self.how = how
        self.closed_at = at
        if self.sent_at is not None:
            self.used_us = max(0, at - self.sent_at) // 1000
        if self.wanted == STARTING:
            self.start_us += self.used_us or 0
            return
        self.think_us += self.used_us or 0
        if how is not ANSWERED:
            self.owed.add(self.wanted)
            self.unanswered += how in _WITHOUT_A_LINE
