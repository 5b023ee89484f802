from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from harness.cli import run
from referee import games, rebuild, replay


@pytest.mark.timeout(240)
def test_the_demonstration_plays_rates_and_publishes_and_is_quick_the_second_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.cli.demo.ROUNDS", 1)
    folder = tmp_path / "demo"
    began = time.monotonic()
    assert run(["demo", str(folder)]) == 0
    first = time.monotonic() - began
    out = capsys.readouterr().out
    assert "greedy v1" in out
    assert f"the site is in {folder / 'site' / 'index.html'}" in out
    replays = list(folder.glob("replays/*/*.gz"))
    assert len(replays) >= 3
    for path in replays:
        kept = replay.read(path)
        rebuild.verify(kept, games.create(kept.spec.game, kept.spec.options))
    table = json.loads((folder / "site" / "leaderboard.json").read_text())
    assert "greedy" in json.dumps(table)
    began = time.monotonic()
    assert run(["demo", str(folder)]) == 0
    assert time.monotonic() - began < first
    assert ", 0 to play" in capsys.readouterr().out
    assert list(folder.glob("replays/*/*.gz")) == replays


@pytest.mark.timeout(120)
def test_a_competition_is_published_where_one_wants_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cup = tmp_path / "cup"
    assert run(["init", str(cup), "--game", "marshmallow-test", "--sandbox", "local"]) == 0
    for name in ("ann", "bob"):
        assert run(["submit", "uniform", "-C", str(cup), "--name", name]) == 0
    assert run(["run", "-C", str(cup)]) == 0
    capsys.readouterr()
    assert run(["publish", "-C", str(cup)]) == 0
    assert run(["publish", "-C", str(cup), "--out", str(tmp_path / "www")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"the site is in {folder / 'index.html'}" for folder in (cup / "site", tmp_path / "www")
    ]
    assert (tmp_path / "www" / "index.html").read_bytes() == (cup / "site" / "index.html").read_bytes()
