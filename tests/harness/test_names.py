from __future__ import annotations

import pytest

from harness import names
from harness.errors import Refusal

GOOD = ["red", "R2-D2", "a", "x" * 32, "bot_7.1", "9lives"]
BAD = [
    "", " red", "red ", "-red", ".red", "red.", "a b", "x" * 33, "röd", "red\n", "red\x1b[31m", "r\u202eed",
    "r\u200bed", "../x", "a/b", "<b>", "con", "NUL", "com1", "aux.py", "\uff52ed", "%s", "=cmd()",
]  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_good_names_stay_as_they_are(name: str) -> None:
    assert names.check(name, ["other", name]) == name


@pytest.mark.parametrize("name", BAD)
def test_other_names_are_refused_and_the_refusal_is_printable(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        names.check(name, [])
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("Red", "red"),
        ("biII", "bill"),
        ("Bi11", "Bill"),
        ("z00", "zoo"),
        ("wam", "warn"),
        ("a-b", "a_b"),
        ("vvin", "win"),
    ],
)
def test_a_name_that_looks_like_a_taken_one_is_refused(name: str, taken: str) -> None:
    with pytest.raises(Refusal, match=f"{name!r} looks like {taken!r}"):
        names.check(name, [taken])


def test_names_that_differ_to_the_eye_may_stand_together() -> None:
    names.check("red-2", ["red-3", "red", "bed"])


def test_authors_are_printable_and_short() -> None:
    assert names.check_author("  Ann O'Neil ") == "Ann O'Neil"
    for bad in ("a\nb", "a\u202eb", "x" * 65):
        with pytest.raises(Refusal):
            names.check_author(bad)
