from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from leaderboard.model import Fault, Match, Seat
from leaderboard.stats import by_seat, cycles, fold, histogram, pairs_of, share, sitting_share
from leaderboard.views import fates, verdict

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def match(number: int, *placed: tuple[str, int], faults: tuple[Fault, ...] = ()) -> Match:
    seats = tuple(Seat(bot, 1, "d", rank, 0.0, 10.0, 5) for bot, rank in placed)
    return Match(f"m{number}", "g", 1, NOW, "finished", "over", seats, faults, 9, "1", "1")


@pytest.mark.parametrize(
    ("points", "played", "low", "high"),
    [
        # Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilsons(points: int, played: int, low: float, high: float) -> None:
    found = share(points, played)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_nothing_played_says_nothing() -> None:
    assert share(0, 0)[2:] == (0.0, 1.0)
    assert share(0, 0).value == 0.5


def test_points_of_a_match_with_a_tie() -> None:
    played = match(0, ("a", 1), ("b", 2), ("c", 2))
    assert [sitting_share(played, seat) for seat in range(3)] == [1.0, 0.25, 0.25]
    folded = fold([played])
    assert folded.pairs["a", "b"].points == 1
    assert folded.pairs["b", "c"].points == folded.pairs["c", "b"].points == 0.5
    assert folded.bots["b"].mean_rank == 2


def test_pairs_of_some_seats_are_those_of_all_when_all_count() -> None:
    matches = [match(0, ("a", 1), ("b", 2), ("c", 2)), match(1, ("c", 1), ("a", 1), ("a", 3))]
    assert pairs_of(matches, lambda _: True) == fold(matches).pairs
    found = pairs_of(matches, lambda seat: seat.rank < 3 and seat.bot != "b")
    assert {pair: (s.points, s.played) for pair, s in found.items()} == {("a", "c"): (1.5, 2), ("c", "a"): (0.5, 2)}


def test_the_points_of_all_bots_are_half_of_all_meetings() -> None:
    matches = [match(0, ("a", 1), ("b", 2), ("c", 3)), match(1, ("c", 1), ("b", 1), ("a", 3))]
    records = fold(matches).bots.values()
    assert sum(record.points for record in records) == sum(record.opponents for record in records) / 2


def test_a_bot_that_sits_twice_is_no_opponent_of_itself() -> None:
    folded = fold([match(0, ("a", 1), ("a", 2), ("b", 3))])
    assert set(folded.pairs) == {("a", "b"), ("b", "a")}
    assert folded.bots["a"].opponents == 2
    assert folded.bots["a"].matches == 2


def test_faults_go_to_the_bot_of_their_seat() -> None:
    folded = fold([match(0, ("a", 1), ("b", 2), faults=(Fault(1, 3, "crash", "x"), Fault(1, 1, "timeout", "y")))])
    assert dict(folded.bots["b"].faults) == {"crash": 1, "timeout": 1}
    assert not folded.bots["a"].faults


def test_seats_share_a_shared_first_place() -> None:
    rows = by_seat([match(0, ("a", 1), ("b", 1)), match(1, ("a", 1), ("b", 2))])
    assert [row.firsts.points for row in rows] == [1.5, 0.5]
    assert [row.share.points for row in rows] == [1.5, 0.5]


def beats(*links: tuple[str, str], times: int) -> list[Match]:
    return [match(n, (winner, 1), (loser, 2)) for winner, loser in links for n in range(times)]


def test_a_cycle_is_found_whichever_way_it_turns() -> None:
    for links in ((("a", "b"), ("b", "c"), ("c", "a")), (("a", "c"), ("c", "b"), ("b", "a"))):
        (found,) = cycles(["a", "b", "c", "d"], fold(beats(*links, times=9)).pairs)
        assert {(found.a, found.b), (found.b, found.c), (found.c, found.a)} == set(links)
        assert found.certain
        assert found.weakest == 1


def test_few_matches_make_no_certain_cycle() -> None:
    (found,) = cycles(["a", "b", "c"], fold(beats(("a", "b"), ("b", "c"), ("c", "a"), times=1)).pairs)
    assert not found.certain


def test_an_order_has_no_cycle() -> None:
    assert cycles(["a", "b", "c"], fold(beats(("a", "b"), ("b", "c"), ("a", "c"), times=9)).pairs) == ()


@pytest.mark.parametrize("values", [[5], [0, 1, 2], list(range(0, 1000, 7)), [3] * 50, [-4, 12]])
def test_a_histogram_counts_everything_once(values: list[int]) -> None:
    bins = histogram(values)
    assert sum(found.matches for found in bins) == len(values)
    assert len(bins) <= 26
    for found in bins:
        assert found.matches == sum(found.low <= value < found.high for value in values)
    assert all(one.high == two.low for one, two in pairwise(bins))


def test_no_values_no_bars() -> None:
    assert histogram([]) == ()


def test_a_seat_is_called_better_only_when_its_interval_says_so() -> None:
    even = [match(0, ("a", 1), ("b", 2)), match(1, ("a", 2), ("b", 1))]
    assert verdict(by_seat(even)).startswith("Not that")
    found = verdict(by_seat([match(n, ("a", 1), ("b", 2)) for n in range(20)]))
    assert found.startswith("By these matches seat 0 lies above and seat 1 lies below parity")


@pytest.mark.parametrize(
    ("policy", "kinds", "fate"),
    [
        ("strikes", (), "played to the end"),
        ("strikes", ("timeout",), "played to the end, 1 strike"),
        ("strikes", ("timeout", "illegal", "malformed"), "out: malformed answers"),
        ("strict", ("timeout",), "out: too late too often"),
        ("lenient", ("timeout",) * 9, "played to the end, 9 strikes"),
        ("lenient", ("timeout", "crash"), "out: it crashed"),
    ],
)
def test_each_seat_reads_how_it_ended(policy: str, kinds: tuple[str, ...], fate: str) -> None:
    faults = tuple(Fault(1, n, kind, "x") for n, kind in enumerate(kinds))
    assert fates(match(0, ("a", 1), ("b", 2), faults=faults), 3, policy) == ["first", fate]
