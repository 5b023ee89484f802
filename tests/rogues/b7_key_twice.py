"""The key `choice` twice."""

from rogue import decisions, spell, write

for message in decisions():
    write(spell(message)[:-1] + ', "choice": 1}')
