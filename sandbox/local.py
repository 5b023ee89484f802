"""Plain processes, for bots that one trusts: limits and a clean end, but no wall.

In force: a session and a process group of its own, closed descriptors, a cleared environment, a private scratch
directory, limits on file size, open files and core dumps, a watch on resident memory (and on the address space of
CPython), death with the runner. Not stopped: reading the user's files, the network, memory between two looks.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import resource
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from sandbox import warden
from sandbox.api import BuildFailed, Caps, Exit, Program, SandboxError, Usage, failed_with

ANSWER_S: Final = 10.0
"""How long the warden may take to answer; it only waits for the kernel."""
SPACE_FACTOR: Final = 4
"""CPython may map this many times its memory; what it maps is not what it uses."""
BUILD_S: Final = 120.0
BUILD_MEMORY: Final = 2 * 2**30
BUILD_FILE: Final = 512 * 2**20
LOG_CAP: Final = 64 * 2**10
PATH: Final = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
"""`python3` is the harness's own interpreter: a version manager's stand-in on PATH can take ten times as long."""
MARKER: Final = "BOTPIT_BOX"
CONTROLS: Final = (
    "cleared-environment",
    "closed-descriptors",
    "memory-watch",
    "parent-death",
    "process-group",
    "rlimits",
    "scratch-directory",
)
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class LocalBox:
    """One running bot as a child of the warden."""

    transport = "pipe"

    def __init__(self, sandbox: LocalSandbox, number: int, pipes: tuple[int, int, int], scratch: Path) -> None:
        self.stdin, self.stdout, self.stderr = pipes
        self.pid: int | None = None
        self.scratch = scratch
        self._sandbox = sandbox
        self._number = number
        self._exit: Exit | None = None
        self._usage: Usage | None = None
        self._ended = False

    def exit(self, wait_s: float) -> Exit | None:
        if self._exit is None and not self._ended:
            self._sandbox.listen(lambda: self._exit is not None, wait_s)
        return self._exit

    def usage(self) -> Usage:
        if self._usage is None:
            return _usage_of(self.pid)
        return self._usage

    def freeze(self, frozen: bool) -> None:
        """Does nothing: a stop signal reaches only the group, and the bot may undo it."""

    def end(self) -> None:
        if self._ended:
            return
        self._ended = True
        for name in ("stdin", "stdout", "stderr"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)
        self._sandbox.end(self._number)
        shutil.rmtree(self.scratch, ignore_errors=True)

    def heard(self, answer: Mapping[str, Any]) -> None:
        """The warden told something of this bot."""
        if "opened" in answer:
            self.pid = answer["pid"]
            return
        if self._exit is None and "code" in answer and not self._ended:
            self._exit = Exit(answer["code"], answer["signal"], answer["oom"])
        if "cpu" in answer:
            self._usage = Usage(answer["cpu"], answer["peak"])


class LocalSandbox:
    """Bots as processes of this machine, all children of one warden, which starts with the first bot."""

    name = "local"

    def __init__(self) -> None:
        self._warden: subprocess.Popen[bytes] | None = None
        self._orders: socket.socket | None = None
        self._root: Path | None = None
        self._boxes: dict[int, LocalBox] = {}
        self._ended: set[int] = set()
        self._next = 0

    @property
    def lifeline(self) -> int | None:
        """The descriptor whose end tells the warden that the runner is gone; None before the first bot."""
        return None if self._orders is None else self._orders.fileno()

    @property
    def marker(self) -> str:
        """What stands in the environment of every process of its bots, followed by the box; empty before the first."""
        return f"{MARKER}={self._root.name}/" if self._root is not None else ""

    def controls(self) -> tuple[str, ...]:
        return CONTROLS

    def open(self, program: Program, caps: Caps, seat: int, label: str) -> LocalBox:
        root = self._start()
        number = self._next
        self._next += 1
        pipes: list[int] = []
        try:
            scratch = Path(tempfile.mkdtemp(prefix=f"{seat}-", dir=root))
            for _ in range(3):
                pipes += os.pipe2(os.O_CLOEXEC)
        except OSError as error:
            for descriptor in pipes:
                os.close(descriptor)
            raise SandboxError(f"no box for {label}: {error}") from error
        (in_read, in_write, out_read, out_write, err_read, err_write) = pipes
        for ours in (in_write, out_read, err_read):
            os.set_blocking(ours, False)
        box = self._boxes[number] = LocalBox(self, number, (in_write, out_read, err_read), scratch)
        order = self._order(number, program, caps, scratch)
        try:
            self._send(order, [in_read, out_write, err_write])
        finally:
            for theirs in (in_read, out_write, err_write):
                os.close(theirs)
        self.listen(lambda: box.pid is not None, ANSWER_S)
        if box.pid is None:
            box.end()
            raise SandboxError(f"the warden of the local sandbox did not start a bot for {label}")
        return box

    def _order(self, number: int, program: Program, caps: Caps, scratch: Path) -> dict[str, Any]:
        marker = self.marker + scratch.name
        limits = [
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, caps.scratch_bytes),
            (resource.RLIMIT_NOFILE, caps.files),
        ]
        if program.language == "python":
            limits.append((resource.RLIMIT_AS, caps.memory_bytes * SPACE_FACTOR))
        name, _, value = marker.partition("=")
        environment = {
            "PATH": PATH,
            "HOME": str(scratch),
            "TMPDIR": str(scratch),
            "LANG": "C.UTF-8",
            **program.environment,
            name: value,
        }
        return {
            "open": number,
            "command": program.command,
            "directory": str(program.directory.resolve()),
            "environment": environment,
            "marker": marker,
            "limits": limits,
            "memory": caps.memory_bytes,
            "cores": sorted(os.sched_getaffinity(0)),
        }

    def end(self, number: int) -> None:
        """Have one bot killed and wait until it is gone."""
        if self._orders is None:
            return
        with contextlib.suppress(SandboxError):
            self._send({"end": number})
            self.listen(lambda: number in self._ended, ANSWER_S)
        self._ended.discard(number)
        self._boxes.pop(number, None)

    def listen(self, done: Callable[[], bool], wait_s: float) -> None:
        """Take in what the warden tells until `done()` or the time is over."""
        if self._orders is None:
            return
        deadline = time.monotonic() + wait_s
        while not done():
            left = deadline - time.monotonic()
            readable, _, _ = select.select([self._orders], [], [], max(0.0, left))
            if not readable:
                return
            data = self._orders.recv(warden.PACKET)
            if not data:
                raise SandboxError("the warden of the local sandbox is gone")
            answer = marshal.loads(data)  # noqa: S302 (our own warden's)
            number = next(answer[key] for key in ("opened", "exit", "ended") if key in answer)
            if number in self._boxes:
                self._boxes[number].heard(answer)
            if "ended" in answer:
                self._ended.add(number)

    def _send(self, order: dict[str, Any], descriptors: list[int] | None = None) -> None:
        if self._orders is None:
            raise SandboxError("the local sandbox is closed")
        try:
            socket.send_fds(self._orders, [marshal.dumps(order)], descriptors or [])
        except OSError as error:
            raise SandboxError(f"the warden of the local sandbox does not answer: {error}") from error

    def _start(self) -> Path:
        """The root of all scratch directories, once the warden runs."""
        if self._root is not None:
            return self._root
        try:
            self._root = Path(tempfile.mkdtemp(prefix="botpit-"))
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            arguments = [str(theirs.fileno()), str(os.getpid()), str(self._root)]
            self._warden = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-S", warden.__file__, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={},
            )
            theirs.close()
        except OSError as error:
            raise SandboxError(f"the local sandbox does not start: {error}") from error
        self._orders = ours
        return self._root

    def build(self, source: Path, command: tuple[str, ...], output: Path, language: str = "") -> str:  # noqa: ARG002
        """Run a build in a copy of `source` that becomes `output`, as a bot is run but with more time and memory."""
        if output.exists():
            raise SandboxError(f"the output directory of a build is there already: {output}")
        try:
            shutil.copytree(source, output)
            log = self._build(command, output)
        except OSError as error:
            shutil.rmtree(output, ignore_errors=True)
            raise SandboxError(f"the build's files could not be copied: {error}") from error
        except BaseException:
            shutil.rmtree(output, ignore_errors=True)
            raise
        return log

    def _build(self, command: tuple[str, ...], directory: Path) -> str:
        caps = Caps(memory_bytes=BUILD_MEMORY, scratch_bytes=BUILD_FILE, files=1_024)
        box = self.open(Program(command, directory), caps, 0, "build")
        try:
            log, late = _log_of(box, BUILD_S)
            done = box.exit(1.0)
        finally:
            box.end()
        words = " ".join(command)
        if late:
            raise BuildFailed(f"the build took longer than {BUILD_S:.0f} s: {words}", log)
        if done is None or done.code != 0:
            how = "closed its output and went on" if done is None else _how(done)
            raise BuildFailed(f"the build {how}: {words}", log)
        return log

    def close(self) -> None:
        for box in list(self._boxes.values()):
            box.end()
        if self._orders is not None:
            self._orders.close()
            self._orders = None
        if self._warden is not None:
            self._warden.wait()
            self._warden = None
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)
            self._root = None


def _log_of(box: LocalBox, limit_s: float) -> tuple[str, bool]:
    """What a build printed, cut, and whether it was too slow."""
    os.close(box.stdin)
    box.stdin = -1
    deadline = time.monotonic() + limit_s
    log = bytearray()
    waiting = [box.stdout, box.stderr]
    while waiting:
        readable, _, _ = select.select(waiting, [], [], max(0.0, deadline - time.monotonic()))
        if not readable:
            return log.decode("utf-8", "replace"), True
        for descriptor in readable:
            data = os.read(descriptor, LOG_CAP)
            if not data:
                waiting.remove(descriptor)
            log += data[: LOG_CAP - len(log)]
    return log.decode("utf-8", "replace"), False


def _how(done: Exit) -> str:
    if done.out_of_memory:
        return f"used more than {BUILD_MEMORY >> 20} MiB of memory"
    return f"ended by signal {done.signal}" if done.signal is not None else failed_with(done.code or 0)


def _usage_of(pid: int | None) -> Usage:
    """The CPU of a living process, its buried children included; its peak of memory is known when it has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return Usage()
    fields = stat.rpartition(")")[2].split()
    return Usage(sum(map(int, fields[11:15])) / _TICKS)
