"""Every attack beside an honest bot, with a canary match at the same time, on every sandbox of this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

import tests.rogues.sandbox.rogue
from referee.result import Ending, FaultKind, Policy
from sandbox.api import Program, Sandbox
from tests.rogues.sandbox.arena import HONEST, Canary, play, unharmed
from tests.rogues.sandbox.attacks import ATTACKS as FIRST
from tests.rogues.sandbox.attacks import EVERYWHERE, Attack
from tests.rogues.sandbox.close_kinds import CLOSE_KINDS
from tests.rogues.sandbox.other_ways import OTHER_WAYS
from tests.sandbox.bots import python
from tests.sandbox.walls import WALLS, named, wall

pytestmark = pytest.mark.timeout(180)
ROGUE = Path(tests.rogues.sandbox.rogue.__file__).read_text("utf-8")
NEEDS = {name: param.marks for name, param in zip(EVERYWHERE, WALLS, strict=True)}
ATTACKS = (*FIRST, *CLOSE_KINDS, *OTHER_WAYS)
SLOWER = 5.0
SLACK_MS = 60.0
"""How much slower an honest bot may be beside an attacker: this machine's own noise is within it."""


class Ring:
    """The sandboxes of one wall, for attacks and for canaries apart, and the honest bot."""

    def __init__(self, name: str, folder: Path) -> None:
        self.honest = python(folder / "honest", HONEST)
        self.sandbox = wall(name, "attack")
        self.canary = Canary(wall(name, "canary"), self.honest, folder)
        self.canary.settle()
        play(self.sandbox, (self.honest, self.honest), folder / "warm.jsonl.gz")

    def close(self) -> None:
        self.canary.close()
        self.canary.sandbox.close()
        self.sandbox.close()


_rings: dict[str, Ring] = {}


@pytest.fixture(scope="module", autouse=True)
def rings() -> Iterator[None]:
    yield
    while _rings:
        _rings.popitem()[1].close()


def ring(name: str, factory: pytest.TempPathFactory) -> Ring:
    if name not in _rings:
        _rings[name] = Ring(name, factory.mktemp(name))
    return _rings[name]


def _cases() -> Iterator[ParameterSet]:
    """One of each kind on the two main walls; with BOTPIT_ATTACKS=all every attack on every wall."""
    everything = os.environ.get("BOTPIT_ATTACKS") == "all"
    for attack in ATTACKS:
        for name in attack.walls:
            if everything or (attack.representative and name != "docker-attached"):
                yield pytest.param(name, attack, id=f"{attack.name}-{name}".replace(" ", "-"), marks=NEEDS[name])


@pytest.mark.parametrize(("name", "attack"), list(_cases()))
def test_an_attack_harms_nobody(
    name: str,
    attack: Attack,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BOTPIT_SECRET", "canary-token-in-the-environment")
    at = ring(name, tmp_path_factory)
    rogue = _rogue(attack, tmp_path / "rogue")
    with unharmed(named("attack")):
        beside = at.canary.start()
        played = play(
            at.sandbox,
            (rogue, at.honest),
            tmp_path / "match.jsonl.gz",
            limits=attack.limits,
            policy=Policy.STRICT,
            caps=attack.caps,
        )
        canary = beside.result(60)
    result = played.record.result
    assert result.ending is not Ending.VOID, result.reason
    assert (played.kinds or ("ok",))[0] in attack.verdicts, result.faults
    assert len(played.kinds) <= 1, "a seat that is out goes on making faults"
    assert not [fault for fault in result.faults if fault.seat == 1], "the honest bot was blamed"
    assert played.seconds < attack.within_s
    if attack.note and not played.kinds:
        assert played.notes, "the rogue came to no report"
        assert re.search(attack.note, played.notes[0]), played.notes[0]
    if attack.message and played.kinds:
        assert re.search(attack.message, result.faults[0].message), result.faults[0].message
    assert canary.acts == at.canary.expected, "the canary's match took another course"
    assert canary.record.result.faults == ()
    for times in (canary.per_decision_ms(0), canary.per_decision_ms(1), played.per_decision_ms(1)):
        assert times < at.canary.baseline_ms * SLOWER + SLACK_MS
    _check_next(at.sandbox, at.honest, tmp_path)


def _rogue(attack: Attack, folder: Path) -> Program:
    program = python(folder, attack.source, **attack.environment)
    (folder / "rogue.py").write_text(ROGUE, "utf-8")
    return program


def _check_next(sandbox: Sandbox, honest: Program, folder: Path) -> None:
    """The house plays on: the next match is as any other."""
    after = play(sandbox, (honest, honest), folder / "after.jsonl.gz")
    assert after.record.result.ending is Ending.FINISHED
    assert after.record.result.faults == ()


def test_every_family_has_a_representative() -> None:
    assert {attack.family for attack in ATTACKS if attack.representative} == {attack.family for attack in ATTACKS}


def test_names_are_unique_and_verdicts_are_known() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)
    assert {verdict for attack in ATTACKS for verdict in attack.verdicts} <= {"ok", *map(str, FaultKind)}
