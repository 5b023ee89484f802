"""Answers, then exits with 3."""

from rogue import answer, decisions

for message in decisions():
    answer(message)
    raise SystemExit(3)
