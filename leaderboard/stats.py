"""Figures that the pages show, folded from the match rows: pure functions of plain values.

A *point* is what a seat takes from each opponent of a match: 1 when it ranks better, one half when both share a rank,
0 when it ranks worse. So a share of points is comparable between games and player counts, and 50 % is parity.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from typing import Final, NamedTuple

from leaderboard.model import Match, Seat

Z95: Final = 1.959964
"""The normal quantile of a two-sided 95 % interval."""


class Share(NamedTuple):
    """Points taken of points played for, with their 95 % interval; shares are from 0 to 1."""

    points: float
    played: int
    low: float
    high: float

    @property
    def value(self) -> float:
        return self.points / self.played if self.played else 0.5


def share(points: float, played: int) -> Share:
    """The share with Wilson's score interval (E. B. Wilson, 1927), which stays sane for few matches and near 0 and 1.

    Ties count as half a win. The matches of one deal group are not independent, so read it as a guide.
    """
    if not played:
        return Share(0.0, 0, 0.0, 1.0)
    p, n, z2 = points / played, played, Z95 * Z95
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return Share(points, played, max(0.0, centre - half), min(1.0, centre + half))


class Sitting(NamedTuple):
    """One bot's part in one match: the index of the match, the seat."""

    match: int
    seat: int


@dataclass(slots=True)
class Record:
    """What one bot did in all its matches so far."""

    sittings: list[Sitting] = field(default_factory=list)
    places: Counter[int] = field(default_factory=Counter)
    """How often it took each rank."""
    points: float = 0.0
    opponents: int = 0
    """Points played for: opponents met, counted once for each match."""
    faults: Counter[str] = field(default_factory=Counter)
    think_ms: float = 0.0
    decisions: int = 0

    @property
    def matches(self) -> int:
        return len(self.sittings)

    @property
    def mean_rank(self) -> float:
        return sum(rank * count for rank, count in self.places.items()) / max(1, self.matches)

    @property
    def share(self) -> Share:
        return share(self.points, self.opponents)


@dataclass(frozen=True, slots=True)
class Folded:
    """All figures of one set of matches; sittings point into `matches`."""

    matches: Sequence[Match]
    bots: Mapping[str, Record]
    pairs: Mapping[tuple[str, str], Share]
    """For each ordered pair that met: the points of the first against the second."""


def fold(matches: Sequence[Match]) -> Folded:
    """Every bot's record and every pair's share of points."""
    bots: dict[str, Record] = {}
    points: defaultdict[tuple[str, str], float] = defaultdict(float)
    met: Counter[tuple[str, str]] = Counter()
    for index, match in enumerate(matches):
        faults = Counter((fault.seat, fault.kind) for fault in match.faults)
        for number, seat in enumerate(match.seats):
            record = bots.get(seat.bot)
            if record is None:
                record = bots[seat.bot] = Record()
            record.sittings.append(Sitting(index, number))
            record.places[seat.rank] += 1
            record.think_ms += seat.think_ms
            record.decisions += seat.decisions
        for (number, kind), count in faults.items():
            bots[match.seats[number].bot].faults[kind] += count
        for one, two in combinations(match.seats, 2):
            if one.bot == two.bot:
                continue
            won = point(one.rank, two.rank)
            for us, them, taken in ((one, two, won), (two, one, 1 - won)):
                bots[us.bot].points += taken
                bots[us.bot].opponents += 1
                points[us.bot, them.bot] += taken
                met[us.bot, them.bot] += 1
    pairs = {pair: share(points[pair], count) for pair, count in met.items()}
    return Folded(matches, bots, pairs)


def pairs_of(matches: Iterable[Match], counts: Callable[[Seat], bool]) -> Mapping[tuple[str, str], Share]:
    """Every pair's share of points over the seats that count alone."""
    points: defaultdict[tuple[str, str], float] = defaultdict(float)
    met: Counter[tuple[str, str]] = Counter()
    for match in matches:
        for one, two in combinations(filter(counts, match.seats), 2):
            if one.bot != two.bot:
                won = point(one.rank, two.rank)
                points[one.bot, two.bot] += won
                points[two.bot, one.bot] += 1 - won
                met[one.bot, two.bot] += 1
                met[two.bot, one.bot] += 1
    return {pair: share(points[pair], count) for pair, count in met.items()}


def record_of(matches: Sequence[Match], sittings: Iterable[Sitting]) -> Record:
    """The record of one bot over these of its parts in matches alone; `matches` is what the sittings point into."""
    record = Record()
    for sitting in sittings:
        match = matches[sitting.match]
        seat = match.seats[sitting.seat]
        others = [other for other in match.seats if other.bot != seat.bot]
        record.sittings.append(sitting)
        record.places[seat.rank] += 1
        record.points += sum(point(seat.rank, other.rank) for other in others)
        record.opponents += len(others)
        record.faults.update(fault.kind for fault in match.faults if fault.seat == sitting.seat)
        record.think_ms += seat.think_ms
        record.decisions += seat.decisions
    return record


def point(own: int, other: int) -> float:
    """What a rank takes from another rank: 1, one half or 0."""
    return 1.0 if own < other else 0.5 if own == other else 0.0


def sitting_share(match: Match, seat: int) -> float:
    """The share of points that this seat took from its opponents in this match."""
    own, points = match.seats[seat].rank, -0.5  # itself is among those that it ties with
    for other in match.seats:
        if own < other.rank:
            points += 1.0
        elif own == other.rank:
            points += 0.5
    return points / (len(match.seats) - 1) if len(match.seats) > 1 else 0.5


@dataclass(frozen=True, slots=True)
class SeatRow:
    """How one seat fared over matches: its share of points, its first places (shared ones by parts), its mean rank."""

    seat: int
    share: Share
    firsts: Share
    mean_rank: float


def by_seat(matches: Iterable[Match], sittings: Iterable[Sitting] | None = None) -> tuple[SeatRow, ...]:
    """The seats' fortunes over all matches, or over these sittings alone (their match indices point into `matches`)."""
    if sittings is None:
        rows = [(match, number) for match in matches for number in range(len(match.seats))]
    else:
        listed = list(matches)
        rows = [(listed[sitting.match], sitting.seat) for sitting in sittings]
    points: defaultdict[int, float] = defaultdict(float)
    played: Counter[int] = Counter()
    firsts: defaultdict[int, float] = defaultdict(float)
    ranks: Counter[int] = Counter()
    met: Counter[int] = Counter()
    for match, number in rows:
        seat = match.seats[number]
        others = len(match.seats) - 1
        points[number] += sitting_share(match, number) * others
        met[number] += others
        played[number] += 1
        ranks[number] += seat.rank
        if seat.rank == 1:
            winners = sum(other.rank == 1 for other in match.seats)
            firsts[number] += 1 / winners
    return tuple(
        SeatRow(n, share(points[n], met[n]), share(firsts[n], played[n]), ranks[n] / played[n]) for n in sorted(played)
    )


class Cycle(NamedTuple):
    """Three bots of which each beats the next: a over b, b over c, c over a."""

    a: str
    b: str
    c: str
    weakest: float
    """The smallest of the three shares of points."""
    certain: bool
    """True when all three intervals lie above one half."""


def cycles(order: Sequence[str], pairs: Mapping[tuple[str, str], Share], most: int = 12) -> tuple[Cycle, ...]:
    """The clearest cycles among these bots: certain ones first, then by their weakest link; at most `most`."""
    sure = _triangles(order, {pair for pair, s in pairs.items() if s.low > 0.5}, pairs, certain=True)
    if sure:
        return sure[:most]
    return _triangles(order, {pair for pair, s in pairs.items() if s.value > 0.5}, pairs, certain=False)[:3]


def _triangles(
    order: Sequence[str], beats: set[tuple[str, str]], pairs: Mapping[tuple[str, str], Share], *, certain: bool
) -> tuple[Cycle, ...]:
    index = {name: n for n, name in enumerate(order)}
    over = [0] * len(order)
    under = [0] * len(order)
    for winner, loser in beats:
        if winner in index and loser in index:
            over[index[winner]] |= 1 << index[loser]
            under[index[loser]] |= 1 << index[winner]
    found = []
    for a in range(len(order)):
        for b in _bits(over[a] >> (a + 1), a + 1):
            for c in _bits((over[b] & under[a]) >> (a + 1), a + 1):
                names = order[a], order[b], order[c]
                links = (pairs[names[0], names[1]], pairs[names[1], names[2]], pairs[names[2], names[0]])
                found.append(Cycle(*names, min(link.value for link in links), certain))
    found.sort(key=lambda cycle: (-cycle.weakest, index[cycle.a], index[cycle.b]))
    return tuple(found)


def _bits(mask: int, offset: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1 + offset
        mask ^= low


class Bin(NamedTuple):
    """A bar of a histogram: values from `low` up to but not including `high`."""

    low: int
    high: int
    matches: int


def histogram(values: Sequence[int], most: int = 24) -> tuple[Bin, ...]:
    """Bars of one round width, at most about `most` of them."""
    if not values:
        return ()
    span = max(values) - min(values) + 1
    round_steps = (digit * 10**power for power in range(12) for digit in (1, 2, 5))
    width = next(step for step in round_steps if step * most >= span)
    first = min(values) // width * width
    counts = Counter((value - first) // width for value in values)
    return tuple(Bin(first + n * width, first + (n + 1) * width, counts[n]) for n in range(max(counts) + 1))
