"""The page for bot authors is complete and current."""

from __future__ import annotations

import json
import re

import pytest

from referee.games.monster_smash.actions import SHAPES
from referee.games.monster_smash.cards import CARD_NO
from referee.games.monster_smash.events import KINDS
from referee.games.monster_smash.stages import PROGRAMS
from tests.games.monster_smash.positions import GAME, Position
from tests.games.monster_smash.reference import PAGE, renewed

PAGE_TEXT = PAGE.read_text(encoding="utf-8")
RULES_TEXT = (PAGE.parent.parent / "rules" / PAGE.name).read_text(encoding="utf-8")


def test_the_card_reference_is_current() -> None:
    assert renewed(PAGE_TEXT) == PAGE_TEXT, "run python -m tests.games.monster_smash.reference"


@pytest.mark.parametrize("kind", SHAPES)
def test_every_action_has_an_example(kind: str) -> None:
    assert f'{{"type": "{kind}"' in PAGE_TEXT


@pytest.mark.parametrize("kind", KINDS)
def test_every_event_is_listed_with_its_fields(kind: str) -> None:
    fields = ", ".join(f"`{name}`" for name, _ in KINDS[kind].fields)
    assert f"| `{kind}` | {fields} |" in PAGE_TEXT


def test_every_field_of_the_view_is_listed_and_in_the_example() -> None:
    p = Position("the-hill", "crypt")
    host = p.minion(0, "the-count", "the-hill")
    p.on_minion(0, "opportunist", host)
    p.on_base(0, "full-moon", "the-hill")
    view = GAME.view(p.s, 0)
    (example,) = [json.loads(text) for text in re.findall(r"```json\n(\{\"turn\".*?)```", PAGE_TEXT, re.DOTALL)]
    base, minion = view["bases"][0], view["bases"][0]["minions"][0]
    shown = example["bases"][0]
    pairs = (
        (view, example),
        (view["players"][0], example["players"][0]),
        (base, shown),
        (minion, shown["minions"][0]),
        (base["actions"][0], shown["actions"][0]),
    )
    for real, told in pairs:
        assert list(real) == list(told)
        for name in real:
            assert f"`{name}`" in PAGE_TEXT


def test_every_effect_of_the_engine_is_listed() -> None:
    own = [name for name, steps in PROGRAMS.items() if "/" not in name and f"`{name}`" not in PAGE_TEXT]
    assert not own


@pytest.mark.parametrize("ruling", range(1, 39))
def test_every_ruling_stands_on_the_rules_page(ruling: int) -> None:
    assert f"R-{ruling:02d}" in RULES_TEXT


def test_the_example_of_events_is_what_happens() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "the-count", "the-hill")
    p.minion(1, "howler", "the-hill")
    p.hand(0, "dinner-date").play("dinner-date")
    (example,) = [
        json.loads(text) for text in re.findall(r"```json\n(\[\{\"type\": \"play\".*?)```", PAGE_TEXT, re.DOTALL)
    ]
    assert p.told == example


def test_ids_on_the_page_are_made_as_it_says() -> None:
    found = re.findall(r'"id": (\d+), "card": "([a-z-]+)", "owner": (\d)', PAGE_TEXT)
    assert len(found) > 5
    for number, card, seat in found:
        assert int(number) % 4096 == CARD_NO[card] * 4 + int(seat)
