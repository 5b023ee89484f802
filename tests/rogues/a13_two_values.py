"""Two JSON values on one line."""

from rogue import decisions, spell, write

for message in decisions():
    write(spell(message) + spell(message))
