"""Recorded matches under `tests/golden/<game>/`: `python -m tests.games.record GAME` plays and writes them anew.

A recording is JSON lines: a header, a line for each step with what was chosen, told and reached, and the end. Digests
stand for the whole state and for what every seat saw, so that no change of a game goes by unnoticed. Whoever means such
a change raises the game's `version` and records again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.game import CHANCE, Game, ranks
from referee.games import create
from referee.seeds import Streams
from referee.table import Step, Table
from tests.games.cases import Options, cases_of
from tests.games.playing import at_random, canonical, digest, play

GOLDEN = Path(__file__).parent.parent / "golden"


def header(game: Game[Any, Any], players: int, seed: int) -> dict[str, Any]:
    """What a recording begins with."""
    options = dict(game.options)
    return {"game": game.name, "version": game.version, "players": players, "options": options, "seed": seed}


def line(game: Game[Any, Any], step: Step[Any, Any], players: int) -> dict[str, Any]:
    """A step as a recording keeps it."""
    before, actions, after = step.before, step.actions, step.after
    return {
        "step": step.number,
        "acts": {"chance" if seat == CHANCE else str(seat): act.to_json() for seat, act in actions.items()},
        "text": game.tell(before, actions, after),
        "state": digest(game.reveal(after)),
        "views": digest(*(game.view(after, seat) for seat in range(players))),
        "events": digest(*game.events_by_seat(before, actions, after, players)),
        "legal": digest(*([a.to_json() for a in game.legal(after, s)] for s in game.to_act(after) if s != CHANCE)),
    }


def ending(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """What a recording ends with."""
    scores = game.scores(state)
    return {"scores": list(scores), "ranks": list(ranks(scores)), "reason": game.reason(state)}


def replayed(game: Game[Any, Any], recording: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The lines of a recording worked out again from its actions; nature's must be what the seed still draws."""
    head, *steps, _ = recording
    table = Table(game, head["players"], Streams(head["seed"]))
    yield header(game, head["players"], head["seed"])
    for kept in steps:
        acts = {
            CHANCE if seat == "chance" else int(seat): game.read_action(data) for seat, data in kept["acts"].items()
        }
        if CHANCE in acts:
            drawn = game.draw(table.state, table.stream)
            assert drawn == acts[CHANCE], f"step {kept['step']}: the seed draws {drawn}, recorded is {acts[CHANCE]}"
        yield line(game, table.replay(acts), head["players"])
    assert table.to_act() == (), "the recording stops before the game is over"
    yield ending(game, table.state)


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a recording."""
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


def recordings(name: str) -> list[Path]:
    """The recordings of a game."""
    return sorted((GOLDEN / name).glob("*.jsonl"))


def record(name: str) -> None:
    """Play one match at each number of players, and one with each variant of the options, and keep them."""
    plans: list[tuple[str, Options, int]] = [(f"{players}-players", {}, players) for players in create(name).seats]
    for number, options in enumerate(cases_of(name).variants):
        plans.append((f"variant-{number}", options, create(name).seats[-1]))
    folder = GOLDEN / name
    folder.mkdir(parents=True, exist_ok=True)
    for stem, options, players in plans:
        game = create(name, options)
        steps = play(game, players, 2026, at_random(2026))
        lines = [header(game, players, 2026), *(line(game, step, players) for step in steps)]
        lines.append(ending(game, steps[-1].after))
        path = folder / f"{stem}.jsonl"
        path.write_text("".join(canonical(entry) + "\n" for entry in lines), encoding="utf-8")
        print(f"{path.relative_to(GOLDEN.parent.parent)}: {len(steps)} steps")


if __name__ == "__main__":
    for given in sys.argv[1:]:
        record(given)
