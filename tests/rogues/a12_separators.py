"""Every other line separator inside a note."""

from rogue import decisions, spell, write

for message in decisions():
    note = "a\u2028b\u0085c\x0bd\x0ce"
    write(spell(message)[:-1] + ', "note": "' + note.replace("\x0b", "\\u000b").replace("\x0c", "\\f") + '"}')
