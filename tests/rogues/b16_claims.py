"""Claims another seat and match, which is ignored."""

from rogue import answer, decisions

for message in decisions():
    answer(message, seat=1, match="other")
