"""Debug text before the answer."""

from rogue import answer, decisions, write

for message in decisions():
    write("thinking ...")
    answer(message)
