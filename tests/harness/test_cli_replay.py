from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from harness.cli import run
from referee import replay
from tests.harness import rogues

GAME = "marshmallow-test"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


@pytest.fixture(scope="module")
def file(folder: Path) -> Path:
    """The replay of a match with hostile notes in it."""
    noisy = folder / "noisy.py"
    noisy.write_text(rogues.ROGUES["honest"].replace("'choice': 0", "'choice': 0, 'note': 'a\\x1b[2Jb'"))
    words = [GAME, str(noisy), "uniform", "--seed", "5", "--replays", str(folder)]
    assert run(["play", *words]) == 0
    (found,) = folder.glob("*.gz")
    return found


def edited(file: Path, folder: Path, change: Callable[[list[dict[str, Any]]], object], *, sign: bool = True) -> Path:
    """A copy with changed lines; signed again, as a forger would, unless told not to."""
    rows = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    change(rows)
    lines = [json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows]
    if sign:
        rows[-1]["end"]["lines"] = sha256(b"".join(lines[:-1])).hexdigest()
        lines[-1] = json.dumps(rows[-1], separators=(",", ":")).encode() + b"\n"
    path = folder / "edited.jsonl.gz"
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


def test_show_tells_the_whole_match_and_is_safe_to_print(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "show", str(file)]) == 0
    out = capsys.readouterr().out
    read = replay.read(file)
    assert all(step["text"] in out for step in read.steps)
    assert "seat 0: noisy v1" in out
    assert "notes: a\\x1b[2Jb" in out
    assert "\x1b" not in out
    assert read.end["reason"] in out


def test_verify_holds_for_a_true_replay(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "verify", str(file)]) == 0
    assert f"{len(replay.read(file).steps)} steps, it holds" in capsys.readouterr().out


def last_move(rows: list[dict[str, Any]]) -> dict[str, Any]:
    row = next(
        row for row in reversed(rows[:-1]) if "acts" in row and any(not a["forced"] for a in row["acts"].values())
    )
    act: dict[str, Any] = next(act for act in row["acts"].values() if not act["forced"])
    return act


FORGERIES: dict[str, tuple[Callable[[list[dict[str, Any]]], object], bool, str]] = {
    "a choice": (lambda rows: last_move(rows).update(choice=last_move(rows)["choice"] + 1), True, "differs"),
    "the winner": (lambda rows: rows[-1]["end"].update(ranks=rows[-1]["end"]["ranks"][::-1]), True, "the end differs"),
    "the seed": (lambda rows: rows[0].update(seed=str(int(rows[0]["seed"]) + 1)), True, "differs: the seed draws"),
    "a text": (lambda rows: rows[3].update(text="seat 0 cheats"), True, "step 2 differs"),
    "unsigned": (lambda rows: rows[3].update(text="seat 0 cheats"), False, "was edited"),
    "a missing step": (lambda rows: rows.pop(4), True, "was edited"),
    "a newer format": (lambda rows: rows[0].update(replay=2), True, "has replay format 2"),
    "another game version": (lambda rows: rows[0].update(game_version="99"), True, "is of version 99"),
    "an unknown game": (lambda rows: rows[0].update(game="chess"), True, "there is no game 'chess'"),
    "no header": (lambda rows: rows.pop(0), True, "has replay format None"),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_verify_names_what_differs(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str) -> None:
    """A99: a reader that does not know a format or a game says so by name."""
    change, sign, said = FORGERIES[what]
    bad = edited(file, tmp_path, change, sign=sign)
    assert run(["replay", "verify", str(bad)]) == 1
    out = capsys.readouterr()
    assert said in out.err
    assert len(out.err.splitlines()) == 1
    assert str(bad) in out.err or "no game" in out.err


@pytest.mark.parametrize("command", [["show"], ["verify"], ["states"], ["feed", "--seat", "0"]])
def test_a_file_that_is_no_whole_replay_is_refused(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    cut = tmp_path / "cut.jsonl.gz"
    for data, said in (
        (file.read_bytes()[:200], "is truncated"),
        (gzip.compress(gzip.decompress(file.read_bytes())[:-40]), "is truncated"),
        (b"", "is truncated"),
        (b"no replay at all", "is not a replay"),
        (gzip.compress(b"[1]\n"), "is not an object"),
    ):
        cut.write_bytes(data)
        assert run(["replay", *command, str(cut)]) == 1
        err = capsys.readouterr().err
        assert said in err
        assert "Traceback" not in err
    assert run(["replay", *command, str(tmp_path / "none")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_several_replays_are_verified_in_one_go(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = edited(file, tmp_path, lambda rows: rows[3].update(text="x"))
    assert run(["replay", "verify", str(file), str(bad)]) == 1
    assert "2 replays, 1 of them bad" in capsys.readouterr().out


def test_states_are_one_for_each_step_and_the_start(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "states", str(file)]) == 0
    states = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    read = replay.read(file)
    assert [state["steps"] for state in states] == list(range(len(read.steps) + 1))
    assert states[-1]["state"]["points"] == [int(score) for score in read.end["scores"]]


def test_feed_gives_a_bot_what_its_seat_was_sent_and_compares_its_answers(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A101."""
    bot = [sys.executable, str(folder / "noisy.py")]
    assert run(["replay", "feed", str(file), "--seat", "0", "--", *bot]) == 0
    out = capsys.readouterr().out
    assert ", 0 other than in the match" in out
    assert "\x1b" not in out
    other = [sys.executable, "-c", rogues.ROGUES["honest"].replace("'choice': 0", "'choice': -1")]
    assert run(["replay", "feed", str(file), "--seat", "0", "--until", "20", "--", *other]) == 0
    shorter = capsys.readouterr().out
    assert "[illegal, in the match it chose 0]" in shorter
    assert len(shorter.splitlines()) < len(out.splitlines())


def test_feed_without_a_command_prints_the_very_bytes(file: Path) -> None:
    words = [sys.executable, "-m", "harness", "replay", "feed", str(file), "--seat", "1"]
    done = subprocess.run(words, capture_output=True, check=True, cwd=Path(__file__).parents[2])
    kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert (kinds[0], kinds[-1]) == ("start", "end")
    assert set(kinds[1:-1]) == {"decide"}


def test_feed_refuses_what_it_cannot_do(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "feed", str(file), "--seat", "2"]) == 1
    assert "has seats 0 to 1" in capsys.readouterr().err
    assert run(["replay", "feed", str(file), "--seat", "0", "--", "./not-there"]) == 1
    assert "cannot run ./not-there" in capsys.readouterr().err
    assert run(["replay", "feed", str(file), "--seat", "0", "--", sys.executable, "-c", "raise SystemExit(3)"]) == 1
    assert "the command exited with code 3" in capsys.readouterr().err
    assert run(["replay", "verfy", str(file)]) == 2
    assert "did you mean 'verify'?" in capsys.readouterr().err


def fed(file: Path, capsys: pytest.CaptureFixture[str], *command: str, code: int = 0) -> list[str]:
    assert run(["replay", "feed", str(file), "--seat", "0", "--", *command]) == code
    return capsys.readouterr().out.splitlines()


def test_feed_forgives_blank_lines_as_a_match_does(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    honest = rogues.ROGUES["honest"]
    blank = honest.replace("print(json.dumps(", "print(' \\r' if BLANK else ''); print(json.dumps(")
    said = fed(file, capsys, sys.executable, "-c", blank.replace("BLANK", "m['id'] % 2"))
    asked = next(int(line.split()[0]) for line in said if "decisions answered" in line)
    assert asked > 20
    assert f"blank lines: {asked}; a match forgives 16, further ones are malformed" in said
    assert sum("that a match forgives)" in line for line in said) == 16
    assert any("(blank)  [malformed, in the match it chose 0]" in line for line in said)
    dropped = next(line for line in said if line.startswith("answers that came after"))
    faults = next(line for line in said if line.startswith("against the protocol: malformed"))
    late, malformed = (int(line.partition(":")[2].split()[n].strip(";,")) for line, n in ((dropped, 0), (faults, 1)))
    assert late + malformed >= asked - 16

    once = honest.replace(
        "    if m['type'] == 'start'", "    if m['type'] == 'start': print()\n    if m['type'] == 'start'"
    )
    said = fed(file, capsys, sys.executable, "-c", once)
    assert said[0] == "start: (blank line 1 of 16 that a match forgives)"
    assert said[-2:] == [
        f"{asked} decisions answered, 0 other than in the match",
        "blank lines: 1; a match forgives 16, further ones are malformed",
    ]


def test_feed_says_in_the_end_what_was_against_the_protocol(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chatty = rogues.ROGUES["honest"].replace("print(json.dumps(", "print('\\x1b[2J'); print(json.dumps(")
    said = fed(file, capsys, sys.executable, "-c", chatty)
    assert "\x1b" not in "".join(said)
    assert any(
        line.startswith("against the protocol: malformed ") and "is not one JSON object" in line for line in said
    )
    said = fed(file, capsys, sys.executable, "-c", rogues.ROGUES["illegal"])
    assert said[-1].startswith("against the protocol: illegal ")
    assert "choice 999 is not among the" in said[-1]
    said = fed(file, capsys, sys.executable, "-c", rogues.ROGUES["twice"])
    assert said[-1].startswith("against the protocol: malformed ")
    assert any(line.startswith("after the last request: ") for line in said)
    said = fed(file, capsys, sys.executable, "-c", "print('x' * 10**6)", code=1)  # nobody reads it to its end
    assert said[-1].startswith("against the protocol: flood 1, first at start: it wrote a line of more than 65,536")
    said = fed(file, capsys, sys.executable, "-c", 'import sys; sys.stdin.readline(); print(\'{"type":"ready"}\')')
    assert said[-1].startswith("its output ended at step ")
