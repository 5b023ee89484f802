"""Exits with 3."""

from rogue import decisions

for _ in decisions():
    raise SystemExit(3)
