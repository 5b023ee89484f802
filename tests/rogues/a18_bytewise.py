"""The answer one byte at a time."""

from rogue import decisions, put, spell

for message in decisions():
    for byte in spell(message).encode() + b"\n":
        put(bytes([byte]))
