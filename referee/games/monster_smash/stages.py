"""All effects by name, and the loop that works off what is pending until somebody has to decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from referee.games.monster_smash.cards import EFFECTS
from referee.games.monster_smash.cards.definition import Ask, Frame, Steps
from referee.games.monster_smash.nature import NATURE
from referee.games.monster_smash.plays import PLAYS
from referee.games.monster_smash.scoring import SCORING
from referee.games.monster_smash.setup import SETUP
from referee.games.monster_smash.state import NOBODY, State
from referee.games.monster_smash.turn import TURN

PROGRAMS: Final[dict[str, Steps]] = {**EFFECTS, **PLAYS, **NATURE, **SETUP, **TURN, **SCORING}
"""Every effect there is, by name."""


def _compile(steps: Steps) -> tuple[tuple[Ask | None, Any, bool], ...]:
    """For each step: the choice, or the change and whether it is the last; then an end."""
    return (
        *(
            (step, None, False) if isinstance(step, Ask) else (None, step, at + 1 == len(steps))
            for at, step in enumerate(steps)
        ),
        (None, None, True),
    )


_COMPILED: Final = {name: _compile(steps) for name, steps in PROGRAMS.items()}


def run(s: State) -> tuple[Ask, Sequence[int]] | None:
    """Work off the stack until somebody has to decide: the open question and what may be chosen; None when over."""
    stack = s.stack
    while stack:
        f = stack[-1]
        choice, change, last = _COMPILED[f[0]][f[1]]
        if choice:
            values = choice.values(s, f)
            if not values:
                choice.nothing(s, f)
            elif len(values) == 1 and not choice.hidden:
                choice.chosen(s, f, values[0])
            else:
                s.asked = choice.seat(s, f)
                return choice, values
        elif last:
            stack.pop()
            if change:
                change(s, f)
        else:
            stack[-1] = Frame(f[0], f[1] + 1, f[2], f[3], f[4])
            change(s, f)
    s.asked = NOBODY
    return None


def question(s: State) -> tuple[Ask, Frame]:
    """The step that waits for a decision, and its frame; valid while somebody is asked."""
    f = s.stack[-1]
    step = PROGRAMS[f.effect][f.at]
    assert isinstance(step, Ask)
    return step, f
