"""Garbage instead of a greeting, then the greeting."""

from rogue import answer, decisions, write

write("hello")
for message in decisions():
    answer(message)
