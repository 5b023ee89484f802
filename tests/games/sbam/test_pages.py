"""The pages about Sbam! say what the engine does: their examples are worked out, and no ruling is left out."""

from __future__ import annotations

import json
import re
from pathlib import Path

from referee.game import CHANCE
from referee.games.sbam.actions import MOVES, Drawn
from referee.games.sbam.cards import COPIES

from .positions import GAME, at_tick, cards, step, told
from .test_rounds import two_ticks

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "games" / "sbam.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
LAST_RULING = 52


def test_the_view_of_the_page() -> None:
    assert json.loads(BLOCKS[0]) == GAME.view(two_ticks(), 2)


def test_the_actions_of_the_page() -> None:
    hand = at_tick(["R3 B2 Sbam", "R1 R1 Y2"])
    assert json.loads(BLOCKS[1]) == [action.to_json() for action in GAME.legal(hand, 0)]
    kinds = {json.loads(text)["type"] for text in re.findall(r'^\| `(\{"type".*?\})` \|', PAGE, re.MULTILINE)}
    assert kinds == {move.kind for move in MOVES}
    drawn = Drawn((cards("R3 B2 Sbam"), cards("R1 R1 Y2"), cards("Y3 Y3 Oops")))
    assert json.loads(BLOCKS[2]) == drawn.to_json()


def test_the_events_of_the_page() -> None:
    shown = [json.loads(text) for text in re.split(r"\n(?=\{\"type\")", BLOCKS[3].strip())]
    start = GAME.start(3)
    deal = {CHANCE: GAME.read_action(json.loads(BLOCKS[2]))}
    window = two_ticks()
    last = at_tick(["Sbam R1 R2", "R1 R2 R3", ""], damage=(4, 0, 5), left={1: "R1"}, right={1: "R1"})
    ended = told(step(last, "Sbam 1", "R2 left"), "decline")
    before = at_tick(["R1 R2 R3", "Sbam B1 B2", "Y1 Y2 Y3"])
    seen = [
        *GAME.events(start, deal, GAME.apply(start, deal), 0),
        {"type": "tick", "round": 1, "tick": 2, "moves": ["sbam 1", "y2 left", "y3 right"]},
        {"type": "sbam", "calls": [{"seat": 0, "count": 1}], "window": [1, 2]},
        *told(window, "decline", "oops"),
        *told(window, "decline", "decline"),
    ]
    assert shown[: len(seen)] == seen
    assert [(event["type"], sorted(event)) for event in shown[len(seen) :]] == [
        (event["type"], sorted(event)) for event in ended[2:]
    ]
    kinds = {event["type"] for event in (*seen, *ended, *told(before, "R1 left", "Sbam 1", "Y1 left"))}
    assert {event["type"] for event in shown} == kinds
    assert GAME.marks == set(re.findall(r"^\| `(\w+)` \(time line\)", PAGE, re.MULTILINE))


def test_the_order_of_the_deck_is_that_of_the_page() -> None:
    """Hands, piles and `legal` go by it."""
    (paragraph,) = re.findall(r"^\*\*Cards\*\*: (.*?)order of the deck\.$", PAGE, re.MULTILINE | re.DOTALL)
    named = re.sub(r"`(\w)1` to `\w3`", r"`\g<1>1` `\g<1>2` `\g<1>3`", paragraph)
    assert re.findall(r"`([^`]+)`", named) == list(COPIES)


def test_fields_of_the_view_are_all_explained() -> None:
    explained = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", PAGE, re.MULTILINE))))
    assert set(GAME.view(two_ticks(), 2)) <= explained


def test_every_ruling_is_quoted_where_it_is_settled() -> None:
    engine = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "referee" / "games" / "sbam").glob("*.py"))
    rules = (ROOT / "docs" / "rules" / "sbam.md").read_text(encoding="utf-8")
    wanted = {f"B-R{number}" for number in range(1, LAST_RULING + 1)}
    for text in (engine, rules):
        assert wanted == set(re.findall(r"B-R\d+", text))
