"""What a replay holds besides its lines: every state, the proof that it is of this game, and what a seat was sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from referee.game import CHANCE, Game, GameError, Seat, ranks
from referee.judge import START_STEP
from referee.protocol import encode_canonical
from referee.replay import Replay, ReplayError
from referee.result import STRIKE_KINDS, Ending, Fault, FaultKind
from referee.seeds import Streams
from referee.table import Step, Table
from referee.transcript import LegalJson, Script, events_json, finish, microseconds, strike_limit

_BESIDE: Final = frozenset({"flood", "cpu"})
"""The faults that a seat may have in a step beside an act of its own."""
_ANSWERED: Final = frozenset({None, FaultKind.ILLEGAL})
"""The faults in an act after which the bot still counts as having answered."""


class Sent(NamedTuple):
    """A line that a seat was sent, with its newline: before which step, and what it chose if it was a decision."""

    step: int
    line: bytes
    choice: int | None = None


def rebuild(replay: Replay, game: Game[Any, Any]) -> Iterator[Step[Any, Any]]:
    """Every step of a replay with the states before and after it. Raises ReplayError at the first that cannot be."""
    table = _table(replay, game)
    for row in replay.steps:
        actions = _actions(table, row)
        try:
            yield table.replay(actions)
        except GameError as error:
            raise ReplayError(f"step {table.index} differs: {error}") from error


def verify(replay: Replay, game: Game[Any, Any]) -> int:
    """Play a replay again and compare all that follows from the seed and the choices; the number of its steps.

    Raises ReplayError that names the first step that differs.
    """
    table = _table(replay, game)
    out = Outs(replay)
    for row in replay.steps:
        before = table.state
        actions = _actions(table, row)
        try:
            _check_step(table, row, actions, out)
            step = table.replay(actions)
        except GameError as error:
            raise ReplayError(f"step {table.index} differs: {error}") from error
        told = game.tell(before, actions, step.after)
        if row.get("text") != told:
            raise ReplayError(f"step {step.number} differs: it says {row.get('text')!r}, the game says {told!r}")
        out.advance(step.number)
    out.advance(table.index)
    _check_end(replay, game, table, out)
    return table.index


def feed(replay: Replay, game: Game[Any, Any], seat: Seat) -> Iterator[Sent]:
    """Exactly the lines that a seat was sent in the match, in order. Raises ReplayError."""
    table = _table(replay, game)
    if not 0 <= seat < table.seats:
        raise ReplayError(f"{replay.path} has seats 0 to {table.seats - 1}, not {seat}")
    script, legal, out = Script(replay.spec, seat), LegalJson(game), Outs(replay)
    yield Sent(START_STEP, script.start(game.options))
    yield from _faults(replay, script, seat, START_STEP)
    out.advance(START_STEP)
    for row in replay.steps:
        if seat in out.seats:
            return
        act = row.get("acts", {}).get(str(seat))
        if act is not None and not act["forced"]:
            yield Sent(table.index, _decide(table, script, legal, seat), act["choice"])
            script.measured(microseconds(act["ms"]), act["fault"] in _ANSWERED)
        yield from _faults(replay, script, seat, table.index)
        out.advance(table.index)
        step = table.replay(_actions(table, row))
        events = game.events_by_seat(step.before, step.actions, step.after, table.seats)[seat]
        if events:
            script.events.append(events_json(events))
    if seat in out.seats:
        return
    if _asked_last(replay, game, table, out) and seat in table.to_act() and len(table.legal(seat)) > 1:
        yield Sent(table.index, _decide(table, script, legal, seat))
    yield from _faults(replay, script, seat, table.index)
    out.advance(table.index)
    if seat not in out.seats:
        end = replay.end
        yield Sent(table.index, finish(end["ranks"], end["scores"], end["reason"], replay.faults))


class Outs:
    """Who is out after each step, by the faults that a replay records."""

    def __init__(self, replay: Replay) -> None:
        self._faults = replay.faults
        self._limit = strike_limit(replay.spec.policy, replay.spec.limits)
        self._strikes = [0] * len(replay.spec.seats)
        self._next = 0
        self.seats: set[Seat] = set()

    def kinds(self, seat: Seat, step: int) -> set[str]:
        """The kinds of the faults of a seat in one step."""
        return {str(fault.kind) for fault in self._faults if (fault.seat, fault.step) == (seat, step)}

    def advance(self, step: int) -> None:
        """Take in the faults up to this step."""
        while self._next < len(self._faults) and self._faults[self._next].step <= step:
            self._take(self._faults[self._next])
            self._next += 1

    def _take(self, fault: Fault) -> None:
        if fault.kind not in STRIKE_KINDS:
            self.seats.add(fault.seat)
            return
        self._strikes[fault.seat] += 1
        if 0 < self._limit <= self._strikes[fault.seat]:
            self.seats.add(fault.seat)

    @property
    def decided(self) -> bool:
        """Whether the match is over by forfeit."""
        seats = len(self._strikes)
        return bool(self.seats) and (seats == 2 or len(self.seats) == seats)


def _table(replay: Replay, game: Game[Any, Any]) -> Table[Any, Any]:
    if replay.spec.game != game.name:
        raise ReplayError(f"{replay.path} is of {replay.spec.game}, not of {game.name}")
    if replay.game_version != game.version:
        raise ReplayError(
            f"{replay.path} is of version {replay.game_version} of {game.name}; this harness has version {game.version}"
        )
    try:
        return Table(game, len(replay.spec.seats), Streams(replay.spec.seed))
    except GameError as error:
        raise ReplayError(f"{replay.path}: {error}") from error


def _actions(table: Table[Any, Any], row: Mapping[str, Any]) -> dict[Seat, Any]:
    """The actions of a step; the shape of a row has been checked, what an action holds may be anything."""
    game = table.game
    try:
        if row.get("chance") is not None:
            return {CHANCE: game.read_action(row["chance"])}
        return {int(seat): game.read_action(act["action"]) for seat, act in row["acts"].items()}
    except GameError as error:
        raise ReplayError(f"step {table.index} differs: {error}") from error


def _check_step(table: Table[Any, Any], row: Mapping[str, Any], actions: Mapping[Seat, Any], out: Outs) -> None:
    """Compare what nature drew, and the indices of the choices. Raises ReplayError or GameError."""
    number = table.index
    if CHANCE in actions:
        if table.to_act() == (CHANCE,) and (drawn := table.game.draw(table.state, table.stream)) != actions[CHANCE]:
            raise ReplayError(f"step {number} differs: the seed draws {drawn}, the replay has {actions[CHANCE]}")
        return
    for seat, action in actions.items():
        act = row["acts"][str(seat)]
        legal = table.legal(seat)
        choice, of, forced = act.get("choice"), act.get("of"), act.get("forced")
        if of != len(legal) or type(choice) is not int or not 0 <= choice < of or legal[choice] != action:
            raise ReplayError(f"step {number} differs: seat {seat}'s choice {choice} of {of} is not {action}")
        if forced != (of == 1 or seat in out.seats):
            raise ReplayError(f"step {number} differs: seat {seat}'s act is marked forced: {forced}")
        fault, kinds = act.get("fault"), out.kinds(seat, number)
        if (fault not in kinds) if fault is not None else (kinds - _BESIDE):
            raise ReplayError(f"step {number} differs: seat {seat}'s fault is {fault!r}, the end has {sorted(kinds)}")
        if fault is not None and choice != 0:
            raise ReplayError(f"step {number} differs: after a fault of seat {seat} its fallback is to be played")


def _check_end(replay: Replay, game: Game[Any, Any], table: Table[Any, Any], out: Outs) -> None:
    end, state = replay.end, table.state
    over, scores = not table.to_act(), game.scores(state)
    ending = Ending.FORFEIT if out.decided else Ending.FINISHED if over else Ending.STEP_LIMIT
    left = [seat for seat in range(table.seats) if seat not in out.seats]
    places = dict(zip(left, ranks([scores[seat] for seat in left]), strict=True))
    expected: dict[str, Any] = {
        "ending": str(ending),
        "scores": list(scores),
        "ranks": [places.get(seat, 1 + len(left)) for seat in range(table.seats)],
        "state": sha256(encode_canonical(game.reveal(state))).hexdigest(),
    }
    if ending is Ending.FINISHED:
        expected["reason"] = game.reason(state)
    for name, value in expected.items():
        if end.get(name) != value:
            raise ReplayError(f"the end differs after {table.index} steps: {name} is {end.get(name)!r}, not {value!r}")
    if ending is Ending.STEP_LIMIT and table.index < game.step_limit:
        raise ReplayError(f"the end differs: the match stops after {table.index} steps and nobody is out")


def _decide(table: Table[Any, Any], script: Script, legal: LegalJson, seat: Seat) -> bytes:
    return script.decide(table.game.view_json(table.state, seat), legal.all(table.legal(seat)))


def _faults(replay: Replay, script: Script, seat: Seat, step: int) -> Iterator[Sent]:
    for fault in replay.faults:
        if fault.seat == seat and fault.step == step and fault.kind in STRIKE_KINDS:
            yield Sent(step, script.fault(str(fault.kind), fault.message))


def _asked_last(replay: Replay, game: Game[Any, Any], table: Table[Any, Any], out: Outs) -> bool:
    """Whether a moment of decision ended the match, so that its requests went out but no step came of them."""
    return (
        replay.end["ending"] == Ending.FORFEIT
        and not out.decided
        and table.index < game.step_limit
        and CHANCE not in table.to_act()
    )
