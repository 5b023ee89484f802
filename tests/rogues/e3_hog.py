"""Touches memory for ever."""

from rogue import decisions

held = []
for _ in decisions():
    while True:
        held.append(bytearray(2**22))
