"""Faults and what follows from them: strikes, seats that are out, a match that is decided before its game is over."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

from referee.bot import Bot, How
from referee.clock import NS_PER_MS, Clock
from referee.judge import (
    ANSWER_CAP,
    START_STEP,
    cpu_message,
    ended_kind,
    ended_message,
    fallback,
    fault_of,
    illegal_message,
    kind_of,
    malformed_message,
    startup_message,
    timeout_message,
)
from referee.player import Channels, Exit
from referee.protocol import Malformed, read_choice
from referee.result import STRIKE_KINDS, Act, Fault, FaultKind

EXIT_WAIT_S: Final = 0.2
"""How long an ended output waits for the exit status."""
LATE_MACHINE_NS: Final = 1_000 * NS_PER_MS
"""A deadline that we ourselves look at later than this says nothing of the bot."""
LOOK_NS: Final = 500 * NS_PER_MS
"""How often CPU is looked at."""
FREE_CPU_S: Final = 1.0
CORES: Final = os.cpu_count() or 1
NOBODY: Final = -2
"""An id that no decision has."""


class MachineLate(Exception):
    """The machine itself was too late to judge a deadline."""


class Court:
    """The faults of one match."""

    def __init__(
        self, bots: Sequence[Bot], channels: Channels, clock: Clock, cores: float, commands: Sequence[str] = ()
    ) -> None:
        self.bots = bots
        self.channels = channels
        self.clock = clock
        self.cores = cores
        self.commands = commands or [""] * len(bots)
        self.faults: list[Fault] = []
        self.exits: list[Exit | None] = [None] * len(bots)
        self.flooded = False
        """Whether somebody's output has become a flood since the last `look_around`."""
        self.began = clock()
        self.next_look = self.began + LOOK_NS
        self.decided = False
        """Whether the match is over by forfeit: one of two is out, or everybody is."""

    def start(self, bot: Bot, limit_ms: int) -> None:
        """Judge a closed start request; after a malformed line it is open again, with the clock that it has."""
        bot.asked = False
        if bot.how is How.MALFORMED:
            self.punish(bot, START_STEP, FaultKind.MALFORMED, malformed_message(bot.why, bot.line))
            if not bot.out:
                bot.asked = bot.open = True
                bot.look(self.clock())
        elif bot.how in (How.LATE, How.UNREAD):
            self.check_machine(bot)
            bot.line = bytes(bot.inbox.buffer[:ANSWER_CAP])
            self.punish(bot, START_STEP, FaultKind.STARTUP, startup_message(limit_ms))
        elif bot.how is How.FLOOD:
            self.punish(bot, START_STEP, FaultKind.FLOOD, bot.inbox.flood)
        elif bot.how is How.ENDED:
            self.ended(bot, START_STEP)

    def fault(self, bot: Bot, step: int, legal: Sequence[Any], before_us: int) -> Act:
        """Judge a decision that ended in a fault; the act that is played instead. `before_us` is the bank before it."""
        if bot.how is How.ENDED:
            return fallback(bot, legal, self.ended(bot, step))
        kind = kind_of(bot, None)
        if bot.out:  # for a flood, by `look_around`
            return fallback(bot, legal, kind)
        if kind is FaultKind.TIMEOUT:
            self.check_machine(bot)
            bot.line = bytes(bot.inbox.buffer[:ANSWER_CAP])
            message = timeout_message(bot, before_us)
        elif kind is FaultKind.ILLEGAL:
            message = illegal_message(bot.choice, len(legal))
        elif kind is FaultKind.MALFORMED:
            message = malformed_message(bot.why, bot.line)
        else:
            raise AssertionError(f"{kind} is not judged here")
        act = fallback(bot, legal, kind)
        self.punish(bot, step, kind, message)
        return act

    def look_around(self, step: int) -> None:
        """Floods are judged at once, whoever was asked; so is the CPU that anybody has used."""
        self.flooded = False
        now = self.clock()
        self.next_look = now + LOOK_NS
        most_s = (now - self.began) / 1e9 * CORES  # more than that nobody can have used
        for bot in self.bots:
            if bot.out:
                continue
            bot.line = b""
            if bot.inbox.flood:
                self.punish(bot, step, FaultKind.FLOOD, bot.inbox.flood)
                continue
            allowed = (bot.start_us + bot.think_us) / 1e6 * self.cores + FREE_CPU_S
            if most_s <= allowed:
                continue
            used = self.channels.usage(bot.seat).cpu_s
            if used is not None and used > allowed:
                self.punish(bot, step, FaultKind.CPU, cpu_message(used, allowed))

    def ended(self, bot: Bot, step: int) -> FaultKind:
        """The fault of a bot that is gone, once its exit status is known or has been waited for."""
        since = self.clock() - (bot.ended_at or 0)
        exit_ = self.exits[bot.seat] = self.channels.exit(bot.seat, max(0.0, EXIT_WAIT_S - since / 1e9))
        kind = ended_kind(exit_)
        bot.line = bot.inbox.take()
        command = self.commands[bot.seat] if bot.ready is None else None
        self.punish(bot, step, kind, ended_message(kind, exit_, bot.line, command), exit_)
        return kind

    def rest(self, bot: Bot, step: int) -> None:
        """Judge what a bot did since its last decision: lines that nobody asked for, its own end."""
        while not bot.out and (line := bot.next_line()) is not None:
            bot.line = line
            answer = read_choice(line, NOBODY)
            asked_for = not isinstance(answer, Malformed) or answer.id is not None
            why = "nothing was asked" if asked_for else answer.why  # type: ignore[union-attr]
            self.punish(bot, step, FaultKind.MALFORMED, malformed_message(why, line))
        if not bot.out and bot.ended_at is None and not self.channels.listening(bot.seat):
            bot.ended_at = self.clock()
        if not bot.out and bot.ended_at is not None:
            self.ended(bot, step)

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
            try:
                self.channels.send(bot.seat, bot.script.fault(str(kind), fault.message))
            except BrokenPipeError:
                bot.ended_at = bot.ended_at or self.clock()
            bot.out = bot.script.struck_out
        else:
            bot.out = True
        if bot.out:
            bot.open = False
            self.channels.end(bot.seat)
            out = sum(each.out for each in self.bots)
            self.decided = len(self.bots) == 2 or out == len(self.bots)

    def verdict(self) -> str:
        """Why a decided match is over, in one sentence."""
        causes = {fault.seat: str(fault.kind) for fault in self.faults}
        gone = " and ".join(f"bot {bot.name} is out ({causes[bot.seat]})" for bot in self.bots if bot.out)
        left = [bot.name for bot in self.bots if not bot.out]
        return f"{gone}; bot {left[0]} wins" if left else f"{gone}; nobody is left"
