"""Rows as the templates want them, worked out of a site's values once and shared by its pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from statistics import median
from typing import Final

from leaderboard.model import Bot, Match, Rating, Site
from leaderboard.names import look_alikes, slug
from leaderboard.stats import (
    Folded,
    Record,
    SeatRow,
    Share,
    Sitting,
    by_seat,
    fold,
    pairs_of,
    record_of,
    share,
    sitting_share,
)

FORM: Final = 10
EXTREMES: Final = 5
LINKS: Final = 12
NOW: Final = "@now"
"""Behind an opponent's name where a filter asks for the versions that play now."""

FATES: Final = {
    "timeout": "out: too late too often",
    "illegal": "out: illegal answers",
    "malformed": "out: malformed answers",
    "flood": "out: wrote too much",
    "crash": "out: it crashed",
    "left": "out: it left",
    "memory": "out: too much memory",
    "cpu": "out: too much processor time",
    "startup": "out: it did not start in time",
}
"""What put a seat out of a match, by the kind of its last fault."""
STRIKES: Final = frozenset({"timeout", "illegal", "malformed"})


@dataclass(frozen=True, slots=True)
class Previous:
    """What the last publication showed."""

    snapshot: str
    ranks: Mapping[str, int]
    """The rank of each bot in it."""
    before: Mapping[str, int]
    """The ranks that it compared with, to compare with again when the snapshot is the same."""


@dataclass(frozen=True, slots=True)
class Played:
    """One bot's part in one match."""

    id: str
    path: str
    round: int
    played: datetime
    seat: int
    version: int
    rank: int
    players: int
    score: float
    share: float
    others: tuple[str, ...]
    others_now: tuple[str, ...]
    """Those of the others that it met here as both play now, where that is not always so."""
    ending: str
    fault: bool
    fault_kinds: str
    """The kinds of its own faults, by spaces."""

    @property
    def other_slugs(self) -> str:
        return " ".join([*map(slug, self.others), *(slug(name) + NOW for name in self.others_now)])


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the ranking."""

    order: int
    bot: Bot
    before: int | None
    record: Record
    faults: int
    form: tuple[Played, ...]

    @property
    def sort_rating(self) -> float:
        rating = self.bot.current.rating
        return rating.conservative if rating else -1e6


@dataclass(frozen=True, slots=True)
class FaultLink:
    path: str
    round: int
    step: int


@dataclass(frozen=True, slots=True)
class FaultRow:
    """Faults of one version that are alike: the same kind and the same sentence."""

    kind: str
    version: int
    message: str
    times: int
    links: tuple[FaultLink, ...]
    more: int


@dataclass(frozen=True, slots=True)
class OpponentRow:
    name: str
    rank: int | None
    share: Share
    """Over all versions of both."""
    now: Share
    """Between the versions of both that play now."""


@dataclass(frozen=True, slots=True)
class TallyRow:
    what: str
    times: int
    mean: float
    share: float


class Scale:
    """Places ratings on a drawing 200 units wide."""

    def __init__(self, ratings: Iterable[Rating]) -> None:
        ends = [end for r in ratings for end in (r.mu - 3 * r.sigma, r.mu + 3 * r.sigma)] or [0.0, 50.0]
        self._low, self._width = min(ends), max(max(ends) - min(ends), 1e-9)

    def __call__(self, value: float) -> float:
        return round(200 * (value - self._low) / self._width, 1)

    def span(self, width: float) -> float:
        return round(200 * width / self._width, 1)


def match_path(match: Match) -> str:
    """The page of a match."""
    return f"matches/{match.round}/{slug(match.id)}.html"


def replay_path(match: Match) -> str:
    """The replay of a match, to download."""
    return f"replays/{match.round}/{slug(match.id)}.jsonl.gz"


def watch_path(match: Match) -> str:
    """The page that draws the replay of a match."""
    return f"watch/{match.round}/{slug(match.id)}.html"


class Views:
    """The shared figures of one site."""

    def __init__(self, site: Site, previous: Previous | None) -> None:
        self.site = site
        self.previous = previous
        self.folded: Folded = fold(site.matches)
        self.ranks = {bot.name: bot.rank for bot in site.bots}
        self._mu = {bot.name: bot.current.rating.mu for bot in site.bots if bot.current.rating}

    def record(self, name: str) -> Record:
        """What a bot did with all its versions; an empty record before its first match."""
        return self.folded.bots.get(name) or Record()

    def standing(self, bot: Bot) -> Record:
        """What the version that stands in the table did: its rating is of these matches alone."""
        whole, matches = self.record(bot.name), self.site.matches
        if len(bot.versions) == 1:
            return whole
        now = bot.current.number
        return record_of(matches, (s for s in whole.sittings if matches[s.match].seats[s.seat].version == now))

    @cached_property
    def playing(self) -> Mapping[str, int]:
        """The version of each bot that plays now."""
        return {bot.name: bot.current.number for bot in self.site.bots}

    @cached_property
    def versioned(self) -> frozenset[str]:
        """The bots of which there is more than one version."""
        return frozenset(bot.name for bot in self.site.bots if len(bot.versions) > 1)

    @cached_property
    def pairs_now(self) -> Mapping[tuple[str, str], Share]:
        """For each ordered pair: the points between the versions that play now."""
        if not self.versioned:
            return self.folded.pairs
        return pairs_of(self.site.matches, lambda seat: self.playing.get(seat.bot) == seat.version)

    @cached_property
    def alike(self) -> Mapping[str, str]:
        """Names that may be mistaken for an earlier one."""
        order = sorted(self.site.bots, key=lambda bot: (bot.versions[0].submitted is None, bot.versions[0].submitted))
        return look_alikes(bot.name for bot in order)

    @property
    def before(self) -> Mapping[str, int]:
        """The ranks to compare with; empty at the first publication."""
        if self.previous is None:
            return {}
        return self.previous.before if self.previous.snapshot == self.site.snapshot else self.previous.ranks

    def rows(self) -> list[Row]:
        """The ranking."""
        return [self._row(order, bot) for order, bot in enumerate(self.site.bots)]

    def _row(self, order: int, bot: Bot) -> Row:
        record = self.standing(bot)
        form = self.played(record.sittings[-FORM:])
        return Row(order, bot, self.before.get(bot.name), record, record.faults.total(), form)

    def played(self, sittings: Iterable[Sitting]) -> tuple[Played, ...]:
        """These parts in matches, in the order given."""
        return tuple(self._played(self.site.matches[sitting.match], sitting.seat) for sitting in sittings)

    def _played(self, match: Match, number: int) -> Played:
        seat = match.seats[number]
        kinds = " ".join(dict.fromkeys(fault.kind for fault in match.faults if fault.seat == number))
        others = tuple(other.bot for n, other in enumerate(match.seats) if n != number)
        taken = sitting_share(match, number)
        return Played(
            match.id, match_path(match), match.round, match.played, number, seat.version, seat.rank, len(match.seats),
            seat.score, taken, others, self._others_now(match, number), match.ending, bool(kinds), kinds,
        )  # fmt: skip

    def _others_now(self, match: Match, number: int) -> tuple[str, ...]:
        seat = match.seats[number]
        if not self.versioned or self.playing.get(seat.bot) != seat.version:
            return ()
        return tuple(
            other.bot
            for n, other in enumerate(match.seats)
            if n != number
            and self.playing.get(other.bot) == other.version
            and not self.versioned.isdisjoint((seat.bot, other.bot))
        )

    def opponents(self, name: str) -> list[OpponentRow]:
        """Everybody whom a bot met, best rank first."""
        rows = [
            OpponentRow(other, self.ranks.get(other), found, self.pairs_now.get((name, other), share(0, 0)))
            for other in self.folded.bots
            if (found := self.folded.pairs.get((name, other)))
        ]
        return sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.name))

    def seats(self, record: Record) -> tuple[SeatRow, ...]:
        """How a bot fared on each seat in these of its matches."""
        return by_seat(self.site.matches, record.sittings)

    def extremes(self, name: str) -> tuple[tuple[Played, ...], tuple[Played, ...]]:
        """A bot's best and worst matches: by its share of points, then by the strength of its opponents."""

        def strength(sitting: Sitting) -> float:
            match = self.site.matches[sitting.match]
            others = [self._mu.get(s.bot, 0.0) for n, s in enumerate(match.seats) if n != sitting.seat]
            return sum(others) / max(1, len(others))

        matches = self.site.matches
        keyed = sorted((sitting_share(matches[s.match], s.seat), strength(s), s) for s in self.record(name).sittings)
        best = [s for taken, _, s in reversed(keyed[-EXTREMES:]) if taken >= 0.5]
        worst = [s for taken, _, s in keyed[:EXTREMES] if taken <= 0.5]
        return self.played(best), self.played(worst)

    def faults(self, name: str) -> list[FaultRow]:
        """A bot's faults, alike ones together, the newest first."""
        groups: dict[tuple[str, int, str], list[FaultLink]] = {}
        for sitting in reversed(self.record(name).sittings):
            match = self.site.matches[sitting.match]
            for fault in match.faults:
                if fault.seat == sitting.seat:
                    key = (fault.kind, match.seats[fault.seat].version, fault.message)
                    groups.setdefault(key, []).append(FaultLink(match_path(match), match.round, fault.step))
        return [
            FaultRow(kind, version, message, len(links), tuple(links[:LINKS]), max(0, len(links) - LINKS))
            for (kind, version, message), links in groups.items()
        ]

    def by_version(self, name: str) -> tuple[Counter[int], Counter[int]]:
        """The matches and the faults of each version of a bot."""
        matches: Counter[int] = Counter()
        faults: Counter[int] = Counter()
        for sitting in self.record(name).sittings:
            match = self.site.matches[sitting.match]
            version = match.seats[sitting.seat].version
            matches[version] += 1
            faults[version] += sum(fault.seat == sitting.seat for fault in match.faults)
        return matches, faults

    @cached_property
    def groups(self) -> Mapping[str, Sequence[Match]]:
        """The matches of each deal group."""
        found: defaultdict[str, list[Match]] = defaultdict(list)
        for match in self.site.matches:
            found[match.group].append(match)
        return found

    def tally(self) -> list[TallyRow]:
        """What happened in the matches, the most frequent first; over those matches that were counted."""
        counted = [match.tally for match in self.site.matches if match.tally]
        times: Counter[str] = Counter()
        within: Counter[str] = Counter()
        for tally in counted:
            for what, number in tally:
                times[what] += number
                within[what] += number > 0
        rows = [TallyRow(w, n, n / len(counted), within[w] / len(counted)) for w, n in times.items()]
        return sorted(rows, key=lambda row: (-row.times, row.what))

    def fault_table(self) -> list[tuple[str, int, int]]:
        """Each kind of fault: how often, by how many bots."""
        times: Counter[str] = Counter()
        bots: Counter[str] = Counter()
        for record in self.folded.bots.values():
            times.update(record.faults)
            bots.update(kind for kind, number in record.faults.items() if number)
        return [(kind, number, bots[kind]) for kind, number in times.most_common()]

    def lengths(self) -> list[int]:
        """How many decisions each match took."""
        return [sum(seat.decisions for seat in match.seats) for match in self.site.matches]

    def median_thinking(self) -> float:
        """The thinking time of all seats of a match, in the middle of all matches; milliseconds."""
        return median(sum(seat.think_ms for seat in match.seats) for match in self.site.matches)


def fates(match: Match, limit: int, policy: str) -> list[str]:
    """How the match ended for each seat, in words (A53).

    A seat is out by any fault but a strike, and by its last allowed strike.
    """
    told = []
    for number, seat in enumerate(match.seats):
        kinds = [fault.kind for fault in match.faults if fault.seat == number]
        hard = next((kind for kind in kinds if kind not in STRIKES), None)
        allowed = {"strict": 1, "strikes": limit}.get(policy)
        if hard is not None:
            told.append(FATES.get(hard, f"out: {hard}"))
        elif allowed is not None and len(kinds) >= allowed:
            told.append(FATES[kinds[-1]])
        else:
            first = "first" if sum(other.rank == 1 for other in match.seats) == 1 else "shared first"
            placed = first if seat.rank == 1 else "played to the end"
            told.append(placed + (f", {len(kinds)} strike{'s' * (len(kinds) > 1)}" if kinds else ""))
    return told


def verdict(seats: Sequence[SeatRow]) -> str:
    """What the matches say of the seats, in one sentence."""
    off = [row for row in seats if row.share.low > 0.5 or row.share.high < 0.5]
    if not off:
        return "Not that these matches show: the interval of every seat holds parity."
    good = [f"seat {row.seat}" for row in off if row.share.low > 0.5]
    bad = [f"seat {row.seat}" for row in off if row.share.high < 0.5]
    sides = [f"{_listed(names)} {word}" for names, word in ((good, "above"), (bad, "below")) if names]
    return f"By these matches {' and '.join(sides)} parity: the 95\u202f% interval leaves 50\u202f% out."


def _listed(names: Sequence[str]) -> str:
    verb = "lies" if len(names) == 1 else "lie"
    joined = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    return f"{joined} {verb}"
