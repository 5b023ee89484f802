"""The shapes of a replay's lines. Whoever edits a file can sign it anew: only what is checked here may be relied upon.

Fields that are not named here are left alone.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from referee.result import Ending, FaultKind, Policy


class Seat(msgspec.Struct):
    bot: str
    version: int
    author: str
    digest: str
    isolation: str


class Limits(msgspec.Struct):
    start_ms: int
    move_ms: int
    bank_ms: int
    strikes: int


class Header(msgspec.Struct):
    """What a match started from."""

    harness: str
    match: str
    group: str
    game: str
    game_version: str
    options: dict[str, bool | int | str]
    players: int
    seats: list[Seat]
    limits: Limits
    policy: Policy
    placement: str
    seed: str


class _Act(msgspec.Struct):
    action: dict[str, Any]
    choice: int
    of: int
    forced: bool
    ms: float | None
    note: str | None
    fault: FaultKind | None


class _Step(msgspec.Struct):
    step: int
    text: str
    chance: dict[str, Any] | None = None
    acts: dict[str, _Act] | None = None


class _Fault(msgspec.Struct):
    seat: int
    step: int
    kind: FaultKind
    message: str


class _End(msgspec.Struct):
    ending: Ending
    reason: str
    ranks: list[int]
    scores: list[float]
    faults: list[_Fault]
    state: str
    lines: str


class Misshapen(Exception):
    """A line that is not written as its kind is; says what is wrong with it as a clause."""


def read_header(row: Any) -> Header:
    """The header of a replay. Raises Misshapen."""
    header: Header = _convert(row, Header)
    if header.players != len(header.seats):
        raise Misshapen(f"it names {header.players} players and {len(header.seats)} seats")
    # 39 digits hold 128 bits; Python refuses to read thousands.
    if not re.fullmatch("[0-9]{1,100}", header.seed):
        raise Misshapen("its seed is no number in digits")
    return header


def check_step(row: Any, seats: int) -> None:
    """Raises Misshapen unless it is nature's step or one of some of these seats."""
    step = _convert(row, _Step)
    if (step.chance is None) == (step.acts is None):
        raise Misshapen("it takes either `chance` or `acts`")
    names = {str(seat) for seat in range(seats)}
    for seat in step.acts or ():
        if seat not in names:
            raise Misshapen(f"it has an act of seat {seat!a}, there are seats 0 to {seats - 1}")


def check_end(row: Any, seats: int, steps: int) -> None:
    """Raises Misshapen unless it tells of each of these seats and of no other, and of no step that was not played."""
    end = _convert(row, _End)
    if not len(end.ranks) == len(end.scores) == seats:
        raise Misshapen(f"it has {len(end.ranks)} ranks and {len(end.scores)} scores for {seats} seats")
    for fault in end.faults:
        if not (0 <= fault.seat < seats and -1 <= fault.step <= steps):
            raise Misshapen(f"it has a fault of seat {fault.seat} in step {fault.step}")


def _convert(row: Any, shape: Any) -> Any:
    try:
        return msgspec.convert(row, shape)
    except msgspec.ValidationError as error:
        raise Misshapen(str(error)) from error
