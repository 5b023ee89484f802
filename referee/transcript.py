"""The lines that one seat is sent, in one place: a match writes them live, a replay writes them again.

A `Script` holds all that the lines of a seat depend on. The referee and `referee.replay.feed` drive it with the same
calls, so a replay feeds a bot exactly the bytes that it read in the match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from referee.clock import Bank
from referee.game import Action, Event, Game, Json
from referee.protocol import DECIDE, encode, end_line, fault_line, start_line
from referee.result import Fault, Limits, MatchSpec, Policy
from referee.seeds import derive

ID_BITS: Final = 16
"""Ids rise by 1 to 2^16 at random, so a bot cannot answer a decision before it has read it."""
SEED_BITS: Final = 53
"""What every language's numbers can hold."""
START_ID: Final = 0
"""The id of a fault that came before any decision."""


def strike_limit(policy: Policy, limits: Limits) -> int:
    """How many strikes put a seat out; 0 means that none do."""
    if policy is Policy.STRIKES:
        return max(1, limits.strikes)
    return 1 if policy is Policy.STRICT else 0


class LegalJson:
    """Lists of legal actions of one game as the inside of a JSON list; a process writes an action once."""

    __slots__ = ("_cache",)

    def __init__(self, game: Game[Any, Any]) -> None:
        self._cache = _written.setdefault(type(game), {})
        if len(self._cache) > _MOST_WRITTEN:
            self._cache.clear()

    def one(self, action: Action) -> bytes:
        cached = self._cache.get(action)
        if cached is None:
            cached = self._cache[action] = encode(action.to_json())
        return cached

    def all(self, actions: Sequence[Action]) -> bytes:
        try:
            return b",".join(map(self._cache.__getitem__, actions))
        except KeyError:
            return b",".join([self.one(action) for action in actions])


_written: Final[dict[type[Game[Any, Any]], dict[Action, bytes]]] = {}
"""By game, since actions of two games may be equal."""
_MOST_WRITTEN: Final = 50_000


class Script:
    """The lines for one seat of one match, and what they depend on: ids, bank, the last measured time, events."""

    __slots__ = ("_ids", "_seat", "_spec", "bank", "events", "id", "last", "limit", "strikes")

    def __init__(self, spec: MatchSpec, seat: int) -> None:
        self._spec = spec
        self._seat = seat
        self._ids = Random(derive(str(spec.seed).encode(), "ids", str(seat))).getrandbits  # noqa: S311
        self.bank = Bank(spec.limits.move_ms, spec.limits.bank_ms)
        self.events: list[bytes] = []
        """What it saw since its last request, each piece as `events_json` gives it."""
        self.id = START_ID
        self.last = b"null"
        self.limit = strike_limit(spec.policy, spec.limits)
        self.strikes = 0

    def start(self, options: Mapping[str, Json]) -> bytes:
        """The `start` line. The bot's seed comes from the match seed by a one-way function and tells nothing of it."""
        spec, limits = self._spec, self._spec.limits
        seed = derive(str(spec.seed).encode(), "bot", str(self._seat)) % 2**SEED_BITS
        times = {
            "start_ms": limits.start_ms,
            "move_ms": limits.move_ms,
            "bank_ms": limits.bank_ms,
            "strikes": self.limit,
        }
        return start_line(spec.match, spec.game, self._seat, len(spec.seats), options, seed, times)

    def decide(self, view: bytes, legal: bytes) -> bytes:
        """The next `decide` line; `legal` is the inside of the list. Takes the events that have gathered."""
        number = self.id = self.id + 1 + self._ids(ID_BITS)
        events = b",".join(self.events)
        self.events.clear()
        return DECIDE % (number, self.bank.json, self.last, events, view, legal)

    def measured(self, used_us: int | None, answered: bool) -> int:
        """The decision is closed: charge what it used (None when its clock never ran); the bank before, in us."""
        bank = self.bank
        before_us = bank.left_us
        if used_us is None or not answered:
            self.last = b"null"
        else:
            self.last = _BELOW_ONE[used_us] if used_us < 1000 else milliseconds(used_us)
        if used_us is not None and used_us > bank.move_us:
            bank.charge(used_us)
        return before_us

    def fault(self, kind: str, message: str) -> bytes:
        """The `fault` line of one more strike."""
        self.strikes += 1
        return fault_line(self.id, kind, message, self.strikes, self.limit)

    @property
    def struck_out(self) -> bool:
        return 0 < self.limit <= self.strikes


def events_json(events: Sequence[Event]) -> bytes:
    """Events of one step, at least one, as the inside of a JSON list."""
    return encode(events)[1:-1]


def finish(ranks: Sequence[int], scores: Sequence[float], reason: str, faults: Sequence[Fault]) -> bytes:
    """The `end` line, which is the same for all seats."""
    kinds = [[str(fault.kind) for fault in faults if fault.seat == seat] for seat in range(len(ranks))]
    return end_line(ranks, scores, reason, kinds)


def milliseconds(used_us: int | None) -> bytes:
    """Microseconds as JSON milliseconds, with three decimals."""
    if used_us is None:
        return b"null"
    return _BELOW_ONE[used_us] if used_us < 1000 else b"%d.%03d" % divmod(used_us, 1000)


_BELOW_ONE: Final = tuple(b"0.%03d" % used_us for used_us in range(1000))
"""What the answers of quick bots take, ready."""


def microseconds(used_ms: Any) -> int | None:
    """The inverse of `milliseconds`, of the number that JSON gave."""
    return None if used_ms is None else round(used_ms * 1000)
