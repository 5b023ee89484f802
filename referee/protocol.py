"""The lines of the bot protocol: how ours are written, how a bot's are read.

`docs/protocol.md` is the contract. Whatever a bot sends comes through `read_choice` and `read_ready`, which give a
plain value or say in one clause why the line is malformed; they raise nothing and read nothing twice.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn

import msgspec

from referee.game import Json
from referee.game import encode as encode

PROTOCOL: Final = 1
LINE_CAP: Final = 65_536
"""Bytes of one line of a bot without its newline."""
TURN_CAP: Final = 131_072
"""Bytes of output between two requests."""
MATCH_CAP: Final = 8 * 2**20
"""Bytes of output in a match."""
BLANK_CAP: Final = 16
"""Blank lines that a match forgives."""
DEPTH_CAP: Final = 32
NOTE_CAP: Final = 500
"""Code points of a note."""
INTEGER_CAP: Final = 2**53
BOM: Final = b"\xef\xbb\xbf"

encode_canonical: Final = msgspec.json.Encoder(order="sorted").encode
"""JSON with sorted keys and no white space: the form that digests are taken of."""


class Choice(NamedTuple):
    """An answer that is well formed and carries the id asked for; `choice` is still whatever the bot sent."""

    choice: object
    note: str | None = None


class Ready(NamedTuple):
    """A bot's greeting."""

    name: str = ""
    version: str = ""


class Malformed(NamedTuple):
    """Why a line is not an answer, as a clause; `id` is the decision that it names, if it is a choice at all."""

    why: str
    id: int | None = None


def start_line(
    match: str,
    game: str,
    seat: int,
    players: int,
    options: Mapping[str, Json],
    bot_seed: int,
    limits: Mapping[str, int],
) -> bytes:
    """The first line of a match for one seat."""
    return (
        encode(
            {
                "type": "start",
                "protocol": PROTOCOL,
                "match": match,
                "game": game,
                "seat": seat,
                "players": players,
                "options": options,
                "bot_seed": bot_seed,
                "limits": limits,
            }
        )
        + b"\n"
    )


DECIDE: Final = b'{"type":"decide","id":%d,%b,"last_ms":%b,"events":[%b],"view":%b,"legal":[%b]}\n'
"""The request of a decision: its id, two fields of time, the last measured time, events, view, the legal actions."""


def fault_line(number: int, kind: str, message: str, strikes: int, limit: int) -> bytes:
    """What a seat is told of a fault of its own."""
    data = {"type": "fault", "id": number, "kind": kind, "message": message, "strikes": strikes, "limit": limit}
    return encode(data) + b"\n"


def end_line(ranks: Sequence[int], scores: Sequence[float], reason: str, faults: Sequence[Sequence[str]]) -> bytes:
    """The last line of a match."""
    data = {"type": "end", "ranks": ranks, "scores": scores, "reason": reason, "faults": faults}
    return encode(data) + b"\n"


_PLAIN_CHOICE: Final = re.compile(
    rb'\{"type": ?"choice", ?"id": ?(0|[1-9][0-9]{0,14}), ?"choice": ?(0|[1-9][0-9]{0,14})'
    rb'(?:, ?"note": ?"([ !#-\[\]-~]{0,500})")?\}\r?'
).fullmatch
"""The spellings that nearly every answer has: id, choice, note. They are strict JSON by construction, and the caps make
every value one that the slow way takes as it is."""

PLAINEST: Final = b'{"type":"choice","id":%d,"choice":'
PLAINER: Final = b'{"type": "choice", "id": %d, "choice": '
"""How an answer begins as most JSON writers spell it, JavaScript's and Python's; `PLAIN_ENDS` has what may follow, with
the choice that it means."""
PLAIN_ENDS: Final = {b"%d}\n" % choice: choice for choice in range(256)}


def read_choice(line: bytes, wanted: int) -> Choice | Malformed:
    """The answer in one line (without its newline) to the decision `wanted`, or why it is none."""
    plain = _PLAIN_CHOICE(line)
    if plain is not None:
        number, choice, note = plain.groups()
        if int(number) == wanted:
            return Choice(int(choice), None if note is None else note.decode())
        return Malformed(_wrong_id(int(number), wanted), int(number))
    data = read_object(line)
    if isinstance(data, Malformed):
        return data
    if data.get("type") != "choice":
        return Malformed(f"its type is {_short(data.get('type'))}, not 'choice'")
    number = data.get("id")
    if type(number) is not int:
        return Malformed(f"its id is {_short(number)}, not the integer {wanted}")
    if number != wanted:
        return Malformed(_wrong_id(number, wanted), number)
    note = data.get("note")
    return Choice(data.get("choice"), note[:NOTE_CAP] if isinstance(note, str) else None)


def read_ready(line: bytes) -> Ready | Malformed:
    """The greeting in one line, or why it is none."""
    data = read_object(line)
    if isinstance(data, Malformed):
        return data
    if data.get("type") != "ready":
        return Malformed(f"its type is {_short(data.get('type'))}, not 'ready'")
    name, version = (value if isinstance(value, str) else "" for value in (data.get("name"), data.get("version")))
    return Ready(name[:NOTE_CAP], version[:NOTE_CAP])


def read_object(line: bytes) -> dict[str, Any] | Malformed:
    """The one JSON object in a line, read strictly (RFC 8259 and the caps of the protocol), or why there is none."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        return Malformed(f"it is not UTF-8 (byte {error.start})")
    if _too_deep(text):
        return Malformed(f"it nests deeper than {DEPTH_CAP}")
    try:
        data = _DECODER.decode(text)
    except _Refused as error:
        return Malformed(str(error))
    except (ValueError, RecursionError):
        return Malformed("it is not one JSON object")
    if type(data) is not dict:
        return Malformed("it is JSON but not an object")
    if "\\u" in text and _has_lone_surrogate(data):
        return Malformed("it has half of a surrogate pair")
    return data


class _Refused(ValueError):
    """A value that JSON's grammar allows and the protocol does not."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise _Refused("it has the same key twice")
    return data


def _integer(digits: str) -> int:
    # The length first: Python's own conversion refuses 4,300 digits with another error and is slow below that.
    if len(digits) > len(str(-INTEGER_CAP)) or abs(number := int(digits)) > INTEGER_CAP:
        raise _Refused("it has an integer beyond 2^53")
    return number


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _Refused("it has a number that is not finite")
    return number


def _constant(name: str) -> NoReturn:
    raise _Refused(f"it has {name}, which is not JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_int=_integer, parse_float=_float, parse_constant=_constant
)
_STRINGS: Final = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_NOT_BRACKETS: Final = re.compile(r"[^\[\]{}]+")


def _too_deep(text: str) -> bool:
    if text.count("[") + text.count("{") <= DEPTH_CAP:
        return False
    depth = 0
    for bracket in _NOT_BRACKETS.sub("", _STRINGS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > DEPTH_CAP:
            return True
    return False


def _has_lone_surrogate(data: Json) -> bool:
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _wrong_id(number: int, wanted: int) -> str:
    return f"its id is {number}, the decision asked is {wanted}"


def _short(value: object) -> str:
    """A bot's value as it may stand in a sentence of ours: ASCII, on one line, cut."""
    if value is None:
        return "missing or null"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = ascii(value)
    return text if len(text) <= 40 else text[:37] + "..."
