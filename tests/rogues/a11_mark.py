"""A byte-order mark before the first line."""

from rogue import answer, decisions, put

put(b"\xef\xbb\xbf")
for message in decisions():
    answer(message)
