"""A bot that sends or looks for single bits over a channel by its name, as it is told. Runs inside the box."""

# ruff: noqa: PTH110, PTH208, SIM115 (as short as a stranger would write it)

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import socket
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rogue import call, children  # type: ignore[import-not-found]  # lies beside it in the box

held: list[Any] = []
watches: dict[str, int] = {}
kept: list[int] = []


def bind(family: int, kind: int, address: Any) -> None:
    holder = socket.socket(family, kind)
    held.append(holder)
    holder.bind(address)
    if kind == socket.SOCK_STREAM:
        holder.listen(1)


def reach(family: int, kind: int, address: Any) -> bool:
    with socket.socket(family, kind) as caller:
        caller.settimeout(0.2)
        caller.connect(address)
        return True


def can_bind(family: int, kind: int, address: Any) -> bool:
    with socket.socket(family, kind) as caller:
        caller.bind(address)
        return True


def lock(path: str) -> None:
    file = Path(path).open("rb")
    held.append(file)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(path: str) -> bool:
    with Path(path).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True


def grow_pipes() -> None:
    for _ in range(40):
        ends = os.pipe()
        held.extend(os.fdopen(end, "rb") for end in ends)
        fcntl.fcntl(ends[1], 1031, 1 << 20)


def pipe_size() -> int:
    ends = os.pipe()
    size = fcntl.fcntl(ends[1], 1032)
    for end in ends:
        os.close(end)
    return size


def make(path: str, count: int = 1, data: bytes = b"x") -> None:
    for number in range(count):
        Path(f"{path}{number}").write_bytes(data)


def fork() -> None:
    list(children(40, lambda: time.sleep(5)))


def chatter() -> None:
    with socket.socket(2, 2) as own:
        own.bind(("127.0.0.1", 0))
        for _ in range(500):
            own.sendto(b"x", own.getsockname())


def system_processes() -> int:
    room = ctypes.create_string_buffer(128)
    call(99, room)
    return int(struct.unpack_from("=q3Q6QH", room.raw)[10])


def see_events(path: str) -> int:
    """How much was done to a file that all bots have since it was asked last."""
    if path not in watches:
        watches[path] = call(294, 0o4000)
        # Kept open, so that the kernel keeps what is watched.
        kept.append(os.open(path, os.O_RDONLY))
        call(254, watches[path], path.encode(), 0xFFF)
    with contextlib.suppress(BlockingIOError):
        return len(os.read(watches[path], 4096))
    return 0


def open_often(path: str) -> None:
    for _ in range(5):
        Path(path).open("rb").close()


def cookie() -> bytes:
    ends = socket.socketpair()
    try:
        return ends[0].getsockopt(socket.SOL_SOCKET, 57, 8)
    finally:
        for end in ends:
            end.close()


def cookies() -> None:
    for _ in range(9_000):
        cookie()


CHANNELS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "file in tmp": (lambda: make("/tmp/channel"), lambda: os.path.exists("/tmp/channel0")),
    "file in shm": (lambda: make("/dev/shm/channel"), lambda: os.path.exists("/dev/shm/channel0")),
    "file in var tmp": (lambda: make("/var/tmp/channel"), lambda: os.path.exists("/var/tmp/channel0")),
    "abstract socket": (lambda: bind(1, 1, "\0channel"), lambda: reach(1, 1, "\0channel")),
    "tcp port": (lambda: bind(2, 1, ("127.0.0.1", 5157)), lambda: reach(2, 1, ("127.0.0.1", 5157))),
    "udp port": (lambda: bind(2, 2, ("127.0.0.1", 5157)), lambda: can_bind(2, 2, ("127.0.0.1", 5157))),
    "vsock port": (lambda: bind(40, 1, (2**32 - 1, 5157)), lambda: can_bind(40, 1, (2**32 - 1, 5157))),
    "lock of a namespace": (lambda: lock("/proc/self/ns/user"), lambda: try_lock("/proc/self/ns/user")),
    "lock of the image": (lambda: lock("/usr/bin/env"), lambda: try_lock("/usr/bin/env")),
    "lock of the bot": (lambda: lock("/bot/rogue.py"), lambda: try_lock("/bot/rogue.py")),
    "shared memory": (lambda: call(29, 0x5157, 4096, 0o1666), lambda: call(29, 0x5157, 4096, 0)),
    "queue": (lambda: call(68, 0x5157, 0o1666), lambda: call(68, 0x5157, 0)),
    "keyring": (
        lambda: call(248, b"user", b"channel", b"x", 1, ctypes.c_int(-4)),
        lambda: call(250, 10, ctypes.c_int(-4), b"user", b"channel", 0),
    ),
    "count of processes": (fork, lambda: Path("/proc/loadavg").read_text().split("/")[-1:]),
    "system information": (fork, system_processes),
    "pipe memory": (grow_pipes, pipe_size),
    "open files": (
        lambda: held.extend(Path("/dev/null").open("rb") for _ in range(150)),
        lambda: Path("/proc/sys/fs/file-nr").read_text(),
    ),
    "watches": (lambda: [call(294, 0) for _ in range(100)], lambda: call(294, 0) > 0),
    "room in scratch": (lambda: make("/tmp/big", 1, b"x" * (8 << 20)), lambda: os.statvfs("/tmp").f_bfree),
    "files in scratch": (lambda: make("/tmp/f", 300), lambda: os.statvfs("/tmp").f_ffree),
    "reads of the image": (lambda: Path("/usr/bin/env").read_bytes(), lambda: see_events("/usr/bin/env")),
    "events of a namespace": (lambda: open_often("/proc/self/ns/user"), lambda: see_events("/proc/self/ns/user")),
    "events of a clock": (lambda: open_often("/proc/self/ns/time"), lambda: see_events("/proc/self/ns/time")),
    "events of a device": (lambda: open_often("/dev/null"), lambda: see_events("/dev/null")),
    "date of a device": (lambda: os.utime("/dev/null"), lambda: Path("/dev/null").stat().st_mtime_ns),
    "cookies of sockets": (cookies, cookie),
    "count of connections": (
        lambda: held.extend(socket.socket(2, 1) for _ in range(100)),
        lambda: Path("/proc/self/net/sockstat").read_text(),
    ),
    "packets on loopback": (chatter, lambda: Path("/proc/self/net/softnet_stat").read_text()),
    "process names": (lambda: call(157, 15, b"channel\0"), lambda: sorted(os.listdir("/proc"))[:20]),
}


def rest() -> None:
    """Take everything back."""
    for thing in held:
        thing.close()
    held.clear()
    for path in (*Path("/tmp").glob("channel*"), *Path("/tmp").glob("big*"), *Path("/tmp").glob("f[0-9]*")):
        path.unlink()


def main() -> None:
    print("ready", flush=True)
    for line in sys.stdin:
        what, _, name = line.strip().partition(" ")
        answer: object = "done"
        try:
            if what == "send":
                CHANNELS[name][0]()
            elif what == "look":
                answer = CHANNELS[name][1]()
            else:
                rest()
        except OSError as error:
            answer = error.errno
        print(repr(answer), flush=True)


main()
