"""Reads nothing after the greeting."""

import time

from rogue import ready

ready()
time.sleep(60)
