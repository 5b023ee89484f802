"""A few blank lines, which are forgiven."""

from rogue import answer, decisions, put

for message in decisions():
    put(b"\n \r\n")
    answer(message)
