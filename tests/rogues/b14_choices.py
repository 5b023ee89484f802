"""Choices that are no index."""

from rogue import answer, decisions

WRONG = (True, 1.0, "0", None, [0], -1, 99)
for number, message in enumerate(decisions()):
    answer(message, WRONG[number % len(WRONG)])
