"""A match: a game played by bots under clocks, from the first line to the last.

`play` is a function of its specification and of what the bots answer. Each moment of decision passes through three
steps: `ask` writes all requests and waits for all answers, `judge` turns each closed request into an act and draws
the consequences of faults, `apply` steps the table, tells the seats and writes the replay.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from referee.bot import ANSWERED, STARTING, Bot
from referee.clock import MONOTONIC, SOON_NS, Clock, Stalled, stall_guard
from referee.closing import close, result, say_goodbye, seat_record
from referee.court import Court, MachineLate
from referee.game import CHANCE, Event, Game, GameError, Seat
from referee.judge import act_of
from referee.player import Arrival, Channels, SeatRecord
from referee.protocol import encode_canonical
from referee.replay import Writer
from referee.result import Act, Ending, MatchResult, MatchSpec
from referee.seeds import Streams
from referee.table import Table
from referee.transcript import LegalJson, events_json

GRACE_MS: Final = 500
"""How long a bot may take to go after its input has ended."""
BATCH: Final = 16
"""The steps that may wait to be written; more of them would leave the processor's cache before they are."""
STALL_MARGIN_S: Final = 60.0

Legal = Mapping[Seat, Sequence[Any]]
"""The legal actions of every seat of a moment of decision."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match's result and what it leaves for the authors of its bots, by seat."""

    result: MatchResult
    seats: tuple[SeatRecord, ...]


def play(
    spec: MatchSpec,
    game: Game[Any, Any],
    channels: Channels,
    recorder: Writer | None = None,
    *,
    clock: Clock = MONOTONIC,
    cores: float = 1.0,
    grace_ms: int = GRACE_MS,
    freeze_idle: bool = False,
    commands: Sequence[str] = (),
) -> MatchRecord:
    """Play a match to its end and end its bots; whatever the bots do, it returns.

    A failure of ours (an error in a game, a full disk, a sandbox that fails) gives a void match. `cores` is what each
    bot was given; with `freeze_idle` a bot runs only while it is asked something, where its sandbox can stop it.
    `commands` names by seat what runs, for a message that it could not be. Only what stops the whole process
    (KeyboardInterrupt, SystemExit) passes through, the bots ended. Raises GameError for a specification that the game
    does not take.
    """
    try:
        match = Match(spec, game, channels, recorder, clock, cores, freeze_idle, commands)
        longest = spec.limits.start_ms + 2 * (spec.limits.move_ms + spec.limits.bank_ms)
        try:
            with stall_guard(lambda: match.table.index, STALL_MARGIN_S + longest / 1000):
                return match.run(grace_ms)
        except (MachineLate, Stalled) as error:
            return match.void(str(error))
        except Exception as error:
            _log.exception("match %s is void", spec.match)
            return match.void(f"harness: {type(error).__name__}: {error}")
    finally:
        for seat in range(len(spec.seats)):
            channels.end(seat)


class Match:
    """A match in progress."""

    def __init__(
        self,
        spec: MatchSpec,
        game: Game[Any, Any],
        channels: Channels,
        recorder: Writer | None,
        clock: Clock,
        cores: float,
        freeze_idle: bool = False,
        commands: Sequence[str] = (),
    ) -> None:
        if spec.game != game.name:
            raise GameError(f"the match is of {spec.game}, the game given is {game.name}")
        self.spec = spec
        self.game = game
        self.channels = channels
        self.recorder = recorder
        self.clock = clock
        self.freeze_idle = freeze_idle
        self.table: Table[Any, Any] = Table(game, len(spec.seats), Streams(spec.seed))
        self.bots = [Bot(spec, seat) for seat in range(len(spec.seats))]
        self.counts: Counter[str] = Counter()
        self.counting = type(game).counted is not Game.counted
        self.hearing = [bot.script.events.append for bot in self.bots]
        self.court = Court(self.bots, channels, clock, cores, commands)
        self.legal_json = LegalJson(game)
        self.unwritten: list[tuple[int, Any, Mapping[Seat, Any], Any, Mapping[Seat, Act] | None]] = []

    def run(self, grace_ms: int) -> MatchRecord:
        """The whole match."""
        if self.recorder is not None:
            self.recorder.header(self.spec, self.game)
        self.start()
        ending, reason = self.go_on()
        if self.freeze_idle:
            self.freeze(self.bots, False)
        outcome = close(self.spec, self.game, self.table.state, self.court, ending, reason, self.table.index)
        outcome = replace(outcome, tally={**outcome.tally, **dict(sorted(self.counts.items()))})
        say_goodbye(self.court, outcome, grace_ms)
        return self.record(outcome)

    def go_on(self) -> tuple[Ending, str]:
        """Play until nobody is to act, the match is decided, or it has become too long."""
        game, table, court, limit = self.game, self.table, self.court, self.game.step_limit
        while not court.decided:
            acting = game.to_act(table.state)
            if not acting:
                return Ending.FINISHED, game.reason(table.state)
            if table.index >= limit:
                return Ending.STEP_LIMIT, f"the match reached {limit:,} steps"
            if acting[0] == CHANCE:
                self.apply({CHANCE: game.draw(table.state, table.stream)}, None)
                continue
            acts = self.turn(acting[0]) if len(acting) == 1 else self.judge(self.ask(acting))
            if not court.decided:
                self.apply({seat: act.action for seat, act in acts.items()}, acts)
        return Ending.FORFEIT, court.verdict()

    def start(self) -> None:
        """Send every bot its `start` and wait until each is ready or out."""
        limit_ms = self.spec.limits.start_ms
        for bot in self.bots:
            self.send(bot, STARTING, bot.script.start(self.game.options), limit_ms * 1000)
        while True:
            for bot in self.bots:
                if bot.asked and not bot.open:
                    self.court.start(bot, limit_ms)
            waiting = [bot for bot in self.bots if bot.open]
            if not waiting:
                break
            self.wait(waiting)
        if self.freeze_idle:
            self.freeze(self.bots, True)

    def turn(self, seat: Seat) -> dict[Seat, Act]:
        """Ask and judge where one seat alone decides: the same as `judge(ask(...))`, at less cost in the usual case."""
        bot, court = self.bots[seat], self.court
        actions = self.game.legal(self.table.state, seat)
        bot.asked = len(actions) > 1 and not bot.out
        if not bot.asked:
            return self.judge({seat: actions})
        script = bot.script
        request = script.decide(self.game.view_json(self.table.state, seat), self.legal_json.all(actions))
        if self.freeze_idle or court.flooded or bot.inbox.buffer or bot.ended_at is not None:
            self.send(bot, script.id, request, script.bank.allowance_us)
        else:
            try:
                sent_at, data, at = self.channels.exchange(seat, request, script.bank.soon_ms)
            except BrokenPipeError:
                self.send(bot, script.id, request, script.bank.allowance_us)
            else:
                act = bot.answered(request, sent_at, data, at, actions) if data and sent_at is not None else None
                if act is not None:
                    if at > court.next_look:
                        court.look_around(self.table.index)
                    return {seat: act}
                bot.opened(script.id, request, sent_at, sent_at or self.clock(), script.bank.allowance_us)
                if data:
                    self.take(((seat, data, at),))
        self.await_all((bot,))
        return self.judge({seat: actions})

    def ask(self, acting: Sequence[Seat]) -> Legal:
        """Write the requests of this moment, all of them before any answer is read, and wait until all are closed."""
        legal = {seat: self.game.legal(self.table.state, seat) for seat in acting}
        asked = []
        for seat, actions in legal.items():
            bot = self.bots[seat]
            bot.asked = len(actions) > 1 and not bot.out
            if bot.asked:
                asked.append((bot, self.request(bot, actions)))
        for bot, request in asked:
            self.send(bot, bot.script.id, request, bot.script.bank.allowance_us)
        self.await_all([bot for bot, _ in asked])
        return legal

    def request(self, bot: Bot, actions: Sequence[Any]) -> bytes:
        """The next `decide` line of a bot."""
        return bot.script.decide(self.game.view_json(self.table.state, bot.seat), self.legal_json.all(actions))

    def send(self, bot: Bot, wanted: int, request: bytes, allowance_us: int) -> None:
        """Open a request; a bot that is known to be gone has it closed again at once."""
        if self.freeze_idle:
            self.channels.freeze(bot.seat, False)
        try:
            sent_at = self.channels.send(bot.seat, request)
        except BrokenPipeError:
            sent_at, bot.ended_at = None, bot.ended_at or self.clock()
        bot.opened(wanted, request, sent_at, sent_at or self.clock(), allowance_us)
        if bot.ended_at is not None:
            bot.ended(self.clock())

    def await_all(self, asked: Sequence[Bot]) -> None:
        """Wait until the requests of these are closed."""
        for bot in asked:
            if bot.inbox.buffer:
                bot.look(self.clock())
        waiting = [bot for bot in asked if bot.open]
        if waiting:
            self.wait(waiting, self.clock() + SOON_NS)
            waiting = [bot for bot in waiting if bot.open]
        if waiting:
            self.write_down()
        # A flood of one of two decides the match; what the other still thinks of is of no more use.
        while waiting and not (self.court.flooded and len(self.bots) == 2):
            self.wait(waiting)
            waiting = [bot for bot in waiting if bot.open]

    def wait(self, waiting: Sequence[Bot], until: int | None = None) -> None:
        """Wait for the next things to happen to any bot, or for the first of these to run out of time, or `until`."""
        times = [bot.until for bot in waiting]
        arrivals = self.channels.wait(min(times if until is None else [until, *times]))
        self.take(arrivals)
        if not arrivals:
            now = self.clock()
            for bot in waiting:
                if bot.open and now > bot.until:
                    bot.expire(now)

    def take(self, arrivals: Sequence[Arrival]) -> None:
        """Hand every bot what has come of it."""
        for seat, data, at in arrivals:
            bot = self.bots[seat]
            if data is None:
                bot.written(at)
                continue
            bot.arrived(data, at)
            if bot.inbox.flood:
                self.channels.mute(seat)
                self.court.flooded = True

    def judge(self, legal: Legal) -> dict[Seat, Act]:
        """The act of every seat of this moment, with the faults of all bots noted and punished."""
        acts: dict[Seat, Act] = {}
        court, step = self.court, self.table.index
        now = 0
        if court.flooded:
            court.look_around(step)
            if court.decided:
                return acts
        for seat, actions in legal.items():
            bot = self.bots[seat]
            if not bot.asked:
                acts[seat] = Act(actions[0], 0, len(actions), True)
                continue
            before_us = bot.script.measured(bot.used_us, bot.how is ANSWERED)
            act = act_of(bot, actions)
            acts[seat] = court.fault(bot, step, actions, before_us) if act is None else act
            now = bot.closed_at
        if now > court.next_look:
            court.look_around(step)
        if self.freeze_idle:
            self.freeze([self.bots[seat] for seat in legal], True)
        return acts

    def freeze(self, bots: Sequence[Bot], frozen: bool) -> None:
        """Stop or resume those of these bots that are still in."""
        for bot in bots:
            if not bot.out:
                self.channels.freeze(bot.seat, frozen)

    def apply(self, actions: Mapping[Seat, Any], acts: Mapping[Seat, Act] | None) -> None:
        """Step the table, keep for each seat what it saw, and write the step down; `acts` is None for nature's."""
        game, table = self.game, self.table
        number, before = table.index, table.state
        after = table.advance(actions)
        seen = game.events_by_seat(before, actions, after, len(self.bots))
        first = seen[0]
        if seen.count(first) == len(seen):  # all saw the same, as nearly always: it is written once
            if first:
                written = events_json(first)
                for hear in self.hearing:
                    hear(written)
                if self.counting:
                    self.counts.update(filter(None, map(game.counted, first)))
        else:
            last: Sequence[Event] = ()
            for hear, events in zip(self.hearing, seen, strict=True):
                if events:
                    if events is not last:
                        last, written = events, events_json(events)
                    hear(written)
        if self.recorder is not None:
            self.unwritten.append((number, before, actions, after, acts))
            if len(self.unwritten) >= BATCH:
                self.write_down()

    def write_down(self) -> None:
        """Put the steps so far into the replay's file: while a bot thinks, or when many have gathered."""
        if self.recorder is not None and self.unwritten:
            for number, before, actions, after, acts in self.unwritten:
                self.recorder.step(number, actions, acts, self.game.tell(before, actions, after), self.legal_json)
            self.unwritten.clear()
            self.recorder.flush()

    def record(self, outcome: MatchResult) -> MatchRecord:
        """The result with the replay closed, and what each seat leaves."""
        outcome = replace(outcome, replay_digest=self.close_replay(outcome))
        return MatchRecord(outcome, tuple(seat_record(bot, self.court) for bot in self.bots))

    def close_replay(self, outcome: MatchResult) -> str:
        """The digest of the replay's file, which is whole now; empty without one."""
        if self.recorder is None:
            return ""
        self.write_down()
        state = sha256(encode_canonical(self.game.reveal(self.table.state))).hexdigest()
        return self.recorder.close(outcome, state)

    def void(self, reason: str) -> MatchRecord:
        """The record of a match that we failed; nothing of it counts and no replay of it is left."""
        if self.recorder is not None:
            self.recorder.abandon()
            self.recorder = None
        seats = len(self.bots)
        places, scores = (1,) * seats, (0.0,) * seats
        return self.record(
            result(self.spec, self.bots, self.court, Ending.VOID, reason, places, scores, self.table.index)
        )
