"""Random play of OpenSpiel: its games written in Python, of which the best counts, and its C++ hearts from Python."""

import json
import sys
import time
from random import Random

import pyspiel
from open_spiel.python import games  # noqa: F401 - registers the games written in Python

WRITTEN_IN_PYTHON = ("python_kuhn_poker", "python_tic_tac_toe", "python_block_dominoes", "python_liars_poker")


def rate(name, seconds, pick):
    """Decisions a second; the deals of the game take their time but are no decisions. `pick` draws a deal."""
    game = pyspiel.load_game(name)
    rng, decisions, begin = Random(1), 0, time.process_time()
    while time.process_time() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(pick(state, rng))
                continue
            legal = state.legal_actions()
            decisions += 1
            state.apply_action(legal[int(rng.random() * len(legal))])
    return decisions / (time.process_time() - begin)


def weighted(state, rng):
    """By the probabilities that the game gives, as the driver of any game must draw."""
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    return rng.choices(outcomes, weights)[0]


def choice(state, rng):
    """With `random.choice`, the plain way to write it."""
    return rng.choice(state.chance_outcomes())[0]


def alike(state, rng):
    """Any outcome, by a driver that knows that they are equally likely, as those of hearts are."""
    outcomes = state.chance_outcomes()
    return outcomes[int(rng.random() * len(outcomes))][0]


def measure(seconds):
    """Name -> decisions a second."""
    best, name = max((rate(name, seconds / 2, alike), name) for name in WRITTEN_IN_PYTHON)
    print(f"OpenSpiel's fastest game written in Python: {name}", file=sys.stderr)
    return {
        "OpenSpiel, best in Python": best,
        "OpenSpiel C++ hearts": rate("hearts", seconds, choice),
        "OpenSpiel C++ hearts, deals by probability": rate("hearts", seconds, weighted),
        "OpenSpiel C++ hearts, deals by the fastest index": rate("hearts", seconds, alike),
    }


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]))))
