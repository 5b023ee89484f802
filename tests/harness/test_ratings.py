from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
import trueskill

from harness.model import MatchRow, Snapshot
from harness.ratings import fold, history, table
from harness.schedule.round_robin import pairings
from referee.result import Ending, Fault, FaultKind
from tests.harness.competitions import NOW, accepted, played, store_at, stores_closed

__all__ = ["stores_closed"]
pytestmark = pytest.mark.usefixtures("stores_closed")


def snapshot(folder: Path, names: str = "abcd", seats: int = 3, seed: int = 1) -> Snapshot:
    """Random results, ties among them, recorded in random order."""
    dice = random.Random(seed)
    store = store_at(folder)
    accepted(store, *names)
    order = list(pairings(store.secret, 1, range(len(names)), seats))
    dice.shuffle(order)
    for pairing in order:
        scores = [dice.randint(0, 2) for _ in range(seats)]
        store.record([played(pairing, [1 + sum(other > score for other in scores) for score in scores])])
    return store.snapshot(NOW)


def test_ratings_are_those_of_the_package_for_a_free_for_all_with_ties(tmp_path: Path) -> None:
    recorded = snapshot(tmp_path)
    ratings = {entrant.number: trueskill.Rating() for entrant in recorded.entrants}
    for match in recorded.matches:
        numbers = [seat.submission for seat in match.seats]
        rated = trueskill.rate([(ratings[n],) for n in numbers], ranks=[seat.rank for seat in match.seats])
        ratings.update({number: rating for number, (rating,) in zip(numbers, rated, strict=True)})
    for line in table(recorded.matches, recorded.entrants):
        expected = ratings[line.submission.number]
        assert (line.mu, line.sigma) == (expected.mu, expected.sigma)
        assert line.conservative == expected.mu - 3 * expected.sigma
        assert line.matches == 9


def test_the_same_results_give_the_same_numbers(tmp_path: Path) -> None:
    recorded = snapshot(tmp_path)
    assert table(recorded.matches, recorded.entrants) == table(recorded.matches, recorded.entrants)
    last = history(recorded.matches)
    for line in table(recorded.matches, recorded.entrants):
        assert last[line.submission.number][-1][1:] == (line.mu, line.sigma)


def test_the_table_is_ranked_by_the_conservative_rating(tmp_path: Path) -> None:
    lines = table((recorded := snapshot(tmp_path, "abcdef", 2)).matches, recorded.entrants)
    assert [line.conservative for line in lines] == sorted((line.conservative for line in lines), reverse=True)
    assert lines[0].rank == 1


def test_bots_that_never_played_share_a_rank() -> None:
    store_lines = table((), ())
    assert store_lines == []


def one(folder: Path, ending: Ending) -> MatchRow:
    store = store_at(folder)
    accepted(store, "ann", "bob")
    pairing = next(iter(pairings(store.secret, 1, [0, 1], 2)))
    store.record([played(pairing, (2, 1), (Fault(0, 3, FaultKind.CRASH, "exit code 1"),), ending)])
    (row,) = store.snapshot(NOW).matches
    return row


def test_a_forfeit_is_rated_and_its_faults_are_counted(tmp_path: Path) -> None:
    row = one(tmp_path, Ending.FORFEIT)
    tallies = fold([row])
    loser, winner = (tallies[seat.submission] for seat in row.seats)
    assert winner.rating.mu > 25 > loser.rating.mu
    assert (loser.faults, winner.faults) == (1, 0)


def test_a_void_match_is_not_rated(tmp_path: Path) -> None:
    assert fold([one(tmp_path, Ending.VOID)]) == {}


def test_versions_of_a_bot_are_rated_apart(tmp_path: Path) -> None:
    recorded = snapshot(tmp_path, "ab", 2)
    renamed = [replace(entrant, name="same", version=index) for index, entrant in enumerate(recorded.entrants, 1)]
    assert {line.submission.version for line in table(recorded.matches, renamed)} == {1, 2}


@pytest.mark.parametrize("count", [1, 3])
def test_a_bot_without_matches_stands_at_the_start_value(tmp_path: Path, count: int) -> None:
    store = store_at(tmp_path)
    accepted(store, *"abc"[:count])
    lines = table((), store.snapshot(NOW).entrants)
    assert [(line.rank, line.matches, line.mean_rank) for line in lines] == [(1, 0, 0.0)] * count
