"""The kernel's account of a group of processes, control groups version 1 and 2: what it used, freezing, killing."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from sandbox.api import Caps, SandboxError

V2: Final = ""
"""The key under which the one hierarchy of version 2 is kept."""
NEEDED: Final = ("cpu", "cpuacct", "freezer", "memory", "pids")
"""The version 1 controllers without which a box made by hand is not confined."""
PERIOD_US: Final = 100_000


def mounts(mountinfo: Path = Path("/proc/self/mountinfo")) -> dict[str, tuple[str, Path]]:
    """By controller (`""` for version 2): the part of the hierarchy that is mounted, and where."""
    found: dict[str, tuple[str, Path]] = {}
    for line in mountinfo.read_text("utf-8").splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        fields = left.split(" ")
        if kind == "cgroup2":
            found.setdefault(V2, (fields[3], Path(fields[4])))
        elif kind == "cgroup":
            for name in options.split(","):
                found.setdefault(name, (fields[3], Path(fields[4])))
    return found


def directories(cgroup: Path, mounted: Mapping[str, tuple[str, Path]]) -> dict[str, Path]:
    """By controller: the directory of the process whose `/proc/PID/cgroup` is given, as far as it is mounted here."""
    found: dict[str, Path] = {}
    for line in cgroup.read_text("utf-8").splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            if name not in mounted:
                continue
            root, at = mounted[name]
            inside = path if root == "/" else path.removeprefix(root)
            found[name] = at / inside.lstrip("/")
    return found


@dataclass(frozen=True, slots=True)
class Group:
    """One group, by its directories; what cannot be read or written here is None or False, never a guess."""

    paths: Mapping[str, Path] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, pid: int, name: str) -> Group:
        """The group that a process is in, as far as its path holds `name`. Raises OSError when the process is gone.

        A process that has just ended is in the group of the whole machine, as the kernel of version 1 tells it. Whoever
        took that for the process's own would kill everything there is.
        """
        found = directories(Path(f"/proc/{pid}/cgroup"), mounts())
        return cls({controller: path for controller, path in found.items() if name in str(path)})

    @property
    def unified(self) -> bool:
        """Whether the controllers are those of version 2."""
        return V2 in self.paths and "memory" not in self.paths

    def cpu_s(self) -> float | None:
        """Processor time used by all processes that the group ever had, in seconds."""
        if self.unified:
            usage = self._entry(V2, "cpu.stat", "usage_usec")
            return None if usage is None else usage / 1e6
        text = self._read("cpuacct", "cpuacct.usage")
        return None if text is None else int(text) / 1e9

    def memory_peak_bytes(self) -> int | None:
        text = self._read(V2, "memory.peak") if self.unified else self._read("memory", "memory.max_usage_in_bytes")
        return None if text is None else int(text)

    def memory_bytes(self) -> int | None:
        text = self._read(V2, "memory.current") if self.unified else self._read("memory", "memory.usage_in_bytes")
        return None if text is None else int(text)

    def oom_kills(self) -> int | None:
        """How many processes of the group the kernel killed for want of memory."""
        if self.unified:
            return self._entry(V2, "memory.events", "oom_kill")
        return self._entry("memory", "memory.oom_control", "oom_kill")

    def processes(self) -> tuple[int, ...]:
        text = self._read(V2 if self.unified else "pids", "cgroup.procs")
        return tuple(int(pid) for pid in (text or "").split())

    def freeze(self, frozen: bool) -> bool:
        """Stop or resume every process of the group; False where that cannot be done from here."""
        if self.unified:
            return self._write(V2, "cgroup.freeze", "1" if frozen else "0")
        return self._write("freezer", "freezer.state", "FROZEN" if frozen else "THAWED")

    def kill(self, spare: int | None = None, patience_s: float = 2.0) -> bool:
        """Kill every process of the group but `spare`; True when they are gone within the patience.

        Kills nothing in a group that we are in ourselves: that is never a box's.
        """
        deadline = time.monotonic() + patience_s
        pause = 0.0005
        while left := [pid for pid in self.processes() if pid != spare]:
            if time.monotonic() > deadline or not {1, os.getpid()}.isdisjoint(left):
                return False
            # Frozen, nothing can fork between the list and the last kill; a frozen process dies when it is thawed.
            self.freeze(True)
            for pid in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self.freeze(False)
            time.sleep(pause)
            pause = min(pause * 2, 0.02)
        return True

    def remove(self) -> None:
        """Take the empty group away; one that is busy for a moment is tried again for a second."""
        for path in dict.fromkeys(self.paths.values()):
            for _ in range(50):
                try:
                    path.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.02)
                else:
                    break

    def _read(self, controller: str, name: str) -> str | None:
        try:
            return (self.paths[controller] / name).read_text("ascii")
        except (OSError, KeyError):
            return None

    def _entry(self, controller: str, name: str, key: str) -> int | None:
        for line in (self._read(controller, name) or "").splitlines():
            label, _, value = line.partition(" ")
            if label == key:
                return int(value)
        return None

    def _write(self, controller: str, name: str, value: str) -> bool:
        try:
            (self.paths[controller] / name).write_text(value, "ascii")
        except (OSError, KeyError):
            return False
        return True


def missing() -> tuple[str, ...]:
    """The controllers that a box made by hand needs and this process cannot make groups in."""
    mounted = mounts()
    if "memory" not in mounted and V2 in mounted:
        root = mounted[V2][1]
        offered = (root / "cgroup.controllers").read_text("ascii").split()
        if not os.access(root, os.W_OK):
            return ("cpu", "memory", "pids")
        return tuple(name for name in ("cpu", "memory", "pids") if name not in offered)
    own = directories(Path("/proc/self/cgroup"), mounted)
    return tuple(name for name in NEEDED if name not in own or not os.access(own[name], os.W_OK))


def make(name: str, caps: Caps, spare_processes: int) -> Group:
    """A new group with the limits of `caps`; `spare_processes` are the box's own on top. Raises SandboxError."""
    mounted = mounts()
    if "memory" not in mounted:
        return _make_unified(mounted[V2][1] / "botpit" / name, caps, spare_processes)
    own = directories(Path("/proc/self/cgroup"), mounted)
    wanted = [*NEEDED, *(["cpuset"] if caps.cpus else [])]
    group = Group({controller: own[controller] / f"botpit-{name}" for controller in wanted if controller in own})
    limits = [
        ("memory", "memory.limit_in_bytes", str(caps.memory_bytes)),
        ("memory", "memory.swappiness", "0"),
        ("pids", "pids.max", str(caps.processes + spare_processes)),
        ("cpu", "cpu.cfs_period_us", str(PERIOD_US)),
        ("cpu", "cpu.cfs_quota_us", str(_quota(caps))),
    ]
    if swap_in_use():
        limits.append(("memory", "memory.memsw.limit_in_bytes", str(caps.memory_bytes)))
    if caps.cpus:
        limits.append(("cpuset", "cpuset.mems", (own["cpuset"] / "cpuset.mems").read_text("ascii")))
        limits.append(("cpuset", "cpuset.cpus", ",".join(map(str, caps.cpus))))
    return _apply(group, limits)


def _quota(caps: Caps) -> int:
    """Microseconds a period, or -1 for none: processors of its own are limit enough; a quota stops a bot in jerks."""
    return -1 if caps.cpus and len(caps.cpus) <= caps.cores else int(caps.cores * PERIOD_US)


def _make_unified(path: Path, caps: Caps, spare_processes: int) -> Group:
    for parent in (path.parent.parent, path.parent):
        parent.mkdir(exist_ok=True)
        for controller in ("cpu", "memory", "pids", "cpuset"):
            with contextlib.suppress(OSError):
                (parent / "cgroup.subtree_control").write_text(f"+{controller}", "ascii")
    limits = [
        (V2, "memory.max", str(caps.memory_bytes)),
        (V2, "pids.max", str(caps.processes + spare_processes)),
        (V2, "cpu.max", f"{'max' if _quota(caps) < 0 else _quota(caps)} {PERIOD_US}"),
    ]
    if swap_in_use():
        limits.append((V2, "memory.swap.max", "0"))
    if caps.cpus:
        limits.append((V2, "cpuset.cpus", ",".join(map(str, caps.cpus))))
    return _apply(Group({V2: path}), limits)


def _apply(group: Group, limits: list[tuple[str, str, str]]) -> Group:
    try:
        for path in dict.fromkeys(group.paths.values()):
            path.mkdir()
        for controller, name, value in limits:
            (group.paths[controller] / name).write_text(value, "ascii")
    except OSError as error:
        group.remove()
        raise SandboxError(f"cannot limit a bot with control groups: {error}; run as root, or use docker") from error
    return group


def _parents() -> dict[str, Path]:
    """By controller: the directory that our groups are made in, and what their names begin with there."""
    mounted = mounts()
    if "memory" not in mounted:
        return {V2: mounted[V2][1] / "botpit"} if V2 in mounted else {}
    own = directories(Path("/proc/self/cgroup"), mounted)
    return {controller: own[controller] for controller in (*NEEDED, "cpuset") if controller in own}


def named(prefix: str) -> tuple[str, ...]:
    """The names of our groups that begin so, of whatever process."""
    found = set()
    for controller, parent in _parents().items():
        lead = "" if controller == V2 else "botpit-"
        found |= {path.name.removeprefix(lead) for path in parent.glob(f"{lead}{prefix}*")}
    return tuple(sorted(found))


def existing(name: str) -> Group:
    """A group of ours by its name."""
    paths = {at: parent / (name if at == V2 else f"botpit-{name}") for at, parent in _parents().items()}
    return Group({controller: path for controller, path in paths.items() if path.is_dir()})


def limits_swap() -> bool:
    """Whether this kernel counts a group's swap."""
    mounted = mounts()
    if "memory" not in mounted:
        return True
    return (directories(Path("/proc/self/cgroup"), mounted)["memory"] / "memory.memsw.limit_in_bytes").exists()


def swap_in_use() -> bool:
    """Whether this machine has swap at all; without any, memory needs no second limit."""
    return len(Path("/proc/swaps").read_text("ascii").splitlines()) > 1
