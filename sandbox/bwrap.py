"""The sandbox for strangers' bots without a container engine: bubblewrap, control groups, our system call filter.

Root makes the groups, joins the child to them, mounts the scratch and drops to the seat's user; only then bubblewrap
runs, without any right. Whatever is missing of this, the sandbox refuses to start.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sandbox import cgroups, premises, syscalls
from sandbox.api import BuildLimits, Caps, Exit, Order, Program, SandboxError, Usage, exit_of
from sandbox.building import Recipe, build_in
from sandbox.cgroups import Group
from sandbox.container import BOT, MASKED, SCRATCH, environment
from sandbox.pipes import Pipes, close_all

TOOLS: Final = ("bwrap", "mount", "prlimit", "setpriv", "sh", "unshare")
OLDEST: Final = (0, 8, 0)
"""The first bubblewrap that can refuse new user namespaces inside (`--disable-userns`)."""
SPARE_PROCESSES: Final = 3
"""Bubblewrap outside and inside the box, and one more while it starts."""
CONTROLS: Final = (
    "capabilities-none",
    "cpu-limit",
    "fresh-box",
    "ipc-own",
    "masked-proc",
    "memory-limit",
    "network-none",
    "no-file-watches",
    "no-new-privileges",
    "no-swap",
    "no-user-namespaces",
    "pids-limit",
    "read-only-root",
    "rlimits",
    "scratch-limit",
    "syscall-allow-list",
    "transport-pipe",
    "user-per-seat",
)
# Bubblewrap itself stays as two processes and closes all but its first three descriptors: the bot's input and output
# travel on others, or nobody would see that the bot has closed them.
# Joins every group first, so that all that follows is counted and limited; the scratch lives in a mount namespace of
# its own and is gone with the last process. The device nodes are the machine's: where they could be written, their
# dates could be set, which every other bot sees. Arguments, never text: group files, `--`, table of nodes, mount
# options, place, command.
LAUNCH: Final = """
while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done
mount -a -T "$2" && mount -t tmpfs -o "$3" scratch "$4" || exit 125
shift 4
exec "$@" 3<&0 4>&1 </dev/null >/dev/null
"""
# Says 126 and 127 for what cannot be run, which bubblewrap itself reports like its own failures.
RUN: Final = ("/bin/sh", "-c", 'exec "$@" <&3 >&4 3<&- 4>&-', "bot")
NODES: Final = ("full", "null", "random", "tty", "urandom", "zero")
"""What bubblewrap shows of the machine's devices."""
_SHARED_ETC: Final = ("ld.so.cache", "alternatives")


@dataclass(frozen=True, slots=True)
class BwrapSettings:
    """What an operator may choose of the bubblewrap sandbox."""

    root: str = ""
    """A directory that holds a system to run bots in, such as an unpacked image; empty for this machine's /usr."""
    instance: str = "default"
    """The name under which this competition's groups and directories are swept; one a competition on a machine."""
    file_locks: bool = False
    """Allow bots to lock files; two bots could then talk through the locks of files that both see."""


def from_settings(**settings: Any) -> BwrapSandbox:
    """The sandbox with settings by the names of `BwrapSettings`."""
    return BwrapSandbox(BwrapSettings(**settings))


def obstacles() -> Iterator[str]:
    """What this machine lacks for the sandbox, a sentence each; nothing when it can run."""
    if os.geteuid() != 0:
        yield "it must be started by root, which gives each seat a user of its own and drops to it"
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
    if absent:
        yield f"{', '.join(absent)} not found; install bubblewrap and util-linux"
    if "bwrap" not in absent and (found := version()) < OLDEST:
        yield f"bubblewrap is {_dotted(found)}, and {_dotted(OLDEST)} is needed to refuse namespaces"
    if controllers := cgroups.missing():
        yield f"the control groups {', '.join(controllers)} cannot be written; mount them, or run where they are"
    if platform.machine() not in syscalls.ARCHITECTURES:
        yield f"there is no system call filter for {platform.machine()}"
    if cgroups.swap_in_use() and not cgroups.limits_swap():
        yield "this machine swaps and its kernel does not count swap; turn swap off or boot with swapaccount=1"


def _dotted(parts: Sequence[int]) -> str:
    return ".".join(map(str, parts))


def version() -> tuple[int, ...]:
    """The installed bubblewrap's version, such as (0, 8, 0)."""
    said = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S607
    return tuple(int(part) for part in re.findall(r"\d+", said)[:3])


class BwrapBox:
    """One bot in a bubblewrap box of its own."""

    transport = "pipe"

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        group: Group,
        ours: tuple[int, int, int],
        status: int,
        retire: Callable[[], None],
    ) -> None:
        """`retire` gives back what the box held of the machine, once it is empty."""
        self.stdin, self.stdout, self.stderr = ours
        self.pid: int | None = process.pid
        self.ended = False
        self._process, self._group, self._status, self._retire = process, group, status, retire
        self._exit: Exit | None = None
        self._last = Usage()

    def exit(self, wait_s: float) -> Exit | None:
        """As every box; raises SandboxError when the box could not be set up, which is no fault of the bot's."""
        if self._exit is None and not self.ended:
            try:
                code = self._process.wait(max(0.0, wait_s))
            except subprocess.TimeoutExpired:
                return None
            self.usage()
            ended = exit_of(code) if code >= 0 else Exit(signal=-code)
            if ended.code in {1, 125} and not self._ran():
                raise SandboxError("bubblewrap could not set a box up; `harness doctor` tells what this machine lacks")
            self._exit = Exit(ended.code, ended.signal, ended.code != 0 and bool(self._group.oom_kills()))
        return self._exit

    def usage(self) -> Usage:
        if not self.ended and (cpu := self._group.cpu_s()) is not None:
            self._last = Usage(cpu, self._group.memory_peak_bytes())
        return self._last

    def freeze(self, frozen: bool) -> None:
        if not self.ended:
            self._group.freeze(frozen)

    def end(self) -> None:
        if self.ended:
            return
        self.usage()
        self.ended = True
        self._group.kill()
        self._process.wait()
        os.close(self._status)
        self.stdin, self.stdout, self.stderr = close_all(self.stdin, self.stdout, self.stderr)
        self._group.remove()
        self._retire()

    def _ran(self) -> bool:
        """Whether bubblewrap came as far as running the command: then it reports that command's exit code."""
        report = os.read(self._status, 65_536).decode("utf-8", "replace")
        return any("exit-code" in json.loads(line) for line in report.splitlines())


class BwrapSandbox:
    """Bots under bubblewrap. Raises SandboxError when a control that it needs is missing, and says which.

    A box dies with the thread that opened it, so it is opened from one that lives as long as its match.
    """

    name = "bwrap"

    def __init__(self, settings: BwrapSettings = BwrapSettings()) -> None:
        lacking = list(obstacles())
        if lacking:
            raise SandboxError(f"sandbox `bwrap` cannot run here: {'; '.join(lacking)}")
        self._settings = settings
        self._owner = premises.owner()
        self._root = premises.runtime_directory()
        self._home = self._root / f"{settings.instance}-{self._owner}"
        self._users = premises.SeatUsers(self._root / "users")
        self._count = itertools.count()
        self._boxes: list[BwrapBox] = []
        self._home.mkdir(mode=0o711)
        profile = syscalls.load(settings.file_locks)
        self._filter = self._home / "filter"
        self._filter.write_bytes(syscalls.to_bpf(profile, platform.machine()))
        self._nodes = self._home / "nodes"
        self._nodes.write_text("".join(f"/dev/{node} /dev/{node} none bind,ro 0 0\n" for node in NODES), "ascii")
        self.sweep()
        try:
            self._try()
        except BaseException:
            self.close()
            raise

    def controls(self) -> tuple[str, ...]:
        found = CONTROLS if self._settings.file_locks else (*CONTROLS, "no-file-locks")
        return tuple(sorted(found))

    def open(self, program: Program, caps: Caps, seat: int, label: str) -> BwrapBox:
        return self._open(Order(program, caps, seat, label))

    def build(
        self,
        source: Path,
        command: tuple[str, ...],
        output: Path,
        language: str = "",  # noqa: ARG002 (every language is built alike)
        limits: BuildLimits = BuildLimits(),  # noqa: B008 (frozen)
    ) -> str:
        recipe = Recipe(source, command, limits)
        box = self._open(recipe.order(), recipe)
        try:
            return build_in(box, recipe, output, self._home)
        finally:
            box.end()

    def sweep(self) -> None:
        """Remove the groups and directories that dead processes of this instance left."""
        prefix = f"{self._settings.instance}-"
        for left in self._root.glob(f"{prefix}*"):
            owner = left.name.removeprefix(prefix)
            if re.fullmatch(r"\d+-\d+-\d+", owner) and not premises.alive(owner):
                shutil.rmtree(left, ignore_errors=True)
        for group in cgroups.named(prefix):
            owner = group.removeprefix(prefix).rpartition("-")[0]
            if not premises.alive(owner):
                left_behind = cgroups.existing(group)
                left_behind.kill()
                left_behind.remove()

    def close(self) -> None:
        for box in self._boxes:
            box.end()
        shutil.rmtree(self._home, ignore_errors=True)
        self._users.close()

    def _try(self) -> None:
        """See that a box really starts here, and that the filter is in force in it."""
        nothing = self._home / "probe"
        nothing.mkdir()
        program = Program(("/bin/sh", "-c", "grep -q '^Seccomp:.2' /proc/self/status"), nothing)
        box = self._open(Order(program, Caps(), 0, "probe"))
        try:
            ended = box.exit(20.0)
            said = "it hangs" if ended is None else ""
            with contextlib.suppress(BlockingIOError):
                said += os.read(box.stderr, 4096).decode("utf-8", "replace").strip()
        finally:
            box.end()
        if ended is None or ended.code != 0:
            raise SandboxError(f"sandbox `bwrap` cannot run here: a trial box failed: {said or 'no filter in force'}")

    def _open(self, order: Order, recipe: Recipe | None = None) -> BwrapBox:
        self._boxes = [box for box in self._boxes if not box.ended]
        number = next(self._count)
        directory = self._home / str(number)
        user = self._users.take()
        group: Group | None = None
        try:
            directory.mkdir(mode=0o711)
            (directory / "scratch").mkdir(mode=0o755)
            premises.copy_in(order.program.directory, directory / "bot")
            group = cgroups.make(f"{self._settings.instance}-{self._owner}-{number}", order.caps, SPARE_PROCESSES)
            box = self._launch(order, recipe, directory, user, group)
        except BaseException:
            if group is not None:
                group.kill()
                group.remove()
            self._clear(directory, user)
            raise
        self._boxes.append(box)
        return box

    def _launch(self, order: Order, recipe: Recipe | None, directory: Path, user: int, group: Group) -> BwrapBox:
        pipes = Pipes.make()
        pipes.give_to(user)
        filter_file = _above(os.open(self._filter, os.O_RDONLY | os.O_CLOEXEC))
        status, status_theirs = os.pipe2(os.O_CLOEXEC)
        status_theirs = _above(status_theirs)
        try:
            wall = [*_view(self._settings.root, directory, recipe), "--seccomp", str(filter_file)]
            wall += ["--json-status-fd", str(status_theirs), *_variables(order)]
            command = [
                *("unshare", "--mount", "--propagation", "private", "sh", "-c", LAUNCH, "launch"),
                *(str(path / "cgroup.procs") for path in dict.fromkeys(group.paths.values())),
                *("--", str(self._nodes), _scratch_options(order.caps, recipe), str(directory / "scratch")),
                *("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"),
                "prlimit",
                *(f"--{name}={most}" for name, most in order.caps.rlimits().items()),
                *("bwrap", *wall, "--", *RUN, *order.program.command),
            ]
            process = subprocess.Popen(  # noqa: S603
                command,
                stdin=pipes.theirs[0],
                stdout=pipes.theirs[1],
                stderr=pipes.theirs[2],
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
                cwd="/",
                pass_fds=(filter_file, status_theirs),
                start_new_session=True,
            )
        except BaseException as error:
            close_all(*pipes.ours, status)
            if isinstance(error, OSError):
                raise SandboxError(f"bubblewrap could not be started: {error}") from error
            raise
        finally:
            close_all(*pipes.theirs, filter_file, status_theirs)
        return BwrapBox(process, group, pipes.ours, status, lambda: self._clear(directory, user))

    def _clear(self, directory: Path, user: int) -> None:
        shutil.rmtree(directory, ignore_errors=True)
        self._users.give_back(user)


def _above(descriptor: int) -> int:
    """The same file under a number of two digits, out of the way of those that the launching shell gives out."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    finally:
        os.close(descriptor)


def _view(root: str, directory: Path, recipe: Recipe | None) -> list[str]:
    """What a box sees: a read-only system, its own files, an empty scratch, few devices, no counters of the machine."""
    base = Path(root or "/")
    place, scratch = (recipe.source_place, recipe.places[1]) if recipe else (BOT, SCRATCH)
    view = ["--ro-bind", str(base / "usr"), "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        if (base / name).is_symlink():
            view += ["--symlink", str((base / name).readlink()), f"/{name}"]
        elif (base / name).is_dir():
            view += ["--ro-bind", str(base / name), f"/{name}"]
    shared = [base / "etc" / name for name in _SHARED_ETC] + sorted((base / "etc").glob("java-*"))
    for path in shared:
        view += ["--ro-bind-try", str(path), f"/etc/{path.name}"]
    view += ["--proc", "/proc", "--dev", "/dev", "--bind", str(directory / "scratch"), scratch]
    view += ["--ro-bind", str(directory / "bot"), place, "--chdir", "/" if recipe else BOT]
    for masked in MASKED:
        if masked.startswith("/proc/") and Path(masked).is_dir():
            view += ["--tmpfs", masked, "--remount-ro", masked]
        elif masked.startswith("/proc/") and Path(masked).exists():
            view += ["--ro-bind", "/dev/null", masked]
    view += ["--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts", "--remount-ro", "/dev", "--remount-ro", "/"]
    view += ["--unshare-all", "--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"]
    return [*view, "--hostname", "bot", "--cap-drop", "ALL", "--new-session", "--die-with-parent"]


def _variables(order: Order) -> list[str]:
    given = {**environment(order.caps), **order.program.environment}
    return ["--clearenv", *(word for name, value in given.items() for word in ("--setenv", name, value))]


def _scratch_options(caps: Caps, recipe: Recipe | None) -> str:
    execute = "exec" if recipe else "noexec"
    return f"size={caps.scratch_bytes},nr_inodes={caps.scratch_files},mode=1777,nosuid,nodev,{execute}"
