"""Hints for authors, and the guard of a match that stands still."""

from __future__ import annotations

import signal
import time

import pytest

from referee.clock import Stalled, stall_guard
from referee.result import Fault, FaultKind
from referee.stderr import hints

PYTHON = """Traceback (most recent call last):
  File "bot.py", line 3, in <module>
    raise ValueError("no plan")
ValueError: no plan
"""
NODE = """/bot/bot.js:3
throw new TypeError("x is undefined");
^

TypeError: x is undefined
    at Object.<anonymous> (/bot/bot.js:3:7)
"""
RUST = "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds\n"
GO = "panic: runtime error: index out of range [5]\n\ngoroutine 1 [running]:\n"
CPP = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (PYTHON, "ValueError: no plan"),
        (NODE, "TypeError: x is undefined"),
        (RUST, "thread 'main' panicked at src/main.rs:4:5:"),
        (GO, "panic: runtime error: index out of range [5]"),
        (CPP, "terminate called after throwing an instance of 'std::out_of_range'"),
        ("java.lang.IllegalStateException: no\n\tat Bot.main(Bot.java:3)\n", "java.lang.IllegalStateException: no"),
    ],
)
def test_the_line_of_an_exception_is_the_hint_of_a_crash(text: str, line: str) -> None:
    """A42."""
    assert hints("noise\n" + text, [Fault(0, 3, FaultKind.CRASH, "")])[0] == f"its error output ends with: {line}"


def test_without_a_fault_there_is_no_hint() -> None:
    assert hints(PYTHON, []) == ()


def test_an_answer_on_the_wrong_stream_is_seen() -> None:
    text = 'thinking\n{"id": 7, "type" : "choice", "choice": 0}\n'
    assert hints(text, [Fault(0, 3, FaultKind.TIMEOUT, "")]) == ("an answer was found on stderr; answers go to stdout",)


FLUSH = "nothing came on its output; did you flush it after each line?"
NEWLINE = "what it wrote last has no newline; end each answer with one, then flush"


def fault(kind: FaultKind = FaultKind.TIMEOUT, answer: str = "") -> Fault:
    return Fault(0, 3, kind, "", answer=answer)


def test_a_silent_bot_is_asked_whether_it_flushes() -> None:
    assert hints("", [fault()]) == (FLUSH,)
    assert hints("", [fault(FaultKind.STARTUP)]) == (FLUSH,)


def test_who_has_answered_before_is_not_asked_whether_it_flushes() -> None:
    assert hints("", [fault()], heard=True) == ()
    assert hints('{"type":"choice"}', [fault()], heard=True) == ()
    assert hints("", [fault(), fault(FaultKind.MALFORMED, '{"type":"x"}')]) == ()
    assert hints("", [fault(FaultKind.LEFT)]) == ()  # what a program has not flushed comes when it exits
    assert hints("", [fault(FaultKind.ILLEGAL), fault(FaultKind.LEFT)], heard=True) == ()


def test_an_answer_without_its_end_is_told_of_the_newline() -> None:
    for kind in (FaultKind.TIMEOUT, FaultKind.STARTUP, FaultKind.LEFT):
        assert hints("", [fault(kind, '{"type":"cho')]) == (NEWLINE,)
        assert hints("", [fault(kind, '{"type":"cho')], heard=True) == (NEWLINE,)
    assert hints("", [fault(answer='{"type":"choice"}\n')], heard=True) == ()  # it came, and too late


# The tests' own time-out uses the same alarm unless it is told to use a thread.
@pytest.mark.timeout(30, method="thread")
def test_a_match_that_stands_still_is_ended() -> None:
    """A05: the guard interrupts Python code that never comes back."""
    began = time.monotonic()
    with pytest.raises(Stalled, match="no progress for 0 s"), stall_guard(lambda: 7, 0.2):
        while True:
            time.sleep(0.01)
    assert time.monotonic() - began < 10
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


@pytest.mark.timeout(30, method="thread")
def test_a_match_that_goes_on_is_left_alone() -> None:
    with stall_guard(time.monotonic_ns, 0.05):
        time.sleep(0.3)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
