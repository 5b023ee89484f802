"""The shell's values: what the store remembers, as plain frozen rows for schedules, ratings, pages and commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from referee.match import MatchRecord
from referee.result import Ending, MatchSpec


class Status(StrEnum):
    """How far a submission has come; only `ACCEPTED` ones play."""

    RECEIVED = "received"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Submission:
    """One version of one bot. `number` rises with every submission of the competition, from 0."""

    number: int
    name: str
    version: int
    author: str
    language: str
    digest: str
    """SHA-256 of its content, hexadecimal; also the name of its folder under `submissions/`."""
    command: tuple[str, ...]
    build: tuple[str, ...]
    status: Status
    reason: str
    """Why it was rejected, one sentence; empty otherwise."""
    log: str
    """The output of its build and the stderr of its check; for the author alone."""
    received_at: str
    """UTC, ISO 8601, to the second."""

    @property
    def label(self) -> str:
        """`red v2`, for people."""
        return f"{self.name} v{self.version}"


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be played: which submissions sit where, and its place in the order of all matches.

    The deal group is the set of entrants in one round; its matches, one for each rotation of the seats, share a seed.
    """

    match: str
    group: str
    round: int
    rank: int
    """The place of the group in its round; gaps mean nothing."""
    rotation: int
    seats: tuple[int, ...]
    """The number of the submission on each seat."""
    seed: int

    @property
    def order(self) -> tuple[int, int, int]:
        """The place in the order of all matches, in which results are rated and listed."""
        return (self.round, self.rank, self.rotation)


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A recorded fault of a seat: what anyone may see, and what its author may."""

    seat: int
    step: int
    kind: str
    message: str
    """Our own sentence; the only text of a fault that is ever published."""
    request: str = ""
    answer: str = ""
    exit_code: int | None = None
    signal: int | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """How one seat of a recorded match came out."""

    seat: int
    submission: int
    bot: str
    version: int
    author: str
    rank: int
    score: float
    decisions: int
    think_ms: float
    faults: tuple[FaultRow, ...]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A recorded match; rows come in pairing order."""

    match: str
    group: str
    round: int
    rank: int
    rotation: int
    game: str
    game_version: str
    options: Mapping[str, bool | int | str]
    seed: int
    ending: str
    reason: str
    steps: int
    replay: str
    """The replay's path below the competition's folder; empty when none was kept."""
    replay_digest: str
    isolation: str
    played_at: str
    """When it ended; UTC, ISO 8601, to the second."""
    wall_ms: float
    seats: tuple[SeatRow, ...]
    group_complete: bool
    """Whether every match of its deal group is recorded; before that nothing of it may be published."""
    game_digest: str = ""
    """SHA-256 of the source of the rules that were played, hexadecimal; empty when unknown."""
    tally: Mapping[str, int] = field(default_factory=dict)
    """Counts of what happened, by the game's short names for people."""

    @property
    def order(self) -> tuple[int, int, int]:
        """The place in the order of all matches."""
        return (self.round, self.rank, self.rotation)


@dataclass(frozen=True, slots=True)
class VoidRow:
    """A match that the harness failed to play; it is played again and never rated."""

    match: str
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that a competition has recorded, read at one moment."""

    submissions: tuple[Submission, ...]
    matches: tuple[MatchRow, ...]
    voids: tuple[VoidRow, ...]
    taken_at: str

    @property
    def entrants(self) -> tuple[Submission, ...]:
        """The newest accepted version of each bot, in the order of submission."""
        return newest_accepted(self.submissions)

    @property
    def isolations(self) -> dict[str, int]:
        """How many matches were played under each isolation, in the order of the schedule."""
        return dict(Counter(match.isolation for match in self.matches))


@dataclass(frozen=True, slots=True)
class Played:
    """A played match as a worker hands it back; its replay lies where the job said."""

    spec: MatchSpec
    record: MatchRecord
    game_version: str
    wall_ms: float
    game_digest: str = ""
    """SHA-256 of the rules' source, as `referee.games.digest` gives it."""

    @property
    def void(self) -> bool:
        """Whether the harness failed to play it."""
        return self.record.result.ending is Ending.VOID


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the table."""

    rank: int
    submission: Submission
    mu: float
    sigma: float
    matches: int
    mean_rank: float
    """The mean of its ranks over its matches; 0 before the first."""
    faults: int

    @property
    def conservative(self) -> float:
        """Mu - 3 sigma: with 99.9 % the true skill is higher, if the model holds."""
        return self.mu - 3 * self.sigma


def newest_accepted(submissions: tuple[Submission, ...]) -> tuple[Submission, ...]:
    """Of each bot the newest accepted version, in the order of submission."""
    newest: dict[str, Submission] = {}
    for submission in submissions:
        if submission.status is Status.ACCEPTED:
            newest[submission.name] = submission
    return tuple(sorted(newest.values(), key=lambda submission: submission.number))
