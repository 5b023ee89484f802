"""Closes its input and lives on."""

import os
import time

from rogue import answer, decisions

for message in decisions():
    answer(message)
    os.close(0)
    time.sleep(60)
