"""Two readings of the rules agree: the engine, and a program written from the pages alone."""

from __future__ import annotations

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
