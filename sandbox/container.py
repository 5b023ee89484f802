"""What a bot's container is allowed and shown: the one place where the engine's settings are written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sandbox.api import Caps

PRODUCT: Final = "botpit"
LABEL_INSTANCE: Final = "botpit.instance"
LABEL_OWNER: Final = "botpit.owner"
LABEL_BOX: Final = "botpit.box"
LABEL_STARTER: Final = "botpit.starter"

BOT: Final = "/bot"
DOOR: Final = "/io"
SCRATCH: Final = "/tmp"  # noqa: S108 (inside the box)
STARTER: Final = "/opt/botpit/starter"
MOUNTED_STARTER: Final = "/run/start"

# The engine's own list, which a list of ours replaces and so must repeat.
_ENGINE_MASKED: Final = (
    "/proc/acpi",
    "/proc/asound",
    "/proc/kcore",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/sys/devices/virtual/powercap",
    "/sys/firmware",
)
# Counters of the whole machine, through which two bots could talk and one could watch the other think;
# and what names the machine or dates its start, which a seed must not be guessed from.
_MACHINE_WIDE: Final = (
    "buddyinfo",
    "bus",
    "cgroups",
    "cmdline",
    "config.gz",
    "consoles",
    "devices",
    "diskstats",
    "driver",
    "dynamic_debug",
    "fs",
    "interrupts",
    "iomem",
    "ioports",
    "irq",
    "kallsyms",
    "key-users",
    "kmsg",
    "kpagecgroup",
    "kpagecount",
    "kpageflags",
    "loadavg",
    "locks",
    "mdstat",
    "meminfo",
    "misc",
    "modules",
    "mtrr",
    "pagetypeinfo",
    "partitions",
    "pressure",
    "schedstat",
    "slabinfo",
    "softirqs",
    "stat",
    "swaps",
    "sys/fs",
    "sys/kernel/ns_last_pid",
    "sys/kernel/pty",
    "sys/kernel/random",
    "sys/vm",
    "sysvipc",
    "tty",
    "uptime",
    "version",
    "vmallocinfo",
    "vmstat",
    "zoneinfo",
)
# Queues that outlive a game in a container that serves several, and terminals, of which a machine has few.
_DEVICES: Final = ("/dev/mqueue", "/dev/pts")
MASKED: Final = (*_ENGINE_MASKED, *_DEVICES, "/sys", *(f"/proc/{name}" for name in _MACHINE_WIDE))
READ_ONLY: Final = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")


def environment(caps: Caps) -> dict[str, str]:
    """All that a bot's environment holds before its own variables.

    The machine's memory and processors are hidden, so the runtimes that size themselves by them are told their share.
    """
    memory, threads = caps.memory_bytes, str(max(1, int(caps.cores)))
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": SCRATCH,
        "LANG": "C.UTF-8",
        "GOMAXPROCS": threads,
        "GOMEMLIMIT": str(memory * 3 // 4),
        "JDK_JAVA_OPTIONS": f"-XX:MaxRAM={memory}",
        "NODE_OPTIONS": f"--max-old-space-size={max(32, memory * 3 // 4 >> 20)}",
        "OMP_NUM_THREADS": threads,
    }


CONTROLS: Final = (
    "capabilities-none",
    "ipc-none",
    "masked-proc",
    "memory-limit",
    "network-none",
    "no-file-watches",
    "no-log",
    "no-new-privileges",
    "pids-limit",
    "read-only-root",
    "rlimits",
    "scratch-limit",
    "syscall-allow-list",
    "user-per-seat",
)
"""What every container has; the engine's own features come on top."""


@dataclass(frozen=True, slots=True)
class Wall:
    """Everything about one container that differs from box to box."""

    image: str
    command: tuple[str, ...]
    caps: Caps
    user: int
    seccomp: str
    """The profile's JSON text."""
    binds: Mapping[Path, str] = field(default_factory=dict)
    """Host directory to the place in the container, all read-only."""
    labels: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    working_directory: str = BOT
    spare_processes: int = 2
    """The engine's init and our starter, which the bot's number must not pay for."""
    scratch: str = SCRATCH
    executable_scratch: bool = False
    init: bool = True
    """Whether the engine's init is process 1; else the command is, which must then reap."""
    cgroup_v1: bool = False
    runtime: str = ""


def settings(api: Any, wall: Wall) -> dict[str, Any]:
    """The arguments of `create_container` for one wall; `api` is the engine's low-level client (untyped upstream)."""
    caps = wall.caps
    limits: dict[str, Any] = {"mem_swappiness": 0} if wall.cgroup_v1 else {}
    if caps.cpus:
        limits["cpuset_cpus"] = ",".join(map(str, caps.cpus))
    if not caps.cpus or caps.cores < len(caps.cpus):
        limits["nano_cpus"] = int(caps.cores * 1e9)
    if wall.runtime:
        limits["runtime"] = wall.runtime
    host = api.create_host_config(
        network_mode="none",
        read_only=True,
        tmpfs={wall.scratch: _scratch(wall)},
        binds={str(source): {"bind": target, "mode": "ro"} for source, target in wall.binds.items()},
        mem_limit=caps.memory_bytes,
        memswap_limit=caps.memory_bytes,
        oom_score_adj=1000,
        pids_limit=caps.processes + wall.spare_processes,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges:true", f"seccomp={wall.seccomp}"],
        ipc_mode="none",
        cgroupns="private",
        ulimits=[{"Name": name, "Soft": most, "Hard": most} for name, most in caps.rlimits().items()],
        init=wall.init,
        log_config={"Type": "none", "Config": {}},
        auto_remove=False,
        **limits,
    )
    host["MaskedPaths"] = list(MASKED)
    host["ReadonlyPaths"] = list(READ_ONLY)
    return {
        "image": wall.image,
        "entrypoint": [],
        "command": list(wall.command),
        "user": f"{wall.user}:{wall.user}",
        "working_dir": wall.working_directory,
        "hostname": "bot",
        "environment": {**environment(caps), **wall.environment},
        "labels": dict(wall.labels),
        "stdin_open": True,
        "tty": False,
        "healthcheck": {"test": ["NONE"]},
        "host_config": host,
    }


def _scratch(wall: Wall) -> str:
    caps = wall.caps
    execute = "exec" if wall.executable_scratch else "noexec"
    return f"rw,nosuid,nodev,{execute},size={caps.scratch_bytes},nr_inodes={caps.scratch_files},mode=1777"
