"""Database rows to plain values and back."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from sqlalchemy import Connection, select

from harness.model import FaultRow, MatchRow, SeatRow, Status, Submission
from harness.store.schema import FAULT, RESULT, SEAT, SUBMISSION


def submissions(connection: Connection) -> tuple[Submission, ...]:
    """All submissions, in the order of their numbers."""
    found = connection.execute(select(SUBMISSION).order_by(SUBMISSION.c.number))
    return tuple(
        Submission(
            **{
                **row,
                "command": tuple(json.loads(row["command"])),
                "build": tuple(json.loads(row["build"])),
                "status": Status(row["status"]),
            }
        )
        for row in found.mappings()
    )


def submission_values(submission: Submission) -> dict[str, Any]:
    """The columns of a submission."""
    return {
        "number": submission.number,
        "name": submission.name,
        "version": submission.version,
        "author": submission.author,
        "language": submission.language,
        "digest": submission.digest,
        "command": json.dumps(submission.command),
        "build": json.dumps(submission.build),
        "status": submission.status.value,
        "reason": submission.reason,
        "log": submission.log,
        "received_at": submission.received_at,
    }


def matches(connection: Connection) -> tuple[MatchRow, ...]:
    """All recorded matches, in pairing order."""
    faults = _faults(connection)
    seats = _seats(connection, faults)
    order = (RESULT.c.round, RESULT.c.rank, RESULT.c.rotation)
    found = connection.execute(select(RESULT).order_by(*order)).mappings().all()
    in_group: dict[str, int] = defaultdict(int)
    for row in found:
        in_group[row["group"]] += 1
    return tuple(
        MatchRow(
            **{
                **row,
                "rank": int(row["rank"]),
                "seed": int(row["seed"]),
                "options": json.loads(row["options"]),
                "tally": json.loads(row["tally"]),
            },
            seats=tuple(seats[row["match"]]),
            group_complete=in_group[row["group"]] == len(seats[row["match"]]),
        )
        for row in found
    )


def _seats(connection: Connection, faults: dict[tuple[str, int], list[FaultRow]]) -> dict[str, list[SeatRow]]:
    joined = (
        select(
            *SEAT.c,
            SUBMISSION.c.name.label("bot"),
            SUBMISSION.c.version,
            SUBMISSION.c.author,
        )
        .join(SUBMISSION, SUBMISSION.c.number == SEAT.c.submission)
        .order_by(SEAT.c.match, SEAT.c.seat)
    )
    by_match: dict[str, list[SeatRow]] = defaultdict(list)
    for row in connection.execute(joined).mappings():
        values = dict(row)
        match = values.pop("match")
        by_match[match].append(SeatRow(**values, faults=tuple(faults.get((match, values["seat"]), ()))))
    return by_match


def _faults(connection: Connection) -> dict[tuple[str, int], list[FaultRow]]:
    found = connection.execute(select(FAULT).order_by(FAULT.c.match, FAULT.c.place))
    by_seat: dict[tuple[str, int], list[FaultRow]] = defaultdict(list)
    for row in found.mappings():
        values = dict(row)
        match = values.pop("match")
        del values["place"]
        by_seat[match, values["seat"]].append(FaultRow(**values))
    return by_seat
