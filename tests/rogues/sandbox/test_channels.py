"""Two bots that conspire: what one sends over every channel that it has, the other must not be able to tell."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.api import Box, Caps, Program, Sandbox
from tests.sandbox.bots import read
from tests.sandbox.walls import WALLS, wall

pytestmark = pytest.mark.timeout(180)
HERE = Path(__file__).parent
BITS = 16
NAMES = tuple(re.findall(r'^    "([a-z ]+)": \(', (HERE / "conspirator.py").read_text("utf-8"), re.MULTILINE))


@pytest.fixture(params=[param for param in WALLS if param.values != ("docker-attached",)])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    made = wall(request.param, "channels")
    yield made
    made.close()


def conspirator(folder: Path) -> Program:
    folder.mkdir()
    for name in ("rogue.py", "conspirator.py"):
        (folder / name).write_bytes((HERE / name).read_bytes())
    return Program(("python3", "conspirator.py"), folder)


def tell(box: Box, order: str) -> bytes:
    os.write(box.stdin, order.encode() + b"\n")
    answer = read(box.stdout, 20)
    assert answer.endswith(b"\n"), (order, answer, read(box.stderr, 0.5))
    return answer


def heard(sender: Box, receiver: Box, name: str, seed: int) -> float:
    """The share of random bits that the receiver makes out: it takes for a one what looks unlike the state of rest."""
    bits = [0, 1] * (BITS // 2)
    random.Random(seed).shuffle(bits)
    tell(sender, "rest")
    quiet = {tell(receiver, f"look {name}") for _ in range(3)}
    right = 0
    for bit in bits:
        tell(sender, f"send {name}" if bit else "rest")
        right += (tell(receiver, f"look {name}") not in quiet) == bool(bit)
        tell(sender, "rest")
    return right / BITS


def test_no_channel_carries_a_bit(sandbox: Sandbox, tmp_path: Path) -> None:
    program = conspirator(tmp_path / "bot")
    boxes = [sandbox.open(program, Caps(), seat, f"m/{seat}") for seat in range(2)]
    for box in boxes:
        assert read(box.stdout) == b"ready\n"
    heard_by = {name: heard(boxes[0], boxes[1], name, seed) for seed, name in enumerate(NAMES)}
    for box in boxes:
        box.end()
    assert {name: share for name, share in heard_by.items() if abs(share - 0.5) > 0.25} == {}


def test_the_measure_finds_an_open_channel(sandbox: Sandbox, tmp_path: Path) -> None:
    """A bot that listens to itself hears what it sends: the test above could fail."""
    box = sandbox.open(conspirator(tmp_path / "bot"), Caps(), 0, "m")
    assert read(box.stdout) == b"ready\n"
    for name in ("file in tmp", "abstract socket", "room in scratch", "files in scratch"):
        assert heard(box, box, name, 1) == 1.0, name
    box.end()


def test_there_are_as_many_channels_as_the_table_says() -> None:
    assert len(NAMES) == 29
