"""Random play of RLCard: uno with its game objects alone, uno and gin rummy through the environment with views."""

import json
import sys
import time
from random import Random

import rlcard
from rlcard.games.uno import Game as Uno


def alone(seconds):
    """Decisions a second of uno with its own objects; `Game.step` would also make a view, so the round is driven."""
    rng, decisions, begin = Random(1), 0, time.process_time()
    while time.process_time() - begin < seconds:
        game = Uno()
        game.init_game()
        players, uno = game.players, game.round
        while not uno.is_over:
            legal = uno.get_legal_actions(players, uno.current_player)
            decisions += 1
            uno.proceed_round(players, legal[int(rng.random() * len(legal))])
    return decisions / (time.process_time() - begin)


def through_environment(name, seconds):
    """Decisions a second through `rlcard.make`, which hands each player its view."""
    env = rlcard.make(name)
    rng, decisions, begin = Random(1), 0, time.process_time()
    while time.process_time() - begin < seconds:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            decisions += 1
            state, _ = env.step(legal[int(rng.random() * len(legal))])
    return decisions / (time.process_time() - begin)


def measure(seconds):
    """Name -> decisions a second."""
    return {
        "RLCard uno, game alone": alone(seconds),
        "RLCard uno, environment": through_environment("uno", seconds),
        "RLCard gin rummy, environment": through_environment("gin-rummy", seconds),
    }


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]))))
