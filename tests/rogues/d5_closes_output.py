"""Closes its output and lives on."""

import os
import time

from rogue import decisions

for _ in decisions():
    os.close(1)
    time.sleep(60)
