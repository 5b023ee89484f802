"""Closes its error output."""

import os

from rogue import answer, decisions

os.close(2)
for message in decisions():
    answer(message)
