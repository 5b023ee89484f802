"""Hints for an author, drawn from a bot's error output and its faults."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from referee.result import Fault, FaultKind

_EXCEPTION: Final = re.compile(
    r"^(?:[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)\b.*|Exception in thread .*"
    r"|thread '.*' panicked at .*|panic: .*|terminate called .*"
    r"|Segmentation fault.*|Uncaught .*|.*: error: .*|Killed)$",
    re.MULTILINE,
)
_ANSWER: Final = re.compile(r'\{[^{}\n]{0,200}"type"\s*:\s*"(?:choice|ready)"')
_LINE_CAP: Final = 300


def hints(text: str, faults: Sequence[Fault]) -> tuple[str, ...]:
    """Sentences that may help; without a fault there are none. The text is hostile and is quoted as it is, cut."""
    found = []
    kinds = {fault.kind for fault in faults}
    if kinds & {FaultKind.CRASH, FaultKind.LEFT, FaultKind.STARTUP, FaultKind.MEMORY}:
        lines = _EXCEPTION.findall(text)
        if lines:
            found.append(f"its error output ends with: {lines[-1][:_LINE_CAP]}")
    if kinds & {FaultKind.TIMEOUT, FaultKind.STARTUP, FaultKind.LEFT}:
        if _ANSWER.search(text):
            found.append("an answer was found on stderr; answers go to stdout")
        elif any(not fault.answer for fault in faults):
            found.append("nothing came on its output; did you flush it after each line?")
    if any(fault.kind is FaultKind.MALFORMED and not fault.answer.lstrip().startswith("{") for fault in faults):
        found.append("text that is not an answer came on stdout; debug text belongs on stderr")
    return tuple(found)
