"""How often one `greedy` beats a table of `uniform` bots, in one process and without a referee.

`python -m benchmarks.strength GAME [--matches N] [--players N...]`. Every deal is played once from each seat, so that
luck of seat and deal is spread evenly. A shared first rank counts as its share of one win. The interval is
Wilson's, 95 %.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from random import Random
from typing import Any

from referee.game import Game, ranks
from referee.games import GAMES, create
from referee.seeds import Streams
from referee.table import Table

GREEDY = Path(__file__).parent.parent / "bots" / "baselines" / "greedy"
Choose = Callable[[dict[str, Any], dict[str, Any], list[dict[str, Any]]], int]


def rule_of(game: str) -> Choose:
    """What `greedy` does in this game, loaded as the bot itself loads it: from the file named after the game."""
    name = game.replace("-", "_")
    loader = SourceFileLoader(f"greedy_{name}", str(GREEDY / f"{name}.py"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    choose: Choose = module.choose
    return choose


def play(game: Game[Any, Any], players: int, hero: int, choose: Choose, seed: int) -> float:
    """One match with `choose` on seat `hero` and random play elsewhere; gives its share of the win."""
    table = Table(game, players, Streams(seed))
    rng = Random(seed)
    start = {"game": game.name, "seat": hero, "players": players, "options": dict(game.options), "bot_seed": seed}
    for _ in range(game.step_limit):
        acting = table.to_act()
        if not acting:
            break
        if acting[0] < 0:
            table.chance()
            continue
        actions = {}
        for seat in acting:
            legal = table.legal(seat)
            if seat != hero or len(legal) == 1:
                actions[seat] = legal[int(rng.random() * len(legal))]
                continue
            actions[seat] = legal[choose(start, game.view(table.state, seat), [act.to_json() for act in legal])]
        table.play(actions)
    placed = ranks(game.scores(table.state))
    return 1 / placed.count(1) if placed[hero] == 1 else 0.0


def share(name: str, players: int, matches: int) -> tuple[float, float, float, int]:
    """Share of wins of one `greedy` among `uniform` bots, the ends of its 95 % interval, and the matches played."""
    game, choose = create(name), rule_of(name)
    deals = math.ceil(matches / players)
    wins = sum(play(game, players, hero, choose, deal) for deal in range(deals) for hero in range(players))
    count = deals * players
    low, high = wilson(wins / count, count)
    return wins / count, low, high, count


def wilson(rate: float, count: int) -> tuple[float, float]:
    """The 95 % score interval of a rate seen over `count` matches (Wilson 1927)."""
    z = 1.959964
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    return middle - half, middle + half


def main() -> int:
    """Print the share of wins at each number of players."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--matches", type=int, default=400, help="at least so many at each number of players")
    parser.add_argument("--players", type=int, nargs="*", help="only these numbers of players")
    arguments = parser.parse_args()
    for players in arguments.players or create(arguments.game).seats:
        rate, low, high, count = share(arguments.game, players, arguments.matches)
        print(
            f"{arguments.game}, {players} players: greedy wins {rate:.1%} of {count} matches "
            f"(95 % interval {low:.1%} to {high:.1%}); an even share is {1 / players:.1%}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
