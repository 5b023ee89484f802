"""What leaves the referee for a seat is what the game gave for that seat, and nothing else (A89, A92).

`secrets_stay_secret` shows that a game keeps its secrets; this shows that the way to the bot adds none.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from referee.game import Event, Game, Seat
from referee.games import GAMES, create, load
from referee.match import play
from referee.result import Ending, Entrant, MatchSpec, Policy
from tests.doubles import Answerer, FixedClock, ScriptedChannels, Timed
from tests.games.playing import canonical

SEED = 2**127 + 987_654_321_987_654_321
FIELDS = {
    "start": {"type", "protocol", "match", "game", "seat", "players", "options", "bot_seed", "limits"},
    "decide": {"type", "id", "time_ms", "bank_ms", "last_ms", "events", "view", "legal"},
    "fault": {"type", "id", "kind", "message", "strikes", "limit"},
    "end": {"type", "ranks", "scores", "reason", "faults"},
}


class Given:
    """What a game gave for each seat."""

    def __init__(self) -> None:
        self.views: dict[Seat, set[str]] = defaultdict(set)
        self.legal: dict[Seat, set[str]] = defaultdict(set)
        self.events: dict[Seat, list[Event]] = defaultdict(list)


def watched(name: str, given: Given) -> Game[Any, Any]:
    """The game, noting what it gives."""
    base: Any = load(name)

    class Watched(base):  # type: ignore[misc]
        def view_json(self, state: Any, seat: Seat) -> bytes:
            given.views[seat].add(canonical(self.view(state, seat)))
            written: bytes = super().view_json(state, seat)
            return written

        def legal(self, state: Any, seat: Seat) -> Sequence[Any]:
            legal: Sequence[Any] = super().legal(state, seat)
            given.legal[seat].add(canonical([action.to_json() for action in legal]))
            return legal

        def events_by_seat(
            self, before: Any, actions: Mapping[Seat, Any], after: Any, seats: int
        ) -> Sequence[list[Event]]:
            by_seat: Sequence[list[Event]] = super().events_by_seat(before, actions, after, seats)
            for seat, events in enumerate(by_seat):
                given.events[seat] += events
            return by_seat

    game: Game[Any, Any] = Watched()
    return game


def erring(seat: Seat) -> Answerer:
    """Any legal action, but every ninth answer is none."""
    rng = Random(seat)

    def answer(number: int, line: bytes) -> Sequence[Timed]:
        message = json.loads(line)
        if message["type"] == "start":
            return [(1, b'{"type":"ready"}\n')]
        if message["type"] != "decide":
            return []
        choice = 10**6 if number % 9 == 0 else rng.randrange(len(message["legal"]))
        return [(1, b'{"type":"choice","id":%d,"choice":%d}\n' % (message["id"], choice))]

    return answer


@pytest.mark.parametrize("name", GAMES)
def test_nothing_but_what_the_game_gave_reaches_a_seat(name: str) -> None:
    given = Given()
    seats = create(name).seats[-1]
    spec = MatchSpec("m", "g", name, {}, tuple(Entrant(f"bot{s}") for s in range(seats)), SEED, policy=Policy.LENIENT)
    clock = FixedClock()
    channels = ScriptedChannels(clock, [erring(seat) for seat in range(seats)])
    record = play(spec, watched(name, given), channels, clock=clock)
    assert record.result.ending is Ending.FINISHED, record.result.reason
    kinds = set()
    bot_seeds = set()
    for seat in range(seats):
        told: list[Event] = []
        for line in b"".join(channels.sent[seat]).splitlines():
            message = json.loads(line)
            kinds.add(message["type"])
            assert message.keys() == FIELDS[message["type"]]
            assert str(SEED).encode() not in line
            assert f"{SEED:x}".encode() not in line
            if message["type"] == "start":
                bot_seeds.add(message["bot_seed"])
            if message["type"] == "decide":
                assert canonical(message["view"]) in given.views[seat]
                assert canonical(message["legal"]) in given.legal[seat]
                told += message["events"]
        assert told == given.events[seat][: len(told)]
        assert told
    assert kinds == set(FIELDS)
    assert len(bot_seeds) == seats, "no seat knows another's seed"


def test_a_match_counts_the_events_that_its_game_has_counted() -> None:
    spec = MatchSpec("m", "g", "marshmallow-test", {}, (Entrant("a"), Entrant("b"), Entrant("c")), SEED)
    clock = FixedClock()
    channels = ScriptedChannels(clock, [erring(seat) for seat in range(3)])
    result = play(replace(spec, policy=Policy.LENIENT), create("marshmallow-test"), channels, clock=clock).result
    exits = {int(what.split()[2]): times for what, times in result.tally.items() if what.startswith("exits")}
    assert len(exits) > 1
    assert sum(points * times for points, times in exits.items()) == sum(result.scores), "nothing else pays"
