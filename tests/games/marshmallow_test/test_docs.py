"""The examples of the page for bot authors are what the engine really gives."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from referee.games.marshmallow_test import MarshmallowTest
from referee.games.marshmallow_test.actions import PLAY_OF
from referee.table import Step
from tests.games.marshmallow_test.deals import GAME
from tests.games.playing import at_random, play

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "marshmallow-test.md").read_text(encoding="utf-8")
BLOCKS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
VIEW, LEGAL, TRUMPS, DEAL, REVEALED = BLOCKS
INLINE = [json.loads(text) for text in re.findall(r"`(\{.*?\})`", PAGE)]


def test_view_legal_and_revealed_state_belong_together() -> None:
    state = GAME.imagine(VIEW, VIEW["seat"], Random(1))
    assert GAME.view(state, VIEW["seat"]) == VIEW
    assert [act.to_json() for act in GAME.legal(state, VIEW["turn"])] == LEGAL
    true = replace(state, hands=tuple(tuple(PLAY_OF[card] for card in hand) for hand in REVEALED["hands"]))
    assert GAME.reveal(true) == REVEALED


def test_every_field_of_the_view_is_explained() -> None:
    explained = re.findall(
        r"^\| `(\w+)` \| .* \| .* \|$", PAGE.partition("## The view")[2].partition("## Actions")[0], re.MULTILINE
    )
    assert explained == list(VIEW)


def test_chance_outcomes_and_actions_are_read() -> None:
    for data in (
        DEAL,
        *LEGAL,
        *TRUMPS,
        *(entry for entry in INLINE if entry["type"] in ("play", "trump") and len(entry) == 2),
    ):
        assert GAME.read_action(data).to_json() == data


def test_every_event_is_shown_as_it_comes() -> None:
    """Each type that occurs is in the table, with just the fields that it has there."""
    shown = {entry["type"]: list(entry) for entry in INLINE if entry["type"] in PAGE.partition("## Events")[2]}
    game = MarshmallowTest()
    seen: dict[str, list[str]] = {}
    steps: list[Step[Any, Any]] = [step for players in (3, 5) for step in play(game, players, 1, at_random(1))]
    for step in steps:
        for event in game.events(step.before, step.actions, step.after, 0):
            seen[event["type"]] = list(event)
    assert seen == {kind: shown[kind] for kind in seen}
    assert set(seen) == {"dealer", "deal", "trump", "play", "trick", "out", "round_over", "game_over"}
