"""A bot's build, alike in every walled box: a copy of the source, one command, a bounded archive of what it left."""

from __future__ import annotations

import os
import select
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final

from sandbox.api import Box, BuildFailed, BuildLimits, Caps, Order, Program, failed_with
from sandbox.container import Wall
from sandbox.unpack import ArchiveLimits, Refused, unpack_tar

SOURCE: Final = "/source"
WORK: Final = "/work"
OUTPUT: Final = f"{WORK}/build"
TEMPORARY: Final = f"{WORK}/tmp"  # noqa: S108 (in the box)
HEAD_BYTES: Final = 16 * 2**10
TAIL_BYTES: Final = 48 * 2**10
STDERR_BYTES: Final = 64 * 2**20
"""Past this many bytes of log the build is stopped."""
CHUNK: Final = 65_536

# The command comes as arguments, never as shell text. Its own output goes to the log; the archive goes out alone.
SCRIPT: Final = f"""
mkdir {OUTPUT} {TEMPORARY} && cp -R {SOURCE}/. {OUTPUT} && chmod -R u+w {OUTPUT} && cd {OUTPUT} || exit 125
"$@" </dev/null >&2 || exit $?
cd {OUTPUT} && exec /bin/tar --format=ustar --owner=0 --group=0 --numeric-owner -cf - .
"""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One build: where the source lies, the command as arguments, and what it may use."""

    source: Path
    command: tuple[str, ...]
    limits: BuildLimits

    places = (WORK, WORK)
    """The starter's directory and the scratch."""
    source_place = SOURCE

    def order(self) -> Order:
        limits = self.limits
        caps = Caps(
            memory_bytes=limits.memory_bytes,
            processes=limits.processes,
            files=limits.files,
            scratch_bytes=limits.scratch_bytes,
            scratch_files=limits.scratch_files,
            cores=limits.cores,
        )
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": TEMPORARY,
            "TMPDIR": TEMPORARY,
            "LANG": "C.UTF-8",
        }
        command = ("/bin/sh", "-c", SCRIPT, "build", *self.command)
        return Order(Program(command, self.source, environment=environment), caps, 0, "build")

    def widen(self, wall: Wall) -> Wall:
        """A bot's wall with what a compiler needs: the scratch is the place of work, and programs may run from it."""
        # Named as the working directory, the engine would make it first, as a directory of root's.
        return replace(wall, scratch=WORK, executable_scratch=True, working_directory="/")


class Excerpt:
    """The first and the last part of a long text; the middle is counted and dropped."""

    def __init__(self, head_bytes: int = HEAD_BYTES, tail_bytes: int = TAIL_BYTES) -> None:
        self._most = (head_bytes, tail_bytes)
        self._head, self._tail = bytearray(), bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = self._most[0] - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * self._most[1]:
            del self._tail[: -self._most[1]]

    def text(self) -> str:
        tail = bytes(self._tail[-self._most[1] :])
        dropped = self.total - len(self._head) - len(tail)
        middle = f"\n... {dropped:,} bytes left out ...\n".encode() if dropped else b""
        return (bytes(self._head) + middle + tail).decode("utf-8", "replace")


def build_in(box: Box, recipe: Recipe, output: Path, spool_directory: Path) -> str:
    """Follow a started build to its end and unpack what it left into `output`; gives the log. Raises BuildFailed."""
    log = Excerpt()
    limits = recipe.limits
    deadline = time.monotonic() + limits.time_s
    with tempfile.TemporaryFile(dir=spool_directory) as spool:
        _follow(box, log, spool, limits, deadline)
        # What a build leaves running may hold its own end up: there are few processor shares for many processes.
        ended = box.exit(max(2.0, deadline - time.monotonic()))
        if ended is None:
            raise _too_long(limits, log)
        if ended.out_of_memory:
            raise BuildFailed(f"the build used more than {limits.memory_bytes >> 20} MiB of memory", log.text())
        if ended.signal is not None:
            raise BuildFailed(f"the build was ended by signal {ended.signal}", log.text())
        if ended.code:
            raise BuildFailed(f"the build {failed_with(ended.code)}: {' '.join(recipe.command)}", log.text())
        spool.seek(0)
        bounds = ArchiveLimits(unpacked_bytes=limits.output_bytes, entries=limits.output_files)
        try:
            unpack_tar(spool, output, bounds, tidy=True)
        except Refused as refused:
            raise BuildFailed(f"the build's output was refused: {refused}", log.text()) from refused
    return log.text()


def _follow(box: Box, log: Excerpt, spool: IO[bytes], limits: BuildLimits, deadline: float) -> None:
    """Read archive and log until both end. Raises BuildFailed past the time or a size."""
    # The archive's own headers come on top of the content.
    most = limits.output_bytes + limits.output_files * 1024 + 20 * 512
    size = 0
    poll = select.poll()
    waiting = {box.stdout, box.stderr}
    for descriptor in waiting:
        poll.register(descriptor, select.POLLIN)
    while box.stdout in waiting:
        ready = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
        # Who never stops writing is never without something to read.
        if not ready or time.monotonic() > deadline:
            raise _too_long(limits, log)
        for descriptor, _ in ready:
            data = os.read(descriptor, CHUNK)
            if not data:
                poll.unregister(descriptor)
                waiting.discard(descriptor)
            elif descriptor == box.stderr:
                log.add(data)
            else:
                size += len(data)
                spool.write(data)
        if size > most:
            raise BuildFailed(f"the build left more than {limits.output_bytes >> 20} MiB", log.text())
        if log.total > STDERR_BYTES:
            raise BuildFailed(f"the build wrote more than {STDERR_BYTES >> 20} MiB of log", log.text())
    _drain(box.stderr, log)


def _too_long(limits: BuildLimits, log: Excerpt) -> BuildFailed:
    return BuildFailed(f"the build took longer than {limits.time_s:g} s", log.text())


def _drain(descriptor: int, log: Excerpt) -> None:
    try:
        while data := os.read(descriptor, CHUNK):
            log.add(data)
    except BlockingIOError:
        return
