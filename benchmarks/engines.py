"""Decisions a second of random play in one process, beside other libraries in the same run.

A decision is each time a seat must choose, those with one legal action included; nature's moves take their time but
count for nothing. The others are counted alike. They live in an environment of their own (`benchmarks/.peers`), made
when it is missing; where one cannot be installed, the row says so. A second is one of processor time, and every figure
is the best of several turns, taken one after another by all, so that a busy machine hits all alike.

OpenSpiel's hearts is measured in three ways, for half of its steps are deals: drawn with `random.choice`, which the
promise is about; by the probabilities that the game states, as the driver of any game must, which is slower; and by a
bare index. All three stand beside each other.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.rows import Row
from referee.game import CHANCE, Game
from referee.games import GAMES, create
from referee.seeds import Streams

HERE: Final = Path(__file__).parent
PEERS: Final = {
    "rlcard_games": (
        "rlcard>=1.2,<2",
        ("RLCard uno, game alone", "RLCard uno, environment", "RLCard gin rummy, environment"),
    ),
    "open_spiel_games": (
        "open_spiel>=1.6,<3",
        (
            "OpenSpiel, best in Python",
            "OpenSpiel C++ hearts",
            "OpenSpiel C++ hearts, deals by probability",
            "OpenSpiel C++ hearts, deals by the fastest index",
        ),
    ),
    "pokerkit_games": ("pokerkit>=0.6,<1", ("pokerkit hold'em",)),
}
"""Program under `peers/` -> what it needs, and the figures that it gives."""
PLAIN, VIEWS = "without views", "with views"
SMALL: Final = ((PLAIN, "RLCard uno, game alone", 1.0), (VIEWS, "RLCard uno, environment", 2.0))
PROMISES: Final[Mapping[str, tuple[tuple[str, str, float | None], ...]]] = {
    "marshmallow-test": (
        *SMALL,
        (PLAIN, "OpenSpiel, best in Python", 1.0),
        (PLAIN, "OpenSpiel C++ hearts", 0.7),
        (PLAIN, "OpenSpiel C++ hearts, deals by the fastest index", None),
    ),
    "smores-wars": SMALL,
    "sbam": SMALL,
    "monster-smash": (
        (PLAIN, "RLCard gin rummy, environment", 2.0),
        (PLAIN, "pokerkit hold'em", 4.0),
        (VIEWS, "RLCard gin rummy, environment", 1.0),
        (VIEWS, "pokerkit hold'em", 1.0),
    ),
}
"""Game -> mode, peer, and how many times the peer's speed it must reach at least; None promises nothing."""
TURNS: Final = 5
SECONDS: Final = 0.6
"""How often each is measured, and for how long."""


def run() -> list[Row]:
    """The rows of this topic."""
    failures = _install()
    best: dict[str, float] = {}
    for _ in range(TURNS):
        for name in GAMES:
            for mode in (PLAIN, VIEWS):
                _keep(best, {f"{name} {mode}": rate(create(name), SECONDS, views=mode == VIEWS)})
        for program in PEERS:
            if program not in failures:
                _keep(best, _peer(program))
    notes = {figure: failures.get(program, "") for program, (_, figures) in PEERS.items() for figure in figures}
    rows = [Row(name, value, "decisions/s", better="higher") for name, value in best.items()]
    rows += [Row(figure, None, "decisions/s", note=note) for figure, note in notes.items() if note]
    rows.append(Row("monster-smash, a copy of a state", copying() * 1e6, "us", 20.0))
    return rows + list(_ratios(best, notes))


def rate(game: Game[Any, Any], seconds: float, *, views: bool) -> float:
    """Decisions a second of random play, all numbers of players in turn; with the view of whoever is asked, or not."""
    to_act, legal_of, apply, view = game.to_act, game.legal, game.apply, game.view
    random, decisions, matches = Random(1).random, 0, 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state = game.start(game.seats[matches % len(game.seats)])
        stream = Streams(matches)
        matches += 1
        while acting := to_act(state):
            if acting[0] == CHANCE:
                state = apply(state, {CHANCE: game.draw(state, stream)})
                continue
            actions = {}
            for seat in acting:
                if views:
                    view(state, seat)
                legal = legal_of(state, seat)
                actions[seat] = legal[int(random() * len(legal))]
            decisions += len(acting)
            state = apply(state, actions)
    return decisions / (time.process_time() - begin)


def copying() -> float:
    """Seconds for a copy of a state of Monster Smash, the mean over a random match of four, best of several rounds."""
    game, rng, streams = create("monster-smash"), Random(1), Streams(1)
    states = [game.start(4)]
    while acting := game.to_act(states[-1]):
        state = states[-1]
        action = game.draw(state, streams) if acting[0] == CHANCE else rng.choice(game.legal(state, acting[0]))
        states.append(game.apply(state, {acting[0]: action}))
    rounds = []
    for _ in range(20):
        begin = time.process_time()
        for state in states:
            state.copy()
        rounds.append((time.process_time() - begin) / len(states))
    return min(rounds)


def _ratios(best: Mapping[str, float], notes: Mapping[str, str]) -> Iterable[Row]:
    for game in GAMES:
        for mode, peer, limit in PROMISES.get(game, ()):
            name = f"{game} {mode} / {peer}"
            value = best[f"{game} {mode}"] / best[peer] if peer in best else None
            yield Row(name, value, "times", limit, "higher", notes[peer])


def _keep(best: dict[str, float], figures: Mapping[str, float]) -> None:
    for name, value in figures.items():
        best[name] = max(value, best.get(name, 0.0))


def _python() -> Path:
    return HERE / ".peers" / "bin" / "python"


def _install() -> dict[str, str]:
    """Make the others' environment where it is missing; gives the programs that cannot run, with the reason."""
    if not _python().exists():
        subprocess.run([sys.executable, "-m", "venv", HERE / ".peers"], check=True)
    failures = {}
    for program, (requirement, _) in PEERS.items():
        pip = [str(_python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
        if _imports(program):
            continue
        done = subprocess.run(pip, capture_output=True, text=True, check=False)
        if done.returncode or not _imports(program):
            failures[program] = f"{requirement} could not be installed"
    return failures


def _imports(program: str) -> bool:
    """Whether the program finds what it needs."""
    command = [str(_python()), "-c", f"import {program}"]
    return subprocess.run(command, cwd=HERE / "peers", capture_output=True, check=False).returncode == 0


def _peer(program: str) -> dict[str, float]:
    command = [str(_python()), str(HERE / "peers" / f"{program}.py"), str(SECONDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures
