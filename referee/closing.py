"""The end of a match: what is still to be judged, ranks, the good-bye to the bots, the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from referee.bot import Bot
from referee.clock import NS_PER_MS
from referee.court import Court
from referee.game import Game, ranks
from referee.player import SeatRecord
from referee.result import Ending, MatchResult, MatchSpec
from referee.stderr import hints
from referee.transcript import finish


def close(
    spec: MatchSpec, game: Game[Any, Any], state: Any, court: Court, ending: Ending, reason: str, step: int
) -> MatchResult:
    """Judge what is still to be judged and rank the seats; `step` is the number of steps played."""
    for seat, data, at in court.channels.wait(court.clock()):
        if data is not None:
            court.bots[seat].arrived(data, at)
    for bot in court.bots:
        court.rest(bot, step)
    court.look_around(step)
    if court.decided:
        ending, reason = Ending.FORFEIT, court.verdict()
    scores = tuple(game.scores(state))
    outcome = result(spec, court.bots, court, ending, reason, place(court.bots, scores), scores, step)
    return replace(outcome, tally=dict(game.tally(state)))


def result(
    spec: MatchSpec,
    bots: Sequence[Bot],
    court: Court,
    ending: Ending,
    reason: str,
    places: tuple[int, ...],
    scores: tuple[float, ...],
    steps: int,
) -> MatchResult:
    """The result with what the bots' own accounts say; no replay has been closed yet."""
    return MatchResult(
        match=spec.match,
        ending=ending,
        reason=reason,
        ranks=places,
        scores=scores,
        faults=tuple(court.faults),
        steps=steps,
        decisions=tuple(bot.decisions for bot in bots),
        think_ms=tuple(bot.think_us / 1000 for bot in bots),
    )


def place(bots: Sequence[Bot], scores: Sequence[float]) -> tuple[int, ...]:
    """Ranks by the scores among the seats still in; all that are out share the place after them."""
    left = [bot.seat for bot in bots if not bot.out]
    places = dict(zip(left, ranks([scores[seat] for seat in left]), strict=True))
    return tuple(places.get(bot.seat, 1 + len(left)) for bot in bots)


def say_goodbye(court: Court, result_: MatchResult, grace_ms: int) -> None:
    """Send `end` to the bots still in, close their inputs, and give them their time to go."""
    channels, clock = court.channels, court.clock
    line = finish(result_.ranks, result_.scores, result_.reason, result_.faults)
    deadline = clock() + grace_ms * NS_PER_MS
    staying = {bot.seat for bot in court.bots if not bot.out}
    for seat in staying:
        try:
            unsent = channels.send(seat, line) is None
        except BrokenPipeError:
            unsent = False
        if not unsent:
            channels.hang_up(seat)
    leaving = set(staying)
    while leaving and clock() < deadline:
        for seat, data, _ in channels.wait(deadline):
            if data is None:
                channels.hang_up(seat)
            elif not data:
                leaving.discard(seat)
    for seat in staying:
        court.exits[seat] = channels.exit(seat, max(0, deadline - clock()) / 1e9)


def seat_record(bot: Bot, court: Court) -> SeatRecord:
    """What a seat leaves; ends the bot first, so that its error output is whole."""
    channels, exit_ = court.channels, court.exits[bot.seat]
    channels.end(bot.seat)
    usage, capture = channels.usage(bot.seat), channels.stderr(bot.seat)
    text = capture.text()
    return SeatRecord(
        stderr=text,
        stderr_bytes=capture.size,
        hints=hints(text, [fault for fault in court.faults if fault.seat == bot.seat], bot.heard),
        name=bot.ready.name if bot.ready else "",
        version=bot.ready.version if bot.ready else "",
        exit_code=None if exit_ is None else exit_.code,
        signal=None if exit_ is None else exit_.signal,
        cpu_s=usage.cpu_s,
        memory_peak_bytes=usage.memory_peak_bytes,
    )
