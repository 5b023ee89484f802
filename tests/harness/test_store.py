from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event

from harness import pipeline
from harness.config import Config
from harness.model import FaultRow, Status
from harness.schedule.round_robin import pairings
from harness.store import Store, StoreError
from harness.store.store import NewSubmission
from referee import games
from referee.result import Fault, FaultKind
from tests.harness.competitions import NOW, accepted, played, store_at, stores_closed

__all__ = ["stores_closed"]
pytestmark = pytest.mark.usefixtures("stores_closed")


def test_a_recorded_match_reads_back_as_it_was_given(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    accepted(store, "ann", "bob", "cid")
    pairing = next(iter(pairings(store.secret, 1, [0, 1, 2], 3)))
    late = Fault(2, 5, FaultKind.CRASH, "exit code 3", request="{}", answer="", exit_code=3)
    store.record([played(pairing, (1, 2, 2), (late,))])
    (row,) = store.snapshot(NOW).matches
    assert (row.match, row.group, row.order) == (pairing.match, pairing.group, pairing.order)
    assert row.seed == pairing.seed
    assert row.options == {"long": True}
    assert [seat.submission for seat in row.seats] == list(pairing.seats)
    assert [seat.rank for seat in row.seats] == [1, 2, 2]
    assert row.seats[2].faults == (FaultRow(2, 5, "crash", "exit code 3", "{}", "", 3, None),)
    assert row.seats[0].faults == ()
    assert not row.group_complete


def test_a_group_is_complete_when_every_rotation_is_recorded(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    accepted(store, "ann", "bob")
    first, second = pairings(store.secret, 1, [0, 1], 2)
    store.record([played(second, (1, 2))])
    assert [row.group_complete for row in store.snapshot(NOW).matches] == [False]
    store.record([played(first, (1, 2))])
    assert [row.group_complete for row in store.snapshot(NOW).matches] == [True, True]


def test_matches_come_in_pairing_order_however_they_were_recorded(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    accepted(store, *"abcdef")
    order = [*pairings(store.secret, 1, range(6), 2), *pairings(store.secret, 2, range(6), 2)]
    for pairing in reversed(order):
        store.record([played(pairing, (1, 2))])
    assert [row.match for row in store.snapshot(NOW).matches] == [pairing.match for pairing in order]


def test_a_match_is_recorded_once_and_a_batch_with_a_second_one_adds_nothing(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    accepted(store, "ann", "bob")
    first, second = pairings(store.secret, 1, [0, 1], 2)
    store.record([played(first, (1, 2))])
    with pytest.raises(StoreError, match="recorded already"):
        store.record([played(second, (1, 2)), played(first, (2, 1))])
    assert [row.seats[0].rank for row in store.snapshot(NOW).matches] == [1]
    assert store.recorded(1, [0, 1]) == {first.match}
    assert store.recorded(1, [0]) == store.recorded(2, [0, 1]) == frozenset()
    assert store.replays() == {f"replays/{first.match}.jsonl.gz"}
    assert store.isolations() == {"local": 1}


@pytest.mark.parametrize("statement", ["DELETE FROM {}", "UPDATE {} SET match = 'x'"])
@pytest.mark.parametrize("table", ["result", "seat", "fault", "void"])
def test_results_are_append_only(tmp_path: Path, statement: str, table: str) -> None:
    store = store_at(tmp_path)
    accepted(store, "ann", "bob")
    pairing = next(iter(pairings(store.secret, 1, [0, 1], 2)))
    store.record([played(pairing, (1, 2), (Fault(0, 1, FaultKind.LEFT, "gone"),))])
    store.record_void(pairing.match, "no engine", NOW)
    store.close()
    connection = sqlite3.connect(tmp_path / "competition.db")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement.format(table))
    connection.close()


def test_versions_of_a_name_rise_and_the_newest_accepted_one_plays(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    accepted(store, "red", "blue", "red")
    rejected = store.add(NewSubmission("red", "ann", "c", "f" * 64, ("./bot",), (), NOW))
    store.settle(rejected.number, Status.REJECTED, "it does not build", "line 1: error")
    snapshot = store.snapshot(NOW)
    assert [entrant.label for entrant in snapshot.entrants] == ["blue v1", "red v2"]
    assert rejected.version == 3
    last = snapshot.submissions[-1]
    assert (last.status, last.reason, last.log) == (Status.REJECTED, "it does not build", "line 1: error")


def test_the_secret_survives_and_differs_between_competitions(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = store_at(tmp_path / "one"), store_at(tmp_path / "two")
    assert len(one.secret) == 32
    assert one.secret != two.secret
    one.close()
    again = Store.open(f"sqlite:///{tmp_path / 'one' / 'competition.db'}")
    assert again.secret == one.secret
    again.close()


def test_a_database_of_another_version_is_refused_by_name(tmp_path: Path) -> None:
    store_at(tmp_path).close()
    path = tmp_path / "competition.db"
    connection = sqlite3.connect(path)
    connection.execute("UPDATE setting SET value = '99' WHERE key = 'schema'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=r"schema version 99, this harness .* reads version 1"):
        Store.open(f"sqlite:///{path}")


@pytest.mark.parametrize("change", ["UPDATE setting SET value = 'zz'", "DELETE FROM setting"])
def test_a_database_without_its_secret_is_refused(tmp_path: Path, change: str) -> None:
    store_at(tmp_path).close()
    path = tmp_path / "competition.db"
    connection = sqlite3.connect(path)
    connection.execute(f"{change} WHERE key = 'secret'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="is damaged: it holds no secret"):
        Store.open(f"sqlite:///{path}")


def test_what_is_no_competition_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is not there"):
        Store.open(f"sqlite:///{tmp_path / 'none.db'}")
    (tmp_path / "noise.db").write_bytes(b"noise" * 1000)
    with pytest.raises(StoreError, match="cannot be read"):
        Store.open(f"sqlite:///{tmp_path / 'noise.db'}")
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE t (x)").connection.close()
    with pytest.raises(StoreError, match="is not a competition's"):
        Store.open(f"sqlite:///{tmp_path / 'other.db'}")
    with pytest.raises(StoreError, match="is no database address"):
        Store.open("competition")
    with pytest.raises(StoreError, match="belongs to a competition already"):
        store_at(tmp_path).close()
        store_at(tmp_path)


def test_a_reader_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    accepted(store, "ann")
    writer = sqlite3.connect(tmp_path / "competition.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert len(store.snapshot(NOW).submissions) == 1
    writer.execute("ROLLBACK")
    writer.close()


def test_a_result_keeps_what_happened_and_by_which_rules(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    accepted(store, "ann", "bob")
    pairing = next(iter(pairings(store.secret, 1, [0, 1], 2)))
    recorded = played(pairing, (1, 2))
    result = replace(recorded.played.record.result, tally={"rounds": 4, "Oops played": 0})
    record = replace(recorded.played.record, result=result)
    store.record([replace(recorded, played=replace(recorded.played, record=record, game_digest="f" * 64))])
    (row,) = store.snapshot(NOW).matches
    assert dict(row.tally) == {"rounds": 4, "Oops played": 0}
    assert row.game_digest == "f" * 64


def test_the_digest_of_a_games_rules_changes_with_any_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "marshmallow_test"
    (package / "data").mkdir(parents=True)
    (package / "game.py").write_text("one")
    monkeypatch.setattr(games, "__file__", str(tmp_path / "__init__.py"))
    digests = []
    for path, content in (("game.py", "one"), ("game.py", "two"), ("data/cards.json", "[]"), ("data/more.json", "[]")):
        (package / path).write_text(content)
        digests.append(games.digest.__wrapped__("marshmallow-test"))
    assert len(set(digests)) == 4


def test_a_long_competition_goes_on_without_a_query_for_each_round(tmp_path: Path) -> None:
    config = Config(tmp_path, "marshmallow-test", 2)
    store = store_at(tmp_path)
    playing = accepted(store, "ann", "bob", "cy")
    numbers = [each.number for each in playing]
    rounds = 60
    pairs = [list(pairings(store.secret, number, numbers, 2)) for number in range(1, rounds + 1)]
    left_out = {pairs[40][3].match, pairs[-1][0].match}
    store.record([played(pair, [1, 2]) for row in pairs for pair in row if pair.match not in left_out])
    assert store.recorded_by_round(rounds, numbers) == {n: 5 if n in (41, rounds) else 6 for n in range(1, rounds + 1)}
    assert store.recorded_by_round(2, numbers[:2]) == {1: 2, 2: 2}
    asked = 0

    def count(*_: object) -> None:
        nonlocal asked
        asked += 1

    event.listen(store._engine, "before_cursor_execute", count)
    assert pipeline.remaining(config, store, rounds, playing) == (6 * rounds, 2)
    assert [pair.match for pair in pipeline.missing(config, store, rounds, playing)] == sorted(left_out)
    assert asked < 12
    (dee,) = accepted(store, "dee")
    assert pipeline.remaining(config, store, rounds, [*playing, dee]) == (12 * rounds, 6 * rounds + 2)
    store.close()
