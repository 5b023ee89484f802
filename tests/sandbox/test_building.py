"""How a build is followed to its end, on streams that need no sandbox."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.api import BuildFailed, BuildLimits, Exit, Usage
from sandbox.building import Recipe, build_in


class Streams:
    """A box of two streams that does not end."""

    stdin = -1
    transport = "pipe"
    pid: int | None = None

    def __init__(self, stdout: int, stderr: int) -> None:
        self.stdout, self.stderr = stdout, stderr
        self.waited_s = 0.0

    def exit(self, wait_s: float) -> Exit | None:
        self.waited_s = wait_s
        return None

    def usage(self) -> Usage:
        return Usage()

    def freeze(self, frozen: bool) -> None: ...

    def end(self) -> None: ...


@pytest.fixture
def zeros() -> Iterator[int]:
    descriptor = os.open("/dev/zero", os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def test_a_build_that_never_stops_writing_is_stopped_by_the_clock(zeros: int, tmp_path: Path) -> None:
    quiet, end = os.pipe()
    try:
        recipe = Recipe(tmp_path, ("true",), BuildLimits(time_s=0.0))
        with pytest.raises(BuildFailed, match="longer than 0 s"):
            build_in(Streams(quiet, zeros), recipe, tmp_path / "out", tmp_path)
    finally:
        os.close(quiet)
        os.close(end)


def test_a_build_has_all_its_time_to_end(tmp_path: Path) -> None:
    """What a build leaves running is ended with it, and that may take a while where processors are few."""
    nothing = os.open("/dev/null", os.O_RDONLY)
    try:
        box = Streams(nothing, nothing)
        with pytest.raises(BuildFailed, match="longer than 30 s"):
            build_in(box, Recipe(tmp_path, ("true",), BuildLimits(time_s=30.0)), tmp_path / "out", tmp_path)
    finally:
        os.close(nothing)
    assert box.waited_s > 25
