"""A competition in containers, from submission to table."""

from __future__ import annotations

import json
import signal
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from harness import config
from tests.e2e.test_tournament import C_BOT, await_matches, close, harness, snapshot, start

pytestmark = [pytest.mark.needs("docker"), pytest.mark.timeout(300)]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    folder = tmp_path / "cup"
    harness("init", str(folder), "--game", "marshmallow-test")
    path = folder / config.FILE
    path.write_text(path.read_text().replace("botpit-bots:full", "botpit-bots:small"))
    return folder


def containers(cup: Path) -> list[str]:
    """The containers of this competition."""
    instance = dict(config.read(cup).choice.settings)["instance"]
    assert instance == sha256(str(cup.absolute()).encode()).hexdigest()[:12]
    listed = subprocess.run(
        ["docker", "ps", "-a", "--format", "{{.Labels}}"], capture_output=True, text=True, check=True
    )
    return [line for line in listed.stdout.splitlines() if instance in line]


def test_bots_are_built_checked_and_played_in_containers(cup: Path, tmp_path: Path) -> None:
    (tmp_path / "sea.c").write_text(C_BOT)
    harness("submit", str(tmp_path / "sea.c"), "-C", str(cup))
    harness("submit", "greedy", "-C", str(cup))
    harness("run", "-C", str(cup), "--jobs", "2")
    rows = snapshot(cup)[0].matches
    assert [row.ending for row in rows] == ["finished", "finished"]
    assert all(row.isolation.startswith("docker: ") for row in rows)
    assert not any(seat.faults for row in rows for seat in row.seats)
    told = json.loads(harness("standings", "-C", str(cup), "--json").stdout)
    assert [line["bot"] for line in told["standings"]] == ["greedy", "sea"]
    assert containers(cup) == []


def test_a_killed_run_leaves_no_container_and_continues(cup: Path) -> None:
    """A01 for containers."""
    for name in ("ann", "bob"):
        harness("submit", "uniform", "-C", str(cup), "--name", name)
    run = start("run", "-C", str(cup), "--jobs", "2", "--rounds", "5")
    await_matches(run, 1)
    run.send_signal(signal.SIGKILL)
    close(run)
    harness("run", "-C", str(cup), "--jobs", "2", "--rounds", "5")
    rows = snapshot(cup)[0].matches
    assert len({row.match for row in rows}) == len(rows) == 10
    assert containers(cup) == []
