"""A line of just the size that is allowed."""

from rogue import decisions, put, spell

for message in decisions():
    put(spell(message).encode().ljust(65_536) + b"\n")
