"""Small programs for boxes, and how a test talks to one."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path

from sandbox.api import Box, Exit, Program

ECHO = """
import sys
for line in sys.stdin:
    sys.stdout.write(line)
    sys.stdout.flush()
"""


def python(directory: Path, source: str, **environment: str) -> Program:
    """A bot of one Python file, as a program."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "bot.py").write_text(source, "utf-8")
    return Program(("python3", "bot.py"), directory, "python", environment)


def read(descriptor: int, wait_s: float = 10.0, end: bytes = b"\n") -> bytes:
    """What comes until `end` is seen, the stream ends or the time is over."""
    data = b""
    deadline = time.monotonic() + wait_s
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    while not data.endswith(end) and poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        piece = os.read(descriptor, 65_536)
        if not piece:
            break
        data += piece
    return data


def everything(box: Box, wait_s: float = 20.0) -> tuple[bytes, bytes, Exit | None]:
    """All that a bot writes until it ends: stdout, stderr, and how it ended."""
    streams = {box.stdout: bytearray(), box.stderr: bytearray()}
    poll = select.poll()
    for descriptor in streams:
        poll.register(descriptor, select.POLLIN)
    left = set(streams)
    deadline = time.monotonic() + wait_s
    while left and (ready := poll.poll(max(0.0, deadline - time.monotonic()) * 1000)):
        for descriptor, _ in ready:
            if piece := os.read(descriptor, 65_536):
                streams[descriptor] += piece
            else:
                poll.unregister(descriptor)
                left.discard(descriptor)
    return bytes(streams[box.stdout]), bytes(streams[box.stderr]), box.exit(5.0)
