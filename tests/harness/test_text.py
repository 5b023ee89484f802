from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.text import columns, plural, visible, width


def test_control_and_direction_characters_are_spelled_out() -> None:
    assert visible("a\x1b[31mb\r\x00") == "a\\x1b[31mb\\x0d\\x00"
    assert visible("abc\u202edef\u200b\u2028") == "abc\\u202edef\\u200b\\u2028"
    assert visible("\U000e0041\ud800") == "\\U000e0041\\ud800"
    assert visible("plain ümlaut 日本 👍") == "plain ümlaut 日本 👍"


def test_line_ends_stay_only_where_they_are_wanted() -> None:
    assert visible("a\nb\tc") == "a\\x0ab\\x09c"
    assert visible("a\nb\tc\x07", lines=True) == "a\nb\tc\\x07"


def test_heaps_of_combining_marks_are_cut() -> None:
    assert visible("e" + "\u0301" * 1000) == "e" + "\u0301" * 4


@given(st.text())
def test_whatever_a_bot_writes_stays_on_one_line_and_is_safe_to_print(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert "\n" not in shown
    assert "\x1b" not in shown
    assert not any(0xD800 <= ord(character) <= 0xDFFF for character in shown)


@given(st.text(), st.integers(1, 20))
def test_a_limit_is_kept(text: str, limit: int) -> None:
    assert len(visible(text, limit=limit)) <= limit


def test_columns_align_wide_characters_too() -> None:
    lines = columns([("bot", "n"), ("日本", "10"), ("a", "7")], right=frozenset({1}))
    assert lines == ["bot    n", "日本  10", "a      7"]
    assert {width(line) for line in lines} == {8}


def test_plurals() -> None:
    assert [plural(1, "match"), plural(2, "match"), plural(0, "bot")] == ["1 match", "2 matches", "0 bots"]


def test_columns_stand_closer_where_they_would_be_wider_than_the_room() -> None:
    rows = [("bot", "author", "n"), ("greedy", "Ann", "10")]
    assert columns(rows, right=frozenset({2}), room=18)[1] == "greedy  Ann     10"
    assert columns(rows, right=frozenset({2}), room=17)[1] == "greedy Ann    10"
    assert columns(rows, right=frozenset({2}))[1] == "greedy  Ann     10"
