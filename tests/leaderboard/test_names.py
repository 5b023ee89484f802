from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.names import NAME_LENGTH, look_alikes, shown, slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("red", "red"),
        ("a  b\tc\n", "a b c"),
        ("\u202egnp.exe", "\ufffdgnp.exe"),
        ("a\x00b\x1b[31m", "a\ufffdb\ufffd[31m"),
        ("e\u0301\u0301\u0301\u0301", "e\u0301\u0301"),
        ("\u200b\u2800\u3164", "\ufffd\ufffd\ufffd"),
        ("x" * 10_000, "x" * (NAME_LENGTH - 1) + "…"),
        ("\ud800", "\ufffd"),
        ("日本語", "日本語"),
    ],
)
def test_what_is_shown_hides_and_reorders_nothing(text: str, expected: str) -> None:
    assert shown(text) == expected


@given(st.text(max_size=300))
def test_whatever_is_shown_is_short_and_harmless(text: str) -> None:
    line = shown(text)
    assert len(line) <= NAME_LENGTH
    assert not any(unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for c in line)
    assert line == line.strip()


@given(st.text(max_size=60), st.text(max_size=60))
def test_different_names_have_different_files_in_any_file_system(one: str, two: str) -> None:
    assert (slug(one).casefold() == slug(two).casefold()) == (one == two)


@given(st.text(max_size=200))
def test_a_file_name_is_plain(name: str) -> None:
    made = slug(name)
    assert made
    assert len(made) <= 60
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


def test_plain_names_are_their_own_file_names() -> None:
    assert slug("amber-badger-2") == "amber-badger-2"
    assert slug("Amber") != slug("amber")
    assert slug("index") != "index"
    assert slug("com1") != "com1"
    # A name that spells another's file name with its digest must not land on it.
    assert slug(slug("Amber")) != slug("Amber")


def test_names_that_look_alike_are_pointed_out() -> None:
    found = look_alikes(["amber", "аmber", "Amber", "arnber", "hello", "he11o", "ambér", "other", "IL1", "lil"])
    assert found == {"аmber": "amber", "Amber": "amber", "he11o": "hello", "ambér": "amber", "lil": "IL1"}
