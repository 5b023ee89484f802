"""What the sandboxes of a harness own on this machine: a mark for processes, a private directory, a user a seat."""

from __future__ import annotations

import fcntl
import itertools
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sandbox.api import SandboxError

FIRST_USER: Final = 200_001
USERS: Final = 1_000
"""Seat users are FIRST_USER and the numbers after it; no account of the machine should have one of them."""


def mark(pid: int | None = None) -> str:
    """A process named so that a later one with the same number is not taken for it: `PID-STARTTIME`."""
    number = os.getpid() if pid is None else pid
    # The command's name stands in parentheses and may hold anything; field 22 is the start time in clock ticks.
    fields = Path(f"/proc/{number}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return f"{number}-{fields[19]}"


_SANDBOXES: Final = itertools.count()


def owner() -> str:
    """A name for one sandbox of this process: its mark and a number."""
    return f"{mark()}-{next(_SANDBOXES)}"


def alive(owner: str) -> bool:
    """Whether the process of an owner's name still runs."""
    number, _, rest = owner.partition("-")
    try:
        return number.isdigit() and mark(int(number)) == f"{number}-{rest.partition('-')[0]}"
    except OSError:
        return False


def runtime_directory() -> Path:
    """The directory for what boxes need while they live, made if missing. Raises SandboxError when it is not ours.

    Others may pass through it (a seat's user must reach its own files) but not list it.
    """
    path = Path(tempfile.gettempdir()) / f"botpit-{os.geteuid()}"
    path.mkdir(mode=0o711, exist_ok=True)
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise SandboxError(f"{path} is not a private directory of ours; remove it or set TMPDIR elsewhere")
    return path


def copy_in(source: Path, target: Path) -> None:
    """A bot's files as a copy that no other bot maps or locks: plain files, readable by all, writable by none."""
    target.mkdir()
    for entry in sorted(source.iterdir()):
        if entry.is_symlink():
            raise SandboxError(f"{entry.name} in a bot's directory is a symbolic link; take it in again")
        if entry.is_dir():
            copy_in(entry, target / entry.name)
        elif entry.is_file():
            shutil.copyfile(entry, target / entry.name)
            (target / entry.name).chmod(0o555 if entry.stat().st_mode & 0o111 else 0o444)
        else:
            raise SandboxError(f"{entry.name} in a bot's directory is not a plain file; take it in again")
    target.chmod(0o755)


@dataclass(slots=True)
class SeatUsers:
    """Numbers of the users that seats run as; a lock that ends with its process holds each, across all harnesses."""

    directory: Path
    held: dict[int, int] = field(default_factory=dict)

    def take(self) -> int:
        """A number that no live box of this machine has. Raises SandboxError when all are in use."""
        self.directory.mkdir(mode=0o700, exist_ok=True)
        for number in range(FIRST_USER, FIRST_USER + USERS):
            if number in self.held:
                continue
            descriptor = os.open(self.directory / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                continue
            self.held[number] = descriptor
            return number
        raise SandboxError("every seat user of this machine is in use; end other tournaments or lower --jobs")

    def give_back(self, number: int) -> None:
        descriptor = self.held.pop(number, None)
        if descriptor is not None:
            os.close(descriptor)

    def close(self) -> None:
        for number in list(self.held):
            self.give_back(number)
