"""Writes for ever without a newline."""

from rogue import decisions, put

for _ in decisions():
    while True:
        put(b"A" * 4096)
