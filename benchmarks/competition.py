"""A made-up competition of any size for the site: bots of known skill, matches by chance, no game played.

Its ratings are a cheap stand-in that behaves like TrueSkill's; the site shows numbers and does not know where they
come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import combinations
from math import comb
from random import Random
from typing import Final

from leaderboard.model import (
    Bot,
    Competition,
    Fault,
    Game,
    Limits,
    Match,
    Moment,
    Rating,
    Replay,
    Round,
    Seat,
    Site,
    Version,
)

START: Final = datetime(2030, 3, 1, 9, tzinfo=UTC)
LANGUAGES: Final = ("python", "c", "rust", "javascript", "java", "go", "haskell")
FAULTS: Final = (
    ("timeout", "no answer within 1,000 ms and the bank of 10,000 ms was used up: 1,004 ms measured"),
    ("illegal", "choice 14 is no index into the 9 legal actions"),
    ("malformed", "the answer is not one JSON object"),
    ("crash", "the process ended by signal 11"),
    ("left", "the process ended with code 0 before the match was over"),
)
_FIRST: Final = ("amber", "brisk", "copper", "dusky", "eager", "frosty", "gentle", "hazel", "ivory", "jolly", "keen")
_SECOND: Final = ("badger", "crane", "dormouse", "ermine", "finch", "gecko", "heron", "ibis", "jackdaw", "kite", "lynx")
_AUTHORS: Final = (
    "Ada Moreau",
    "Ben Okafor",
    "Chiyo Tanaka",
    "Dana Levi",
    "Emil Novák",
    "Fatima Zahra",
    "Gus",
    "Hana Kim",
)

_RULES: Final = """# The Marshmallow Test

Take tricks, but not too many.

## Going out

| players | tricks |
| --- | ---: |
| 2 | 6 |
| 4 | 3 |
"""


def site(
    bots: int = 200, matches: int = 20_000, *, players: int = 4, seed: int = 1, replay: Replay | None = None
) -> Site:
    """A site of so many bots and about so many matches (whole deal groups); the same arguments give the same site."""
    rng = Random(seed)
    names = _names(bots)
    played = _matches(rng, names, matches, players, replay)
    entrants = _rated(names, played, rng)
    per_round = max(1, min(comb(bots, players), 50)) * players
    rounds = _rounds(played, per_round)
    return Site(
        snapshot=sha256(f"{seed}-{bots}-{len(played)}".encode()).hexdigest()[:12],
        made=played[-1].played if played else START,
        competition=Competition(
            name="Autumn Cup",
            limits=Limits(10_000, 1_000, 10_000, 3, "strikes", (("memory", "256 MiB"), ("processes", "64"))),
            about="A friendly contest for hand-written bots, open all autumn.",
            organiser="The Botpit team",
            submit="Send the folder of your bot to the organiser, who hands it in.",
            logs="Ask the organiser for logs/MATCH/SEAT.stderr of your own seat.",
        ),
        game=Game(
            name="marshmallow-test",
            title="The Marshmallow Test",
            version="1",
            players=players,
            rules=_RULES,
            notices=("The table of tricks by player count is reconstructed; the published rules leave it out.",),
        ),
        bots=entrants,
        matches=played,
        rounds=rounds,
        pending=len(played) // 5,
    )


def _names(count: int) -> list[str]:
    base = [f"{first}-{second}" for second in _SECOND for first in _FIRST]
    return [base[n % len(base)] + (f"-{n // len(base) + 1}" if n >= len(base) else "") for n in range(count)]


def _matches(rng: Random, names: Sequence[str], count: int, players: int, replay: Replay | None) -> tuple[Match, ...]:
    skill = {name: rng.gauss(25, 6) for name in names}
    digests = {name: sha256(name.encode()).hexdigest() for name in names}
    clumsy = {name: rng.random() ** 6 / 4 for name in names}
    per_round = max(1, min(comb(len(names), players), 50)) * players
    made: list[Match] = []
    while len(made) < count:
        members = rng.sample(names, players)
        first = len(made)
        group = f"r{first // per_round + 1}-s{first // players}"
        for turn in range(players):
            seated = [*members[turn:], *members[:turn]]
            number = first + turn
            made.append(
                _match(rng, number, number // per_round + 1, group, turn, seated, skill, digests, clumsy, replay)
            )
    return tuple(made)


def _match(
    rng: Random,
    number: int,
    round_number: int,
    group: str,
    turn: int,
    seated: Sequence[str],
    skill: dict[str, float],
    digests: dict[str, str],
    clumsy: dict[str, float],
    replay: Replay | None,
) -> Match:
    faults = [
        Fault(seat, rng.randrange(5, 90), *rng.choice(FAULTS))
        for seat, bot in enumerate(seated)
        if rng.random() < clumsy[bot]
    ]
    out = {fault.seat for fault in faults if fault.kind in {"crash", "left"}}
    shown = [rng.gauss(skill[bot] + 0.8 * (seat == 0), 5) for seat, bot in enumerate(seated)]
    scores = [0 if seat in out else max(0, min(20, round(value - 10))) for seat, value in enumerate(shown)]
    ranks = [
        1 + len(seated) - len(out)
        if seat in out
        else 1 + sum(other > scores[seat] for n, other in enumerate(scores) if n not in out)
        for seat in range(len(seated))
    ]
    decisions = [rng.randrange(40, 110) for _ in seated]
    seats = tuple(
        Seat(bot, 1, digests[bot], ranks[n], float(scores[n]), rng.random() * 30 * decisions[n], decisions[n])
        for n, bot in enumerate(seated)
    )
    two_out = len(seated) == 2 and bool(out)
    winner = seated[ranks.index(1)]
    reason = (
        "one seat is out, so the other wins"
        if two_out
        else f"{winner} reached 20 points in round {rng.randrange(5, 9)}"
    )
    return Match(
        id=f"{group}-{turn}",
        group=group,
        round=round_number,
        played=START + timedelta(minutes=number),
        ending="forfeit" if two_out else "finished",
        reason=reason,
        seats=seats,
        faults=tuple(faults),
        steps=sum(decisions) + 40,
        seed=str(rng.getrandbits(128)),
        game_version="1",
        tally=(
            ("rounds", rng.randrange(5, 9)),
            ("trumps named", rng.randrange(4, 8)),
            ("exits for nothing", rng.randrange(3)),
        ),
        replay=replay,
    )


def _rated(names: Sequence[str], matches: Sequence[Match], rng: Random) -> tuple[Bot, ...]:
    """The bots with ratings that move towards their results while their uncertainty shrinks."""
    mu = dict.fromkeys(names, 25.0)
    sigma = dict.fromkeys(names, 25 / 3)
    history: dict[str, list[Moment]] = {name: [] for name in names}
    for index, match in enumerate(matches, 1):
        for one, two in combinations(match.seats, 2):
            taken = 1.0 if one.rank < two.rank else 0.5 if one.rank == two.rank else 0.0
            expected = 1 / (1 + 10 ** ((mu[two.bot] - mu[one.bot]) / 12))
            for name, sign in ((one.bot, 1), (two.bot, -1)):
                mu[name] += sign * (taken - expected) * sigma[name] ** 2 / 12
        for seat in match.seats:
            sigma[seat.bot] = max(0.75, sigma[seat.bot] * 0.975)
            history[seat.bot].append(Moment(index, mu[seat.bot], sigma[seat.bot]))
    played = sorted((name for name in names if history[name]), key=lambda name: 3 * sigma[name] - mu[name])
    order = played + [name for name in names if not history[name]]
    return tuple(
        Bot(
            name,
            rng.choice(_AUTHORS),
            (
                Version(
                    1,
                    sha256(name.encode()).hexdigest(),
                    rng.choice(LANGUAGES),
                    submitted=START - timedelta(hours=rng.randrange(1, 200)),
                    rating=Rating(mu[name], sigma[name]) if history[name] else None,
                    history=tuple(history[name]),
                ),
            ),
            rank + 1 if history[name] else None,
        )
        for rank, name in enumerate(order)
    )


def _rounds(matches: Sequence[Match], per_round: int) -> tuple[Round, ...]:
    recorded: dict[int, int] = {}
    last: dict[int, datetime] = {}
    for match in matches:
        recorded[match.round] = recorded.get(match.round, 0) + 1
        last[match.round] = match.played
    return tuple(
        Round(number, per_round, count, last[number] if count >= per_round else None)
        for number, count in recorded.items()
    )
