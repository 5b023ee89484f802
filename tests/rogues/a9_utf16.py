"""The right answer in UTF-16."""

from rogue import decisions, put, spell

for message in decisions():
    put(spell(message).encode("utf-16-le") + b"\n\x00")
