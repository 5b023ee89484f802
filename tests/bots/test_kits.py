"""The starter kits: stand-alone, and at home with any request the protocol allows."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from referee.match import play
from referee.process import Pipes
from referee.result import Ending, Entrant, MatchSpec
from sandbox.api import Caps, Program
from sandbox.local import LocalSandbox
from tests.doubles import CountingGame

KITS = Path(__file__).parents[2] / "bots" / "kits"
EACH = pytest.mark.parametrize(
    "kit",
    [
        "python",
        pytest.param("c", marks=pytest.mark.needs("gcc")),
        pytest.param("javascript", marks=pytest.mark.needs("node")),
    ],
)


def program(kit: str, sandbox: LocalSandbox, folder: Path) -> Program:
    manifest = tomllib.loads((KITS / kit / "bot.toml").read_text())
    directory = KITS / kit
    if "build" in manifest:
        directory = folder / kit
        sandbox.build(KITS / kit, tuple(manifest["build"]), directory)
    command = [sys.executable if word == "python3" else word for word in manifest["command"]]
    return Program(tuple(command), directory, manifest["language"])


@EACH
def test_kit_plays_a_match_without_a_fault(kit: str, tmp_path: Path) -> None:
    sandbox = LocalSandbox()
    try:
        bot = program(kit, sandbox, tmp_path)
        boxes = [sandbox.open(bot, Caps(), seat, "m") for seat in range(3)]
        spec = MatchSpec("m", "g", "counting", {}, tuple(Entrant(f"{kit}-{seat}") for seat in range(3)), 9)
        record = play(spec, CountingGame(rounds=30), Pipes(boxes))
    finally:
        sandbox.close()
    assert (record.result.ending, record.result.faults) == (Ending.FINISHED, ())
    assert [seat.exit_code for seat in record.seats] == [0, 0, 0]
    assert record.seats[0].name == f"{kit}-starter"
    # three seeds, so three players that choose differently
    assert len(set(record.result.scores)) > 1


@EACH
def test_kit_lives_with_every_optional_field_absent(kit: str, tmp_path: Path) -> None:
    """A88, A10: it ends with its input, too."""
    sandbox = LocalSandbox()
    try:
        bot = program(kit, sandbox, tmp_path)
    finally:
        sandbox.close()
    lines = [
        {"type": "start"},
        {"type": "news", "of": "a later version"},
        {"type": "decide", "id": 7, "legal": [{"a": [1, "],}"]}, {}, {"b": 'x"\\'}]},
        {"type": "fault"},
        {"legal": [{"type": "decide"}], "view": {"id": 1, "legal": []}, "id": 2**53, "type": "decide"},
        {"type": "end"},
    ]
    done = subprocess.run(
        bot.command,
        cwd=bot.directory,
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=20,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert [answer["type"] for answer in answers] == ["ready", "choice", "choice"]
    assert [answer["id"] for answer in answers[1:]] == [7, 2**53]
    assert answers[1]["choice"] in range(3)
    assert answers[2]["choice"] == 0


def test_the_ten_lines_of_the_documentation_play(tmp_path: Path) -> None:
    """A113: the quick start is executed from the text of the page."""
    page = (KITS.parents[1] / "docs" / "write-a-bot.md").read_text()
    code = page.split("```python\n")[1].split("```")[0]
    (tmp_path / "mybot.py").write_text(code)
    sandbox = LocalSandbox()
    try:
        program = Program((sys.executable, "mybot.py"), tmp_path, "python")
        boxes = [sandbox.open(program, Caps(), seat, "m") for seat in range(2)]
        spec = MatchSpec("m", "g", "counting", {}, (Entrant("a"), Entrant("b")), 9)
        result = play(spec, CountingGame(), Pipes(boxes)).result
    finally:
        sandbox.close()
    assert (result.ending, result.faults) == (Ending.FINISHED, ())


@EACH
def test_kit_imports_nothing_of_ours(kit: str) -> None:
    for path in (KITS / kit).iterdir():
        text = path.read_text()
        assert not any(name in text for name in ("from referee", "import referee", "from harness", "botpit"))
