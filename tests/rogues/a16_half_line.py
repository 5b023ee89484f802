"""Half a line, then the end."""

from rogue import decisions, spell, write

for message in decisions():
    write(spell(message)[:20], "")
    raise SystemExit(0)
