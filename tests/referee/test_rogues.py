"""Every misbehaving bot against an honest one, as local processes."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.match import play
from referee.process import Pipes
from referee.rebuild import verify
from referee.replay import Writer, read
from referee.result import Ending, Entrant, MatchSpec
from sandbox.api import Caps, Program
from sandbox.local import LocalSandbox
from tests.doubles import CountingGame
from tests.rogues.table import FOLDER, ROGUES, Rogue, install


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalSandbox]:
    """One warden for all matches: what a rogue leaves behind would show in the next match."""
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


def spec_of(rogue: Rogue) -> MatchSpec:
    entrants = (Entrant("rogue"), Entrant("honest"))
    return MatchSpec(rogue.name, "g", "counting", {}, entrants, 2**127 + 5, rogue.limits)


def strays(marker: str) -> list[str]:
    """The processes that carry a bot's mark in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if marker.encode() in (process / "environ").read_bytes():
                found.append(process.name)
    return found


def descriptors() -> set[int]:
    """Our own open descriptors."""
    return {int(entry.name) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()}


@pytest.mark.parametrize("rogue", ROGUES, ids=lambda rogue: rogue.name)
def test_rogue_comes_to_its_verdict_and_its_opponent_to_no_harm(
    rogue: Rogue, sandbox: LocalSandbox, tmp_path: Path
) -> None:
    before = descriptors()
    caps = Caps(memory_bytes=128 * 2**20)
    boxes = []
    for seat, name in enumerate((rogue.name, rogue.against)):
        program = Program((sys.executable, "-S", "bot.py"), install(name, tmp_path), "python")
        boxes.append(sandbox.open(program, caps, seat, name))
    game = CountingGame(rounds=rogue.rounds, chance=False, padding=rogue.padding)
    began = time.monotonic()
    record = play(spec_of(rogue), game, Pipes(boxes), Writer(tmp_path / "m.jsonl.gz", "test"))
    took = time.monotonic() - began
    result = record.result
    kinds = {fault.kind.value for fault in result.faults if fault.seat == 0}

    assert [fault for fault in result.faults if fault.seat == 1] == []
    assert kinds <= set(rogue.faults), [fault.message for fault in result.faults]
    assert bool(kinds) == bool(rogue.faults)
    assert (result.ending is Ending.FORFEIT) == rogue.out
    assert result.ending in (Ending.FORFEIT, Ending.FINISHED)
    if rogue.out:
        assert result.ranks == (2, 1)
    if rogue.says:
        assert rogue.says in result.faults[0].message
    if rogue.hint:
        assert any(rogue.hint in hint for hint in record.seats[0].hints), record.seats[0]
    assert all(fault.message.startswith("bot rogue: ") for fault in result.faults)
    assert verify(read(tmp_path / "m.jsonl.gz"), game) == result.steps
    assert strays(sandbox.marker) == []
    assert descriptors() <= before | {sandbox.lifeline}
    # A loaded machine makes everything slower; a hang is something else.
    assert took < 3 * rogue.wall_s


def test_every_script_has_its_row_and_every_row_its_script() -> None:
    scripts = {path.stem for path in FOLDER.glob("[a-z][0-9]*_*.py")}
    assert scripts == {rogue.name for rogue in ROGUES}
