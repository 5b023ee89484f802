"""The rules of The Marshmallow Test as a `Game`; ruling numbers (M-R) are those of docs/rules/marshmallow-test.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from random import Random
from typing import ClassVar

from referee.game import CHANCE, Event, Game, GameError, IllegalAction, Json, Option, OutOfTurn, Seat, Stream, View
from referee.games.marshmallow_test.actions import (
    DECK,
    HAND,
    NO_SUIT,
    TRUMPS,
    Deal,
    FirstDealer,
    Move,
    Play,
    Trump,
    read_action,
)
from referee.games.marshmallow_test.imagine import imagined
from referee.games.marshmallow_test.state import (
    DEAL,
    FIRST_DEALER,
    OVER,
    PLAY,
    ROUND_LIMIT,
    TARGET,
    TRUMP,
    State,
    dealt,
    named,
    played,
)
from referee.games.marshmallow_test.view import deal_event, revealed, seen, shared_events, told

_NATURE = (CHANCE,)
_ALONE = tuple((seat,) for seat in range(5))


class MarshmallowTest(Game[State, Move]):
    """The Marshmallow Test for 2 to 5 players (M-R1)."""

    name: ClassVar[str] = "marshmallow-test"
    title: ClassVar[str] = "The Marshmallow Test"
    version: ClassVar[str] = "1"
    seats: ClassVar[range] = range(2, 6)
    option_table: ClassVar[tuple[Option, ...]] = (
        Option("first_dealer", -1, "The seat that deals the first round; -1 draws it at random.", (-1, 0, 1, 2, 3, 4)),
    )
    step_limit: ClassVar[int] = 5_000
    """200 rounds of two players take at most 200 x (2 + 22) + 1 steps; more players reach 20 points far sooner."""
    marks: ClassVar[frozenset[str]] = frozenset({"out", "round_over", "game_over"})

    @property
    def notices(self) -> tuple[str, ...]:
        return (
            "Assumed: the tricks that put a player out (6, 4, 3, 3 for 2 to 5 players) are reconstructed.",
            "Assumed: the names of the red, blue and yellow suits; no rule depends on them.",
            f"A guard of the harness, not a rule: the game ends after {ROUND_LIMIT} rounds, ranked by points.",
        )

    def start(self, seats: int) -> State:
        if seats not in self.seats:
            raise GameError(f"marshmallow-test takes 2 to 5 players, not {seats}")
        dealer = int(self.options["first_dealer"])
        if dealer >= seats:
            raise GameError(f"marshmallow-test: first_dealer is seat {dealer}, but there are only {seats} seats")
        phase = FIRST_DEALER if dealer < 0 else DEAL
        nothing = (0,) * seats
        hands: tuple[tuple[Play, ...], ...] = ((),) * seats
        everyone = (1 << seats) - 1
        return State(phase, 0, dealer, nothing, NO_SUIT, hands, nothing, everyone, -1, 0, NO_SUIT, None, -1, "", (), ())

    def to_act(self, state: State) -> tuple[Seat, ...]:
        turn = state.turn
        if turn >= 0:
            return _ALONE[turn]
        return () if state.phase == OVER else _NATURE

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        if seat != state.turn or seat < 0:
            raise OutOfTurn(f"seat {seat} is not to act")
        hand = state.hands[seat]
        best = state.best
        if best is None:  # M-R7: any card may be led
            return hand if state.phase == PLAY else _weakest_first(hand)
        led = state.led
        follow: tuple[Move, ...] = ()
        for play in hand:
            if play.suit == led:
                follow += (play,)
        if not follow:  # M-R13
            return hand
        trump = best.suit
        if trump == led:
            return follow
        return [play for play in hand if play.suit in (led, trump)]  # M-R8 to M-R12: somebody trumped this trick

    def apply(self, state: State, actions: Mapping[Seat, Move]) -> State:
        turn = state.turn
        move = actions[turn]  # nature's number is the turn of nobody
        if type(move) is Play and turn >= 0:
            return played(state, move)
        if isinstance(move, Trump) and state.phase == TRUMP:
            return named(state, move.suit)
        seats = len(state.points)
        if isinstance(move, Deal) and state.phase == DEAL and len(move.hands) == seats:
            return dealt(state, move.hands)
        if isinstance(move, FirstDealer) and state.phase == FIRST_DEALER and move.seat < seats:
            return replace(state, phase=DEAL, dealer=move.seat)
        raise IllegalAction(f"the game waits for {state.phase.name.lower()}, not for: {move}")

    def draw(self, state: State, stream: Stream) -> Move:
        seats = len(state.points)
        if state.phase == FIRST_DEALER:  # M-R2
            return FirstDealer(stream("first-dealer").randrange(seats))
        if state.phase != DEAL:
            raise OutOfTurn("nature is not to act")
        # M-R3: all 60 cards are shuffled for every round, so each round has a stream of its own.
        random = stream(f"deal-{state.round + 1}").random
        keys = [random() for _ in DECK]
        order = sorted(range(len(DECK)), key=keys.__getitem__)
        hands = [itemgetter(*sorted(order[at : at + HAND]))(DECK) for at in range(0, HAND * seats, HAND)]
        return Deal(tuple(hands))

    def view(self, state: State, seat: Seat) -> View:
        return seen(state, seat)

    def events(self, before: State, actions: Mapping[Seat, Move], after: State, seat: Seat | None) -> list[Event]:
        move = actions.get(CHANCE)
        if isinstance(move, Deal):
            return [deal_event(after, seat, move)]
        return shared_events(before, actions, after)

    def events_by_seat(
        self, before: State, actions: Mapping[Seat, Move], after: State, seats: int
    ) -> Sequence[list[Event]]:
        if before.phase == DEAL:
            return [self.events(before, actions, after, seat) for seat in range(seats)]
        return (shared_events(before, actions, after),) * seats

    def scores(self, state: State) -> tuple[float, ...]:
        return tuple(map(float, state.points))

    def reveal(self, state: State) -> View:
        return revealed(state)

    def imagine(self, view: View, seat: Seat, rng: Random) -> State:
        return imagined(view, seat, rng)

    def read_action(self, data: Json) -> Move:
        return read_action(data)

    def tell(self, before: State, actions: Mapping[Seat, Move], after: State) -> str:
        return told(before, actions, after)

    def tell_seat(self, before: State, actions: Mapping[Seat, Move], after: State, seat: Seat) -> str:
        return told(before, actions, after, seat)

    def reason(self, state: State) -> str:
        most = max(state.points)
        if most >= TARGET:
            return f"seat {state.points.index(most)} reached {most} points in round {state.round}"
        return f"{ROUND_LIMIT} rounds were played, the harness's guard against an endless game"

    def counted(self, event: Event) -> str:
        if event["type"] != "out":
            return ""
        return f"exits for {event['gain']} point{'' if event['gain'] == 1 else 's'}"

    def tally(self, state: State) -> Mapping[str, int]:
        return {"rounds": state.round}


def _weakest_first(hand: tuple[Play, ...]) -> Sequence[Move]:
    """The five suits to name (M-R5), the one that serves this hand least first: fewest cards, then lowest in sum."""
    served = [0] * len(TRUMPS)
    for play in hand:
        served[play.suit] += 1_000 + play.rank
    return [TRUMPS[suit] for suit in sorted(range(len(TRUMPS)), key=served.__getitem__)]
