"""Reading and writing a competition's database."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, Select, event, func, insert, inspect, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlmodel import SQLModel, create_engine

from harness.errors import Refusal
from harness.model import Pairing, Played, Snapshot, Status, Submission, VoidRow
from harness.store import rows
from harness.store.schema import (
    FAULT,
    RESULT,
    SEAT,
    SETTING,
    SUBMISSION,
    VERSION,
    VOID,
)
from referee.result import Fault


class StoreError(Refusal):
    """The database cannot be used: missing, damaged, of another version, or not a competition's."""


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A submission before it has a version."""

    name: str
    author: str
    language: str
    digest: str
    command: tuple[str, ...]
    build: tuple[str, ...]
    received_at: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """A played match on its way into the store; `replay` is where its replay lies, empty when none was kept."""

    pairing: Pairing
    played: Played
    replay: str
    played_at: str


_RANK_DIGITS: Final = 40


class Store:
    """An open database. Every method is one transaction: all of it happens, or nothing."""

    def __init__(self, engine: Engine, secret: bytes) -> None:
        self._engine = engine
        self.secret: Final = secret
        """What every seed of the competition comes from; 32 random bytes, never shown."""

    @classmethod
    def create(cls, url: str) -> Store:
        """A new, empty database. Raises StoreError when there is one already, or the place cannot be written."""
        with _opening(url, "made") as engine:
            if inspect(engine).has_table("setting"):
                raise StoreError(f"the database {shown(url)} belongs to a competition already; choose another place")
            SQLModel.metadata.create_all(engine)
            secret = secrets.token_bytes(32)
            with engine.execution_options(writes=True).begin() as connection:
                connection.execute(
                    insert(SETTING),
                    [{"key": "schema", "value": str(VERSION)}, {"key": "secret", "value": secret.hex()}],
                )
            return cls(engine, secret)

    @classmethod
    def open(cls, url: str) -> Store:
        """The database of a competition. Raises StoreError when it is not there, damaged or of another version."""
        database = make_url_or_refuse(url)
        on_disk = database.drivername.startswith("sqlite") and database.database
        if on_disk and not Path(database.database).is_file():
            raise StoreError(
                f"the database {shown(url)} is not there; put it back, or make a competition with `harness init`"
            )
        with _opening(url, "read") as engine:
            with engine.begin() as connection:
                if not inspect(connection).has_table("setting"):
                    raise StoreError(f"the database {shown(url)} is not a competition's; `harness init` makes one")
                facts = {row.key: row.value for row in connection.execute(select(SETTING))}
            if facts.get("schema") != str(VERSION):
                raise StoreError(
                    f"the database {shown(url)} has schema version {facts.get('schema', 'unknown')}, this harness "
                    f"(botpit) reads version {VERSION}; use the version of botpit that made it, nothing was changed"
                )
            try:
                secret = bytes.fromhex(facts["secret"])
            except (KeyError, ValueError) as error:
                raise StoreError(
                    f"the database {shown(url)} is damaged: it holds no secret; put a copy back"
                ) from error
            return cls(engine, secret)

    def close(self) -> None:
        """Give the connections back; the store is not used after that."""
        self._engine.dispose()

    def submissions(self) -> tuple[Submission, ...]:
        """All submissions, in the order of their numbers."""
        with self._read() as connection:
            return rows.submissions(connection)

    def add(self, new: NewSubmission) -> Submission:
        """The submission with its number and the next version of its name, status `received`."""
        with self._write() as connection:
            number = _highest(connection, select(func.max(SUBMISSION.c.number)), -1) + 1
            of_name = select(func.max(SUBMISSION.c.version)).where(SUBMISSION.c.name == new.name)
            version = _highest(connection, of_name, 0) + 1
            added = Submission(
                number=number,
                name=new.name,
                version=version,
                author=new.author,
                language=new.language,
                digest=new.digest,
                command=new.command,
                build=new.build,
                status=Status.RECEIVED,
                reason="",
                log="",
                received_at=new.received_at,
            )
            connection.execute(insert(SUBMISSION), [rows.submission_values(added)])
            return added

    def settle(self, number: int, status: Status, reason: str, log: str) -> None:
        """Accept or reject a submission."""
        with self._write() as connection:
            connection.execute(
                update(SUBMISSION)
                .where(SUBMISSION.c.number == number)
                .values(status=status.value, reason=reason, log=log)
            )

    def recorded(self, round_number: int, among: Iterable[int]) -> frozenset[str]:
        """The recorded matches of a round in which only these submissions sat."""
        others = SEAT.c.submission.not_in(list(among))
        with_others = select(SEAT.c.match).where(others, SEAT.c.match == RESULT.c.match).exists()
        query = select(RESULT.c.match).where(RESULT.c.round == round_number, ~with_others)
        with self._read() as connection:
            return frozenset(connection.execute(query).scalars())

    def recorded_by_round(self, rounds: int, among: Iterable[int]) -> Mapping[int, int]:
        """Of each of the first rounds with any, how many matches are recorded in which only these submissions sat."""
        others = select(SEAT.c.match).where(SEAT.c.submission.not_in(list(among)))
        query = (
            select(RESULT.c.round, func.count())
            .where(RESULT.c.round <= rounds, RESULT.c.match.not_in(others))
            .group_by(RESULT.c.round)
        )
        with self._read() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def replays(self) -> frozenset[str]:
        """The paths of all replays that belong to a recorded match."""
        with self._read() as connection:
            return frozenset(connection.execute(select(RESULT.c.replay)).scalars())

    def isolations(self) -> Mapping[str, int]:
        """How many matches were recorded under each isolation."""
        with self._read() as connection:
            counted = connection.execute(select(RESULT.c.isolation, func.count()).group_by(RESULT.c.isolation))
            return {row[0]: row[1] for row in counted}

    def terms(self) -> Mapping[tuple[str, int, str], int]:
        """How many matches were recorded of each game, number of seats, and options as JSON."""
        sat = select(SEAT.c.match, func.count().label("seats")).group_by(SEAT.c.match).subquery()
        columns = (RESULT.c.game, sat.c.seats, RESULT.c.options)
        query = select(*columns, func.count()).join(sat, sat.c.match == RESULT.c.match).group_by(*columns)
        with self._read() as connection:
            return {(row[0], row[1], row[2]): row[3] for row in connection.execute(query)}

    def record(self, results: Sequence[Recorded]) -> None:
        """Add results; raises StoreError when one of them is recorded already, and then adds none."""
        values = [_values(result) for result in results]
        try:
            with self._write() as connection:
                for table, index in ((RESULT, 0), (SEAT, 1), (FAULT, 2)):
                    added = [value for value_set in values for value in value_set[index]]
                    if added:
                        connection.execute(insert(table), added)
        except IntegrityError as error:
            raise StoreError(f"a match is recorded already, nothing was added: {_cause(error)}") from error

    def record_void(self, match: str, reason: str, at: str) -> None:
        """Note an attempt at a match that the harness failed."""
        with self._write() as connection:
            connection.execute(insert(VOID), [{"match": match, "reason": reason, "at": at}])

    def snapshot(self, now: str) -> Snapshot:
        """Everything that is recorded, from one moment; `now` is that moment's name."""
        with self._read() as connection:
            voids = connection.execute(select(VOID.c.match, VOID.c.reason, VOID.c.at).order_by(VOID.c.number))
            return Snapshot(
                submissions=rows.submissions(connection),
                matches=rows.matches(connection),
                voids=tuple(VoidRow(*row) for row in voids),
                taken_at=now,
            )

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection, connection.begin():
                yield connection
        except DatabaseError as error:
            raise StoreError(f"the database {shown(self._engine.url)} cannot be read: {_cause(error)}") from error

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        try:
            with self._engine.execution_options(writes=True).begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DatabaseError as error:
            raise StoreError(f"the database {shown(self._engine.url)} cannot be written: {_cause(error)}") from error


def shown(url: Any) -> str:
    """The database's address for people: a path for SQLite, never a password."""
    parsed = make_url_or_refuse(str(url)) if isinstance(url, str) else url
    if parsed.drivername.startswith("sqlite"):
        return str(parsed.database or "in memory")
    return str(parsed.render_as_string(hide_password=True))


def make_url_or_refuse(url: str) -> Any:
    """The parsed address. Raises StoreError when it is none."""
    try:
        return make_url(url)
    except ArgumentError as error:
        raise StoreError(f"{url!r} is no database address; one for SQLite is sqlite:///competition.db") from error


def _engine(url: str) -> Engine:
    address = make_url_or_refuse(url)
    try:
        engine = create_engine(address)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreError(f"no driver for the database {shown(address)}: {error}; install its package") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def _opening(url: str, done: str) -> Iterator[Engine]:
    """An engine whose connections are given back when the block fails. Raises StoreError for errors of the database."""
    engine = _engine(url)
    try:
        yield engine
    except BaseException as error:
        engine.dispose()
        if isinstance(error, SQLAlchemyError):
            raise StoreError(f"the database {shown(url)} cannot be {done}: {_cause(error)}") from error
        raise


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # Left to itself the driver opens transactions late, and two writers then deadlock; we open them ourselves.
    connection.isolation_level = None
    try:
        for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()  # the pool does not know it yet
        raise


def _begin(connection: Connection) -> None:
    # A writer that starts as a reader can be refused half-way; a reader must never wait for a writer.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _highest(connection: Connection, query: Select[Any], otherwise: int) -> int:
    found: int | None = connection.execute(query).scalar_one()
    return otherwise if found is None else found


def _values(recorded: Recorded) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    pairing, played = recorded.pairing, recorded.played
    spec, result = played.spec, played.record.result
    match = {
        "match": pairing.match,
        "group": pairing.group,
        "round": pairing.round,
        "rank": str(pairing.rank).zfill(_RANK_DIGITS),
        "rotation": pairing.rotation,
        "game": spec.game,
        "game_version": played.game_version,
        "options": json.dumps(dict(spec.options), sort_keys=True),
        "seed": str(spec.seed),
        "ending": result.ending.value,
        "reason": result.reason,
        "steps": result.steps,
        "replay": recorded.replay,
        "replay_digest": result.replay_digest,
        "isolation": " | ".join(dict.fromkeys(entrant.isolation for entrant in spec.seats)),
        "game_digest": played.game_digest,
        "tally": json.dumps(dict(result.tally)),
        "played_at": recorded.played_at,
        "wall_ms": played.wall_ms,
    }
    seats = [
        {
            "match": pairing.match,
            "seat": seat,
            "submission": submission,
            "rank": result.ranks[seat],
            "score": result.scores[seat],
            "decisions": result.decisions[seat],
            "think_ms": result.think_ms[seat],
        }
        for seat, submission in enumerate(pairing.seats)
    ]
    return [match], seats, list(_fault_values(pairing.match, result.faults))


def _fault_values(match: str, faults: Iterable[Fault]) -> Iterator[dict[str, Any]]:
    for place, fault in enumerate(faults):
        yield {
            "match": match,
            "place": place,
            "seat": fault.seat,
            "step": fault.step,
            "kind": fault.kind.value,
            "message": fault.message,
            "request": fault.request,
            "answer": fault.answer,
            "exit_code": fault.exit_code,
            "signal": fault.signal,
        }


def _cause(error: SQLAlchemyError) -> str:
    origin = getattr(error, "orig", None)
    return str(origin if origin is not None else error).splitlines()[0]
