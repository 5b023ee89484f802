"""Half of a surrogate pair in a note."""

from rogue import decisions, spell, write

for message in decisions():
    write(spell(message)[:-1] + ', "note": "\\ud800"}')
