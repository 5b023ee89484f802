"""Reading what bots send: strictly, and without ever failing."""

from __future__ import annotations

import json
import random

import pytest

from referee.bot import STARTING, Bot, How
from referee.inbox import Inbox
from referee.judge import act_of
from referee.protocol import (
    LINE_CAP,
    MATCH_CAP,
    TURN_CAP,
    Choice,
    Malformed,
    Ready,
    encode_canonical,
    read_choice,
    read_object,
    read_ready,
)
from referee.result import Act, Entrant, MatchSpec

GOOD = b'{"type":"choice","id":7,"choice":2}'

REFUSED = [
    (b"\xff" + GOOD, "not UTF-8"),
    (b'{"type":"choice","id":7,"choice":2,"note":"\xc0\xaf"}', "not UTF-8"),
    (b'{"type":"choice","id":7,"choice":2,"note":"\xed\xa0\x80"}', "not UTF-8"),
    (GOOD.decode().encode("utf-16"), "not UTF-8"),
    (GOOD.decode().encode("utf-16-le"), "not one JSON object"),
    (b"\x00" + GOOD, "not one JSON object"),
    (GOOD + b"\x00", "not one JSON object"),
    (b'{"type":"choice","id":7,"choice":2,"note":"\x00"}', "not one JSON object"),
    (GOOD + GOOD, "not one JSON object"),
    (GOOD + b" {}", "not one JSON object"),
    (b"debug", "not one JSON object"),
    (b"[1]", "not an object"),
    (b"7", "not an object"),
    (b"null", "not an object"),
    (b"[" * 60_000, "deeper than 32"),
    (b'{"a":' * 33 + b"1" + b"}" * 33, "deeper than 32"),
    (b'{"type":"choice","id":7,"choice":2,"x":' + b"9" * 5_000 + b"}", "beyond 2^53"),
    (b'{"type":"choice","id":7,"choice":9007199254740993}', "beyond 2^53"),
    (b'{"type":"choice","id":7,"choice":-9007199254740993}', "beyond 2^53"),
    (b'{"type":"choice","id":7,"choice":1e999}', "not finite"),
    (b'{"type":"choice","id":7,"choice":-1e999}', "not finite"),
    (b'{"type":"choice","id":7,"choice":NaN}', "NaN"),
    (b'{"type":"choice","id":7,"choice":Infinity}', "Infinity"),
    (b'{"type":"choice","id":7,"choice":2,"choice":1}', "same key twice"),
    (b'{"type":"choice","id":7,"choice":2,"x":{"a":1,"\\u0061":2}}', "same key twice"),
    (b'{"type":"choice","id":7,"choice":2,"note":"\\ud800"}', "surrogate"),
    (b'{"type":"choice","id":7,"choice":2,"\\udfff":1}', "surrogate"),
    (b'{"type":"ready"}', "its type is 'ready'"),
    (b'{"id":7,"choice":2}', "its type is missing"),
    (b'{"type":["choice"],"id":7,"choice":2}', "its type is a list"),
    (b'{"type":"choice","id":8,"choice":2}', "its id is 8"),
    (b'{"type":"choice","id":6,"choice":2}', "its id is 6"),
    (b'{"type":"choice","choice":2}', "its id is missing"),
    (b'{"type":"choice","id":7.0,"choice":2}', "its id is 7.0"),
    (b'{"type":"choice","id":"7","choice":2}', "its id is '7'"),
    (b'{"type":"choice","id":true,"choice":2}', "its id is True"),
    (b'{"type":"choice","id":07,"choice":2}', "not one JSON object"),
    (b'{"type":"choice","id":7,"choice":02}', "not one JSON object"),
    (b"{'type':'choice','id':7,'choice':2}", "not one JSON object"),
    (b'{"type":"choice","id":7,"choice":2,}', "not one JSON object"),
]


@pytest.mark.parametrize(("line", "why"), REFUSED)
def test_malformed_line_is_refused_with_its_reason(line: bytes, why: str) -> None:
    answer = read_choice(line, 7)
    assert isinstance(answer, Malformed)
    assert why in answer.why


TAKEN: list[tuple[bytes, object, str | None]] = [
    (GOOD, 2, None),
    (GOOD + b"\r", 2, None),
    (b' { "choice" : 2 , "id" : 7 , "type" : "choice" } ', 2, None),
    (b'{"type": "choice", "id": 7, "choice": 2}', 2, None),
    (b'{"type":"choice","id":7,"choice":2,"note":"plain"}', 2, "plain"),
    (b'{"type":"choice","id":7,"choice":2,"note":"\\u00e4\\ud83d\\ude00"}', 2, "\u00e4\U0001f600"),
    ('{"type":"choice","id":7,"choice":2,"note":"a\u2028b\u0085c"}'.encode(), 2, "a\u2028b\u0085c"),
    (b'{"type":"choice","id":7,"choice":2,"note":17}', 2, None),
    (b'{"type":"choice","id":7,"choice":2,"seat":4,"match":"x","__proto__":{}}', 2, None),
    (b'{"type":"choice","id":7,"choice":2,"x":' + b"[" * 31 + b"]" * 31 + b"}", 2, None),
    (b'{"type":"choice","id":7,"choice":2,"x":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}', 2, None),
    (b'{"type":"choice","id":7,"choice":9007199254740992}', 2**53, None),
    (b'{"type":"choice","id":7,"choice":-1}', -1, None),
    (b'{"type":"choice","id":7,"choice":1e300}', 1e300, None),
    (b'{"type":"choice","id":7,"choice":true}', True, None),
    (b'{"type":"choice","id":7,"choice":1.0}', 1.0, None),
    (b'{"type":"choice","id":7,"choice":"0"}', "0", None),
    (b'{"type":"choice","id":7,"choice":null}', None, None),
    (b'{"type":"choice","id":7}', None, None),
]


@pytest.mark.parametrize(("line", "choice", "note"), TAKEN)
def test_well_formed_line_is_taken_as_it_is(line: bytes, choice: object, note: str | None) -> None:
    answer = read_choice(line, 7)
    assert answer == Choice(choice, note)
    assert isinstance(answer, Choice)
    assert type(answer.choice) is type(choice)


CLOSED = ("think_us", "wanted", "request", "late", "ended_at", "out")
LEGAL = [f"action {number}" for number in range(256)]


@pytest.mark.parametrize("tail", [b"", b"{}\n", b"\n", b" "])
@pytest.mark.parametrize("head", [b"", b" ", b"\n", b"x"])
def test_the_quickest_way_takes_one_whole_answer_and_nothing_else(head: bytes, tail: bytes) -> None:
    bot = waiting_bot()
    act = bot.answered(b"", 0, head + GOOD + b"\n" + tail, 5_000, LEGAL)
    assert act == (Act("action 2", 2, 256, False, 5) if head == tail == b"" else None)
    assert bot.script.last == (b"null" if act is None else b"0.005")
    assert asked_bot().answered(b"", 0, GOOD + b"\n", 5_000, LEGAL) is None  # asked for another id
    assert waiting_bot().answered(b"", 0, GOOD + b"\n", 5_000, LEGAL[:2]) is None  # not among the legal ones
    assert waiting_bot().answered(b"", 0, GOOD + b"\n", 20_000_000, LEGAL) is None  # no longer soon


@pytest.mark.parametrize(
    "spelling", [b'{"type":"choice","id":%d,"choice":%d}', b'{"type": "choice", "id": %d, "choice": %d}']
)
@pytest.mark.parametrize("number", [0, 7, 2**49, 999_999_999_999_999, 10**15, 2**53])
@pytest.mark.parametrize("choice", [0, 3, 255, 256, 10**14, 10**15, 2**53])
def test_the_quick_ways_say_what_the_strict_way_says(spelling: bytes, number: int, choice: int) -> None:
    line = spelling % (number, choice)
    data = read_object(line)
    assert isinstance(data, dict)
    assert read_choice(line, number) == Choice(data["choice"], None)
    bot, quick = asked_bot(), asked_bot()
    bot.wanted = bot.script.id = quick.script.id = number
    bot.arrived(line + b"\n", 10_000)
    if act := quick.answered(quick.request, 0, line + b"\n", 10_000, LEGAL):
        assert act == act_of(bot, LEGAL)
        assert all(getattr(bot, name) == getattr(quick, name) for name in CLOSED)
        assert (bot.inbox.match_bytes, bot.inbox.turn_bytes) == (quick.inbox.match_bytes, quick.inbox.turn_bytes)
    else:
        assert choice > 255
    assert (bot.how, bot.choice, bot.note, bot.inbox.match_bytes) == (How.ANSWERED, choice, None, len(line) + 1)


def test_note_is_cut_in_code_points() -> None:
    note = "\U0001f469" * 600
    answer = read_choice(json.dumps({"type": "choice", "id": 7, "choice": 0, "note": note}).encode(), 7)
    assert answer == Choice(0, note[:500])


def test_ready_takes_optional_names() -> None:
    assert read_ready(b'{"type":"ready"}') == Ready()
    assert read_ready(b'{"type":"ready","name":"a","version":"2","more":[]}') == Ready("a", "2")
    assert read_ready(b'{"type":"ready","name":1,"version":null}') == Ready()
    assert isinstance(read_ready(b'{"type":"choice"}'), Malformed)


def test_canonical_form_is_what_the_documentation_says() -> None:
    value = {"b": [1, 2.5, None, True], "a": '\u00e4"\\\n\x01\x7f\u2028', "\u00fc": {}}
    assert (
        encode_canonical(value) == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    )


def asked_bot() -> Bot:
    bot = Bot(MatchSpec("m", "g", "counting", {}, (Entrant("red"), Entrant("blue")), 1), 0)
    bot.ready = Ready()
    bot.opened(7, b'{"type":"decide","id":7}\n', 0, 0, 1_000_000)
    return bot


def waiting_bot() -> Bot:
    """A bot whose script has come to the id that `GOOD` answers."""
    bot = asked_bot()
    bot.script.id = 7
    return bot


def test_lines_do_not_depend_on_how_they_are_cut() -> None:
    rng = random.Random(5)
    pieces = [GOOD, b"", b"\r", b"debug", b"\xff", b"[" * 40, b'{"type":"choice","id":3,"choice":0}', b'{"type"']
    for _ in range(400):
        stream = b"\n".join(rng.choice(pieces) for _ in range(rng.randrange(1, 12))) + rng.choice([b"\n", b""])
        whole, cut = asked_bot(), asked_bot()
        for bot in (whole, cut):
            bot.owed = {3}
        whole.arrived(stream, 10) if stream else None
        at = 0
        while at < len(stream):
            size = rng.randrange(1, 9)
            cut.arrived(stream[at : at + size], 10)
            at += size
        assert (whole.open, whole.how, whole.line, whole.choice) == (cut.open, cut.how, cut.line, cut.choice)
        assert bytes(whole.inbox.buffer) == bytes(cut.inbox.buffer)


def test_no_stream_of_bytes_breaks_the_reader() -> None:
    rng = random.Random(7)
    alphabet = [
        b"\n",
        b"{",
        b"}",
        b"[",
        b'"',
        b"\\",
        b"\\u",
        b"d800",
        b"1e999",
        b":",
        b",",
        b"\xff",
        b"\x00",
        GOOD,
        b" " * 500,
    ]
    for _ in range(10_000):
        bot = asked_bot()
        if rng.random() < 0.3:
            bot.ready, bot.wanted = None, STARTING
        for _ in range(rng.randrange(1, 6)):
            if rng.random() < 0.5:
                data = rng.randbytes(rng.randrange(1, 40))
            else:
                data = b"".join(rng.choices(alphabet, k=rng.randrange(1, 20)))
            bot.arrived(data, 10)
        bot.arrived(b"", 11)
        assert not bot.open
        while bot.next_line() is not None:
            pass


@pytest.mark.parametrize(("size", "flood"), [(LINE_CAP, False), (LINE_CAP + 1, True)])
@pytest.mark.parametrize("step", [1_000, 4_096, 200_000])
def test_line_cap_counts_bytes_without_the_newline(size: int, flood: bool, step: int) -> None:
    inbox = Inbox()
    data = b"x\n" + b"a" * size + b"\n"
    taken = all(inbox.feed(data[at : at + step]) for at in range(0, len(data), step))
    assert taken is not flood
    assert inbox.pop() == b"x" or flood


def test_unended_line_is_a_flood_as_soon_as_it_is_too_long() -> None:
    inbox = Inbox()
    assert inbox.feed(b"a" * LINE_CAP)
    assert not inbox.feed(b"a")
    assert len(inbox.buffer) <= LINE_CAP


def test_caps_of_turn_and_match() -> None:
    inbox = Inbox()
    line = b"a" * 1_023 + b"\n"
    for _ in range(TURN_CAP // 1024):
        assert inbox.feed(line)
    assert not inbox.feed(b"\n")
    inbox = Inbox()
    for _ in range(MATCH_CAP // 1024):
        inbox.turn_bytes = 0
        assert inbox.feed(line)
        assert inbox.pop() is not None
    inbox.turn_bytes = 0
    assert not inbox.feed(b"\n")
    assert "in the match" in inbox.flood


def test_mark_is_ignored_before_the_first_line_alone() -> None:
    inbox = Inbox()
    inbox.feed(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
    assert inbox.pop() == b"a"
    assert inbox.pop() == b"\xef\xbb\xbfb"


def test_sixteen_blank_lines_are_forgiven() -> None:
    bot = asked_bot()
    bot.arrived(b"\n \t\n\r\n" * 5 + b"\n", 10)
    assert bot.open
    bot.arrived(b"\r\n", 10)
    assert (bot.open, bot.how) == (False, How.MALFORMED)
