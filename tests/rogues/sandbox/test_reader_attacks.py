"""The attacks on the referee's reader and clock, from inside the walls: a verdict must not depend on the sandbox."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from referee.match import play
from referee.process import Pipes
from referee.rebuild import verify
from referee.replay import Writer, read
from referee.result import Ending, Entrant, MatchSpec
from sandbox.api import Caps, Order, Program, Sandbox, open_all
from tests.doubles import CountingGame
from tests.rogues.sandbox.arena import unharmed
from tests.rogues.table import ROGUES, Rogue, install
from tests.sandbox.walls import WALLS, named, wall

pytestmark = pytest.mark.timeout(180)
STARVED_S = 1.5
"""Who burnt less than this, in matches of seconds, was given too little of the machine to be caught."""
REPRESENTATIVES = {"a1_endless", "a6_not_utf8", "b1_deep", "c7_late", "d8_wrong_stream"}


def _cases() -> Iterator[ParameterSet]:
    for param in WALLS:
        name = str(param.values[0])
        for rogue in ROGUES:
            chosen = rogue.name in REPRESENTATIVES or os.environ.get("BOTPIT_ATTACKS") == "all"
            if chosen and name != "docker-attached" and name in rogue.walls:
                yield pytest.param(name, rogue, id=f"{rogue.name}-{name}", marks=param.marks)


@pytest.fixture(scope="module")
def walls() -> Iterator[dict[str, Sandbox]]:
    made: dict[str, Sandbox] = {}
    yield made
    for sandbox in made.values():
        sandbox.close()


def _warm(sandbox: Sandbox, folder: Path) -> None:
    """Open what a sandbox opens once and keeps: its threads and their connections."""
    folder.mkdir()
    program = Program(("true",), install("honest", folder))
    for box in open_all(sandbox, [Order(program, Caps(), seat, "warm") for seat in range(2)]):
        box.end()


@pytest.mark.parametrize(("name", "rogue"), list(_cases()))
def test_a_verdict_is_the_same_in_every_sandbox(
    name: str, rogue: Rogue, walls: dict[str, Sandbox], tmp_path: Path
) -> None:
    if name not in walls:
        walls[name] = wall(name, "reader")
        _warm(walls[name], tmp_path / "warm")
    entrants = (Entrant("rogue"), Entrant("honest"))
    spec = MatchSpec(rogue.name, "g", "counting", {}, entrants, 2**127 + 5, rogue.limits)
    game = CountingGame(rounds=rogue.rounds, chance=False, padding=rogue.padding)
    orders = [
        Order(Program(("python3", "-S", "bot.py"), install(bot, tmp_path), "python"), Caps(128 << 20), seat, bot)
        for seat, bot in enumerate((rogue.name, rogue.against))
    ]
    with unharmed(named("reader")):
        boxes = open_all(walls[name], orders)
        record = play(spec, game, Pipes(boxes), Writer(tmp_path / "m.jsonl.gz", "test"))
    result = record.result
    kinds = {fault.kind.value for fault in result.faults if fault.seat == 0}
    assert result.ending in (Ending.FORFEIT, Ending.FINISHED), result.reason
    assert [fault for fault in result.faults if fault.seat == 1] == []
    if rogue.faults == ("cpu",) and not kinds and (record.seats[0].cpu_s or 0) < STARVED_S:
        pytest.skip("not run: needs a machine with time for a bot that burns it")
    assert kinds <= set(rogue.faults), [fault.message for fault in result.faults]
    assert bool(kinds) == bool(rogue.faults)
    assert (result.ending is Ending.FORFEIT) == rogue.out
    assert verify(read(tmp_path / "m.jsonl.gz"), game) == result.steps
