"""Control groups of both versions, on directories of their shape."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import cgroups
from sandbox.api import Caps
from sandbox.cgroups import V2, Group
from tests.sandbox.walls import named

REAL = f"{named('real')}-1-1-0-0"

HYBRID = """\
25 24 0:21 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct
26 24 0:22 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
27 24 0:23 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
28 1 8:1 / / rw - ext4 /dev/vda rw
"""


def test_mounts_are_found_by_controller(tmp_path: Path) -> None:
    (tmp_path / "mountinfo").write_text(HYBRID)
    found = cgroups.mounts(tmp_path / "mountinfo")
    assert found["cpuacct"] == ("/", Path("/sys/fs/cgroup/cpu,cpuacct"))
    assert found["memory"] == ("/docker/abc", Path("/sys/fs/cgroup/memory"))
    assert found[V2] == ("/", Path("/sys/fs/cgroup/unified"))


def test_a_process_is_found_below_what_is_mounted(tmp_path: Path) -> None:
    (tmp_path / "cgroup").write_text("5:cpu,cpuacct:/a\n4:memory:/docker/abc/b\n3:pids:/a\n0::/u\n")
    mounted = {"cpuacct": ("/", Path("/c")), "memory": ("/docker/abc", Path("/m")), V2: ("/", Path("/u2"))}
    assert cgroups.directories(tmp_path / "cgroup", mounted) == {
        "cpuacct": Path("/c/a"),
        "memory": Path("/m/b"),
        V2: Path("/u2/u"),
    }


@pytest.fixture
def unified(tmp_path: Path) -> Group:
    files = {
        "cpu.stat": "usage_usec 1500000\nuser_usec 1\n",
        "memory.peak": "4096\n",
        "memory.current": "2048\n",
        "memory.events": "low 0\nhigh 0\noom 3\noom_kill 2\n",
        "cgroup.procs": "12\n13\n",
        "cgroup.freeze": "0\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return Group({V2: tmp_path})


@pytest.fixture
def legacy(tmp_path: Path) -> Group:
    files = {
        "cpuacct.usage": "1500000000\n",
        "memory.max_usage_in_bytes": "4096\n",
        "memory.usage_in_bytes": "2048\n",
        "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
        "cgroup.procs": "12\n13\n",
        "freezer.state": "THAWED\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return Group(dict.fromkeys(("cpuacct", "memory", "pids", "freezer"), tmp_path))


@pytest.mark.parametrize("kind", ["unified", "legacy"])
def test_both_versions_tell_the_same(kind: str, request: pytest.FixtureRequest) -> None:
    group: Group = request.getfixturevalue(kind)
    assert group.cpu_s() == 1.5
    assert group.memory_peak_bytes() == 4096
    assert group.memory_bytes() == 2048
    assert group.oom_kills() == 2
    assert group.processes() == (12, 13)


def test_both_versions_freeze(unified: Group, legacy: Group, tmp_path: Path) -> None:
    assert unified.freeze(True)
    assert legacy.freeze(True)
    assert (tmp_path / "cgroup.freeze").read_text() == "1"
    assert (tmp_path / "freezer.state").read_text() == "FROZEN"


def test_what_cannot_be_read_is_not_guessed() -> None:
    group = Group()
    assert (group.cpu_s(), group.memory_peak_bytes(), group.oom_kills(), group.processes()) == (None, None, None, ())
    assert not group.freeze(True)


@pytest.mark.parametrize(
    ("caps", "quota"),
    [
        (Caps(), "100000 100000"),
        (Caps(cores=0.5), "50000 100000"),
        (Caps(cpus=(0,)), "max 100000"),
        (Caps(cpus=(0, 1), cores=1.0), "100000 100000"),
    ],
)
def test_limits_of_version_2(caps: Caps, quota: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "mounts", lambda: {V2: ("/", tmp_path)})
    monkeypatch.setattr(cgroups, "swap_in_use", lambda: True)
    group = cgroups.make("test-1-1-0-0", caps, 3)
    made = tmp_path / "botpit" / "test-1-1-0-0"
    assert group.paths == {V2: made}
    assert (made / "memory.max").read_text() == str(caps.memory_bytes)
    assert (made / "memory.swap.max").read_text() == "0"
    assert (made / "pids.max").read_text() == str(caps.processes + 3)
    assert (made / "cpu.max").read_text() == quota
    assert (made / "cpuset.cpus").exists() == bool(caps.cpus)
    assert cgroups.named("test-") == ("test-1-1-0-0",)


@pytest.mark.needs("root")
def test_real_groups_hold_their_limits() -> None:
    if cgroups.missing():
        pytest.skip("not run: needs writable control groups")
    group = cgroups.make(REAL, Caps(memory_bytes=64 << 20), 0)
    try:
        assert cgroups.existing(REAL).paths == {name: path for name, path in group.paths.items() if path.is_dir()}
        assert group.oom_kills() == 0
        assert group.processes() == ()
    finally:
        group.remove()
    assert not any(path.exists() for path in group.paths.values())


def test_a_process_that_has_ended_is_in_no_group_of_a_box() -> None:
    """On version 1 the kernel names the group of the whole machine for it, which must never be taken for the box's."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    try:
        assert Group.of(pid, "f" * 64).paths == {}
    finally:
        os.waitpid(pid, 0)


SPARED = """
import os, sys
from pathlib import Path
from sandbox.cgroups import Group
Path(sys.argv[1], "cgroup.procs").write_text(f"{os.getpid()}\\n")
print(Group({"pids": Path(sys.argv[1])}).kill(), flush=True)
"""


def test_nothing_is_killed_in_a_group_of_our_own(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", SPARED, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "False\n"), ran.stderr
