"""The tables. Change one, and `VERSION` rises."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from sqlalchemy import UniqueConstraint, event
from sqlalchemy.schema import DDL
from sqlmodel import Field, SQLModel

VERSION: Final = 1
"""Stands in the database; another number is refused by name."""


class Setting(SQLModel, table=True):
    """A fact about the whole competition: `schema`, `secret`."""

    key: str = Field(primary_key=True)
    value: str


class SubmissionRecord(SQLModel, table=True):
    """One version of one bot; command and build are JSON lists."""

    __tablename__: ClassVar[Any] = "submission"
    __table_args__ = (UniqueConstraint("name", "version"),)

    number: int = Field(primary_key=True)
    name: str
    version: int
    author: str
    language: str
    digest: str
    command: str
    build: str
    status: str
    reason: str
    log: str
    received_at: str


class ResultRecord(SQLModel, table=True):
    """A played match; `options` is a JSON object, `seed` a decimal number of up to 128 bits."""

    __tablename__: ClassVar[Any] = "result"
    __table_args__ = (UniqueConstraint("round", "rank", "rotation"),)

    match: str = Field(primary_key=True)
    group: str
    round: int
    rank: str
    """Zero-padded decimal: a set's place can be larger than a database's integers."""
    rotation: int
    game: str
    game_version: str
    options: str
    seed: str
    ending: str
    reason: str
    steps: int
    replay: str
    replay_digest: str
    isolation: str
    game_digest: str
    tally: str
    """A JSON object: counts of what happened."""
    played_at: str
    wall_ms: float


class SeatRecord(SQLModel, table=True):
    """How one seat of a match came out."""

    __tablename__: ClassVar[Any] = "seat"

    match: str = Field(primary_key=True, foreign_key="result.match")
    seat: int = Field(primary_key=True)
    submission: int = Field(foreign_key="submission.number", index=True)
    rank: int
    score: float
    decisions: int
    think_ms: float


class FaultRecord(SQLModel, table=True):
    """One fault of a seat; `place` is its position among the faults of its match."""

    __tablename__: ClassVar[Any] = "fault"

    match: str = Field(primary_key=True, foreign_key="result.match")
    place: int = Field(primary_key=True)
    seat: int
    step: int
    kind: str
    message: str
    request: str
    answer: str
    exit_code: int | None = None
    signal: int | None = None


class VoidRecord(SQLModel, table=True):
    """An attempt at a match that the harness itself failed."""

    __tablename__: ClassVar[Any] = "void"

    number: int | None = Field(default=None, primary_key=True)
    match: str
    reason: str
    at: str


def _append_only(table: Any) -> None:
    for verb in ("UPDATE", "DELETE"):
        trigger: Any = DDL(  # type: ignore[no-untyped-call]
            f"CREATE TRIGGER {table.name}_no_{verb.lower()} BEFORE {verb} ON {table.name} "
            "BEGIN SELECT RAISE(ABORT, 'results are append-only'); END"
        )
        event.listen(table, "after_create", trigger.execute_if(dialect="sqlite"))


_tables = SQLModel.metadata.tables
SETTING: Final = _tables["setting"]
SUBMISSION: Final = _tables["submission"]
RESULT: Final = _tables["result"]
SEAT: Final = _tables["seat"]
FAULT: Final = _tables["fault"]
VOID: Final = _tables["void"]

for _table in (RESULT, SEAT, FAULT, VOID):
    _append_only(_table)
