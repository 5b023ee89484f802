"""What goes into a match and what comes out of it, as plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, Final, NamedTuple


class Ending(StrEnum):
    """How a match ended. Only `VOID` is the harness's own failure: it is played again and never rated."""

    FINISHED = "finished"
    FORFEIT = "forfeit"
    STEP_LIMIT = "step_limit"
    VOID = "void"


class FaultKind(StrEnum):
    """What a bot did wrong, by its name in the protocol."""

    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    FLOOD = "flood"
    CRASH = "crash"
    LEFT = "left"
    MEMORY = "memory"
    CPU = "cpu"
    STARTUP = "startup"


STRIKE_KINDS: Final = frozenset({FaultKind.TIMEOUT, FaultKind.ILLEGAL, FaultKind.MALFORMED})
"""The faults that cost a strike; all others put the seat out at once."""


class Policy(StrEnum):
    """What strikes lead to: `strict` is out at the first, `strikes` after the limit, `lenient` never."""

    STRICT = "strict"
    STRIKES = "strikes"
    LENIENT = "lenient"


class Act(NamedTuple):
    """What a seat did in one step, as a replay keeps it."""

    action: Any
    choice: int
    of: int
    forced: bool
    used_us: int | None = None
    note: str | None = None
    fault: str | None = None


new_act: Final = partial(tuple.__new__, Act)
"""Half the cost of `Act(...)`, which every decision pays; takes one tuple of all fields."""

LONGEST_MS: Final = 1_000_000_000
"""The longest that a limit may be, over 11 days; sums of a few still fit what the system waits by."""


MOST_STRIKES: Final = 1_000_000
"""No match has as many decisions of one seat."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The time and strikes that every seat of a match has; times in milliseconds."""

    start_ms: int = 10_000
    move_ms: int = 1_000
    bank_ms: int = 10_000
    strikes: int = 3


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who sits on a seat, as a replay names it."""

    bot: str
    version: int = 1
    author: str = ""
    digest: str = ""
    """SHA-256 of the submission's content, hexadecimal."""
    isolation: str = "local"
    """The sandbox with the controls in force, by name."""


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """Everything that decides a match but for the bots' choices."""

    match: str
    group: str
    game: str
    options: Mapping[str, bool | int | str]
    seats: tuple[Entrant, ...]
    seed: int
    limits: Limits = field(default_factory=Limits)
    policy: Policy = Policy.STRIKES
    placement: str = "packed"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a seat; `message` is our own sentence, the other texts are the author's alone to see."""

    seat: int
    step: int
    kind: FaultKind
    message: str
    request: str = ""
    answer: str = ""
    exit_code: int | None = None
    signal: int | None = None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match came out; tuples are by seat."""

    match: str
    ending: Ending
    reason: str
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    faults: tuple[Fault, ...]
    steps: int
    """All steps of the replay, nature's and forced ones included."""
    decisions: tuple[int, ...]
    """How many decisions each seat was really asked."""
    think_ms: tuple[float, ...]
    """The measured thinking time of each seat over the whole match."""
    replay_digest: str = ""
    """SHA-256 of the replay file's bytes; empty when none was written."""
    tally: Mapping[str, int] = field(default_factory=dict)
    """Counts of what happened in it, by the game's short names for people."""
