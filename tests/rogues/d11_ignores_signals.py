"""Ignores every signal and never answers."""

import contextlib
import signal

from rogue import decisions

for number in range(1, 65):
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)
for _ in decisions():
    while True:
        pass
