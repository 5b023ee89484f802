"""Sixty thousand brackets."""

from rogue import decisions, write

for _ in decisions():
    write("[" * 60_000)
