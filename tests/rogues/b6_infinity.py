"""A number that overflows."""

from rogue import decisions, spell, write

for message in decisions():
    write(spell(message)[:-1] + ', "x": 1e999}')
