"""Line ends with a carriage return."""

from rogue import decisions, spell, write

for message in decisions():
    write(spell(message), "\r\n")
