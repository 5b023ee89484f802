from __future__ import annotations

import re
from html import unescape

import pytest

from leaderboard.text import contact, named, named_plainly, paragraphs, prose

BOTS = ("red", "<b>blue</b>", "twin", "twin")


def bare(markup: str) -> str:
    return re.sub("</?bdi[^>]*>", "", markup)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("seat 0 reached 20 points in round 4", "red reached 20 points in round 4"),
        ("seats 0, 1 and 2 share 3, 4 and 5", "red, &lt;b&gt;blue&lt;/b&gt; and twin (seat 2) share 3, 4 and 5"),
        ("Seat 3 leads, seat 0, 12 points, follows", "twin (seat 3) leads, red, 12 points, follows"),
        ("seat 9 and seat 12 are nobody's", "seat 9 and seat 12 are nobody&#39;s"),
        ("every seat 1", "every &lt;b&gt;blue&lt;/b&gt;"),
        ("<i>over</i>", "&lt;i&gt;over&lt;/i&gt;"),
    ],
)
def test_a_reason_names_the_bots_where_it_says_seats(reason: str, expected: str) -> None:
    assert bare(named(reason, BOTS)) == expected
    assert named_plainly(reason, BOTS) == unescape(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("say `harness run -C <dir>` again", "say <code>harness run -C &lt;dir&gt;</code> again"),
        ("a lone ` stays", "a lone ` stays"),
        ("`` and `<script>`", "`` and <code>&lt;script&gt;</code>"),
    ],
)
def test_what_stands_between_backticks_is_code_and_still_safe(text: str, expected: str) -> None:
    assert bare(prose(text)) == expected


def test_lines_stay_lines_and_empty_ones_part_paragraphs() -> None:
    told = [bare(part) for part in paragraphs("one\r\n<b>two</b>\n\n \nthree \u202ex\n")]
    assert told == ["one<br>&lt;b&gt;two&lt;/b&gt;", "three \ufffdx"]
    assert paragraphs(" \n") == []
    assert bare(paragraphs("x" * 1_000)[0]) == "x" * 1_000


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("ann@example.org", "mailto:ann@example.org"),
        ("mailto:ann@example.org", "mailto:ann@example.org"),
        ("https://example.org/?a=1&b=%22", "https://example.org/?a=1&amp;b=%22"),
        ("javascript:alert(1)", ""),
        ("javascript:a@b", ""),
        ("data:text/html,x@y", ""),
        ("mailto:a@b?bcc=c@d", ""),
        ("https://a.example/\u202etxt", ""),
        ("https://a.example\njavascript:x", ""),
        ('https://a"onclick="x', "https://a&#34;onclick=&#34;x"),
        ("//a.example", ""),
        ("ask at the bar", ""),
    ],
)
def test_a_contact_links_to_mail_and_the_web_alone(text: str, target: str) -> None:
    assert re.findall('href="([^"]*)"', contact(text)) == ([target] if target else [])
