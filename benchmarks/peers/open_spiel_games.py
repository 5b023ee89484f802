"""Random play of OpenSpiel: its games written in Python, of which the best counts, and its C++ hearts from Python."""

import json
import sys
import time
from random import Random

import pyspiel
from open_spiel.python import games  # noqa: F401 - registers the games written in Python

WRITTEN_IN_PYTHON = ("python_kuhn_poker", "python_tic_tac_toe", "python_block_dominoes", "python_liars_poker")


def rate(name, seconds, *, uniform=False):
    """Decisions a second; the deals of the game take their time but are no decisions.

    A driver of any game draws a chance outcome by the probabilities that `chance_outcomes` gives. `uniform` is for one
    that knows that they are all alike, which is quicker.
    """
    game = pyspiel.load_game(name)
    rng, decisions, begin = Random(1), 0, time.process_time()
    while time.process_time() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and not uniform:
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            legal = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(legal[int(rng.random() * len(legal))])
    return decisions / (time.process_time() - begin)


def measure(seconds):
    """Name -> decisions a second."""
    best, name = max((rate(name, seconds / 2), name) for name in WRITTEN_IN_PYTHON)
    print(f"OpenSpiel's fastest game written in Python: {name}", file=sys.stderr)
    return {
        "OpenSpiel, best in Python": best,
        "OpenSpiel C++ hearts": rate("hearts", seconds),
        "OpenSpiel C++ hearts, deals known to be uniform": rate("hearts", seconds, uniform=True),
    }


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]))))
