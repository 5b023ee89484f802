"""What a closed request means: the act that is played, and the sentence of a fault. Without clock or I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from referee.bot import ANSWERED, Bot, How
from referee.player import Exit
from referee.result import Act, Fault, FaultKind
from referee.transcript import milliseconds

ANSWER_CAP: Final = 2_000
"""Bytes of a faulty answer that a fault keeps."""
QUOTE_CAP: Final = 60
"""Bytes of a faulty line that a sentence quotes."""
START_STEP: Final = -1
"""The step of a fault that came before the first one."""
NO_PROGRAM: Final = 127
UNRUNNABLE: Final = {
    126: "it, or what it runs, may not be executed or is no program there",
    NO_PROGRAM: "it, or what it runs, is not there",
}
"""What an exit code means, as shells use it, of a command that has said nothing."""


def act_of(bot: Bot, legal: Sequence[Any]) -> Act | None:
    """The act of a seat that was asked, or None when its request ended in a fault."""
    if bot.how is ANSWERED:
        choice, of = bot.choice, len(legal)
        if type(choice) is int and 0 <= choice < of:
            return Act(legal[choice], choice, of, False, bot.used_us, bot.note)
    return None


def fallback(bot: Bot, legal: Sequence[Any], kind: FaultKind) -> Act:
    """The first legal action in place of an answer."""
    return Act(legal[0], 0, len(legal), False, bot.used_us, None, str(kind))


_KINDS: Final = {
    How.ANSWERED: FaultKind.ILLEGAL,
    How.MALFORMED: FaultKind.MALFORMED,
    How.LATE: FaultKind.TIMEOUT,
    How.UNREAD: FaultKind.TIMEOUT,
    How.FLOOD: FaultKind.FLOOD,
}


def kind_of(bot: Bot, exit_: Exit | None) -> FaultKind:
    """The fault of a request that `act_of` gives no act for; `exit_` is how the bot ended, if it has."""
    return _KINDS.get(bot.how) or ended_kind(exit_)


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


def timeout_message(bot: Bot, before_us: int) -> str:
    """Limit, measured time and bank of a request that ran out of time; `before_us` is the bank before it."""
    bank = f"bank {_ms(before_us)} ms before, {_ms(bot.script.bank.left_us)} ms after"
    if bot.how is How.UNREAD:
        size, allowed = len(bot.request), _ms(bot.allowance_us)
        return f"it did not read its input: {size:,} bytes waited longer than {allowed} ms; {bank}"
    return f"no answer after {_ms(bot.used_us)} ms; the limit is {_ms(bot.script.bank.move_us)} ms a move; {bank}"


def startup_message(limit_ms: int) -> str:
    return f"it was not ready within {limit_ms} ms of its start"


def illegal_message(choice: object, of: int) -> str:
    """What is wrong with the choice of a well-formed answer."""
    if type(choice) is int:
        return f"choice {choice} is not among the {of} legal actions (0 to {of - 1})"
    if choice is None:
        return "its choice is missing or null; it takes the index of a legal action"
    return f"its choice is {_JSON_NAMES[type(choice)]}, not an integer; it takes the index of a legal action"


_JSON_NAMES: Final[dict[type, str]] = {
    bool: "a boolean",
    float: "a fraction",
    str: "a string",
    list: "a list",
    dict: "an object",
}


def malformed_message(why: str, line: bytes) -> str:
    """Why a line is not an answer, with its beginning quoted in plain ASCII."""
    text = line[:QUOTE_CAP].decode("utf-8", "replace")
    more = "..." if len(line) > QUOTE_CAP else ""
    hint = "" if line.lstrip().startswith(b"{") else "; debug text belongs on stderr"
    return f"its line is not an answer: {why}: {text!a}{more}{hint}"


def ended_message(kind: FaultKind, exit_: Exit | None, rest: bytes, command: str | None = None) -> str:
    """How a bot ended before the match did; `rest` is what it had written and nobody had asked for.

    `command` is what should have run, of a bot that was never ready; it may hold anything and is quoted in ASCII.
    """
    piece = f"; it left {len(rest):,} bytes that are no answer" if rest else ""
    if kind is FaultKind.MEMORY:
        return f"it was ended by the limit of memory{piece}"
    if exit_ is None:
        return f"it closed its input or output before the end of the match{piece}"
    if exit_.signal is not None:
        return f"it was ended by signal {exit_.signal}{piece}"
    if command is not None and not rest and exit_.code in UNRUNNABLE:
        named = f" {command[:QUOTE_CAP]!a}{'...' if len(command) > QUOTE_CAP else ''}" if command else ""
        return f"its command{named} could not be run (exit code {exit_.code}): {UNRUNNABLE[exit_.code]}"
    return f"it exited with code {exit_.code} before the end of the match{piece}"


def cpu_message(used_s: float, allowed_s: float) -> str:
    return f"it used {used_s:.1f} s of CPU; its open decisions and its cores allow {allowed_s:.1f} s"


def _ms(used_us: int | None) -> str:
    return milliseconds(used_us).decode()
