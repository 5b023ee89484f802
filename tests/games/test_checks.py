"""Each check of the suite fails for a game that breaks what it watches, and passes for one that does not.

The toy: each player gets a card, then says in turn whether to stay or to fold; the highest card that stayed scores. A
mutant is the toy with one thing wrong. It must fail the checks named beside it; what else it fails does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, NamedTuple

import pytest

from referee.game import CHANCE, Event, Game, GameError, IllegalAction, Json, Option, OutOfTurn, Seat, Stream, View
from tests.games.cases import Cases, Final, Subject, World
from tests.games.checks import CHECKS

DECK = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class Move:
    """`deal` with the cards by seat, `stay` or `fold`."""

    kind: str
    cards: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {"type": self.kind, **({"cards": list(self.cards)} if self.cards else {})}

    def __str__(self) -> str:
        return " ".join([self.kind, *map(str, self.cards)])


class State(NamedTuple):
    seats: int
    cards: tuple[int, ...] = ()
    stays: tuple[bool, ...] = ()
    memory: tuple[int, ...] = ()
    """What nobody but nature should ever see."""


class Toy(Game[State, Move]):
    """Keeps every promise."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy"
    version: ClassVar[str] = "1"
    seats: ClassVar[range] = range(2, 4)
    option_table: ClassVar[tuple[Option, ...]] = (Option("generous", False, "Everyone who stays scores."),)
    step_limit: ClassVar[int] = 10
    marks: ClassVar[frozenset[str]] = frozenset({"deal"})

    def start(self, seats: int) -> State:
        if seats not in self.seats:
            raise GameError(f"toy takes 2 or 3 players, not {seats}")
        return State(seats)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if not state.cards:
            return (CHANCE,)
        return (len(state.stays),) if len(state.stays) < state.seats else ()

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        if (seat,) != self.to_act(state):
            raise OutOfTurn(f"seat {seat} is not to act")
        return (Move("fold"), Move("stay"))

    def apply(self, state: State, actions: Mapping[Seat, Move]) -> State:
        (move,) = actions.values()
        if move.kind == "deal":
            return state._replace(cards=move.cards, memory=move.cards)
        if not state.cards:
            raise IllegalAction(f"the deal is due, not {move}")
        return state._replace(stays=(*state.stays, move.kind == "stay"))

    def draw(self, state: State, stream: Stream) -> Move:
        if state.cards:
            raise OutOfTurn("nature is not to act")
        return Move("deal", tuple(stream("deck").sample(DECK, state.seats)))

    def view(self, state: State, seat: Seat) -> View:
        return {**self.public(state), "card": state.cards[seat] if state.cards else None}

    def public(self, state: State) -> View:
        return {"players": state.seats, "stays": list(state.stays)}

    def events(self, before: State, actions: Mapping[Seat, Move], after: State, seat: Seat | None) -> list[Event]:
        (move,) = actions.values()
        if move.kind == "deal":
            return [{"type": "deal", "card": move.cards[seat] if seat is not None else list(move.cards)}]
        return [{"type": move.kind, "seat": len(before.stays)}]

    def scores(self, state: State) -> tuple[float, ...]:
        in_it = [card for card, stays in zip(state.cards, state.stays, strict=False) if stays]
        best = max(in_it, default=0)
        scores = [float(card == best) for card in state.cards] or [0.0] * state.seats
        return tuple(
            score if stays else 0.0 for score, stays in zip(scores, (*state.stays, *[False] * 3), strict=False)
        )

    def reveal(self, state: State) -> View:
        return {**self.public(state), "cards": list(state.cards), "memory": list(state.memory)}

    def imagine(self, view: View, seat: Seat, rng: Random) -> State:
        state = State(view["players"], (), tuple(view["stays"]))
        if view["card"] is None:
            return state
        cards = rng.sample([card for card in DECK if card != view["card"]], state.seats - 1)
        cards.insert(seat, view["card"])
        return state._replace(cards=tuple(cards), memory=tuple(cards))

    def read_action(self, data: Json) -> Move:
        if not isinstance(data, dict) or data.get("type") not in ("deal", "stay", "fold"):
            raise IllegalAction(f"not a move of toy: {data}")
        return Move(data["type"], tuple(data.get("cards", ())))

    def tell(self, before: State, actions: Mapping[Seat, Move], after: State) -> str:
        return " ".join(map(str, actions.values()))

    def reason(self, state: State) -> str:
        return "everybody has spoken"


def disguise(state: State, actions: Mapping[Seat, Move], seat: Seat, rng: Random) -> tuple[State, Mapping[Seat, Move]]:
    """Other cards for the others."""

    def again(cards: tuple[int, ...]) -> tuple[int, ...]:
        others = rng.sample([card for card in DECK if card != cards[seat]], len(cards) - 1)
        return (*others[:seat], cards[seat], *others[seat:])

    (move,) = actions.values()
    if move.kind == "deal":
        return state, {CHANCE: Move("deal", again(move.cards))}
    cards = again(state.cards)
    return state._replace(cards=cards, memory=cards), actions


CASES = Cases(
    longest=4,
    secrets=frozenset({"cards", "memory"}),
    disguise=disguise,
    worlds=(
        World("two", State(2, (1, 2), (), (1, 2)), 0, 4, "four other cards"),
        World("three", State(3, (1, 2, 3), (), (1, 2, 3)), 1, 12, "4 x 3 cards of the two others"),
    ),
    finals=(Final("the higher card", State(2, (4, 2), (True, True)), (1.0, 0.0), (1, 2)),),
    variants=({"generous": True},),
)


class ViewLeaks(Toy):
    def view(self, state: State, seat: Seat) -> View:
        return {**super().view(state, seat), "best": max(state.cards, default=0)}


class ViewLeaksAndImagineBelieves(Toy):
    """The round trip alone misses this one."""

    def view(self, state: State, seat: Seat) -> View:
        return {**super().view(state, seat), "cards": list(state.cards)}

    def imagine(self, view: View, seat: Seat, rng: Random) -> State:
        return State(view["players"], tuple(view["cards"]), tuple(view["stays"]), tuple(view["cards"]))


class ViewLeaksLate(Toy):
    def view(self, state: State, seat: Seat) -> View:
        done = len(state.stays) == state.seats
        return {**super().view(state, seat), "next": state.cards[(seat + 1) % state.seats] if done else None}


class LegalLeaks(Toy):
    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        legal = super().legal(state, seat)
        return legal if state.cards[seat] < max(state.cards) else tuple(reversed(legal))


class AskingLeaks(Toy):
    """Nobody asks a later seat once the best card has stayed."""

    def to_act(self, state: State) -> tuple[Seat, ...]:
        best = state.cards.index(max(state.cards)) if state.cards else 9
        return () if best < len(state.stays) and state.stays[best] else super().to_act(state)


class EventsLeak(Toy):
    def events(self, before: State, actions: Mapping[Seat, Move], after: State, seat: Seat | None) -> list[Event]:
        return [{**event, "cards": list(after.cards)} for event in super().events(before, actions, after, seat)]


class SharedEventsLeak(Toy):
    def events_by_seat(
        self, before: State, actions: Mapping[Seat, Move], after: State, seats: int
    ) -> list[list[Event]]:
        return [self.events(before, actions, after, None) for _ in range(seats)]


class ImagineForgets(Toy):
    """Every world has the same cards in the others' hands."""

    def imagine(self, view: View, seat: Seat, rng: Random) -> State:
        return super().imagine(view, seat, Random(1))


class ImagineDoublesCards(Toy):
    def imagine(self, view: View, seat: Seat, rng: Random) -> State:
        state = super().imagine(view, seat, rng)
        cards = tuple(card if s == seat else rng.choice(DECK) for s, card in enumerate(state.cards))
        return state._replace(cards=cards, memory=cards)


class ImagineLosesTheTable(Toy):
    def imagine(self, view: View, seat: Seat, rng: Random) -> State:
        return super().imagine(view, seat, rng)._replace(stays=())


class RevealHasAnUnnamedSecret(Toy):
    def reveal(self, state: State) -> View:
        return {**super().reveal(state), "sum": sum(state.cards)}


class ViewLacksAPublicFact(Toy):
    def view(self, state: State, seat: Seat) -> View:
        return {**super().view(state, seat), "stays": []}


class ApplyChangesItsArgument(Toy):
    def start(self, seats: int) -> Any:
        return State(seats, stays=[])  # type: ignore[arg-type]

    def apply(self, state: Any, actions: Mapping[Seat, Move]) -> Any:
        (move,) = actions.values()
        if move.kind == "deal":
            return super().apply(state, actions)
        state.stays.append(move.kind == "stay")
        return state._replace(stays=list(state.stays))


class ViewSharesTheState(Toy):
    """Whoever changes its view changes the match."""

    def start(self, seats: int) -> Any:
        return State(seats, stays=[])  # type: ignore[arg-type]

    def apply(self, state: Any, actions: Mapping[Seat, Move]) -> Any:
        return (
            super().apply(state, actions)
            if not state.cards
            else state._replace(stays=[*state.stays, next(iter(actions.values())).kind == "stay"])
        )

    def public(self, state: Any) -> View:
        return {"players": state.seats, "stays": state.stays}


class ShufflesByItself(Toy):
    rng = Random(3)

    def draw(self, state: State, stream: Stream) -> Move:
        return super().draw(state, lambda label: self.rng)


class NothingIsLegal(Toy):
    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        return super().legal(state, seat)[:0] if len(state.stays) == state.seats - 1 else super().legal(state, seat)


class LegalTwice(Toy):
    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        return (*super().legal(state, seat), Move("fold"))


class LegalOutOfTurn(Toy):
    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        return (Move("fold"), Move("stay"))


class ReadsAnything(Toy):
    def read_action(self, data: Json) -> Move:
        return Move(str(data["type"]) if isinstance(data, dict) and "type" in data else "fold")


class TakesAnythingForADeal(Toy):
    def apply(self, state: State, actions: Mapping[Seat, Move]) -> State:
        (move,) = actions.values()
        return super().apply(state, actions) if state.cards else state._replace(cards=move.cards, memory=move.cards)


class DrawsAtAnyTime(Toy):
    def draw(self, state: State, stream: Stream) -> Move:
        return super().draw(state._replace(cards=()), stream)


class ViewIsNoJson(Toy):
    def view(self, state: State, seat: Seat) -> View:
        return {**super().view(state, seat), "stays": state.stays}


class TellsTwoLines(Toy):
    def tell(self, before: State, actions: Mapping[Seat, Move], after: State) -> str:
        return "one\ntwo"


class TellsSeatsAll(Toy):
    def tell_seat(self, before: State, actions: Mapping[Seat, Move], after: State, seat: Seat) -> str:
        return f"{self.tell(before, actions, after)} {[move.cards for move in actions.values()]}"


class MarksNothing(Toy):
    marks: ClassVar[frozenset[str]] = frozenset({"no such event"})


class NeverEnds(Toy):
    def apply(self, state: State, actions: Mapping[Seat, Move]) -> State:
        after = super().apply(state, actions)
        return after._replace(stays=()) if len(after.stays) == after.seats else after


class TakesAnyTable(Toy):
    def start(self, seats: int) -> State:
        return State(seats)


class ScoresAreTheCards(Toy):
    def scores(self, state: State) -> tuple[float, ...]:
        return tuple(map(float, state.cards)) or (0.0,) * state.seats


class ScoresAreMissing(Toy):
    def scores(self, state: State) -> tuple[float, ...]:
        return super().scores(state)[: len(state.cards)] if state.stays else ()


MUTANTS: list[tuple[type[Toy], str]] = [
    (ViewLeaks, "secrets_stay_secret"),
    (ViewLeaks, "imagined_states_look_the_same"),
    (ViewLeaksAndImagineBelieves, "secrets_stay_secret"),
    (ViewLeaksAndImagineBelieves, "worlds_are_counted"),
    (ViewLeaksLate, "secrets_stay_secret"),
    (LegalLeaks, "secrets_stay_secret"),
    (AskingLeaks, "secrets_stay_secret"),
    (AskingLeaks, "imagined_states_look_the_same"),
    (EventsLeak, "secrets_stay_secret"),
    (SharedEventsLeak, "events_agree"),
    (SharedEventsLeak, "secrets_stay_secret"),
    (ImagineForgets, "worlds_are_counted"),
    (ImagineDoublesCards, "worlds_are_counted"),
    (ImagineLosesTheTable, "imagined_states_look_the_same"),
    (RevealHasAnUnnamedSecret, "secrets_are_all_named"),
    (ViewLacksAPublicFact, "secrets_are_all_named"),
    (ApplyChangesItsArgument, "apply_leaves_its_argument_alone"),
    (ViewSharesTheState, "apply_leaves_its_argument_alone"),
    (ShufflesByItself, "same_seed_same_match"),
    (NothingIsLegal, "legal_actions_are_in_order"),
    (LegalTwice, "legal_actions_are_in_order"),
    (LegalOutOfTurn, "legal_actions_are_in_order"),
    (ReadsAnything, "actions_are_read_back"),
    (TakesAnythingForADeal, "nature_is_checked"),
    (DrawsAtAnyTime, "nature_is_checked"),
    (ViewIsNoJson, "everything_shown_is_json"),
    (TellsTwoLines, "events_agree"),
    (TellsSeatsAll, "secrets_stay_secret"),
    (MarksNothing, "events_agree"),
    (NeverEnds, "matches_end"),
    (TakesAnyTable, "wrong_tables_are_refused"),
    (ScoresAreTheCards, "scores_hold_at_any_time"),
    (ScoresAreMissing, "scores_hold_at_any_time"),
]


@pytest.mark.parametrize("check", CHECKS)
def test_the_toy_passes(check: str) -> None:
    CHECKS[check](Subject(Toy, CASES))


@pytest.mark.parametrize(("mutant", "check"), MUTANTS, ids=lambda value: getattr(value, "__name__", value))
def test_a_mutant_fails(mutant: type[Toy], check: str) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        CHECKS[check](Subject(mutant, CASES))


def timid(state: State, actions: Mapping[Seat, Move], seat: Seat, rng: Random) -> tuple[State, Mapping[Seat, Move]]:
    """Forgets to disguise what nature remembers."""
    other, moves = disguise(state, actions, seat, rng)
    return (other._replace(memory=state.memory), moves) if state.cards else (state, actions)


WEAK_CASES: list[tuple[str, Callable[[Cases], Cases], str]] = [
    ("a secret that no disguise changes", lambda cases: replace(cases, disguise=timid), "secrets_stay_secret"),
    ("a secret without a name", lambda cases: replace(cases, secrets=frozenset({"cards"})), "secrets_are_all_named"),
    (
        "a wrong count",
        lambda cases: replace(cases, worlds=(*cases.worlds, replace(cases.worlds[0], count=5))),
        "worlds_are_counted",
    ),
    ("one position only", lambda cases: replace(cases, worlds=cases.worlds[:1]), "worlds_are_counted"),
    ("no final position", lambda cases: replace(cases, finals=()), "scores_hold_at_any_time"),
    ("no variant of the option", lambda cases: replace(cases, variants=()), "every_option_is_played"),
    ("a bound beyond the step limit", lambda cases: replace(cases, longest=11), "matches_end"),
    ("a bound too small", lambda cases: replace(cases, longest=3), "matches_end"),
]


@pytest.mark.parametrize(("weaken", "check"), [pytest.param(w, c, id=name) for name, w, c in WEAK_CASES])
def test_weak_cases_fail(weaken: Callable[[Cases], Cases], check: str) -> None:
    with pytest.raises(AssertionError):
        CHECKS[check](Subject(Toy, weaken(CASES)))


def test_every_check_has_a_mutant_or_weak_case() -> None:
    assert {check for _, check in MUTANTS} | {check for _, _, check in WEAK_CASES} == set(CHECKS)
