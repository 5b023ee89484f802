"""Answers in an endless loop."""

from rogue import answer, decisions

for message in decisions():
    while True:
        answer(message)
