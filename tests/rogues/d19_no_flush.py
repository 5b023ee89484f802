"""Forgets to flush."""

from rogue import decisions, spell

for message in decisions():
    print(spell(message))
