"""The examples of docs/games/smores-wars.md are what the engine says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from referee.games.smores_wars.cards import ASSUMED_COPIES
from tests.games.smores_wars.positions import GAME
from tests.games.smores_wars.test_properties import match

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "games" / "smores-wars.md").read_text()
EXAMPLES: list[dict[str, Any]] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def shape(data: Any) -> Any:
    """Names and types, without values."""
    return {name: type(value) for name, value in data.items()}


def test_the_view_of_the_page_is_a_view() -> None:
    (view,) = [example for example in EXAMPLES if "stage" in example]
    assert GAME.view(GAME.imagine(view, 0, Random(0)), 0) == view


def test_every_event_and_action_stands_on_the_page_with_its_fields() -> None:
    shown = [example for example in EXAMPLES if "type" in example]
    met: dict[str, list[dict[str, Any]]] = {}
    for seed in range(60):
        for step in match(3 + seed % 3, seed):
            events = GAME.events(step.before, step.actions, step.after, None)
            for data in (*events, *(act.to_json() for act in step.actions.values())):
                met.setdefault(data["type"], []).append(shape(data))
    assert set(met) == {example["type"] for example in shown}
    for kind, shapes in met.items():
        written = [shape(example) for example in shown if example["type"] == kind]
        assert all(one in written for one in shapes), kind
        assert all(one in shapes for one in written), kind


def test_actions_of_the_page_can_be_read() -> None:
    before_events = PAGE[: PAGE.index("## Events")]
    blocks = re.findall(r"```json\n(.*?)```", before_events, re.DOTALL)
    actions = [data for block in blocks if "type" in (data := json.loads(block))]
    assert {data["type"] for data in actions} == {"select", "fight", "place", "stay", "move", "deal", "reveal"}
    for data in actions:
        assert GAME.read_action(data).to_json() == data


def test_the_assumed_table_of_the_rules_page_is_the_engines() -> None:
    rules = (DOCS / "rules" / "smores-wars.md").read_text()
    for name, copies in ASSUMED_COPIES.items():
        assert f"| {name.capitalize()} | {' | '.join(map(str, copies))} | {sum(copies)} |" in rules
