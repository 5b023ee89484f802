"""The answer too slowly, byte by byte."""

import time

from rogue import decisions, put, spell

for message in decisions():
    for byte in spell(message).encode() + b"\n":
        put(bytes([byte]))
        time.sleep(0.1)
