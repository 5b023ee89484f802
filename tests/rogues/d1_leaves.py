"""Exits with 0 in its second decision."""

from rogue import answer, decisions

for number, message in enumerate(decisions()):
    if number:
        raise SystemExit(0)
    answer(message)
