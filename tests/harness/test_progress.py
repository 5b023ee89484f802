from __future__ import annotations

import io

import pytest

from harness.progress import Progress, duration


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_plain_lines() -> None:
    out = io.StringIO()
    progress = Progress(2, out, iter([0.0, 1.0, 2.0]).__next__)
    progress.done("red won")
    progress.done("blue won")
    progress.clear()
    assert out.getvalue() == "1 of 2: red won\n2 of 2: blue won\n"


def test_a_terminal_gets_one_line_with_the_time_left() -> None:
    out = Terminal()
    progress = Progress(100, out, iter([0.0, 2.0, 4.0]).__next__)
    progress.done("red won")
    progress.done("blue won")
    assert out.getvalue().split("\r\x1b[K")[1:] == [
        "1 of 100, 0.5 a second, 3 min 18 s left | red won",
        "2 of 100, 0.5 a second, 3 min 16 s left | blue won",
    ]
    progress.clear()
    assert out.getvalue().endswith("\r\x1b[K")


def test_a_terminal_is_not_redrawn_at_every_match_but_at_the_last() -> None:
    out = Terminal()
    progress = Progress(3, out, iter([0.0, 0.2, 0.21, 0.22]).__next__)
    for text in ("one", "two", "three"):
        progress.done(text)
    assert "two" not in out.getvalue()
    assert "three" in out.getvalue()


def test_hostile_text_does_not_reach_the_terminal() -> None:
    out = Terminal()
    Progress(1, out, iter([0.0, 1.0]).__next__).done("\x1b]0;owned\x07")
    assert "\x1b]" not in out.getvalue()


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (60, "1 min 0 s"), (3599, "59 min 59 s"), (7500, "2 h 5 min")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
