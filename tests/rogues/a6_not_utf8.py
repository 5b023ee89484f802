"""A byte that is no UTF-8."""

from rogue import decisions, put, spell

for message in decisions():
    put(spell(message, note="x").encode().replace(b"x", b"\xff") + b"\n")
