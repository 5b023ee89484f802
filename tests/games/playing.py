"""Matches by rule of thumb, as lists of steps, for tests that look at many positions.

`python -m tests.games.playing GAME` prints a digest of such matches: what two processes are compared by.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from referee.game import CHANCE, Game, Seat
from referee.games import create
from referee.seeds import Streams
from referee.table import Step, Table

Pick = Callable[[Game[Any, Any], Any, Seat, Sequence[Any]], Any]
"""Picks one of a seat's legal actions."""


def at_random(seed: int) -> Pick:
    """Any legal action, all equally likely."""
    rng = Random(seed)
    return lambda game, state, seat, legal: legal[int(rng.random() * len(legal))]


def first(game: Game[Any, Any], state: Any, seat: Seat, legal: Sequence[Any]) -> Any:
    """The fallback, as when every bot fails."""
    return legal[0]


def last(game: Game[Any, Any], state: Any, seat: Seat, legal: Sequence[Any]) -> Any:
    """The least mild action."""
    return legal[-1]


def play(game: Game[Any, Any], players: int, seed: int, pick: Pick, limit: int | None = None) -> list[Step[Any, Any]]:
    """The steps of a match; stops after `limit` of them (the game's own limit by default)."""
    table = Table(game, players, Streams(seed))
    steps: list[Step[Any, Any]] = []
    while (acting := table.to_act()) and len(steps) < (limit or game.step_limit):
        if acting == (CHANCE,):
            steps.append(table.chance())
            continue
        choices = {seat: table.legal(seat) for seat in acting}
        assert all(choices.values()), f"a seat of {acting} is asked and has no legal action"
        state = table.state
        steps.append(table.play({seat: pick(game, state, seat, legal) for seat, legal in choices.items()}))
    return steps


def canonical(value: Any) -> str:
    """One spelling for equal JSON values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(*values: Any) -> str:
    """Sixteen hexadecimal digits that stand for these JSON values."""
    return hashlib.sha256("\n".join(map(canonical, values)).encode()).hexdigest()[:16]


def fingerprint(game: Game[Any, Any], steps: Sequence[Step[Any, Any]]) -> str:
    """A digest of all actions, states, views and events of a match."""
    parts = []
    for step in steps:
        seats = range(len(game.scores(step.after)))
        acts = {str(seat): action.to_json() for seat, action in step.actions.items()}
        parts.append([acts, game.reveal(step.after), [game.view(step.after, seat) for seat in seats]])
        parts.append(list(game.events_by_seat(step.before, step.actions, step.after, len(seats))))
    return digest(*parts)


def main(name: str) -> None:
    """Print the fingerprint of one random match at each number of players."""
    game = create(name)
    for players in game.seats:
        print(fingerprint(game, play(game, players, 7, at_random(7))))


if __name__ == "__main__":
    main(sys.argv[1])
