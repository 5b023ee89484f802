"""Random matches in bulk: none may raise, each must end, and how they ended is counted.

`python -m benchmarks.soak GAME [--matches N] [--from SEED]`. Numbers of players and choices of options take turns.
Every match is named by its seed, so that one that fails can be played again alone.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from itertools import product
from random import Random
from typing import Any, NamedTuple

from referee.game import CHANCE, Game
from referee.games import GAMES, create, load
from referee.seeds import Streams


class Outcome(NamedTuple):
    """How one match went."""

    ending: str
    """The reason with its numbers taken out, so that equal endings count as one."""
    steps: int
    longest_list: int


def play(game: Game[Any, Any], players: int, seed: int) -> Outcome:
    """One random match. Raises RuntimeError when it does not end within the game's limit of steps."""
    rng, streams, state = Random(seed), Streams(seed), game.start(players)
    longest = 0
    for step in range(game.step_limit):
        acting = game.to_act(state)
        if not acting:
            ending = re.sub(r"\d+( and \d+)*", "N", game.reason(state))
            return Outcome(ending, step, longest)
        if acting == (CHANCE,):
            state = game.apply(state, {CHANCE: game.draw(state, streams)})
            continue
        lists = {seat: game.legal(state, seat) for seat in acting}
        longest = max(longest, *map(len, lists.values()))
        state = game.apply(state, {seat: legal[int(rng.random() * len(legal))] for seat, legal in lists.items()})
    raise RuntimeError(f"{game.name}: the match of {players} players with seed {seed} does not end")


def variants(name: str) -> list[Game[Any, Any]]:
    """The game with every combination of its options' listed values; options without a list keep their default."""
    table = load(name).option_table
    values = [option.choices or (option.default,) for option in table]
    return [create(name, dict(zip((option.name for option in table), row, strict=True))) for row in product(*values)]


def main() -> int:
    """Play, and print how the matches ended."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first seed")
    arguments = parser.parse_args()
    games = variants(arguments.game)
    players = games[0].seats
    endings: Counter[tuple[int, str]] = Counter()
    steps = longest = 0
    for seed in range(arguments.first, arguments.first + arguments.matches):
        count = players[seed % len(players)]
        outcome = play(games[seed // len(players) % len(games)], count, seed)
        endings[count, outcome.ending] += 1
        steps, longest = max(steps, outcome.steps), max(longest, outcome.longest_list)
    print(f"{arguments.game}: {arguments.matches} random matches ended; at most {steps} steps, {longest} legal actions")
    for (count, ending), times in sorted(endings.items()):
        print(f"  {count} players, {times / sum(n for (c, _), n in endings.items() if c == count):7.2%}: {ending}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
