"""Hints for an author, drawn from a bot's error output and its faults."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from referee.judge import ANSWER_CAP
from referee.result import Fault, FaultKind

_EXCEPTION: Final = re.compile(
    r"^(?:[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)\b.*|Exception in thread .*"
    r"|thread '.*' panicked at .*|panic: .*|terminate called .*"
    r"|Segmentation fault.*|Uncaught .*|.*: error: .*|Killed)$",
    re.MULTILINE,
)
_ANSWER: Final = re.compile(r'\{[^{}\n]{0,200}"type"\s*:\s*"(?:choice|ready)"')
_LINE_CAP: Final = 300
_AWAITED: Final = frozenset({FaultKind.TIMEOUT, FaultKind.STARTUP, FaultKind.LEFT})
"""The faults of a bot whose answer was waited for and did not come."""


def hints(text: str, faults: Sequence[Fault], heard: bool = False) -> tuple[str, ...]:
    """Sentences that may help; without a fault there are none. The text is hostile and is quoted as it is, cut.

    `heard` is whether a line of the bot ever came for a decision: then it knows where to write, and how to flush.
    """
    found = []
    kinds = {fault.kind for fault in faults}
    if kinds & {FaultKind.CRASH, FaultKind.LEFT, FaultKind.STARTUP, FaultKind.MEMORY}:
        lines = _EXCEPTION.findall(text)
        if lines:
            found.append(f"its error output ends with: {lines[-1][:_LINE_CAP]}")
    awaited = [fault for fault in faults if fault.kind in _AWAITED]
    silent = not heard and FaultKind.MALFORMED not in kinds
    if awaited and not heard and _ANSWER.search(text):
        found.append("an answer was found on stderr; answers go to stdout")
    elif any(_endless(fault.answer) for fault in awaited):
        found.append("what it wrote last has no newline; end each answer with one, then flush")
    elif silent and any(not fault.answer for fault in awaited if fault.kind is not FaultKind.LEFT):
        found.append("nothing came on its output; did you flush it after each line?")
    if any(fault.kind is FaultKind.MALFORMED and not fault.answer.lstrip().startswith("{") for fault in faults):
        found.append("text that is not an answer came on stdout; debug text belongs on stderr")
    return tuple(found)


def _endless(answer: str) -> bool:
    """Whether these bytes wait for the end of their line."""
    return bool(answer) and not answer.endswith("\n") and len(answer) < ANSWER_CAP
