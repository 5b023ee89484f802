"""A line one byte over the cap."""

from rogue import decisions, put, spell

for message in decisions():
    put(spell(message).encode().ljust(65_537) + b"\n")
