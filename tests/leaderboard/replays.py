"""Replays to watch: whole matches of any game, played in this process by the baselines' rules of thumb."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from referee.games import create
from referee.match import play
from referee.replay import Writer
from referee.result import Entrant, MatchSpec
from tests.doubles import Answerer, FixedClock, ScriptedChannels, Timed

Choose = Callable[[dict[str, Any], dict[str, Any], list[dict[str, Any]]], int]


def greedy(game: str) -> Choose:
    """What the baseline would choose."""
    module = import_module(f"bots.baselines.greedy.{game.replace('-', '_')}")
    choose: Choose = module.choose
    return choose


def bot(choose: Choose, note: str = "", wrong_at: int = -1) -> Answerer:
    """A bot with a note on every decision and an illegal answer to the one numbered `wrong_at`."""
    start: dict[str, Any] = {}
    asked = [0]

    def answer(_number: int, line: bytes) -> Sequence[Timed]:
        message = json.loads(line)
        if message["type"] == "start":
            start.update(message)
            return [(1, b'{"type":"ready"}\n')]
        if message["type"] != "decide":
            return ()
        asked[0] += 1
        choice = -5 if asked[0] == wrong_at else choose(start, message["view"], message["legal"])
        said = {"type": "choice", "id": message["id"], "choice": choice, **({"note": note} if note else {})}
        return [(1.5, json.dumps(said).encode() + b"\n")]

    return answer


def record(
    folder: Path,
    game: str,
    players: int,
    *,
    names: Sequence[str] = (),
    note: str = "",
    wrong_at: int = -1,
    seed: int = 7,
) -> Path:
    """The replay of a match between the baseline and itself, under names of one's choice."""
    path = folder / f"{game}-{players}.jsonl.gz"
    called = names or [f"{game[0]}-bot-{seat}" for seat in range(players)]
    spec = MatchSpec("m1", "g1", game, {}, tuple(Entrant(name, 1, f"author of {name}") for name in called), seed)
    clock = FixedClock()
    bots = [bot(greedy(game), note, wrong_at if seat == 0 else -1) for seat in range(players)]
    play(spec, create(game, {}), ScriptedChannels(clock, bots), Writer(path, "test"), clock=clock)
    return path
