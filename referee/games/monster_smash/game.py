"""Smash Up: Monster Smash as a game of the harness; rulings R-01 to R-38 stand in docs/rules/monster-smash.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from msgspec.json import decode

from referee.game import (
    CHANCE,
    Event,
    Game,
    GameError,
    IllegalAction,
    Json,
    Option,
    OutOfTurn,
    Seat,
    Stream,
    View,
)
from referee.games.monster_smash import events
from referee.games.monster_smash import view as views
from referee.games.monster_smash.actions import DECLINES, MOVES, PLAYS, Move, read
from referee.games.monster_smash.cards.definition import DECLINED, Ask, Frame
from referee.games.monster_smash.nature import Chance
from referee.games.monster_smash.stages import question, run
from referee.games.monster_smash.state import NOBODY, State, new_state
from referee.games.monster_smash.turn import FIRST_PIECE, TURN_CAP


class MonsterSmash(Game[State, Move]):
    """Two factions a player, bases to smash, 15 victory points to win."""

    name: ClassVar[str] = "monster-smash"
    title: ClassVar[str] = "Smash Up: Monster Smash"
    version: ClassVar[str] = "1"
    seats: ClassVar[range] = range(2, 5)
    option_table: ClassVar[tuple[Option, ...]] = (
        Option("setup", "draft", "How players get their factions: by draft, or dealt at random", ("draft", "random")),
    )
    step_limit: ClassVar[int] = 300_000
    """A base that reaches its breakpoint scores, so what is in play is bounded, and so is a turn: by 1,500 steps."""
    marks: ClassVar[frozenset[str]] = frozenset({"scoring", "over"})

    @property
    def notices(self) -> tuple[str, ...]:
        return (
            f"A match ends after {TURN_CAP} turns at the latest; that cap is the harness's, not the rules'.",
            "When no base is left in play, the match ends with that turn.",
        )

    def start(self, seats: int) -> State:
        if seats not in self.seats:
            raise GameError(f"{self.name} takes 2 to 4 players, not {seats}")
        s = new_state(seats)
        s.stack.append(Frame("draft" if self.options["setup"] == "draft" else "deal", 0, 0, 0))
        ask(s)
        return s

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return () if state.asked == NOBODY else (state.asked,)

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        if seat != state.asked or seat < 0:
            raise OutOfTurn(f"seat {seat} is not to act")
        options: Sequence[Move] = state.options
        return options

    def apply(self, state: State, actions: Mapping[Seat, Move]) -> State:
        s = state.copy()
        seat = state.asked
        if seat not in actions or len(actions) != 1:
            raise OutOfTurn(f"seat {seat} is to act, and nobody else")
        move = actions[seat]
        step, f = question(s)
        if isinstance(step, Chance) and move.type == step.kind:
            try:
                step.happens(s, f, move.value)
            except (ValueError, IndexError, TypeError):
                raise IllegalAction(f"{move} cannot happen now") from None
        elif move in state.options:
            step.chosen(s, f, move.value)
        else:
            raise IllegalAction(f"seat {seat} may not choose: {move}")
        ask(s)
        return s

    def draw(self, state: State, stream: Stream) -> Move:
        if state.asked != CHANCE:
            raise OutOfTurn("nature is not to act")
        step, f = question(state)
        assert isinstance(step, Chance)
        return Move(step.kind, step.draw(state, f, stream))

    def view(self, state: State, seat: Seat) -> View:
        view: View = decode(views.write(state, seat))
        return view

    def view_json(self, state: State, seat: Seat) -> bytes:
        return views.write(state, seat)

    def events(self, before: State, actions: Mapping[Seat, Move], after: State, seat: Seat | None) -> list[Event]:  # noqa: ARG002
        return events.write(after.log, seat)

    def events_by_seat(
        self,
        before: State,  # noqa: ARG002
        actions: Mapping[Seat, Move],  # noqa: ARG002
        after: State,
        seats: int,
    ) -> Sequence[list[Event]]:
        return events.write_all(after.log, seats)

    def scores(self, state: State) -> tuple[float, ...]:
        return tuple(map(float, state.vp))

    def reveal(self, state: State) -> View:
        whole: View = decode(views.write(state, None))
        return whole

    def imagine(self, view: View, seat: Seat, rng: Random) -> State:
        s = views.imagine(view, seat, rng)
        reopen(s)
        return s

    def read_action(self, data: Json) -> Move:
        return read(data)

    def tell(self, before: State, actions: Mapping[Seat, Move], after: State) -> str:  # noqa: ARG002
        return events.tell(after.log, actions)

    def tell_seat(self, before: State, actions: Mapping[Seat, Move], after: State, seat: Seat) -> str:  # noqa: ARG002
        return events.tell(after.log, actions, seat)

    def reason(self, state: State) -> str:
        return state.over

    def tally(self, state: State) -> Mapping[str, int]:
        return {
            "turns": state.turn,
            "bases scored": len(state.out_bases),
            "cards that entered play": state.serials,
            "victory points": sum(state.vp),
        }


def ask(s: State) -> None:
    """Work off what is pending until somebody has to decide, and lay out what that seat may do."""
    asked = run(s)
    s.options = moves(*asked) if asked and s.asked != CHANCE else ()


def reopen(s: State) -> None:
    """Lay out the open question of a state that was made from a view."""
    if s.stack:
        step, f = question(s)
        s.asked = step.seat(s, f)
        s.options = moves(step, step.values(s, f)) if s.asked != CHANCE else ()


def moves(step: Ask, values: Sequence[int]) -> list[Move]:
    """The actions for these values of a choice."""
    kind = step.kind
    if kind == "play":
        found = [PLAYS[value] if value < FIRST_PIECE else Move("talent", value) for value in values]
    elif kind == "minion":
        found = [Move("minion", value) for value in values]
    else:
        made = MOVES[kind]
        found = [made.get(value) or Move(kind, value) for value in values]
    if values[0] == DECLINED:
        found[0] = DECLINES[step.decline]
    return found
