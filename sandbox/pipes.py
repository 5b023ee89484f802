"""The three pipes between us and a bot."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass


@dataclass(slots=True)
class Pipes:
    """Both ends of stdin, stdout and stderr: ours do not block, none survives an exec."""

    ours: tuple[int, int, int]
    theirs: tuple[int, int, int]

    @classmethod
    def make(cls) -> Pipes:
        stdin, stdout, stderr = (os.pipe2(os.O_CLOEXEC) for _ in range(3))
        ours = (stdin[1], stdout[0], stderr[0])
        for descriptor in ours:
            os.set_blocking(descriptor, False)
        return cls(ours, (stdin[0], stdout[1], stderr[1]))

    def give_to(self, user: int) -> None:
        """Let a seat's user reopen its streams by name (`/dev/stdout`), where we may give files away at all."""
        for descriptor in self.theirs:
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, user, user)

    def close_theirs(self) -> None:
        for descriptor in self.theirs:
            os.close(descriptor)


def close_all(*descriptors: int) -> tuple[int, int, int]:
    """Close a box's descriptors but those that the referee closed before, which are -1; gives what they are then."""
    for descriptor in descriptors:
        if descriptor >= 0:
            os.close(descriptor)
    return -1, -1, -1
