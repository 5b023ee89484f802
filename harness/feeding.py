"""A command in the place of a bot: it gets the lines that a seat was sent, and its answers are judged as in a match.

There is no clock, so a debugger may halt it for as long as one likes.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee.bot import STARTING, Bot, How
from referee.judge import illegal_message, malformed_message
from referee.protocol import BLANK_CAP
from referee.rebuild import Sent
from referee.result import FaultKind, MatchSpec

_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Reply:
    """What one request came to, or a line that nobody asked for."""

    where: str
    text: str
    """What came, for people: hostile."""
    fault: FaultKind | None = None
    why: str = ""
    """What is wrong with it, as the referee says it."""
    decided: bool = False
    """Whether it closed a decision with a line."""
    match: str = ""
    """How it compares with the match, when it closed a decision."""
    differs: bool = False


class Feeding:
    """One run of a command on the lines of a seat; `replies` goes through it, then the rest can be asked for."""

    def __init__(self, spec: MatchSpec, seat: int) -> None:
        self._bot = Bot(spec, seat)
        self.code = 0
        self.unanswered = ""
        """Where its output ended, if it did before the last request was answered."""

    @property
    def notes(self) -> Iterator[str]:
        """What is no fault, and worth a word at the end."""
        if self._bot.blanks:
            yield f"blank lines: {self._bot.blanks}; a match forgives {BLANK_CAP}, further ones are malformed"
        if self._bot.late:
            yield f"answers that came after a line in their place: {self._bot.late}; a match drops them in silence"
        if self.unanswered:
            yield f"its output ended {self.unanswered}, before the answer"

    def replies(self, command: Sequence[str], lines: Iterable[Sent]) -> Iterator[Reply]:
        """Run the command. Raises OSError when it cannot be run."""
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        assert process.stdin is not None
        assert process.stdout is not None
        output = process.stdout.fileno()
        with process:
            for sent in lines:
                message = json.loads(sent.line)
                try:
                    process.stdin.write(sent.line)
                    process.stdin.flush()
                except BrokenPipeError:
                    self.unanswered = _where(sent)
                    break
                if message["type"] in ("start", "decide"):
                    yield from self._answers(output, sent, message)
                    if self.unanswered or self._bot.inbox.flood:
                        break
            with_end = not self.unanswered and not self._bot.inbox.flood
            try:
                process.stdin.close()
            except BrokenPipeError:
                with_end = False
            if with_end:
                yield from self._rest(output)
        self.code = process.returncode

    def _answers(self, output: int, sent: Sent, message: dict[str, Any]) -> Iterator[Reply]:
        bot = self._bot
        bot.opened(message.get("id", STARTING), sent.line, 0, 0, 1)
        blanks = bot.blanks
        bot.look(0)
        while True:
            while bot.open:
                bot.arrived(os.read(output, _CHUNK), 0)
                for number in range(blanks, min(bot.blanks, BLANK_CAP)):
                    yield Reply(_where(sent), f"(blank line {number + 1} of {BLANK_CAP} that a match forgives)")
                blanks = bot.blanks
            if bot.how is How.ENDED:
                self.unanswered = _where(sent)
                return
            yield _reply(bot, sent, message)
            if bot.wanted != STARTING or bot.how is not How.MALFORMED:
                return
            bot.open = True
            bot.look(0)

    def _rest(self, output: int) -> Iterator[Reply]:
        bot = self._bot
        while not bot.inbox.flood and (data := os.read(output, _CHUNK)):
            bot.arrived(data, 0)
        while (line := bot.next_line()) is not None:
            why = malformed_message("nothing was asked", line)
            yield Reply("after the last request", line.decode("utf-8", "replace"), FaultKind.MALFORMED, why)


def _where(sent: Sent) -> str:
    return "at start" if sent.step < 0 else f"at step {sent.step}"


def _reply(bot: Bot, sent: Sent, message: dict[str, Any]) -> Reply:
    where, text = _where(sent), bot.line.decode("utf-8", "replace")
    if bot.how is How.FLOOD:
        return Reply(where, text, FaultKind.FLOOD, bot.inbox.flood)
    if message["type"] == "start":
        if bot.how is How.MALFORMED:
            return Reply(where, text, FaultKind.MALFORMED, malformed_message(bot.why, bot.line))
        return Reply(where, text)
    there = "it did not count" if sent.choice is None else f"it chose {sent.choice}"
    if bot.how is How.MALFORMED:
        why = malformed_message(bot.why, bot.line)
        return Reply(where, text, FaultKind.MALFORMED, why, True, f"in the match {there}", True)
    of = len(message["legal"])
    if type(bot.choice) is not int or not 0 <= bot.choice < of:
        why = illegal_message(bot.choice, of)
        return Reply(where, text, FaultKind.ILLEGAL, why, True, f"in the match {there}", True)
    same = bot.choice == sent.choice
    return Reply(where, text, None, "", True, "as in the match" if same else f"in the match {there}", not same)
