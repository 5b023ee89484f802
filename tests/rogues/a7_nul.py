"""A zero byte before the answer."""

from rogue import decisions, put, spell

for message in decisions():
    put(b"\x00" + spell(message).encode() + b"\n")
