"""Whether a bot is fit to play: it finishes matches against the bundled `uniform` without a single fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

from harness.dispatch import outcomes
from harness.intake import Stored
from harness.model import Played
from harness.sandboxes import SandboxChoice
from harness.text import plural, visible
from harness.worker import Job
from referee.match import GRACE_MS
from referee.result import Entrant, Fault, Limits, MatchSpec, Policy
from referee.seeds import derive
from sandbox.api import Caps

_QUOTE = 2_000
_STDERR = 4_000


@dataclass(frozen=True, slots=True)
class Terms:
    """Under what terms a bot is examined."""

    game: str
    options: Mapping[str, bool | int | str]
    limits: Limits = field(default_factory=Limits)
    policy: Policy = Policy.STRIKES
    caps: Caps = field(default_factory=Caps)
    sandbox: SandboxChoice = field(default_factory=SandboxChoice)
    grace_ms: int = GRACE_MS


@dataclass(frozen=True, slots=True)
class Finding:
    """One match of an examination, with the faults of the bot examined."""

    players: int
    seat: int
    played: Played
    faults: tuple[Fault, ...]

    @property
    def fine(self) -> bool:
        """Whether the match was played and the bot made no fault."""
        return not self.faults and not self.played.void

    def headline(self) -> str:
        """One sentence on how it went."""
        where = f"{self.players} players, seat {self.seat}"
        result = self.played.record.result
        if self.played.void:
            return f"{where}: not played: {result.reason}"
        if self.faults:
            return f"{where}: {visible(self.faults[0].message)}"
        asked = result.decisions[self.seat]
        mean = f", {result.think_ms[self.seat] / asked:.1f} ms each" if asked else ""
        return f"{where}: fine, {plural(asked, 'decision')}{mean}"

    def details(self) -> Iterator[str]:
        """What its author needs: the request, the answer, hints, the bot's own stderr; all of it made visible."""
        for fault in self.faults:
            if fault.request:
                yield f"  request: {visible(fault.request, limit=_QUOTE)}"
            yield f"  answer:  {visible(fault.answer, limit=_QUOTE) or '(none)'}"
        if not self.fine and self.played.record.seats:
            left = self.played.record.seats[self.seat]
            yield from (f"  hint:    {visible(hint)}" for hint in left.hints)
            text = left.stderr[-_STDERR:].rstrip()
            yield f"  stderr:  {'(empty)' if not text else ''}".rstrip()
            yield from (f"    {line}" for line in visible(text, lines=True).split("\n") if text)


def examine(
    bot: Stored, opponent: Stored, terms: Terms, counts: Sequence[int], matches: int, executor: Executor, at_once: int
) -> Iterator[Finding]:
    """A finding for each match, `matches` at every player count; the bot sits on another seat each time."""
    seats = [(players, number % players) for players in counts for number in range(matches)]
    jobs = (_job(bot, opponent, terms, players, seat, index) for index, (players, seat) in enumerate(seats))
    found = {}
    following = 0
    for outcome in outcomes(executor, jobs, at_once):
        found[outcome.number] = outcome.played
        while following in found:
            players, seat = seats[following]
            played = found.pop(following)
            faults = tuple(fault for fault in played.record.result.faults if fault.seat == seat)
            yield Finding(players, seat, played, faults)
            following += 1


def _job(bot: Stored, opponent: Stored, terms: Terms, players: int, seat: int, index: int) -> Job:
    other = Entrant(bot=opponent.recipe.name, digest=opponent.digest)
    seated = [replace(other, bot=f"{other.bot}-{number}") for number in range(players)]
    seated[seat] = Entrant(bot=visible(bot.recipe.name, limit=32), digest=bot.digest)
    # Named as matches of competitions are: what a bot is sent should not tell a check from a match.
    name = f"r1-s{derive(b'name', bot.digest, str(index)) % 1000}"
    spec = MatchSpec(
        match=f"{name}-{seat}",
        group=name,
        game=terms.game,
        options=terms.options,
        seats=tuple(seated),
        seed=derive(b"check", bot.digest, str(index)),
        limits=terms.limits,
        # A bot that never answers would take a lenient check for ever.
        policy=Policy.STRIKES if terms.policy is Policy.LENIENT else terms.policy,
    )
    programs = tuple((bot if place == seat else opponent).program() for place in range(players))
    return Job(spec, programs, terms.sandbox, terms.caps, None, terms.grace_ms)
