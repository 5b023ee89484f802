"""One bot in one container: with pipes handed over, or over the engine's attached stream."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.api import Caps, Exit, Order, SandboxError, Usage
from sandbox.cgroups import Group
from sandbox.container import environment
from sandbox.engine import Engine
from sandbox.handover import Link
from sandbox.pipes import Pipes, close_all
from sandbox.relay import Relay

REMOVAL_S = 0.3
"""How soon after its bot's death a container that somebody removes is gone."""


@dataclass(slots=True)
class Cell:
    """A container with its seat user, its directory on the host and, with pipes, the link to its starter."""

    container: str
    directory: Path
    user: int
    program_directory: Path
    caps: Caps
    link: Link | None = None
    group: Group = field(default_factory=Group)
    games: int = 0


class DockerBox:
    """What both kinds of box share: descriptors, what was used, freezing and the end."""

    transport = ""

    def __init__(self, engine: Engine, cell: Cell, pipes: Pipes, retire: Callable[[Cell], None]) -> None:
        """`retire` takes the cell back when the bot has ended."""
        self.stdin, self.stdout, self.stderr = pipes.ours
        self.pid: int | None = cell.link.pid if cell.link else None
        self.ended = False
        self._engine, self._cell, self._pipes, self._retire = engine, cell, pipes, retire
        self._exit: Exit | None = None
        self._frozen = False
        self._last = Usage()
        # A container that serves several games counts on: what was there before is not this bot's.
        self._cpu_before = cell.group.cpu_s() or 0.0
        self._oom_before = cell.group.oom_kills() or 0

    def start(self, order: Order) -> None:
        """Let the bot go. Raises SandboxError when its container is gone."""
        raise NotImplementedError

    def exit(self, wait_s: float) -> Exit | None:
        raise NotImplementedError

    def usage(self) -> Usage:
        if not self.ended:
            cpu, peak = self._cell.group.cpu_s(), self._cell.group.memory_peak_bytes()
            if cpu is not None:
                self._last = Usage(max(0.0, cpu - self._cpu_before), peak)
        return self._last

    def freeze(self, frozen: bool) -> None:
        if self.ended or frozen == self._frozen:
            return
        if not self._cell.group.freeze(frozen):
            self._engine.freeze(self._cell.container, frozen)
        self._frozen = frozen

    def end(self) -> None:
        if self.ended:
            return
        # Nothing waits for a frozen process: it could not even die.
        with contextlib.suppress(SandboxError):
            self.freeze(False)
        self.usage()
        self.ended = True
        self._close_streams()
        self.stdin, self.stdout, self.stderr = close_all(self.stdin, self.stdout, self.stderr)
        self._retire(self._cell)

    def _close_streams(self) -> None:
        """What must be closed before the container is killed."""

    def _confirmed(self, ended: Exit) -> Exit:
        """An exit as the engine tells it, once it is clear that nobody is taking the container away under us.

        A removal begins with the same signal by which a bot may end itself. Raises SandboxError: no fault of the bot's.
        """
        if ended.signal == 9 and not ended.out_of_memory:
            time.sleep(REMOVAL_S)
            self._engine.state(self._cell.container)
        return ended


class PipeBox(DockerBox):
    """A bot on kernel pipes that its starter received: no engine in the path while it plays."""

    transport = "pipe"

    def start(self, order: Order) -> None:
        try:
            variables = {**environment(order.caps), **order.program.environment}
            self._link.run(order.program.command, variables, self._pipes.theirs)
        finally:
            self._pipes.close_theirs()

    @property
    def _link(self) -> Link:
        if self._cell.link is None:
            raise SandboxError("a container lost its starter; the match is void")
        return self._cell.link

    def exit(self, wait_s: float) -> Exit | None:
        if self._exit is None and not self.ended:
            try:
                ended = self._link.ended(wait_s)
            except OSError:
                # The bot killed its starter, which ended the container with everything in it.
                ended = self._from_engine()
            if ended is not None:
                self.usage()
                memory = ended.out_of_memory or (ended.code != 0 and self._out_of_memory())
                self._exit = Exit(ended.code, ended.signal, memory)
        return self._exit

    def _out_of_memory(self) -> bool:
        return (self._cell.group.oom_kills() or 0) > self._oom_before

    def _from_engine(self) -> Exit:
        for _ in range(50):
            running, ended = self._engine.state(self._cell.container)
            if not running:
                return self._confirmed(ended)
            time.sleep(0.02)
        return Exit(signal=9)


class AttachedBox(DockerBox):
    """A bot behind the engine's relayed stream; a stream that it closes is seen only when it exits."""

    transport = "attach_socket"
    _relay: Relay | None = None

    def start(self, order: Order) -> None:  # noqa: ARG002 (the container was made for it)
        container = self._cell.container
        # Attached before the start: what a bot says earlier would be lost.
        try:
            raw, held = self._engine.attach(container)
        except BaseException:
            self._pipes.close_theirs()
            raise
        self._relay = Relay(raw, held, *self._pipes.theirs)
        self._engine.start(container)
        with contextlib.suppress(OSError):
            self._cell.group = Group.of(self._engine.pid(container), container)

    def exit(self, wait_s: float) -> Exit | None:
        deadline = time.monotonic() + wait_s
        while self._exit is None and not self.ended:
            running, ended = self._engine.state(self._cell.container)
            if not running:
                self._exit = self._confirmed(ended)
            elif time.monotonic() >= deadline:
                break
            else:
                time.sleep(0.01)
        return self._exit

    def _close_streams(self) -> None:
        if self._relay is not None:
            self._relay.close()
