"""Random play of pokerkit's no-limit Texas hold'em for three players."""

import json
import sys
import time
from random import Random

from pokerkit import Automation, NoLimitTexasHoldem

AUTOMATIC = tuple(Automation)


def moves(state):
    """The calls that the player whose turn it is may make."""
    found = []
    if state.can_fold():
        found.append(state.fold)
    if state.can_check_or_call():
        found.append(state.check_or_call)
    if state.can_complete_bet_or_raise_to():
        found.append(state.complete_bet_or_raise_to)
    return found


def measure(seconds):
    """Name -> decisions a second."""
    rng, decisions, begin = Random(1), 0, time.process_time()
    while time.process_time() - begin < seconds:
        state = NoLimitTexasHoldem.create_state(AUTOMATIC, True, 0, (1, 2), 2, (200, 200, 200), 3)
        while state.status:
            legal = moves(state)
            decisions += 1
            legal[int(rng.random() * len(legal))]()
    return {"pokerkit hold'em": decisions / (time.process_time() - begin)}


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]))))
