"""Local matches between given bots, outside of any competition: the plan, and the account of what came of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from harness.intake import Stored
from harness.model import Played
from harness.names import LENGTH
from harness.sandboxes import SandboxChoice
from harness.text import visible
from harness.worker import Job
from referee.replay import PART, SUFFIX
from referee.result import Entrant, Limits, MatchSpec, Policy
from referee.seeds import derive
from sandbox.api import Caps

_ID_LENGTH: Final = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """Matches between the same bots, in order; the seats rotate, and each full rotation shares a seed."""

    game: str
    bots: tuple[Stored, ...]
    matches: int
    seed: str
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    policy: Policy = Policy.STRIKES
    placement: str = "packed"
    sandbox: SandboxChoice = field(default_factory=SandboxChoice)
    isolation: str = "local"
    caps: Caps = field(default_factory=Caps)
    replays: Path | None = None
    take: int = 1
    """How often the same matches have been played into that folder, this time included; see `reserved`."""

    @property
    def names(self) -> tuple[str, ...]:
        """The bots' names; one that sits twice is numbered."""
        taken: list[str] = []
        for stored in self.bots:
            name = own = visible(stored.recipe.name, limit=LENGTH)
            number = 1
            while name in taken:
                number += 1
                name = f"{own}-{number}"
            taken.append(name)
        return tuple(taken)

    def order(self, number: int) -> tuple[int, ...]:
        """Which bot sits on each seat in match `number`."""
        seats = len(self.bots)
        return tuple((seat + number) % seats for seat in range(seats))

    def named(self, number: int) -> tuple[str, str]:
        """The deal group and the name of match `number`."""
        full, rest = divmod(number, len(self.bots))
        deal = f"{self._name()}-{full + 1:04d}"
        return deal, f"{deal}-{rest}"

    def filed(self, number: int) -> str:
        """The name of the files of match `number`, without their endings; from the second on with the take."""
        match = self.named(number)[1]
        return match if self.take == 1 else f"{match}.{self.take}"

    def reserved(self) -> Plan:
        """The plan with the first take of which the folder holds no file; the take is another's no more."""
        if self.replays is None:
            return self
        pattern = re.compile(rf"{re.escape(self._name())}-\d+-\d+(?:\.(\d+))?\.(?:jsonl|seat|html)")
        taken = [int(found[1] or 1) for path in self.replays.iterdir() if (found := pattern.match(path.name))]
        plan = replace(self, take=max(taken, default=0) + 1)
        try:
            (self.replays / f"{plan.filed(0)}{PART}").touch(exist_ok=False)
        except FileExistsError:
            return self.reserved()
        return plan

    def release(self) -> None:
        """Take away what `reserved` left, when no match has come of it."""
        if self.replays is not None:
            part = self.replays / f"{self.filed(0)}{PART}"
            if part.is_file() and part.stat().st_size == 0:
                part.unlink()

    def jobs(self) -> Iterator[Job]:
        """The matches; the same plan gives the same ones, names included."""
        entrants = [
            Entrant(bot=name, digest=stored.digest, isolation=self.isolation)
            for name, stored in zip(self.names, self.bots, strict=True)
        ]
        for number in range(self.matches):
            order = self.order(number)
            deal, match = self.named(number)
            spec = MatchSpec(
                match=match,
                group=deal,
                game=self.game,
                options=self.options,
                seats=tuple(entrants[index] for index in order),
                seed=derive(self.seed.encode("utf-8", "surrogateescape"), "play", self.game, str(number // len(order))),
                limits=self.limits,
                policy=self.policy,
                placement=self.placement,
            )
            replay = None if self.replays is None else self.replays / f"{self.filed(number)}{SUFFIX}"
            programs = tuple(self.bots[index].program() for index in order)
            yield Job(spec, programs, self.sandbox, self.caps, replay)

    def _name(self) -> str:
        """The same for the same plan, and another for another, so that different matches never share a name."""
        facts = repr((self.seed, sorted(self.options.items()), self.limits, self.policy, [b.digest for b in self.bots]))
        return f"{self.game}-{sha256(facts.encode()).hexdigest()[:_ID_LENGTH]}"


def match_json(job: Job, played: Played) -> dict[str, Any]:
    """A match as `harness play --json` prints it."""
    spec, result = played.spec, played.record.result
    seats = [
        {
            "seat": seat,
            "bot": entrant.bot,
            "rank": result.ranks[seat],
            "score": result.scores[seat],
            "faults": [
                {"kind": fault.kind.value, "step": fault.step, "message": fault.message}
                for fault in result.faults
                if fault.seat == seat
            ],
        }
        for seat, entrant in enumerate(spec.seats)
    ]
    return {
        "match": spec.match,
        "game": spec.game,
        "seed": str(spec.seed),
        "ending": result.ending.value,
        "seats": seats,
        "replay": str(job.replay) if job.replay is not None and result.replay_digest else None,
    }


@dataclass(slots=True)
class _Sum:
    matches: int = 0
    ranks: int = 0
    first: int = 0
    scores: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)


class Account:
    """What the bots of a plan came to, match by match."""

    def __init__(self, names: Sequence[str]) -> None:
        self._sums = {name: _Sum() for name in names}

    def add(self, played: Played) -> None:
        """Count a match that was played."""
        result = played.record.result
        for seat, entrant in enumerate(played.spec.seats):
            total = self._sums[entrant.bot]
            total.matches += 1
            total.ranks += result.ranks[seat]
            total.first += result.ranks[seat] == 1
            total.scores += result.scores[seat]
            total.faults.update(fault.kind.value for fault in result.faults if fault.seat == seat)

    def rows(self) -> list[tuple[str, ...]]:
        """The closing table, best mean rank first, with its heading."""
        heading = ("bot", "matches", "mean rank", "first", "mean score", "faults")
        played = [(name, total) for name, total in self._sums.items() if total.matches]
        played.sort(key=lambda row: (row[1].ranks / row[1].matches, -row[1].scores / row[1].matches))
        return [heading, *(_row(name, total) for name, total in played)]


def _row(name: str, total: _Sum) -> tuple[str, ...]:
    faults = ", ".join(f"{kind} {count}" for kind, count in sorted(total.faults.items())) or "none"
    return (
        name,
        str(total.matches),
        f"{total.ranks / total.matches:.2f}",
        str(total.first),
        f"{total.scores / total.matches:.2f}",
        faults,
    )
