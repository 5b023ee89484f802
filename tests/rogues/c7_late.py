"""The first answer comes during the next decision."""

import time

from rogue import answer, decisions

for number, message in enumerate(decisions()):
    if number == 0:
        time.sleep(1.2)
    answer(message)
