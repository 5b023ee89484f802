"""Ten mebibytes of error output a move."""

import os

from rogue import answer, decisions

for message in decisions():
    for _ in range(160):
        os.write(2, b"x" * 65_535 + b"\n")
    answer(message)
