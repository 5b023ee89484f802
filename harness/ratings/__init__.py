"""Ratings: the table, folded over the recorded results in pairing order; the same results give the same numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import trueskill

from harness.model import MatchRow, Standing, Submission

RATED_ENDINGS = frozenset({"finished", "forfeit", "step_limit"})
"""A forfeit counts as its ranks say; a void match is nobody's result and is never recorded as one."""


@dataclass(slots=True)
class Tally:
    """What the matches of one submission add up to; `history` is (match, mu, sigma) after each."""

    rating: trueskill.Rating
    matches: int = 0
    ranks: int = 0
    faults: int = 0
    history: list[tuple[str, float, float]] = field(default_factory=list)


def fold(matches: Iterable[MatchRow]) -> dict[int, Tally]:
    """The tally of every submission that played, by its number; `matches` in pairing order.

    TrueSkill with the package's own parameters, each match a free-for-all of single players, equal ranks a tie.
    """
    environment = trueskill.TrueSkill()
    tallies: dict[int, Tally] = {}
    for match in matches:
        if match.ending not in RATED_ENDINGS:
            continue
        seated = [tallies.setdefault(seat.submission, Tally(environment.create_rating())) for seat in match.seats]
        rated = environment.rate([(tally.rating,) for tally in seated], ranks=[seat.rank for seat in match.seats])
        for tally, seat, (rating,) in zip(seated, match.seats, rated, strict=True):
            tally.rating = rating
            tally.matches += 1
            tally.ranks += seat.rank
            tally.faults += len(seat.faults)
            tally.history.append((match.match, rating.mu, rating.sigma))
    return tallies


def history(matches: Iterable[MatchRow]) -> dict[int, list[tuple[str, float, float]]]:
    """For every submission (match, mu, sigma) after each of its matches, in pairing order."""
    return {number: tally.history for number, tally in fold(matches).items()}


def table(matches: Iterable[MatchRow], submissions: Sequence[Submission]) -> list[Standing]:
    """The ranked table of these submissions, best conservative rating first; equal ratings share a rank."""
    tallies = fold(matches)
    environment = trueskill.TrueSkill()
    lines = []
    for submission in submissions:
        tally = tallies.get(submission.number) or Tally(environment.create_rating())
        mean_rank = tally.ranks / tally.matches if tally.matches else 0.0
        lines.append(
            Standing(0, submission, tally.rating.mu, tally.rating.sigma, tally.matches, mean_rank, tally.faults)
        )
    lines.sort(key=lambda line: (-line.conservative, -line.mu, line.submission.number))
    return [
        Standing(
            1 + sum(other.conservative > line.conservative for other in lines),
            line.submission,
            line.mu,
            line.sigma,
            line.matches,
            line.mean_rank,
            line.faults,
        )
        for line in lines
    ]
