"""Spins while the other thinks."""

import threading

from rogue import answer, decisions


def spin():
    while True:
        pass


for number, message in enumerate(decisions()):
    if number == 0:
        threading.Thread(target=spin, daemon=True).start()
    answer(message)
