"""Only newlines, seventeen a move."""

from rogue import decisions, put

for _ in decisions():
    put(b"\n" * 17)
