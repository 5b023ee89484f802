"""An integer one above 2^53."""

from rogue import answer, decisions

for message in decisions():
    answer(message, x=2**53 + 1)
