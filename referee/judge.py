"""What a closed request means: the act that is played, and the fault if it was one. Without clock or I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from referee.bot import Bot, How
from referee.player import Exit
from referee.protocol import Choice, Malformed
from referee.result import Fault, FaultKind
from referee.transcript import milliseconds

ANSWER_CAP: Final = 2_000
"""Bytes of a faulty answer that a fault keeps."""
START_STEP: Final = -1
"""The step of a fault that came before the first one."""


class Act(NamedTuple):
    """What a seat did in one step, as a replay keeps it."""

    action: Any
    choice: int
    of: int
    forced: bool
    used_us: int | None = None
    note: str | None = None
    fault: str | None = None


def judge_choice(bot: Bot, legal: Sequence[Any]) -> tuple[Act, FaultKind | None]:
    """The act of a seat whose request was closed by its bot's own doing in time; else its fallback and the fault."""
    if isinstance(bot.answer, Choice):
        choice, note = bot.answer
        of = len(legal)
        if type(choice) is int and 0 <= choice < of:
            return Act(legal[choice], choice, of, False, bot.used_us, note), None
        return fallback(bot, legal, FaultKind.ILLEGAL), FaultKind.ILLEGAL
    kind = KINDS.get(bot.how)
    return fallback(bot, legal, kind), kind


KINDS: Final = {
    How.MALFORMED: FaultKind.MALFORMED,
    How.LATE: FaultKind.TIMEOUT,
    How.UNREAD: FaultKind.TIMEOUT,
    How.FLOOD: FaultKind.FLOOD,
}
"""The faults that the way of closing tells by itself; for a bot that has ended, its exit tells."""


def fallback(bot: Bot, legal: Sequence[Any], kind: FaultKind | None) -> Act:
    """The first legal action in place of an answer."""
    return Act(legal[0], 0, len(legal), False, bot.used_us, None, None if kind is None else str(kind))


def ended_kind(exit_: Exit | None) -> FaultKind:
    """The fault of a bot that is gone: by the limit of memory, with an error, or of its own will."""
    if exit_ is not None and exit_.out_of_memory:
        return FaultKind.MEMORY
    if exit_ is not None and (exit_.signal is not None or exit_.code):
        return FaultKind.CRASH
    return FaultKind.LEFT


def fault_of(bot: Bot, step: int, kind: FaultKind, message: str, exit_: Exit | None = None) -> Fault:
    """A fault with the request that was open and the answer that made it."""
    return Fault(
        seat=bot.seat,
        step=step,
        kind=kind,
        message=f"bot {bot.name}: {message}",
        request=bot.request.decode().rstrip("\n"),
        answer=bot.line[:ANSWER_CAP].decode("utf-8", "replace"),
        exit_code=None if exit_ is None else exit_.code,
        signal=None if exit_ is None else exit_.signal,
    )


def timeout_message(bot: Bot, before_us: int, after_us: int) -> str:
    """Limit, measured time and bank of a request that ran out of time."""
    move = milliseconds(bot.script.bank.move_us)
    bank = f"bank {milliseconds(before_us)} ms before, {milliseconds(after_us)} ms after"
    if bot.how is How.UNREAD:
        allowed = milliseconds(bot.allowance_us)
        return f"it did not read its input: {len(bot.request):,} bytes waited longer than {allowed} ms; {bank}"
    return f"no answer after {milliseconds(bot.used_us)} ms; the limit is {move} ms a move, {bank}"


def illegal_message(choice: object, of: int) -> str:
    if type(choice) is int:
        return f"choice {choice} is not among the {of} legal actions (0 to {of - 1})"
    if choice is None:
        return "its choice is missing or null; it takes the index of a legal action"
    return f"its choice is a {JSON_NAMES[type(choice)]}, not an integer; it takes the index of a legal action"


JSON_NAMES: Final[dict[type, str]] = {bool: "boolean", float: "fraction", str: "string", list: "list", dict: "object"}


def malformed_message(why: str, line: bytes) -> str:
    """Why a line is not an answer, with its beginning quoted in plain ASCII."""
    text = line[:60].decode("utf-8", "replace")
    more = "..." if len(line) > 60 else ""
    hint = "" if line.lstrip().startswith(b"{") else "; debug text belongs on stderr"
    return f"its line is not an answer: {why}: {text!a}{more}{hint}"


def ended_message(kind: FaultKind, exit_: Exit | None, rest: bytes) -> str:
    """How a bot ended before the match did; `rest` is the piece of a line that it left."""
    piece = f"; it left {len(rest):,} bytes of an unfinished line" if rest else ""
    if kind is FaultKind.MEMORY:
        return f"it was ended by the limit of memory{piece}"
    if exit_ is None:
        return f"it closed its input or output before the end of the match{piece}"
    if exit_.signal is not None:
        return f"it was ended by signal {exit_.signal}{piece}"
    if exit_.code in (126, 127):
        return f"its command could not be run (exit code {exit_.code})"
    return f"it exited with code {exit_.code} before the end of the match{piece}"


def cpu_message(used_s: float, allowed_s: float) -> str:
    return f"it used {used_s:.1f} s of CPU where its open decisions and its cores allow {allowed_s:.1f} s"


def message_of(bot: Bot, kind: FaultKind, legal: Sequence[Any]) -> str:
    """The sentence of a fault that the answer itself tells."""
    if kind is FaultKind.ILLEGAL and isinstance(bot.answer, Choice):
        return illegal_message(bot.answer.choice, len(legal))
    if kind is FaultKind.MALFORMED and isinstance(bot.answer, Malformed):
        return malformed_message(bot.answer.why, bot.line)
    return bot.inbox.flood
