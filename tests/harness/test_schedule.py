from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from harness.schedule import SCHEDULES
from harness.schedule.round_robin import pairings, set_rank, size

SECRET = bytes(range(32))

fields = st.sets(st.integers(0, 40), min_size=2, max_size=7).flatmap(
    lambda entrants: st.tuples(st.just(sorted(entrants)), st.integers(2, min(5, len(entrants))))
)


@given(fields)
def test_every_set_sits_in_every_rotation_and_everyone_has_every_seat_equally(field: tuple[list[int], int]) -> None:
    entrants, seats = field
    matches = list(pairings(SECRET, 1, entrants, seats))
    assert len(matches) == size(len(entrants), seats) == comb(len(entrants), seats) * seats
    groups: dict[str, list[tuple[int, ...]]] = {}
    for pairing in matches:
        groups.setdefault(pairing.group, []).append(pairing.seats)
    assert sorted(tuple(sorted(sat[0])) for sat in groups.values()) == sorted(combinations(entrants, seats))
    for sat in groups.values():
        assert {order[-index:] + order[:-index] for index in range(seats) for order in sat[:1]} == set(sat)
    places = Counter((number, seat) for pairing in matches for seat, number in enumerate(pairing.seats))
    assert set(places.values()) == {comb(len(entrants) - 1, seats - 1)}


@given(fields)
def test_seeds_are_equal_in_a_group_and_differ_between_groups_and_rounds(field: tuple[list[int], int]) -> None:
    """A76: never one seed for every match."""
    entrants, seats = field
    by_group: dict[str, set[int]] = {}
    for round_number in (1, 2, 3):
        for pairing in pairings(SECRET, round_number, entrants, seats):
            by_group.setdefault(pairing.group, set()).add(pairing.seed)
    assert all(len(seeds) == 1 for seeds in by_group.values())
    assert len({seed for seeds in by_group.values() for seed in seeds}) == len(by_group)


@given(fields)
def test_later_entrants_add_matches_and_change_none(field: tuple[list[int], int]) -> None:
    entrants, seats = field
    before = list(pairings(SECRET, 1, entrants, seats))
    after = list(pairings(SECRET, 1, [*entrants, 50, 51], seats))
    assert after[: len(before)] == before
    assert len({pairing.match for pairing in after}) == len(after)
    assert [pairing.order for pairing in after] == sorted(pairing.order for pairing in after)


def test_the_schedule_is_the_same_when_made_again_and_another_with_another_secret() -> None:
    once = list(pairings(SECRET, 2, range(5), 3))
    assert once == list(pairings(SECRET, 2, range(5), 3))
    other = list(pairings(bytes(32), 2, range(5), 3))
    assert [pairing.match for pairing in other] == [pairing.match for pairing in once]
    assert all(one.seed != two.seed for one, two in zip(once, other, strict=True))


def test_seeds_are_hard_to_guess() -> None:
    seeds = [pairing.seed for pairing in pairings(SECRET, 1, range(12), 2)]
    assert all(seed < 2**128 for seed in seeds)
    assert max(seeds) > 2**120


def test_ten_million_matches_start_at_once() -> None:
    """A61: nothing is made before it is asked for."""
    lazy = pairings(SECRET, 1, range(4_000), 2)
    assert len(list(islice(lazy, 10))) == 10


def test_places_of_sets_are_without_gaps_among_the_first_numbers() -> None:
    assert sorted(map(set_rank, combinations(range(7), 3))) == list(range(comb(7, 3)))


def test_the_table_of_schedules_names_the_round_robin() -> None:
    assert SCHEDULES["round-robin"] is pairings
