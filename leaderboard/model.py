"""What the site shows, as plain frozen values.

Whoever publishes fills in a `Site` from wherever the results are kept. All texts that a bot's author can choose (names,
authors, messages that quote an answer) may be hostile: they are kept here as they are and made safe when shown. All
that is asked of them is that UTF-8 can hold them.
Secrets, transcripts and standard error have no place in these values, so they cannot be published.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple


class Moment(NamedTuple):
    """A rating after some match of the competition."""

    match: int
    """How many rated matches the whole competition had had by then; the first is 1."""
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Rating:
    """A skill estimate: mean and standard deviation."""

    mu: float
    sigma: float

    @property
    def conservative(self) -> float:
        """The skill that the bot almost surely has: three standard deviations below the mean."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class Version:
    """One submission of a bot."""

    number: int
    digest: str
    """SHA-256 of the submission's content, hexadecimal."""
    language: str = ""
    status: str = "accepted"
    submitted: datetime | None = None
    rating: Rating | None = None
    history: tuple[Moment, ...] = ()
    """The rating after each of its matches, oldest first."""


@dataclass(frozen=True, slots=True)
class Bot:
    """An entrant under one name; `versions` is never empty and ends with the newest."""

    name: str
    author: str
    versions: tuple[Version, ...]
    rank: int | None = None
    """Its place in the table, 1 is best, ties share; None before its first rated match."""

    @property
    def current(self) -> Version:
        """The version that stands in the table: the newest accepted one, or else the newest."""
        accepted = [version for version in self.versions if version.status == "accepted"]
        return (accepted or self.versions)[-1]


class Fault(NamedTuple):
    """What a seat did wrong: the kind by its name in the protocol, the step, and the referee's own sentence."""

    seat: int
    step: int
    kind: str
    message: str


class Seat(NamedTuple):
    """Who sat on a seat of a match and how it came out."""

    bot: str
    version: int
    digest: str
    rank: int
    score: float
    think_ms: float
    """Measured thinking time over the whole match."""
    decisions: int
    """How many decisions it was really asked."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay file that the site offers."""

    source: Path
    """Where it lies now; the site gets a copy."""
    digest: str
    """SHA-256 of the file's bytes, hexadecimal."""
    size: int
    """In bytes."""


@dataclass(frozen=True, slots=True)
class Match:
    """A recorded match of a deal group that is recorded whole."""

    id: str
    group: str
    """The deal group: the matches that share their deals."""
    round: int
    played: datetime
    ending: str
    reason: str
    seats: tuple[Seat, ...]
    faults: tuple[Fault, ...]
    steps: int
    seed: str
    game_version: str
    game_digest: str = ""
    """SHA-256 of the rules that were played, hexadecimal, where it was recorded."""
    tally: tuple[tuple[str, int], ...] = ()
    """Counts of what happened, by a name for people."""
    replay: Replay | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the schedule; `finished` is when its last match was recorded."""

    number: int
    planned: int
    recorded: int
    finished: datetime | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """The game that is played here, as implemented."""

    name: str
    title: str
    version: str
    players: int
    """Seats a match in this competition."""
    rules: str = ""
    """Its rules page, Markdown."""
    notices: tuple[str, ...] = ()
    """Sentences that people must see beside the game."""
    options: tuple[tuple[str, str], ...] = ()
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot may use in this competition."""

    start_ms: int
    move_ms: int
    bank_ms: int
    strikes: int
    policy: str
    resources: tuple[tuple[str, str], ...] = ()
    """Further limits for people, such as ("memory", "256 MiB")."""


@dataclass(frozen=True, slots=True)
class Document:
    """A page of documentation that the site carries along."""

    source: str
    """Where it stands among the documentation, such as `games/sbam.md`: links between pages go by it."""
    title: str
    text: str
    """Markdown."""

    @property
    def path(self) -> str:
        """Its page in the site."""
        return f"docs/{self.source.removesuffix('.md')}.html"


@dataclass(frozen=True, slots=True)
class Competition:
    """What the organiser says of the competition."""

    name: str
    limits: Limits
    about: str = ""
    """Plain text of any number of lines."""
    organiser: str = ""
    contact: str = ""
    """Where to reach the organiser: an e-mail address or a page."""
    address: str = ""
    """Where the site will be read, without a slash at the end; empty when unknown."""
    submit: str = ""
    """How an author hands in a bot."""
    logs: str = ""
    """Where an author finds the standard error and the transcripts of their bot."""


@dataclass(frozen=True, slots=True)
class Site:
    """Everything that one publication shows, all of one snapshot of the records."""

    snapshot: str
    """The same for the same records; stands on every page."""
    made: datetime
    """The moment of the snapshot: of its last record, so that the same records make the same site."""
    competition: Competition
    game: Game
    bots: tuple[Bot, ...]
    """Ranked ones first, by rank."""
    matches: tuple[Match, ...]
    """In pairing order."""
    rounds: tuple[Round, ...]
    pending: int = 0
    """Matches scheduled, but not shown yet: to be played, or of a deal group that is not whole."""
    documents: tuple[Document, ...] = ()
    isolations: tuple[tuple[str, int], ...] = ()
    """How bots were confined, and in how many of the matches."""
