"""The bundled baselines as programs of their own: what they answer, how they end, and that greedy is worth its name."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.strength import share
from referee.games import GAMES, create
from tests.games.playing import at_random, play

BASELINES = Path(__file__).parents[2] / "bots" / "baselines"


def talk(folder: Path, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a baseline answers to these messages; it must then end by itself, with 0 and nothing on standard error."""
    manifest = tomllib.loads((folder / "bot.toml").read_text(encoding="utf-8"))
    command = [sys.executable, *manifest["command"][1:]]
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(command, cwd=folder, input=lines, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def start(game: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "start",
        "protocol": 1,
        "match": "m",
        "game": game,
        "seat": 0,
        "players": 2,
        "options": {},
        **fields,
    }


def decisions(name: str) -> list[dict[str, Any]]:
    """What seat 0 is asked in some random matches, without any field that a bot could do without."""
    game = create(name)
    asked: list[dict[str, Any]] = []
    for seed in range(3):
        for step in play(game, game.seats[-1], seed, at_random(seed)):
            legal = game.legal(step.before, 0) if 0 in game.to_act(step.before) else []
            if len(legal) > 1:
                listed = [action.to_json() for action in legal]
                asked.append(
                    {"type": "decide", "id": 3 * len(asked), "view": game.view(step.before, 0), "legal": listed}
                )
    return asked


@pytest.mark.parametrize("bot", ["uniform", "greedy"])
@pytest.mark.parametrize("name", GAMES)
def test_every_decision_gets_a_legal_answer(name: str, bot: str) -> None:
    """A88: also without `bot_seed`, `events`, `limits` and the like."""
    asked = decisions(name)
    ready, *answers = talk(
        BASELINES / bot, [start(name), *asked, {"type": "surprise"}, {"type": "end", "ranks": [1, 2]}]
    )
    assert ready == {"type": "ready"}
    assert [answer["id"] for answer in answers] == [message["id"] for message in asked]
    for answer, message in zip(answers, asked, strict=True):
        assert type(answer["choice"]) is int
        assert 0 <= answer["choice"] < len(message["legal"])


@pytest.mark.parametrize("bot", ["uniform", "greedy"])
def test_end_of_input_ends_it(bot: str) -> None:
    assert talk(BASELINES / bot, []) == []
    assert talk(BASELINES / bot, [start("marshmallow-test")]) == [{"type": "ready"}]


def test_uniform_follows_its_seed_and_nothing_else() -> None:
    legal = [{"type": "play", "card": f"R{rank}"} for rank in range(1, 8)]
    asked = [{"type": "decide", "id": number, "legal": legal} for number in range(700)]

    def choices(seed: int | None) -> list[int]:
        return [answer["choice"] for answer in talk(BASELINES / "uniform", [start("any", bot_seed=seed), *asked])[1:]]

    once = choices(12345678901234567890)
    assert once == choices(12345678901234567890)
    assert once != choices(5)
    assert set(choices(None)) == set(range(7))
    assert all(60 <= once.count(choice) <= 140 for choice in range(7)), "about 100 each"


def test_greedy_says_what_it_does_not_know() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "main.py"],
        cwd=BASELINES / "greedy",
        input=json.dumps(start("chess")) + "\n",
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "greedy does not know the game chess\n"


@pytest.mark.parametrize("bot", ["uniform", "greedy"])
def test_the_slow_reader_reads_the_same(bot: str, tmp_path: Path) -> None:
    """Where Python has no `_json`, the baselines fall back on `json`."""
    without = tmp_path / bot
    shutil.copytree(BASELINES / bot, without)
    script = (without / "main.py").read_text(encoding="utf-8")
    assert "from _json import" in script
    (without / "main.py").write_text(
        script.replace("from _json import", "from no_such_module import"), encoding="utf-8"
    )
    messages = [start("marshmallow-test", bot_seed=1), *decisions("marshmallow-test")]
    once, again = talk(BASELINES / bot, messages), talk(without, messages)
    assert once == again
    assert len(once) > 50


@pytest.mark.parametrize("name", GAMES)
def test_greedy_beats_uniform(name: str) -> None:
    """A short form of `python -m benchmarks.strength`: the whole 95 % interval lies above an even share."""
    players = Random(name).choice(create(name).seats)
    _, low, _, _ = share(name, players, 60)
    assert low > 1 / players
