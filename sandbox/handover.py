"""Descriptors handed to a starter in a container over a Unix socket: the harness's end."""

from __future__ import annotations

import array
import contextlib
import os
import select
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from sandbox.api import Exit, SandboxError

NAME: Final = "s"
"""The socket's name in its directory."""
MOST_BYTES: Final = 60_000


class Door:
    """A socket in a directory of its own, where one starter may knock; the directory is what the container sees."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(mode=0o755)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC)
        try:
            # Through the descriptor, since a socket's path may have 107 bytes at most.
            handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                self._socket.bind(f"/proc/self/fd/{handle}/{NAME}")
            finally:
                os.close(handle)
            (directory / NAME).chmod(0o666)
            self._socket.listen(1)
        except BaseException:
            self._socket.close()
            raise

    def answer(self, wait_s: float) -> Link | None:
        """The starter's connection, or None when nobody came in that time. Close the door after the first."""
        try:
            self._socket.settimeout(wait_s)
            peer, _ = self._socket.accept()
        except TimeoutError:
            return None
        peer.setblocking(False)
        return Link(peer)

    def close(self) -> None:
        self._socket.close()
        (self.directory / NAME).unlink(missing_ok=True)


class Link:
    """The connection to one starter; `pid` is the starter as this machine counts processes, 0 where that is hidden."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        raw = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        self.pid: int = struct.unpack("3i", raw)[0]

    def run(self, command: Sequence[str], environment: Mapping[str, str], descriptors: tuple[int, int, int]) -> None:
        """Have the starter run a command on these three descriptors. Raises SandboxError when it is not there."""
        parts = [f"R{len(command)}", *command, *(f"{name}={value}" for name, value in environment.items())]
        packet = b"".join(part.encode("utf-8", "surrogateescape") + b"\0" for part in parts)
        if len(packet) > MOST_BYTES or any("\0" in part for part in parts):
            raise SandboxError("a bot's command is too long or holds a zero byte; shorten it in bot.toml")
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
        try:
            self._peer.sendmsg([packet], [rights], socket.MSG_NOSIGNAL)
        except OSError as error:
            raise SandboxError(f"the starter of a container is gone ({error}); the match is void") from error

    def ended(self, wait_s: float) -> Exit | None:
        """How the bot's main process ended, after waiting at most so long; None while it lives.

        Raises ConnectionError when the starter is gone, and with it all knowledge of its bot.
        """
        deadline = time.monotonic() + wait_s
        while (word := self._word(deadline - time.monotonic())) is not None:
            if word[:1] == "X":
                return Exit(code=int(word[1:]))
            if word[:1] == "K":
                return Exit(signal=int(word[1:]))
        return None

    def wipe(self, wait_s: float) -> bool:
        """Have the starter end every other process and empty the scratch; True when it says that all is clean."""
        deadline = time.monotonic() + wait_s
        with contextlib.suppress(OSError):
            self._peer.send(b"W", socket.MSG_NOSIGNAL)
            while (word := self._word(deadline - time.monotonic())) is not None:
                if word in {"C", "D"}:
                    return word == "C"
        return False

    def close(self) -> None:
        self._peer.close()

    def _word(self, wait_s: float) -> str | None:
        poll = select.poll()
        poll.register(self._peer, select.POLLIN)
        if not poll.poll(max(0.0, wait_s) * 1000):
            return None
        packet = self._peer.recv(64)
        if not packet:
            raise ConnectionResetError
        return packet.decode("ascii", "replace")
