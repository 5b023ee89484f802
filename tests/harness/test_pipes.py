"""Output whose reader has gone: a command ends quietly, and what it had recorded stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness import config
from harness.cli import READER_GONE, run
from harness.store import Store
from referee import replay

GAME = "marshmallow-test"
HARNESS = (sys.executable, "-m", "harness")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A competition with two bots, and a replay."""
    folder = tmp_path_factory.mktemp("pipes")
    assert run(["init", str(folder / "cup"), "--game", GAME, "--sandbox", "local"]) == 0
    for bot in ("uniform", "greedy"):
        assert run(["submit", bot, "-C", str(folder / "cup")]) == 0
    assert run(["play", GAME, "uniform", "uniform", "--replays", str(folder), "--seed", "1"]) == 0
    next(folder.glob("*.gz")).rename(folder / "match.jsonl.gz")
    return folder


COMMANDS = [
    "--help",
    "play --help",
    "games",
    "doctor --json",
    "replay show match.jsonl.gz",
    "replay states match.jsonl.gz",
    "replay verify match.jsonl.gz",
    "replay feed match.jsonl.gz --seat 0",
    f"check uniform --game {GAME}",
    "run -C cup",
    "standings -C cup",
    "standings -C cup --json",
    "publish -C cup",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_output_ends_a_command_quietly(command: str, folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*HARNESS, *command.split()], cwd=folder, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writing)
    assert done.returncode == READER_GONE == 141
    assert not [line for line in done.stderr.splitlines() if "unconfined" not in line]


def test_nobody_reading_what_went_wrong_is_no_fault_either(folder: Path) -> None:
    for command in ("no-such-command", "standings -C nowhere"):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            done = subprocess.run([*HARNESS, *command.split()], cwd=folder, stderr=writing, check=False)
        finally:
            os.close(writing)
        assert done.returncode == READER_GONE


def test_matches_that_have_ended_are_recorded_when_the_reader_goes(tmp_path: Path) -> None:
    words = [*HARNESS, "play", GAME, "uniform", "uniform", "--matches", "40", "--jobs", "2", "--json"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as playing:
        assert playing.stdout is not None
        assert playing.stderr is not None
        first = json.loads(playing.stdout.readline())
        playing.stdout.close()
        said = playing.stderr.read()
    assert playing.returncode == READER_GONE
    assert "Traceback" not in said
    kept = [json.loads(line) for line in (tmp_path / "replays/results.jsonl").read_text().splitlines()]
    assert 2 <= len(kept) < 40
    assert first in kept
    assert all(replay.read(tmp_path / match["replay"]) for match in kept)


def test_a_run_whose_reader_goes_keeps_its_matches_and_goes_on(folder: Path) -> None:
    cup = folder / "cup"
    words = [*HARNESS, "run", "-C", str(cup), "--rounds", "20"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as playing:
        assert playing.stderr is not None
        while not playing.stderr.readline().startswith("3 of"):
            pass
        playing.stderr.close()
    assert playing.returncode == READER_GONE
    store = Store.open(config.read(cup).database_url)
    recorded = store.snapshot("now").matches
    store.close()
    assert 3 <= len(recorded) < 40
    assert all(replay.read(cup / row.replay).digest == row.replay_digest for row in recorded)
    assert run(["run", "-C", str(cup), "--rounds", "2"]) == 0


def test_another_pipe_that_breaks_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(_name: str) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("referee.games.load", broken)
    monkeypatch.setattr("harness.cli._reader_gone", lambda: False)
    assert run(["games"]) == 1
    assert capsys.readouterr().err == "harness: Broken pipe\n"
