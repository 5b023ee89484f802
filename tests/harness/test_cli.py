from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness import __version__
from harness.cli import _COMMANDS, cli, run
from tests.harness import rogues

GAMES = ["marshmallow-test"]


def test_help_names_every_command_and_imports_no_game() -> None:
    """A117."""
    script = (
        "import sys; from harness.cli import run; code = run(['--help'])\n"
        "loaded = [m for m in sys.modules if m.startswith(('referee', 'sqlmodel', 'sandbox', 'docker', 'trueskill'))]\n"
        "print(loaded, file=sys.stderr); raise SystemExit(code)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert all(f"  {name} " in done.stdout for name in _COMMANDS)


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_has_help_that_says_what_the_list_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert "Usage: harness" in capsys.readouterr().out
    assert cli.get_command(None, name) is not None  # type: ignore[arg-type]


def test_mistyped_commands_get_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    """A111."""
    assert run(["standing"]) == 2
    assert "there is no command 'standing'; did you mean 'standings'?" in capsys.readouterr().err
    assert run(["xyzzy"]) == 2
    assert "there are games, play" in capsys.readouterr().err
    assert run(["games", "--jsn"]) == 2
    assert "--json" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


def test_python_m_harness_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "harness", "gmaes"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "did you mean 'games'?" in done.stderr


def test_games_are_listed_with_players_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    assert "marshmallow-test  2 to 5" in capsys.readouterr().out
    assert run(["games", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {game["game"] for game in told} >= set(GAMES)
    assert next(game for game in told if game["game"] == "marshmallow-test")["players"] == [2, 3, 4, 5]


def test_a_fault_of_the_harness_is_one_line_and_its_trace_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("referee.games.GAMES", {"broken": "nothing.there:Game"})
    assert run(["games"]) == 70
    err = capsys.readouterr().err
    assert "this is a fault of the harness: ModuleNotFoundError" in err
    assert "Traceback" not in err
    (report,) = tmp_path.glob("harness-*.txt")
    assert "Traceback" in report.read_text()


def test_doctor_says_what_is_there_and_what_is_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["doctor", "--json"]) == 0
    found = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found["Python"]["state"] == found["click"]["state"] == found["sqlmodel"]["state"] == "ok"
    assert {"docker", "bwrap", "c", "javascript", "chromium", "memory"} <= set(found)
    monkeypatch.setenv("PATH", "/nonexistent")
    assert run(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "c: install gcc to run such bots here" in out


def test_doctor_fails_when_something_needed_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.doctor._requirements", lambda: ["click", "no-such-package"])
    assert run(["doctor"]) == 1
    out = capsys.readouterr()
    assert "pip install no-such-package" in out.out
    assert "no-such-package missing" in out.err


def test_check_passes_a_bundled_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "uniform", "--game", "marshmallow-test"]) == 0
    out = capsys.readouterr().out
    for players in (2, 3, 4, 5):
        assert f"{players} players, seat 0: fine" in out
    assert "bot uniform: fit to play" in out


def test_check_shows_the_request_the_answer_and_the_bots_own_stderr(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["check", rogues.write(tmp_path, "raises"), "--game", "marshmallow-test"]) == 1
    out = capsys.readouterr().out
    assert 'request: {"type":"decide"' in out
    assert "answer:  (none)" in out
    assert "ValueError: no plan" in out
    assert "\\x1b[2J" in out
    assert "\x1b" not in out
    assert "bot raises: not fit to play" in out


def test_check_refuses_what_it_cannot_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "greddy", "--game", "marshmallow-test"]) == 1
    assert "did you mean 'greedy'?" in capsys.readouterr().err
    assert run(["check", "greedy", "--game", "chess"]) == 1
    assert run(["check", "greedy"]) == 2


def test_closed_standard_streams_are_no_fault_of_ours(tmp_path: Path) -> None:
    kept, code = tmp_path / "kept", tmp_path / "code"
    words = ["-m", "harness", "play", "marshmallow-test", "uniform", "uniform", "--replays", str(kept)]
    script = 'code=$1; shift; exec 0<&- 1>&- 2>&-; "$@"; echo $? > "$code"'
    subprocess.run(["sh", "-c", script, "sh", str(code), sys.executable, *words], check=True, timeout=60)
    assert code.read_text() == "0\n"
    assert len(list(kept.glob("*.jsonl.gz"))) == 1


@pytest.mark.parametrize("name", _COMMANDS)
def test_help_speaks_to_people(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """No spelling of the library's own ("INTEGER RANGE", "1<=x<=9"), nothing cut, nothing wider than a terminal."""
    monkeypatch.setenv("COLUMNS", "80")
    below = {"replay": ["show", "verify", "states", "feed", "html"], "image": ["build"]}
    for words in ([name], *([name, each] for each in below.get(name, ()))):
        assert run([*words, "--help"]) == 0
        out = capsys.readouterr().out
        assert "RANGE" not in out
        assert "<=" not in out
        assert ">=" not in out
        assert "..." not in out.replace("BOT...", "").replace("FILE...", "").replace("[ARGS]...", "").replace(
            "COMMAND...", ""
        )
        assert max(map(len, out.splitlines())) <= 80


def test_long_findings_of_the_doctor_go_on_below_themselves_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness.doctor import Finding, State

    long = Finding(
        "sandbox", "docker trial", State.CAUTION, "a box ran: " + ", ".join(["capabilities-none"] * 9), "update"
    )
    monkeypatch.setattr("harness.doctor.examine", lambda: iter([long, long]))
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["doctor"]) == 0
    piped = capsys.readouterr().out.splitlines()
    assert [len(piped), piped[-1]] == [3, "docker trial: update"]
    monkeypatch.setattr("harness.cli.doctor._on_a_terminal", lambda: True)
    assert run(["doctor"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert max(map(len, shown)) <= 80
    assert shown[1].startswith(" " * 32 + "capabilities-none,")
    assert shown[-1] == "docker trial: update"
