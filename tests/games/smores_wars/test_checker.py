"""Two readings of the rules agree: the engine, and a program written from the pages alone."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import given, settings

from referee.game import CHANCE
from tests.games.record import read, recordings
from tests.games.smores_wars import checker
from tests.games.smores_wars.positions import GAME
from tests.games.smores_wars.test_properties import SEATS, SEEDS, match


@settings(max_examples=60, deadline=None)
@given(SEATS, SEEDS)
def test_the_checker_follows_every_match(seats: int, seed: int) -> None:
    view = checker.beginning(seats)
    for step in match(seats, seed):
        assert GAME.view(step.before, 0) == view
        for seat in GAME.to_act(step.before):
            if seat != CHANCE:
                assert [act.to_json() for act in GAME.legal(step.before, seat)] == checker.legal(view, seat)
        checker.step(view, {seat: act.to_json() for seat, act in step.actions.items()})
        assert GAME.view(step.after, 0) == view


@pytest.mark.parametrize(
    ("stage", "acts"),
    [
        pytest.param("deal", {-1: {"type": "deal", "tiebreakers": ["smash", "smash", "splat"]}}, id="one twice"),
        pytest.param("deal", {-1: {"type": "deal", "tiebreakers": ["smash", "splat", "toast"]}}, id="not in use"),
        pytest.param("reveal", {-1: {"type": "reveal", "cards": ["G1", "C1"]}}, id="a place left empty"),
        pytest.param("reveal", {-1: {"type": "reveal", "cards": ["C1", "G1", "M1"]}}, id="out of order"),
        pytest.param("reveal", {-1: {"type": "reveal", "cards": ["G1", "C5", "M1"]}}, id="none of it left"),
        pytest.param("select", {0: {"type": "select", "token": "graham"}}, id="seats missing"),
        pytest.param(
            "select", {seat: {"type": "select", "token": "smorage"} for seat in range(3)}, id="nothing stored"
        ),
        pytest.param("over", {0: {"type": "stay"}}, id="after the end"),
    ],
)
def test_the_checker_refuses_what_may_not_be(stage: str, acts: dict[int, checker.Record]) -> None:
    view = checker.beginning(3)
    view["stacks"]["C5"] = 0
    view["stage"] = stage
    before = deepcopy(view)
    with pytest.raises(ValueError, match=f"{stage}: "):
        checker.step(view, acts)
    assert view == before


def test_the_checker_gives_recorded_matches_their_scores() -> None:
    paths = recordings(GAME.name)
    assert paths
    for path in paths:
        head, *steps, end = read(path)
        view = checker.beginning(head["players"])
        for step in steps:
            checker.step(view, {-1 if seat == "chance" else int(seat): act for seat, act in step["acts"].items()})
        assert view["stage"] == "over"
        assert [player["score"] for player in view["players"]] == end["scores"]
