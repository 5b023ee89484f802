"""The suite that every game of the table passes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.games import GAMES, create, load
from tests.games.cases import Subject, cases_of
from tests.games.checks import CHECKS
from tests.games.record import read, recordings, replayed

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", GAMES)
def test_every_game(name: str, check: str) -> None:
    CHECKS[check](Subject(load(name), cases_of(name)))


@pytest.mark.parametrize("name", GAMES)
def test_two_processes_play_the_same(name: str) -> None:
    """A87: the same seed and actions give the same states in two processes that hash differently."""
    outputs = []
    for hash_seed in ("1", "2"):
        command = [sys.executable, "-m", "tests.games.playing", name]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        outputs.append(subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True))
    assert outputs[0].stdout == outputs[1].stdout
    assert len(outputs[0].stdout.split()) == len(create(name).seats)


@pytest.mark.parametrize("name", GAMES)
def test_recordings(name: str) -> None:
    """Every recorded match is worked out again from its actions alone, line by line the same."""
    paths = recordings(name)
    assert len(paths) >= len(create(name).seats), f"record matches of it: python -m tests.games.record {name}"
    for path in paths:
        kept = read(path)
        game = create(name, kept[0]["options"])
        again = f"{path.name} was recorded with another version: python -m tests.games.record {name}"
        assert kept[0]["version"] == game.version, again
        changed = "the same choices give another match: if that is meant, raise `version` and record again"
        for old, new in zip(kept, replayed(game, kept), strict=True):
            assert old == new, f"{path.name}: {changed}"


@pytest.mark.parametrize("name", GAMES)
def test_docs_and_baseline(name: str) -> None:
    """A game comes with its rules page, its page for bot authors, and what `greedy` does in it."""
    for path in (f"docs/rules/{name}.md", f"docs/games/{name}.md"):
        assert (ROOT / path).read_text(encoding="utf-8").startswith("# "), path
    assert (ROOT / "bots" / "baselines" / "greedy" / f"{name.replace('-', '_')}.py").is_file()
