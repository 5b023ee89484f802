"""Tournaments of real processes: killed in the middle, continued, every match exactly once."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import config, ratings
from harness.model import Snapshot
from harness.schedule.round_robin import pairings
from harness.store import Store
from referee import games, rebuild, replay
from tests.harness import rogues

ROOT = Path(__file__).parents[2]
GAME = "marshmallow-test"

C_BOT = r"""
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
static char line[1 << 20];
int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"start\"")) { puts("{\"type\":\"ready\",\"name\":\"c\"}"); }
        else if (strstr(line, "\"type\":\"decide\"")) {
            printf("{\"type\":\"choice\",\"id\":%ld,\"choice\":0}\n", atol(strstr(line, "\"id\":") + 5));
        }
        fflush(stdout);
    }
    return 0;
}
"""
JS_BOT = """
const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'start') console.log('{"type":"ready","name":"js"}');
  if (message.type === 'decide') {
    console.log(JSON.stringify({ type: 'choice', id: message.id, choice: message.legal.length - 1 }));
  }
});
"""


def harness(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "harness", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert not check or done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done


def tournament(folder: Path, players: int) -> Path:
    """A competition with six bots in three languages."""
    cup = folder / "cup"
    harness("init", str(cup), "--game", GAME, "--players", str(players), "--sandbox", "local")
    sources = folder / "sources"
    sources.mkdir()
    (sources / "sea.c").write_text(C_BOT)
    (sources / "sea2.c").write_text(C_BOT.replace('\\"name\\":\\"c\\"', '\\"name\\":\\"c2\\"'))
    (sources / "java.js").write_text(JS_BOT)
    rogues.write(sources, "honest")
    for bot, name in (
        ("uniform", "uniform"), ("greedy", "greedy"), (str(sources / "honest.py"), "python"),
        (str(sources / "sea.c"), "sea"), (str(sources / "sea2.c"), "ocean"), (str(sources / "java.js"), "script"),
    ):  # fmt: skip
        harness("submit", bot, "-C", str(cup), "--name", name)
    return cup


def snapshot(cup: Path) -> tuple[Snapshot, bytes]:
    store = Store.open(config.read(cup).database_url)
    try:
        return store.snapshot("now"), store.secret
    finally:
        store.close()


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "harness", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def descendants(pid: int) -> set[int]:
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for task in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            try:
                children = [int(word) for word in task.read_text().split()]
            except OSError:
                continue
            waiting += [child for child in children if child not in found]
            found.update(children)
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def bots_of(cup: Path) -> list[int]:
    """Processes that run in a folder of this competition."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            where = link.readlink()
        except OSError:
            continue
        if where.is_relative_to(cup):
            found.append(int(link.parts[2]))
    return found


def await_matches(run: subprocess.Popen[str], count: int) -> set[int]:
    """Wait until so many matches are announced; the processes of the run at that moment."""
    assert run.stderr is not None
    for line in run.stderr:
        found = re.match(r"(\d+) of \d+: ", line)
        if found and int(found[1]) >= count:
            return descendants(run.pid)
    raise AssertionError("the run ended early")


def gone_within(seconds: float, pids: set[int], cup: Path) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not any(map(alive, pids)) and not bots_of(cup):
            return True
        time.sleep(0.02)
    return False


def close(run: subprocess.Popen[str]) -> None:
    run.wait()
    for stream in (run.stdout, run.stderr):
        assert stream is not None
        stream.close()


def check_whole(cup: Path, rounds: int) -> None:
    """Every match exactly once, each with its replay, and a table that follows from the records."""
    recorded, secret = snapshot(cup)
    read = config.read(cup)
    entrants = [entrant.number for entrant in recorded.entrants]
    planned = [
        pairing for number in range(1, rounds + 1) for pairing in pairings(secret, number, entrants, read.players)
    ]
    assert [row.match for row in recorded.matches] == [pairing.match for pairing in planned]
    for row, pairing in zip(recorded.matches, planned, strict=True):
        assert (row.seed, tuple(seat.submission for seat in row.seats)) == (pairing.seed, pairing.seats)
        kept = replay.read(cup / row.replay)
        assert kept.digest == row.replay_digest
        assert rebuild.verify(kept, games.create(row.game, row.options)) == row.steps
        assert kept.end["ranks"] == [seat.rank for seat in row.seats]
        assert not any(seat.faults for seat in row.seats)
    assert {path.relative_to(cup).as_posix() for path in cup.glob("replays/*/*")} == {
        row.replay for row in recorded.matches
    }
    lines = ratings.table(recorded.matches, recorded.entrants)
    told = harness("standings", "-C", str(cup)).stdout.splitlines()[1:]
    assert [line.split()[1] for line in told] == [line.submission.name for line in lines]
    assert [float(line.split()[-4]) for line in told] == [round(line.conservative, 2) for line in lines]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield tournament(tmp_path_factory.mktemp("small"), 2)


@pytest.mark.needs("gcc", "node")
@pytest.mark.timeout(180)
def test_a_tournament_that_is_killed_continues_and_ends_with_every_match_once(small: Path) -> None:
    """A01 A57 A58 A60: SIGKILL leaves no process, no doubtful record, and nothing to be done by hand."""
    dice = random.Random(4)
    for _ in range(2):
        run = start("run", "-C", str(small), "--jobs", "2")
        pids = await_matches(run, dice.randint(2, 6))
        announced = len(snapshot(small)[0].matches)
        run.send_signal(signal.SIGKILL)
        assert gone_within(2, pids, small)
        close(run)
        assert len(snapshot(small)[0].matches) >= announced
    done = harness("run", "-C", str(small), "--jobs", "2")
    assert re.search(r"30 matches: \d+ recorded, \d+ to play", done.stdout)
    check_whole(small, 1)


@pytest.mark.needs("gcc", "node")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.timeout(120)
def test_a_run_that_is_asked_to_stop_is_gone_in_a_second_and_keeps_what_it_has(
    small: Path, number: signal.Signals
) -> None:
    """A02 A06."""
    run = start("run", "-C", str(small), "--jobs", "2", "--rounds", "50")
    pids = await_matches(run, 2)
    began = time.monotonic()
    run.send_signal(number)
    run.wait(5)
    took = time.monotonic() - began
    assert gone_within(1, pids, small)
    assert took < 1
    assert run.returncode == 128 + number
    assert run.stderr is not None
    said = run.stderr.read()
    assert "run again to continue" in said
    assert "Traceback" not in said
    close(run)
    rows = snapshot(small)[0].matches
    assert len({row.match for row in rows}) == len(rows)


@pytest.mark.needs("gcc", "node")
def test_a_second_ctrl_c_ends_it_at_once(small: Path) -> None:
    run = start("run", "-C", str(small), "--jobs", "2", "--rounds", "50")
    pids = await_matches(run, 1)
    os.kill(run.pid, signal.SIGINT)
    os.kill(run.pid, signal.SIGINT)
    run.wait(1)
    assert gone_within(2, pids, small)
    close(run)


@pytest.mark.timeout(60)
def test_no_more_matches_run_at_once_than_were_asked_for(tmp_path: Path) -> None:
    """A14."""
    cup = tmp_path / "cup"
    harness("init", str(cup), "--game", GAME, "--sandbox", "local")
    for name in ("ann", "bob", "cid"):
        harness("submit", "uniform", "-C", str(cup), "--name", name)
    run = start("run", "-C", str(cup), "--jobs", "2", "--rounds", "4")
    most = 0
    while run.poll() is None:
        most = max(most, len(bots_of(cup)))
        time.sleep(0.005)
    close(run)
    assert run.returncode == 0
    assert 0 < most <= 4


@pytest.mark.slow
@pytest.mark.needs("gcc", "node")
@pytest.mark.timeout(400)
def test_three_hundred_matches_killed_in_the_middle(tmp_path: Path) -> None:
    cup = tournament(tmp_path, 2)
    run = start("run", "-C", str(cup), "--jobs", "2", "--rounds", "10")
    pids = await_matches(run, 140)
    run.send_signal(signal.SIGKILL)
    assert gone_within(2, pids, cup)
    close(run)
    harness("run", "-C", str(cup), "--jobs", "2", "--rounds", "10")
    check_whole(cup, 10)
