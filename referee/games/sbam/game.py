"""Sbam! as the referee asks for it: the questions of a game, answered from the position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar, Final

from referee.game import CHANCE, Event, Game, GameError, IllegalAction, Json, Option, OutOfTurn, Seat, Stream, View
from referee.games.sbam.actions import ANSWERS, Action, Drawn, read
from referee.games.sbam.cards import OOPS, Card, deck
from referee.games.sbam.fights import Check
from referee.games.sbam.state import (
    CAUSES,
    CHECK,
    COMMIT,
    NATURE,
    QUIET_LIMIT,
    ROUND_LIMIT,
    WINDOW,
    State,
    answer,
    close,
    draw_in,
    land,
    opening,
    pick,
    reckon,
)
from referee.games.sbam.story import draw_event_of_all, draw_events, reason, seen_by_all, tell
from referee.games.sbam.view import imagined, public, whole

_TALLY: Final = dict(
    zip(CAUSES, ("ended by Sbam!", "ended by a triple Sbam!", "ended by an empty pile", "ended by passes"), strict=True)
)

_LABELS: Final = tuple(f"round {number}" for number in range(ROUND_LIMIT + 1))


class Sbam(Game[State, Action]):
    """The rules of Sbam! (Marco Pranzo and Tommaso Battista, Cranio Creations 2022) for 2 to 6 players (B-R1).

    Shouting, forgetting to shout and playing with one hand are not modelled (B-R49).
    """

    name: ClassVar[str] = "sbam"
    title: ClassVar[str] = "Sbam!"
    version: ClassVar[str] = "1"
    seats: ClassVar[range] = range(2, 7)
    option_table: ClassVar[tuple[Option, ...]] = (
        Option("reconstructed_card", True, "Play with the 61st card, No-3, whose effect is a reconstruction."),
    )
    # Every tick that does not end its round draws a card, and two players leave 55: 55 ticks of a commit and a refill
    # each, a deal and a window (after an Oops no other opens) make 112 steps a round, 22,400 in the 200 of the guard.
    step_limit: ClassVar[int] = 25_000
    marks: ClassVar[frozenset[str]] = frozenset({"sbam", "oops", "round_end", "eliminated", "over"})

    def __init__(self, options: Mapping[str, bool | int | str] | None = None) -> None:
        super().__init__(options)
        self._deck: tuple[Card, ...] = deck(with_no3=bool(self.options["reconstructed_card"]))
        # What was worked out last is kept, since a step is drawn and then applied, applied and then told.
        self._drawn: tuple[State | None, Drawn | None, State | None] = (None, None, None)
        self._ended: tuple[State | None, Check | None] = (None, None)

    @property
    def notices(self) -> tuple[str, ...]:
        ticks = "Sbam! is a race in real time; here everybody commits one action at the same moment, tick by tick."
        copies = "That the 45 coloured cards are five of each kind is an assumption."
        card = (
            "The 61st card, No-3 (`no3`), is a reconstruction: the rulebook counts it but its text does not say "
            "what it does. The option reconstructed_card takes it out."
        )
        if not self.options["reconstructed_card"]:
            card = "The 61st card, whose kind is unknown, is left out: 60 cards."
        guard = (
            f"A game ends after {QUIET_LIMIT} rounds in a row without damage or {ROUND_LIMIT} rounds in all: "
            "a guard of the harness, not a rule of Sbam!."
        )
        return (ticks, copies, card, guard)

    def start(self, seats: int) -> State:
        if seats not in self.seats:
            raise GameError(f"sbam takes 2 to 6 players, not {seats}")
        return opening(seats, self._deck)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return state.asked

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        if seat not in state.asked or seat < 0:
            raise OutOfTurn(f"seat {seat} is not to act")
        if state.phase == COMMIT:
            return state.hands[seat].commits
        return ANSWERS if OOPS in state.hands[seat].cards else ANSWERS[:1]

    def apply(self, state: State, actions: Mapping[Seat, Action]) -> State:
        if not state.asked:
            raise OutOfTurn("the game is over")
        if state.phase == COMMIT:
            after = land(state, actions)
        elif state.phase == WINDOW:
            after = answer(state, actions)
        else:
            drawn = actions[CHANCE]
            if not isinstance(drawn, Drawn):
                raise IllegalAction(f"nature draws cards here, it may not {drawn}")
            # Our own draw needs no second look; one from elsewhere, as in a replay, is checked card by card.
            of, known, reached = self._drawn
            after = reached if reached and of is state and known is drawn else draw_in(state, drawn)
        if after.phase != CHECK:
            return after
        found = reckon(after)
        after = close(after, found, self._deck)
        self._ended = (after, found)
        return after

    def _ending(self, before: State, actions: Mapping[Seat, Action], after: State) -> Check | None:
        """How the round was reckoned that this step ended; None when it goes on."""
        if after.standing is before.standing or after.standing == before.standing:
            return None
        if self._ended[0] is not after:
            self.apply(before, actions)
        return self._ended[1]

    def draw(self, state: State, stream: Stream) -> Action:
        """The deal or refill, card by card from a stream of the round: its k-th card is the same whoever draws it."""
        if state.asked != NATURE:
            raise OutOfTurn("nature is not to act")
        drawn, reached = pick(state, stream(_LABELS[state.standing.round]).random)
        self._drawn = (state, drawn, reached)
        return drawn

    def view(self, state: State, seat: Seat) -> View:
        view = public(state)
        view["hand"] = [*state.hands[seat].cards]
        return view

    def events(self, before: State, actions: Mapping[Seat, Action], after: State, seat: Seat | None) -> list[Event]:
        drawn = actions.get(CHANCE)
        if not isinstance(drawn, Drawn):
            return self._shared(before, actions, after)
        own = draw_event_of_all(before, drawn) if seat is None else draw_events(before, drawn)[seat]
        return [own, *self._shared(before, actions, after)]

    def events_by_seat(
        self, before: State, actions: Mapping[Seat, Action], after: State, seats: int
    ) -> Sequence[list[Event]]:
        shared = self._shared(before, actions, after)
        drawn = actions.get(CHANCE)
        if not isinstance(drawn, Drawn):
            return [shared] * seats
        return [[own, *shared] for own in draw_events(before, drawn)]

    def _shared(self, before: State, actions: Mapping[Seat, Action], after: State) -> list[Event]:
        return seen_by_all(before, actions, after, self._ending(before, actions, after))

    def scores(self, state: State) -> tuple[float, ...]:
        """The number of seats placed strictly below (B-R52).

        Those in come before those out, less damage before more among those in (B-R50), a later elimination before an
        earlier one; the same round is shared (B-R45, B-R46).
        """
        places = [
            (number == 0, -damage if number == 0 else number)
            for damage, number in zip(state.standing.damage, state.standing.out, strict=True)
        ]
        return tuple(float(sum(other < place for other in places)) for place in places)

    def reveal(self, state: State) -> View:
        return whole(state)

    def imagine(self, view: View, seat: Seat, rng: Random) -> State:
        return imagined(view, seat, self._deck, rng)

    def read_action(self, data: Json) -> Action:
        return read(data)

    def tell(self, before: State, actions: Mapping[Seat, Action], after: State) -> str:
        return tell(before, actions, after, self._ending(before, actions, after))

    def tell_seat(self, before: State, actions: Mapping[Seat, Action], after: State, seat: Seat) -> str:
        return tell(before, actions, after, self._ending(before, actions, after), seat)

    def reason(self, state: State) -> str:
        if state.asked:
            raise OutOfTurn("the game is not over")
        return reason(state)

    def tally(self, state: State) -> Mapping[str, int]:
        rounds = {f"rounds {_TALLY[cause]}": count for cause, count in zip(CAUSES, state.standing.ended, strict=True)}
        return {
            "rounds": sum(state.standing.ended),
            **rounds,
            "Oops played": state.standing.oopses + (state.oops is not None),
        }
