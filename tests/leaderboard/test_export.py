from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness import export, ratings
from harness.config import Config
from harness.model import Pairing
from harness.schedule.round_robin import pairings
from harness.store import Store
from harness.store.store import Recorded
from leaderboard.publish import publish
from referee.result import Fault, FaultKind
from tests.harness.competitions import NOW, accepted, played, store_at, stores_closed

__all__ = ["stores_closed"]
pytestmark = pytest.mark.usefixtures("stores_closed")

SECRET_WORDS = "AttributeError: the-authors-own-stderr"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(folder=tmp_path, game="marshmallow-test", players=2, title="A cup")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = store_at(tmp_path)
    accepted(made, "ann", "bob", "cid")
    return made


def schedule(store: Store) -> list[Pairing]:
    return list(pairings(store.secret, 1, [0, 1, 2], 2))


def test_a_match_appears_once_its_whole_deal_group_is_recorded(store: Store, config: Config) -> None:
    first, second, third, *_ = schedule(store)
    store.record([played(first, (1, 2)), played(second, (1, 2)), played(third, (1, 2))])
    site = export.site(config, store.snapshot(NOW), {})
    assert [match.id for match in site.matches] == [first.match, second.match]
    assert site.pending == 4
    assert sum(version.rating is not None for bot in site.bots for version in bot.versions) == 2


def test_nothing_of_an_open_group_changes_what_is_published(store: Store, config: Config) -> None:
    first, second, third, *_ = schedule(store)
    store.record([played(first, (1, 2)), played(second, (1, 2))])
    before = export.site(config, store.snapshot(NOW), {})
    store.record([played(third, (2, 1))])
    assert export.site(config, store.snapshot("2031-01-01T00:00:00Z"), {}) == before


def test_ratings_ranks_and_histories_are_those_of_the_table(store: Store, config: Config) -> None:
    store.record([played(pairing, (1, 2)) for pairing in schedule(store)])
    snapshot = store.snapshot(NOW)
    site = export.site(config, snapshot, {})
    for line in ratings.table(snapshot.matches, snapshot.entrants):
        bot = next(bot for bot in site.bots if bot.name == line.submission.name)
        assert bot.rank == line.rank
        assert bot.current.rating is not None
        assert (bot.current.rating.mu, bot.current.rating.sigma) == (line.mu, line.sigma)
        assert bot.current.history[-1][1:] == (line.mu, line.sigma)
    assert site.pending == 0
    assert [entry.finished is not None for entry in site.rounds] == [True]


def test_of_a_fault_the_site_gets_kind_step_and_our_sentence_alone(
    store: Store, config: Config, tmp_path: Path
) -> None:
    first, second, *_ = schedule(store)
    fault = Fault(1, 7, FaultKind.CRASH, "the process ended with code 1", SECRET_WORDS, SECRET_WORDS, exit_code=1)
    store.record([played(first, (1, 2), (fault,)), played(second, (1, 2))])
    site = export.site(config, store.snapshot(NOW), {})
    assert [tuple(found) for found in site.matches[0].faults] == [(1, 7, "crash", "the process ended with code 1")]
    publish(site, tmp_path / "site")
    published = b"".join(path.read_bytes() for path in (tmp_path / "site").rglob("*") if path.is_file())
    assert b"the process ended with code 1" in published
    assert SECRET_WORDS.encode() not in published
    assert store.secret.hex().encode() not in published


def test_the_newest_accepted_version_stands_in_the_table_and_old_ones_on_the_bots_page(
    store: Store, config: Config
) -> None:
    store.record([played(pairing, (1, 2)) for pairing in schedule(store)])
    accepted(store, "ann")
    ann = next(bot for bot in export.site(config, store.snapshot(NOW), {}).bots if bot.name == "ann")
    assert [(version.number, version.status) for version in ann.versions] == [(1, "replaced"), (2, "plays")]
    assert ann.current.rating is None
    assert ann.rank is None


def test_a_row_of_the_leaderboard_is_of_one_version_as_the_standings_are(
    store: Store, config: Config, tmp_path: Path
) -> None:
    store.record([played(pairing, (1, 2)) for pairing in schedule(store)])
    accepted(store, "ann")
    store.record([played(pairing, (2, 1)) for pairing in pairings(store.secret, 2, [1, 2, 3], 2)])
    snapshot = store.snapshot(NOW)
    publish(export.site(config, snapshot, {}), tmp_path / "site")
    told = json.loads((tmp_path / "site" / "leaderboard.json").read_text())["bots"]
    expected = [
        (line.submission.name, line.submission.version, line.matches, round(line.mean_rank, 4))
        for line in ratings.table(snapshot.matches, snapshot.entrants)
    ]
    assert [(bot["bot"], bot["version"], bot["matches"], bot["mean_rank"]) for bot in told] == expected
    assert {bot["bot"]: bot["matches"] for bot in told} == {"ann": 4, "bob": 8, "cid": 8}
    assert all(sum(bot["places"].values()) == bot["matches"] for bot in told)


def test_a_replay_that_is_gone_is_not_offered(store: Store, config: Config, tmp_path: Path) -> None:
    first, second, *_ = schedule(store)
    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / f"{first.match}.jsonl.gz").write_bytes(b"replay")
    store.record([played(first, (1, 2)), played(second, (1, 2))])
    matches = export.site(config, store.snapshot(NOW), {}).matches
    assert [match.replay and match.replay.size for match in matches] == [6, None]


def test_what_the_organiser_says_of_the_competition_reaches_the_site(store: Store, config: Config) -> None:
    said = replace(
        config, organiser="Ann", contact="ann@example.org", about="One.\nTwo.", address="https://cup.example/"
    )
    told = export.site(said, store.snapshot(NOW), {}).competition
    assert (told.organiser, told.contact, told.about) == ("Ann", "ann@example.org", "One.\nTwo.")
    assert told.address == "https://cup.example"


def test_a_competition_with_nothing_in_it_has_a_site(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    site = export.site(Config(tmp_path, "marshmallow-test", 2), store.snapshot(NOW), {"protocol.md": "# The protocol"})
    assert publish(site, tmp_path / "site").written > 10
    assert [document.title for document in site.documents] == ["The protocol"]


def test_a_later_snapshot_of_more_matches_has_another_name(store: Store, config: Config) -> None:
    first, second, third, fourth, *_ = schedule(store)
    store.record([played(first, (1, 2)), played(second, (1, 2))])
    one = export.site(config, store.snapshot(NOW), {})
    store.record([played(third, (1, 2)), replace(played(fourth, (1, 2)), played_at="2030-01-02T00:00:00Z")])
    two = export.site(config, store.snapshot(NOW), {})
    assert one.snapshot != two.snapshot
    assert two.made > one.made


@pytest.mark.parametrize(("line", "pages"), [("", 2), ("watchable = 1\n", 1), ("watchable = 0\n", 0)])
def test_a_damaged_replay_does_not_keep_the_site_back(tmp_path: Path, line: str, pages: int) -> None:
    folder = tmp_path / "cup"
    (folder / "replays").mkdir(parents=True)
    (folder / "competition.toml").write_text(f'game = "marshmallow-test"\nplayers = 2\n{line}')
    store = store_at(folder)
    accepted(store, "ann", "bob")
    for pairing in pairings(store.secret, 1, [0, 1], 2):
        (folder / "replays" / f"{pairing.match}.jsonl.gz").write_bytes(b"no replay")
        store.record([played(pairing, (1, 2))])
    store.close()
    export.publish(folder, tmp_path / "site")
    for path in (tmp_path / "site" / "watch").rglob("*.html"):
        assert "cannot be drawn" in path.read_text("utf-8")
    assert len(list((tmp_path / "site" / "watch").rglob("*.html"))) == pages


def test_files_for_machines_join_by_bot_and_version_and_a_reason_names_bots(
    store: Store, config: Config, tmp_path: Path
) -> None:
    store.record([won(played(pairing, (2, 1))) for pairing in schedule(store)])
    accepted(store, "ann")
    store.record([won(played(pairing, (2, 1))) for pairing in pairings(store.secret, 2, [1, 2, 3], 2)])
    publish(export.site(config, store.snapshot(NOW), {}), tmp_path / "site")
    table = json.loads((tmp_path / "site" / "leaderboard.json").read_text())["bots"]
    matches = [json.loads(line) for line in (tmp_path / "site" / "matches.jsonl").read_text().splitlines()]
    rows = {(bot["bot"], bot["version"]): bot for bot in table}
    sat = [(seat["bot"], seat["version"]) for match in matches for seat in match["seats"]]
    assert {key: sat.count(key) for key in rows} == {key: bot["matches"] for key, bot in rows.items()}
    assert set(sat) - set(rows) == {("ann", 1)}
    for match in matches:
        assert match["reason"] == f"{match['seats'][1]['bot']} reached 21 points"


def won(recorded: Recorded) -> Recorded:
    record = recorded.played.record
    result = replace(record.result, reason="seat 1 reached 21 points")
    return replace(recorded, played=replace(recorded.played, record=replace(record, result=result)))


def test_submissions_are_found_by_their_numbers_whatever_is_missing_before_them(store: Store, config: Config) -> None:
    last = [each.number for each in store.submissions()][1:]
    store.record([played(pairing, (1, 2)) for pairing in pairings(store.secret, 1, last, 2)])
    snapshot = store.snapshot(NOW)
    kept = tuple(replace(each, digest=each.name * 16) for each in snapshot.submissions if each.number in last)
    site = export.site(config, replace(snapshot, submissions=kept), {})
    assert {(seat.bot, seat.digest) for match in site.matches for seat in match.seats} == {
        (each.name, each.digest) for each in kept
    }
