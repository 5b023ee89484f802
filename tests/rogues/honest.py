"""No rogue: the honest bot that sits against them."""

from rogue import answer, decisions

for message in decisions():
    answer(message, len(message["legal"]) - 1)
