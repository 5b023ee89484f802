"""The one interface of every sandbox: how a bot is built, started, watched and ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable


class SandboxError(Exception):
    """The sandbox itself failed (no engine, a control missing, a full disk): the harness's fault, never a bot's."""


class BuildFailed(Exception):
    """A bot's build step failed; `log` is its output, cut, for the author."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


@dataclass(frozen=True, slots=True)
class Program:
    """What to run: an argument vector, inside the directory that holds the bot's files (read-only to it)."""

    command: tuple[str, ...]
    directory: Path
    language: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Caps:
    """What one running bot may use."""

    memory_bytes: int = 256 * 2**20
    processes: int = 64
    files: int = 256
    scratch_bytes: int = 16 * 2**20
    scratch_files: int = 1_024
    cores: float = 1.0
    cpus: tuple[int, ...] = ()
    """The host's processors that it may run on; empty for any."""

    def rlimits(self) -> dict[str, int]:
        """The limits of each of its processes behind a wall, by the kernel's names in lower case.

        None is on the address space, since Node and the JVM reserve far more than they use, and none on processor
        seconds.
        """
        return {
            "nofile": self.files,
            "core": 0,
            "memlock": 64 * 2**10,
            "msgqueue": 64 * 2**10,
            "sigpending": 256,
            "fsize": self.scratch_bytes,
            "stack": 8 * 2**20,
            "nice": 0,
            "rtprio": 0,
        }


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """What one build may use, and how much it may leave behind."""

    time_s: float = 120.0
    memory_bytes: int = 1536 * 2**20
    processes: int = 128
    files: int = 1_024
    scratch_bytes: int = 512 * 2**20
    scratch_files: int = 65_536
    output_bytes: int = 100 * 2**20
    output_files: int = 2_000
    cores: float = 1.0


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot's main process ended: an exit code or a signal, and whether the memory limit was hit."""

    code: int | None = None
    signal: int | None = None
    out_of_memory: bool = False


def exit_of(code: int, out_of_memory: bool = False) -> Exit:
    """An exit as shells and inits spell it: 128 with a signal's number on top stands for that signal."""
    killed = 128 < code < 128 + 65
    return Exit(None if killed else code, code - 128 if killed else None, out_of_memory and code != 0)


def failed_with(code: int) -> str:
    """How a build ended that ended with this code, not 0; shells say by two of them that a command cannot be run."""
    if code in (126, 127):
        return f"could not be run (exit code {code}; `harness doctor` tells what is there)"
    return f"failed with exit code {code}"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a bot has used so far; None where the sandbox cannot tell."""

    cpu_s: float | None = None
    memory_peak_bytes: int | None = None


class Box(Protocol):
    """One running bot: three descriptors of ours, non-blocking, and a way to end it with everything it started.

    Whoever uses the box may close a descriptor itself (the bot's input, to hang up); it sets the attribute to -1 then,
    and `end` leaves it alone.
    """

    stdin: int
    stdout: int
    stderr: int
    transport: str
    """How bytes travel, such as `pipe` or `attach_socket`; stands in the match record."""
    pid: int | None
    """The main process as the host sees it, where it can."""

    def exit(self, wait_s: float) -> Exit | None:
        """How the main process ended, after waiting at most `wait_s`; None while it lives."""
        ...

    def usage(self) -> Usage: ...

    def freeze(self, frozen: bool) -> None:
        """Stop or resume everything in the box where the sandbox can; else does nothing."""
        ...

    def end(self) -> None:
        """Kill everything in the box, wait until it is gone, close our descriptors; may be called twice."""
        ...


class Sandbox(Protocol):
    """A way to run bots; used from one process, `close` ends every box that is still open."""

    name: str

    def controls(self) -> tuple[str, ...]:
        """The controls in force, by name, sorted; they stand in every match record."""
        ...

    def open(self, program: Program, caps: Caps, seat: int, label: str) -> Box:
        """A started bot. `label` names match and seat for people and sweepers. Raises SandboxError.

        A program that cannot be executed at all gives a box whose exit says so (code 126 or 127, as shells do).
        """
        ...

    def build(
        self,
        source: Path,
        command: tuple[str, ...],
        output: Path,
        language: str = "",
        limits: BuildLimits = BuildLimits(),
    ) -> str:
        """Run a build in a copy of `source` and leave the result in `output`; gives the log. Raises BuildFailed.

        `output` is a directory that is empty or not there yet; after a failure it is as it was.
        """
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Order:
    """One box that a match needs, as `Sandbox.open` takes it."""

    program: Program
    caps: Caps
    seat: int
    label: str


@runtime_checkable
class OpensTogether(Protocol):
    """A sandbox that makes the boxes of a match side by side and lets their bots go at one moment."""

    def open_together(self, orders: Sequence[Order]) -> tuple[Box, ...]: ...


def open_all(sandbox: Sandbox, orders: Sequence[Order]) -> tuple[Box, ...]:
    """The boxes of a match, in order; when one cannot be opened the others are ended. Raises SandboxError."""
    if isinstance(sandbox, OpensTogether):
        return sandbox.open_together(orders)
    boxes: list[Box] = []
    try:
        for order in orders:
            boxes.append(sandbox.open(order.program, order.caps, order.seat, order.label))  # noqa: PERF401 (kept on failure)
    except BaseException:
        for box in boxes:
            box.end()
        raise
    return tuple(boxes)
