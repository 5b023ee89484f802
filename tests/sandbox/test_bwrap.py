"""The bubblewrap sandbox: what it refuses to start without, and what it leaves."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from sandbox import bwrap, cgroups, premises
from sandbox.api import Caps, SandboxError
from sandbox.bwrap import BwrapSandbox, BwrapSettings
from tests.sandbox.bots import python, read
from tests.sandbox.walls import named

SPAWN = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
print('up', flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (lambda patch: patch.setattr(os, "geteuid", lambda: 1000), "started by root"),
        (lambda patch: patch.setattr("shutil.which", lambda tool: None), "bwrap, mount"),
        (lambda patch: patch.setattr(bwrap, "version", lambda: (0, 4, 0)), "bubblewrap is 0.4.0, and 0.8.0 is needed"),
        (lambda patch: patch.setattr(cgroups, "missing", lambda: ("memory", "pids")), "memory, pids cannot be written"),
        (lambda patch: patch.setattr("platform.machine", lambda: "m68k"), "no system call filter for m68k"),
        (
            lambda patch: (
                patch.setattr(cgroups, "swap_in_use", lambda: True),
                patch.setattr(cgroups, "limits_swap", lambda: False),
            ),
            "does not count swap",
        ),
    ],
)
def test_it_refuses_to_start_without_a_control(broken: object, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(broken)
    broken(monkeypatch)
    with pytest.raises(SandboxError, match=re.escape(says)):
        BwrapSandbox()


@pytest.mark.needs("bwrap", "root")
def test_nothing_is_left_when_it_is_closed(tmp_path: Path) -> None:
    sandbox = BwrapSandbox(BwrapSettings(instance=named("bwrap-left")))
    box = sandbox.open(python(tmp_path / "bot", SPAWN), Caps(), 0, "m")
    assert read(box.stdout) == b"up\n"
    assert cgroups.named(named("bwrap-left"))
    inside = cgroups.existing(cgroups.named(named("bwrap-left"))[0]).processes()
    assert len(inside) >= 4
    sandbox.close()
    assert cgroups.named(named("bwrap-left")) == ()
    gone_by = time.monotonic() + 2.0
    while alive := [pid for pid in inside if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < gone_by, alive
        time.sleep(0.02)
    assert not list(premises.runtime_directory().glob(f"{named('bwrap-left')}-*"))
    assert "scratch" not in Path("/proc/self/mounts").read_text("utf-8")


@pytest.mark.needs("bwrap", "root")
def test_the_sweeper_takes_what_the_dead_left_and_nothing_else() -> None:
    dead = cgroups.make(f"{named('swept')}-1-1-0-0", Caps(), 0)
    living = cgroups.make(f"{named('swept')}-{premises.mark(1)}-0-0", Caps(), 0)
    other = cgroups.make(f"{named('elsewhere')}-1-1-0-0", Caps(), 0)
    try:
        BwrapSandbox(BwrapSettings(instance=named("swept"))).close()
        assert not any(path.exists() for path in dead.paths.values())
        assert all(path.exists() for group in (living, other) for path in group.paths.values())
    finally:
        living.remove()
        other.remove()
