"""The sandbox for strangers' bots: each seat in a hardened container of its own, on plain pipes where that can be."""

from __future__ import annotations

import contextlib
import itertools
import re
import shutil
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from sandbox import cgroups, premises, starter, syscalls
from sandbox.api import Box, BuildLimits, Caps, Order, Program, SandboxError
from sandbox.building import Recipe, build_in
from sandbox.cgroups import Group
from sandbox.container import (
    BOT,
    CONTROLS,
    DOOR,
    LABEL_BOX,
    LABEL_INSTANCE,
    LABEL_OWNER,
    MOUNTED_STARTER,
    SCRATCH,
    STARTER,
    Wall,
)
from sandbox.docker_box import AttachedBox, Cell, DockerBox, PipeBox
from sandbox.engine import Engine
from sandbox.handover import NAME, Door, Link
from sandbox.pipes import Pipes

Transport = Literal["auto", "pipe", "attach_socket"]
START_S: Final = 20.0
"""How long a container may take to start; a machine that is slower fails the match, not the bot."""
IMAGE: Final = "botpit-bots:full"


@dataclass(frozen=True, slots=True)
class DockerSettings:
    """What an operator may choose of the container sandbox."""

    image: str = IMAGE
    """The image that bots run in; its compilers are in the image of the same name with `-build` after it."""
    instance: str = "default"
    """The name under which this competition's containers are labelled and swept; one a competition on a machine."""
    transport: Transport = "auto"
    series: int = 1
    """How many games of one submission a container may serve, one after the other; 1 is a fresh one for each."""
    ahead: bool = False
    """Make the containers of the next match while one is played, for the same bots; costs time if others play next."""
    file_locks: bool = False
    """Allow bots to lock files; two bots could then talk through the lock of a namespace's file."""
    runtime: str = ""
    """The engine's runtime, such as `runsc`; empty for its default."""


def from_settings(**settings: Any) -> DockerSandbox:
    """The sandbox with settings by the names of `DockerSettings`."""
    return DockerSandbox(DockerSettings(**settings))


def _check_limits(engine: Engine) -> None:
    for name in ("memory", "pids", "cpu quota"):
        if not engine.facts.limits[name]:
            raise SandboxError(f"the engine cannot limit {name}; enable that control group in the kernel")
    if not any("seccomp" in option for option in engine.facts.security):
        raise SandboxError("the engine cannot filter system calls; use one that is built with seccomp")


class DockerSandbox:
    """Bots in containers. Raises SandboxError when engine, image or a needed limit is not there."""

    name = "docker"

    def __init__(self, settings: DockerSettings = DockerSettings(), engine: Engine | None = None) -> None:
        if not re.fullmatch(r"[a-z0-9][a-z0-9_.-]{0,62}", settings.instance):
            raise SandboxError(f"{settings.instance!r} is no name for an instance; use a-z, 0-9, dot and dash")
        self._settings = settings
        self._owner = premises.owner()
        self._root = premises.runtime_directory()
        self._home = self._root / f"{settings.instance}-{self._owner}"
        self._users = premises.SeatUsers(self._root / "users")
        self._lock = threading.Lock()
        self._count = itertools.count()
        self._ready: list[Cell] = []
        self._boxes: list[DockerBox] = []
        self._warming: list[Future[None]] = []
        self.engine = engine or Engine()
        try:
            _check_limits(self.engine)
            self._seccomp = syscalls.to_docker(syscalls.load(settings.file_locks), self.engine.facts.machine)
            self._starter = self._find_starter(settings.image)
            self._transport: Transport = self._choose_transport()
            self.sweep()
        except BaseException:
            self.engine.close()
            raise
        self._makers = ThreadPoolExecutor(4, "container")
        self._janitor = ThreadPoolExecutor(1, "janitor")
        self._home.mkdir(mode=0o711)

    def controls(self) -> tuple[str, ...]:
        if self._transport == "auto":
            self._try_pipes()
        facts, settings = self.engine.facts, self._settings
        found = [
            *CONTROLS,
            "cpu-limit",
            f"runtime-{settings.runtime or facts.default_runtime}",
            f"transport-{self._transport}",
        ]
        if facts.limits["swap"] or not cgroups.swap_in_use():
            found.append("no-swap")
        if not settings.file_locks:
            found.append("no-file-locks")
        if any("userns" in option for option in facts.security):
            found.append("users-remapped")
        found.append("fresh-container" if settings.series == 1 else f"series-{settings.series}")
        return tuple(sorted(found))

    def open(self, program: Program, caps: Caps, seat: int, label: str) -> Box:
        return self.open_together([Order(program, caps, seat, label)])[0]

    def open_together(self, orders: Sequence[Order]) -> tuple[Box, ...]:
        """The boxes of a match: containers first, side by side, and then all bots at one moment."""
        self._end_others(orders)
        made = [self._makers.submit(self._cell, order) for order in orders]
        failed = next((error for future in made if (error := future.exception())), None)
        if failed is not None:
            for future in made:
                if future.exception() is None:
                    self._discard(future.result())
            raise failed
        boxes = [self._box(future.result()) for future in made]
        self._boxes = [*(box for box in self._boxes if not box.ended), *boxes]
        try:
            for box, order in zip(boxes, orders, strict=True):
                box.start(order)
        except BaseException:
            for box in boxes:
                box.end()
            raise
        if self._settings.ahead:
            self._look_ahead(orders)
        return tuple(boxes)

    def _look_ahead(self, orders: Sequence[Order]) -> None:
        """Have as many unused containers of these programs ready, or under way, as the next match of them takes."""
        self._warming = [future for future in self._warming if not future.done()]
        if not self._warming:
            with self._lock:
                waiting = len(self._ready)
            for order in orders[waiting:]:
                self.warm(order.program, order.caps)

    def warm(self, program: Program, caps: Caps, count: int = 1) -> None:
        """Have `count` containers made in the background, so that the next boxes of this very program start at once."""
        if self._transport != "attach_socket":
            order = Order(program, caps, 0, "pool")
            self._warming += [self._makers.submit(self._fill, order) for _ in range(count)]

    def settle(self) -> None:
        """Wait until every container that was asked for by `warm` is ready. Raises SandboxError when one failed."""
        pending, self._warming = self._warming, []
        for future in pending:
            future.result()

    def end_series(self) -> None:
        """Throw away every container that waits, so that none serves another series."""
        self._end_others([], unused=True)

    def _end_others(self, orders: Sequence[Order], unused: bool = False) -> None:
        """Throw away the containers whose series these orders end: those of bots that do not play now."""
        unused = unused or self._settings.ahead
        wanted = [(order.program.directory, order.caps) for order in orders]
        with self._lock:
            over = [
                cell
                for cell in self._ready
                if (cell.games or unused) and (cell.program_directory, cell.caps) not in wanted
            ]
            self._ready = [cell for cell in self._ready if cell not in over]
        for cell in over:
            self._discard(cell)

    def build(
        self,
        source: Path,
        command: tuple[str, ...],
        output: Path,
        language: str = "",  # noqa: ARG002 (every language is built alike)
        limits: BuildLimits = BuildLimits(),  # noqa: B008 (frozen)
    ) -> str:
        image = f"{self._settings.image}-build"
        if self._find_starter(image) != self._starter:
            raise SandboxError(f"{image} and {self._settings.image} are of two ages; run `harness image build`")
        recipe = Recipe(source, command, limits)
        cell = self._make(recipe.order(), image, recipe)
        box = self._box(cell)
        try:
            box.start(recipe.order())
            return build_in(box, recipe, output, self._home)
        finally:
            box.end()

    def sweep(self) -> int:
        """Remove what dead processes of this instance left; gives the number of containers."""
        swept = self.engine.sweep(self._settings.instance)
        for left in self._root.glob(f"{self._settings.instance}-*"):
            owner = left.name.removeprefix(f"{self._settings.instance}-")
            if re.fullmatch(r"\d+-\d+-\d+", owner) and not premises.alive(owner):
                shutil.rmtree(left, ignore_errors=True)
        return swept

    def close(self) -> None:
        self.settle_quietly()
        for box in self._boxes:
            box.end()
        self.end_series()
        self._makers.shutdown()
        self._janitor.shutdown()
        self.engine.sweep(self._settings.instance, self._owner)
        shutil.rmtree(self._home, ignore_errors=True)
        self._users.close()
        self.engine.close()

    def settle_quietly(self) -> None:
        """Wait for `warm` without minding its failures."""
        with contextlib.suppress(SandboxError):
            self.settle()

    def _find_starter(self, image: str) -> Path | Literal["image"] | None:
        """Where the starter comes from: the image, this machine's compiler, or nowhere."""
        if self.engine.starter_of(image) == starter.digest():
            return "image"
        return starter.compiled(self._root)

    def _choose_transport(self) -> Transport:
        wanted = self._settings.transport
        can = self.engine.local and self._starter is not None
        if wanted == "pipe" and not can:
            raise SandboxError("pipes cannot be handed over here (no local engine or no starter); use `auto`")
        return wanted if can else "attach_socket"

    def _try_pipes(self) -> None:
        """Settle how bytes travel by making one container for nothing."""
        nothing = self._home / "probe"
        nothing.mkdir(exist_ok=True)
        self._discard(self._make(Order(Program(("true",), nothing), Caps(), 0, "probe"), self._settings.image))

    def _fill(self, order: Order) -> None:
        cell = self._make(order, self._settings.image)
        with self._lock:
            self._ready.append(cell)

    def _cell(self, order: Order) -> Cell:
        """A container that waits for this program, from the pool or new."""
        with self._lock:
            for cell in self._ready:
                if cell.program_directory == order.program.directory and cell.caps == order.caps:
                    self._ready.remove(cell)
                    return cell
        return self._make(order, self._settings.image)

    def _make(self, order: Order, image: str, recipe: Recipe | None = None) -> Cell:
        with self._lock:
            user, number = self._users.take(), next(self._count)
        cell = Cell("", self._home / str(number), user, order.program.directory, order.caps)
        try:
            cell.directory.mkdir(mode=0o711)
            premises.copy_in(order.program.directory, cell.directory / "bot")
            if self._transport != "attach_socket" and self._connect(cell, order, image, recipe):
                return cell
            cell.container = self.engine.create(self._wall(cell, order, image, recipe, order.program.command))
        except BaseException:
            self._discard(cell)
            raise
        return cell

    def _connect(self, cell: Cell, order: Order, image: str, recipe: Recipe | None) -> bool:
        """Start the container and shake hands with its starter; False when this machine does not let them meet."""
        door = Door(cell.directory / "io")
        try:
            command = (self._starter_path, f"{DOOR}/{NAME}", *(recipe.places if recipe else (BOT, SCRATCH)))
            cell.container = self.engine.create(self._wall(cell, order, image, recipe, command))
            self.engine.start(cell.container)
            cell.link = self._answer(door, cell.container)
        finally:
            door.close()
        if cell.link is not None:
            self._transport = "pipe"
            cell.group = Group.of(cell.link.pid, cell.container)
            return True
        self.engine.remove(cell.container)
        if self._transport == "pipe":
            raise SandboxError("a container's starter did not answer; the match is void")
        self._transport = "attach_socket"
        return False

    def _answer(self, door: Door, container: str) -> Link | None:
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            link = door.answer(0.5)
            if link is None:
                if not self.engine.state(container)[0]:
                    return None
                continue
            if link.pid and Group.of(link.pid, container).paths:
                return link
            # Not of our container as far as this machine can tell, such as across a virtual machine's border.
            link.close()
            return None
        return None

    @property
    def _starter_path(self) -> str:
        return STARTER if self._starter == "image" else MOUNTED_STARTER

    def _wall(self, cell: Cell, order: Order, image: str, recipe: Recipe | None, command: tuple[str, ...]) -> Wall:
        binds = {cell.directory / "bot": recipe.source_place if recipe else BOT}
        if (cell.directory / "io").is_dir():
            binds[cell.directory / "io"] = DOOR
        if isinstance(self._starter, Path) and command[0] == MOUNTED_STARTER:
            binds[self._starter] = MOUNTED_STARTER
        wall = Wall(
            image=image,
            command=command,
            caps=order.caps,
            user=cell.user,
            seccomp=self._seccomp,
            binds=binds,
            labels={
                LABEL_INSTANCE: self._settings.instance,
                LABEL_OWNER: self._owner,
                LABEL_BOX: order.label,
            },
            environment=order.program.environment,
            # The engine's init would have the bot's user: its memory, and the stream to the engine that it holds open,
            # which nobody caps. The starter is closed to the bot, reaps, and cannot be stopped as process 1.
            init=command[0] != self._starter_path,
            cgroup_v1=self.engine.facts.cgroup_version == 1,
            runtime=self._settings.runtime,
        )
        return recipe.widen(wall) if recipe else wall

    def _box(self, cell: Cell) -> DockerBox:
        cell.games += 1
        pipes = Pipes.make()
        if cell.link is not None:
            pipes.give_to(cell.user)
            return PipeBox(self.engine, cell, pipes, self._take_back)
        return AttachedBox(self.engine, cell, pipes, self._take_back)

    def _take_back(self, cell: Cell) -> None:
        """Keep an ended bot's container for its next game when that is allowed and it is as new; else discard it."""
        if cell.link is not None and cell.games < self._settings.series and self._as_new(cell):
            with self._lock:
                self._ready.append(cell)
        else:
            self._discard(cell)

    @staticmethod
    def _as_new(cell: Cell) -> bool:
        """Whether nothing runs in a cell but its starter, and its scratch is empty, as seen from outside."""
        link = cell.link
        if link is None or not link.wipe(2.0) or len(cell.group.processes()) != 1:
            return False
        try:
            return not any(Path(f"/proc/{link.pid}/root{SCRATCH}").iterdir())
        except OSError:
            return False

    def _discard(self, cell: Cell) -> None:
        """End everything in a cell now; the container's record, directory and user number are given back soon after."""
        if cell.link is not None:
            cell.link.close()
        if cell.container and not (cell.group.paths and cell.group.kill()):
            self.engine.kill(cell.container)
        self._janitor.submit(self._clear, cell)

    def _clear(self, cell: Cell) -> None:
        if cell.container:
            self.engine.remove(cell.container)
        shutil.rmtree(cell.directory, ignore_errors=True)
        with self._lock:
            self._users.give_back(cell.user)
