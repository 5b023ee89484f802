"""A match: a game played by bots under clocks, from the first line to the last.

`play` is a function of its specification and of what the bots answer. Each moment of decision passes through three
steps: `ask` writes all requests and waits for all answers, `judge` turns each closed request into an act and draws
the consequences of faults, `apply` steps the table, tells the seats and writes the replay.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from referee.bot import Bot, How
from referee.clock import MONOTONIC, NS_PER_MS, Clock, Stalled, stall_guard
from referee.game import CHANCE, Game, Seat, ranks
from referee.judge import (
    START_STEP,
    Act,
    cpu_message,
    ended_kind,
    ended_message,
    fault_of,
    judge_choice,
    malformed_message,
    message_of,
    timeout_message,
)
from referee.player import Channels, Exit, SeatRecord
from referee.protocol import Malformed, encode_canonical, read_choice
from referee.replay import Writer
from referee.result import STRIKE_KINDS, Ending, Fault, FaultKind, MatchResult, MatchSpec
from referee.seeds import Streams
from referee.stderr import hints
from referee.table import Table
from referee.transcript import LegalJson, finish

EXIT_WAIT_S: Final = 0.2
"""How long an ended output waits for the exit status."""
GRACE_MS: Final = 500
"""How long a bot may take to go after its input has ended."""
LATE_MACHINE_NS: Final = 1_000 * NS_PER_MS
"""A deadline that we ourselves look at later than this says nothing of the bot."""
FLUSH_NS: Final = 100 * NS_PER_MS
"""How long the replay's file may lag behind the match."""
CPU_LOOK_NS: Final = 500 * NS_PER_MS
CPU_FREE_S: Final = 1.0
STALL_MARGIN_S: Final = 60.0

_log = logging.getLogger(__name__)


class MachineLate(Exception):
    """The machine itself was too late to judge a deadline."""


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
) -> MatchRecord:
    """Play a match to its end and end its bots; whatever the bots do, it returns.

    A failure of ours (an error in a game, a full disk, a sandbox that fails) gives a void match. `cores` is what each
    bot was given. Only what stops the whole process (KeyboardInterrupt, SystemExit) passes through, the bots ended.
    """
    match = Match(spec, game, channels, recorder, clock, cores)
    patience = STALL_MARGIN_S + (spec.limits.start_ms + 2 * (spec.limits.move_ms + spec.limits.bank_ms)) / 1000
    try:
        with stall_guard(lambda: match.progress, patience):
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
    ) -> None:
        self.spec = spec
        self.game = game
        self.channels = channels
        self.recorder = recorder
        self.clock = clock
        self.cores = cores
        self.table: Table[Any, Any] = Table(game, len(spec.seats), Streams(spec.seed))
        self.bots = [Bot(spec, seat) for seat in range(len(spec.seats))]
        self.legal_json = LegalJson()
        self.faults: list[Fault] = []
        self.exits: list[Exit | None] = [None] * len(self.bots)
        self.cpu_looked = [clock()] * len(self.bots)
        self.progress = 0
        self.now = self.flushed_at = clock()

    def run(self, grace_ms: int) -> MatchRecord:
        """The whole match."""
        table, game = self.table, self.game
        if self.recorder is not None:
            self.recorder.header(self.spec, game)
        self.start()
        while not self.decided():
            self.progress += 1
            acting = game.to_act(table.state)
            if not acting:
                return self.close(Ending.FINISHED, game.reason(table.state), grace_ms)
            if table.index >= game.step_limit:
                return self.close(Ending.STEP_LIMIT, f"the match reached {game.step_limit:,} steps", grace_ms)
            if acting == (CHANCE,):
                self.apply({CHANCE: game.draw(table.state, table.stream)}, None)
                continue
            legal = {seat: game.legal(table.state, seat) for seat in acting}
            self.ask(legal)
            acts = self.judge(legal)
            if not self.decided():
                self.apply({seat: act.action for seat, act in acts.items()}, acts)
        return self.close(Ending.FORFEIT, self.forfeit_reason(), grace_ms)

    # -- start-up ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Send every bot its `start` and wait until each is ready or out."""
        for bot in self.bots:
            self.send(bot, bot.script.start(self.game.options), self.spec.limits.start_ms * 1000)
        while True:
            for bot in self.bots:
                if bot.asked and not bot.open:
                    self.judge_start(bot)
            if not self.await_all([bot for bot in self.bots if bot.open]):
                break

    def judge_start(self, bot: Bot) -> None:
        """What a closed start request leads to; after a malformed line the bot goes on with the clock that it has."""
        bot.asked = False
        if bot.how is How.ANSWERED:
            return
        if bot.how is How.MALFORMED:
            self.punish(bot, START_STEP, FaultKind.MALFORMED, message_of(bot, FaultKind.MALFORMED, ()))
            if not bot.out:
                bot.asked = bot.open = True
                bot.look(self.clock())
        elif bot.how in (How.LATE, How.UNREAD):
            self.check_machine(bot)
            limit = self.spec.limits.start_ms
            self.punish(bot, START_STEP, FaultKind.STARTUP, f"it was not ready within {limit} ms of its start")
        elif bot.how is How.FLOOD:
            self.punish(bot, START_STEP, FaultKind.FLOOD, bot.inbox.flood)
        else:
            self.judge_ended(bot, START_STEP)

    # -- ask -----------------------------------------------------------------------------------------------------

    def ask(self, legal: dict[Seat, Sequence[Any]]) -> None:
        """Write the requests of this moment, all of them before any answer is read, and wait until all are closed."""
        bots, game, state = self.bots, self.game, self.table.state
        for seat, actions in legal.items():
            bot = bots[seat]
            if len(actions) == 1 or bot.out:
                bot.asked = False
                continue
            request = bot.script.decide(game.view(state, seat), self.legal_json.all(actions))
            bot.decisions += 1
            bank = bot.script.bank
            self.send(bot, request, bank.move_us + bank.left_us)
        waiting = []
        for seat in legal:
            bot = bots[seat]
            if bot.open:
                bot.look(bot.sent_at or 0)
                if bot.open:
                    waiting.append(bot)
        while self.await_all(waiting):
            waiting = [bot for bot in waiting if bot.open]

    def send(self, bot: Bot, request: bytes, allowance_us: int) -> None:
        """Open a request; a bot that is known to be gone has it closed again at once."""
        try:
            sent_at = self.channels.send(bot.seat, request)
        except BrokenPipeError:
            bot.ended_at = bot.ended_at or self.clock()
            sent_at = None
        bot.opened(request, sent_at, sent_at or self.clock(), allowance_us)
        if bot.ended_at is not None:
            bot.ended(self.clock())

    def await_all(self, waiting: Sequence[Bot]) -> bool:
        """Wait for the next things to happen to any bot; False when nobody is waited for."""
        if not waiting:
            return False
        until = min(bot.until for bot in waiting)
        arrivals = self.channels.wait(until)
        for seat, data, at in arrivals:
            bot = self.bots[seat]
            self.now = at
            if data is None:
                bot.written(at)
            else:
                bot.arrived(data, at)
                if bot.inbox.flood:
                    self.channels.mute(seat)
        if not arrivals:
            now = self.clock()
            for bot in waiting:
                if bot.open and now > bot.until:
                    bot.expire(now)
        return True

    # -- judge ---------------------------------------------------------------------------------------------------

    def judge(self, legal: dict[Seat, Sequence[Any]]) -> dict[Seat, Act]:
        """The act of every seat of this moment, with the faults of all bots noted and punished."""
        acts: dict[Seat, Act] = {}
        step = self.table.index
        for seat, actions in legal.items():
            bot = self.bots[seat]
            if not bot.asked:
                acts[seat] = Act(actions[0], 0, len(actions), True)
                continue
            act, kind = judge_choice(bot, actions)
            before_us = bot.script.bank.left_us
            bot.script.measured(bot.used_us if bot.how is not How.UNREAD else None, bot.how is How.ANSWERED)
            bot.think_us += bot.used_us or 0
            if bot.how is How.ANSWERED and kind is None:
                acts[seat] = act
            else:
                acts[seat] = self.judge_fault(bot, step, act, kind, before_us, actions)
        self.judge_floods(step)
        return acts

    def judge_fault(
        self, bot: Bot, step: int, act: Act, kind: FaultKind | None, before_us: int, legal: Sequence[Any]
    ) -> Act:
        """The same act with its fault filled in, after the fault has been punished."""
        if bot.how is How.ENDED:
            kind = self.judge_ended(bot, step)
            return act._replace(fault=str(kind))
        if kind is FaultKind.TIMEOUT:
            self.check_machine(bot)
            self.punish(bot, step, kind, timeout_message(bot, before_us, bot.script.bank.left_us))
        elif kind is not None and kind is not FaultKind.FLOOD:
            self.punish(bot, step, kind, message_of(bot, kind, legal))
        return act

    def judge_floods(self, step: int) -> None:
        """Floods are judged at once, whoever was asked; CPU is looked at now and then."""
        for bot in self.bots:
            if bot.out:
                continue
            if bot.inbox.flood:
                self.punish(bot, step, FaultKind.FLOOD, bot.inbox.flood)
            elif bot.asked and bot.closed_at - self.cpu_looked[bot.seat] > CPU_LOOK_NS:
                self.judge_cpu(bot, step)

    def judge_cpu(self, bot: Bot, step: int) -> None:
        self.cpu_looked[bot.seat] = bot.closed_at
        used = self.channels.usage(bot.seat).cpu_s
        allowed = bot.open_us / 1e6 * self.cores + CPU_FREE_S
        if used is not None and used > allowed:
            self.punish(bot, step, FaultKind.CPU, cpu_message(used, allowed))

    def judge_ended(self, bot: Bot, step: int) -> FaultKind:
        """The fault of a bot that is gone, once its exit status is known or has been waited for."""
        since = self.clock() - (bot.ended_at or 0)
        exit_ = self.exits[bot.seat] = self.channels.exit(bot.seat, max(0.0, EXIT_WAIT_S - since / 1e9))
        kind = ended_kind(exit_)
        bot.line = bot.inbox.take()
        self.punish(bot, step, kind, ended_message(kind, exit_, bot.line), exit_)
        return kind

    def check_machine(self, bot: Bot) -> None:
        """A deadline that we looked at much too late is our failure. Raises MachineLate."""
        late = bot.closed_at - bot.until
        if late > LATE_MACHINE_NS:
            raise MachineLate(f"harness: this machine looked at a deadline {late // NS_PER_MS} ms too late")

    def punish(self, bot: Bot, step: int, kind: FaultKind, message: str, exit_: Exit | None = None) -> None:
        """Note a fault, tell the bot of a strike, and put it out when it has to go."""
        fault = fault_of(bot, step, kind, message, exit_)
        self.faults.append(fault)
        if kind in STRIKE_KINDS:
            line = bot.script.fault(str(kind), fault.message)
            try:
                self.channels.send(bot.seat, line)
            except BrokenPipeError:
                bot.ended(self.clock())
            bot.out = bot.script.struck_out
        else:
            bot.out = True
        if bot.out:
            bot.open = False
            self.channels.end(bot.seat)

    # -- apply ---------------------------------------------------------------------------------------------------

    def apply(self, actions: dict[Seat, Any], acts: dict[Seat, Act] | None) -> None:
        """Step the table, keep for each seat what it saw, and write the step down; `acts` is None for nature's."""
        game = self.game
        step = self.table.apply(actions)
        seen = game.events_by_seat(step.before, actions, step.after, len(self.bots))
        for bot, events in zip(self.bots, seen, strict=True):
            if events and not bot.out:
                bot.script.events += events
        if self.recorder is not None:
            text = game.tell(step.before, actions, step.after)
            self.recorder.step(step.number, actions, acts, text, self.legal_json)
            if self.now - self.flushed_at > FLUSH_NS:
                self.flushed_at = self.now
                self.recorder.flush()

    # -- the end -------------------------------------------------------------------------------------------------

    def decided(self) -> bool:
        """Whether the match is over by forfeit: one of two is out, or everybody is."""
        out = sum(bot.out for bot in self.bots)
        return out > 0 and (len(self.bots) == 2 or out == len(self.bots))

    def forfeit_reason(self) -> str:
        left = [bot.name for bot in self.bots if not bot.out]
        causes = {fault.seat: str(fault.kind) for fault in self.faults}
        gone = " and ".join(f"bot {bot.name} ({causes[bot.seat]})" for bot in self.bots if bot.out)
        return f"{gone} out; bot {left[0]} wins" if left else f"{gone} out; nobody is left"

    def close(self, ending: Ending, reason: str, grace_ms: int) -> MatchRecord:
        """Judge what is still to be judged, say good-bye, and write the result down."""
        self.judge_rest()
        if ending is not Ending.FORFEIT and self.decided():
            ending, reason = Ending.FORFEIT, self.forfeit_reason()
        scores = self.game.scores(self.table.state)
        places = self.rank(scores)
        line = finish(places, scores, reason, self.faults)
        self.say_goodbye(line, grace_ms)
        return self.record(ending, reason, places, scores)

    def judge_rest(self) -> None:
        """Judge what bots did since their last decision: ends, floods, lines that nobody asked for."""
        step = self.table.index
        self.take_in(self.clock())
        for bot in self.bots:
            while not bot.out and (line := bot.next_line()) is not None:
                bot.line = line
                answer = read_choice(line, -1)
                why = answer.why if isinstance(answer, Malformed) else ""
                if not isinstance(answer, Malformed) or answer.id is not None:
                    why = "nothing was asked"
                self.punish(bot, step, FaultKind.MALFORMED, malformed_message(why, line))
            if not bot.out and bot.ended_at is None and not self.channels.listening(bot.seat):
                bot.ended(self.clock())
            if not bot.out and bot.ended_at is not None:
                self.judge_ended(bot, step)
        self.judge_floods(step)

    def take_in(self, until: int) -> None:
        """What has come up to now, without waiting for more than one round of each descriptor."""
        for seat, data, at in self.channels.wait(until):
            if data is not None:
                self.bots[seat].arrived(data, at)

    def rank(self, scores: Sequence[float]) -> tuple[int, ...]:
        """Ranks by the scores among the seats still in; all that are out share the place after them."""
        left = [bot.seat for bot in self.bots if not bot.out]
        places = dict(zip(left, ranks([scores[seat] for seat in left]), strict=True))
        return tuple(places.get(bot.seat, 1 + len(left)) for bot in self.bots)

    def say_goodbye(self, line: bytes, grace_ms: int) -> None:
        """Send `end`, close the inputs, and give the bots their time to go."""
        deadline = self.clock() + grace_ms * NS_PER_MS
        staying = {bot.seat for bot in self.bots if not bot.out}
        unsent = set()
        for seat in staying:
            try:
                sent = self.channels.send(seat, line)
            except BrokenPipeError:
                sent = deadline
            if sent is None:
                unsent.add(seat)
            else:
                self.channels.hang_up(seat)
        while staying and self.clock() < deadline:
            for seat, data, _ in self.channels.wait(deadline):
                if data is None and seat in unsent:
                    self.channels.hang_up(seat)
                elif data == b"":
                    staying.discard(seat)
        for bot in self.bots:
            if not bot.out:
                left = max(0, deadline - self.clock()) / 1e9
                self.exits[bot.seat] = self.channels.exit(bot.seat, left)

    def record(self, ending: Ending, reason: str, places: tuple[int, ...], scores: Sequence[float]) -> MatchRecord:
        """The result, with the replay closed, and what each seat leaves."""
        digest = ""
        if self.recorder is not None:
            state = sha256(encode_canonical(self.game.reveal(self.table.state))).hexdigest()
            digest = self.recorder.close(ending, reason, places, scores, self.faults, state)
        result = MatchResult(
            match=self.spec.match,
            ending=ending,
            reason=reason,
            ranks=places,
            scores=tuple(scores),
            faults=tuple(self.faults),
            steps=self.table.index,
            decisions=tuple(bot.decisions for bot in self.bots),
            think_ms=tuple(bot.think_us / 1000 for bot in self.bots),
            replay_digest=digest,
            tally=dict(self.game.tally(self.table.state)),
        )
        return MatchRecord(result, tuple(self.seat_record(bot) for bot in self.bots))

    def seat_record(self, bot: Bot) -> SeatRecord:
        exit_ = self.exits[bot.seat]
        self.channels.end(bot.seat)
        usage = self.channels.usage(bot.seat)
        capture = self.channels.stderr(bot.seat)
        text = capture.text()
        faults = [fault for fault in self.faults if fault.seat == bot.seat]
        return SeatRecord(
            stderr=text,
            stderr_bytes=capture.size,
            hints=hints(text, faults),
            name=bot.ready.name if bot.ready else "",
            version=bot.ready.version if bot.ready else "",
            exit_code=None if exit_ is None else exit_.code,
            signal=None if exit_ is None else exit_.signal,
            cpu_s=usage.cpu_s,
            memory_peak_bytes=usage.memory_peak_bytes,
        )

    def void(self, reason: str) -> MatchRecord:
        """The record of a match that we failed; nothing of it counts."""
        if self.recorder is not None:
            self.recorder.abandon()
            self.recorder = None
        seats = len(self.bots)
        return self.record(Ending.VOID, reason, (1,) * seats, (0.0,) * seats)
