"""An integer of 5,000 digits."""

from rogue import decisions, spell, write

for message in decisions():
    write(spell(message)[:-1] + ', "x": ' + "9" * 5_000 + "}")
