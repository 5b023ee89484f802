"""Leaves a daemon behind in every decision."""

import os
import signal
import time

from rogue import answer, decisions

for message in decisions():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            for descriptor in (0, 1, 2):
                os.close(descriptor)
            time.sleep(60)
        os._exit(0)
    os.wait()
    answer(message)
