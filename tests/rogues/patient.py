"""No rogue: an honest bot that takes its time and uses no CPU for it."""

import time

from rogue import answer, decisions

for message in decisions():
    time.sleep(0.2)
    answer(message, len(message["legal"]) - 1)
