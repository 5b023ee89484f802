"""Keys that mean something to other languages."""

from rogue import answer, decisions

for message in decisions():
    answer(message, __proto__=1, constructor={}, __class__="x", toString=[])
