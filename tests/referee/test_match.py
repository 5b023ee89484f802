"""Whole matches between scripted bots on a fixed clock."""

from __future__ import annotations

import json
from collections.abc import Sequence

from referee.match import play
from referee.result import Ending, Entrant, Limits, MatchSpec, Policy
from tests.doubles import CountingGame, FixedClock, ScriptedChannels, Timed


def spec_of(seats: int, limits: Limits | None = None, policy: Policy = Policy.STRIKES) -> MatchSpec:
    names = ("red", "blue", "green", "grey", "gold")[:seats]
    entrants = tuple(Entrant(name) for name in names)
    return MatchSpec("m1", "g1", "counting", {}, entrants, 2**127 + 5, limits or Limits(), policy)


def quick(_number: int, line: bytes) -> Sequence[Timed]:
    """Ready after 1 ms; takes as many counters as it may after 1.5 ms."""
    message = json.loads(line)
    if message["type"] == "start":
        return [(1, b'{"type":"ready","name":"quick"}\n')]
    if message["type"] == "decide":
        return [(1.5, b'{"type":"choice","id":%d,"choice":%d}\n' % (message["id"], len(message["legal"]) - 1))]
    return []


def test_all_requests_of_a_moment_are_written_before_any_answer_is_read() -> None:
    clock = FixedClock()
    channels = ScriptedChannels(clock, [quick] * 3)
    result = play(spec_of(3), CountingGame(rounds=2, together=True, chance=False), channels, clock=clock).result
    assert channels.log[:12] == [*("send 0", "send 1", "send 2", "read 0", "read 1", "read 2")] * 2
    assert result.ending is Ending.FINISHED
    assert result.ranks == (1, 1, 1)
    assert result.scores == (6.0, 6.0, 6.0)
    assert result.decisions == (2, 2, 2)
    assert result.think_ms == (3.0, 3.0, 3.0)
