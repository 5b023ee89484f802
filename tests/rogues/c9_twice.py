"""Answers twice."""

from rogue import answer, decisions

for message in decisions():
    answer(message)
    answer(message)
