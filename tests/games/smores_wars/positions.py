"""Positions to start a case from, and steps that go through the table, so that only legal actions pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.game import CHANCE
from referee.games.smores_wars import SmoresWars
from referee.games.smores_wars.actions import (
    MOVES,
    PLACES,
    SELECTS,
    Act,
    Fight,
)
from referee.games.smores_wars.battle import Battle
from referee.games.smores_wars.cards import BATTLE_CARDS, CARDS, EMPTY, FULL, TIEBREAKERS, TOKENS, Card
from referee.games.smores_wars.state import BATTLE, SELECT, TO_NEW, TO_SMORAGE, Area, State, read_smore
from referee.seeds import Streams
from referee.table import Table

A, B, C, D, E = range(5)
GAME = SmoresWars()


def card(name: str) -> Card:
    """The card of a short name such as `G3`."""
    return CARDS[name]


def area(*smores: str, smorage: str = "") -> Area:
    """An area from s'mores such as `G3 C2` or `G1 C2 M3 G5`, and a S'morage such as `M5 G1`."""
    return Area(tuple(read_smore(smore) for smore in smores), tuple(sorted(card(name) for name in smorage.split())))


def stacks(graham: int = 25, chocolate: int = 15, marshmallow: int = 15) -> tuple[tuple[int, ...], ...]:
    """Stacks that hold full or, for any smaller size, that many cards of value 1."""
    sizes = (graham, chocolate, marshmallow)
    return tuple(full if size == sum(full) else (size, *EMPTY[1:]) for size, full in zip(sizes, FULL, strict=True))


def before_selection(
    seats: int,
    board: tuple[int, int, int] = (3, 2, 5),
    areas: Mapping[int, Area] | None = None,
    left: tuple[tuple[int, ...], ...] = FULL,
    quiet: int = 0,
) -> State:
    """A round in which all choose a token; Tiebreakers A Smash, B Splat, C Stretch, D Chomp, E Toast."""
    laid = tuple((areas or {}).get(seat, Area()) for seat in range(seats))
    return State(SELECT, 1, TIEBREAKERS[seats], left, board, laid, (), (), (), (), quiet, (0, 0, 0))


def before_battle(seats: int, battlers: Sequence[int]) -> State:
    """A Battle of these seats for Graham 3; the others play nothing."""
    state = before_selection(seats)
    tokens = tuple(0 if seat in battlers else 3 for seat in range(seats))
    return replace(state, stage=BATTLE, tokens=tokens, battles=(Battle(0, tuple(battlers)),))


def step(state: State, actions: Mapping[int, Act]) -> State:
    """The state after legal actions, one for each seat to act. Raises IllegalAction or OutOfTurn."""
    table: Table[State, Act] = Table(GAME, len(state.areas), Streams(0))
    table.state = state
    return table.play(actions).after


def select(state: State, *tokens: str) -> State:
    """All lay a token: `G`, `C`, `M` or `S` by seat."""
    return step(state, {seat: SELECTS[TOKENS["GCMS".index(token)]] for seat, token in enumerate(tokens)})


def fight(state: State, **cards: str) -> State:
    """A reveal: `fight(state, A="Toast", B="Smash")`."""
    return step(state, {"ABCDE".index(seat): Fight(BATTLE_CARDS.index(name.lower())) for seat, name in cards.items()})


def place(state: State, seat: int, spot: int | str) -> State:
    """A seat puts the card it collected on a spot: `new`, `smorage` or the number of a s'more."""
    return step(state, {seat: PLACES[_spot(spot)]})


def move(state: State, seat: int, text: str, spot: int | str) -> State:
    """A seat moves a card of its S'morage."""
    return step(state, {seat: MOVES[card(text), _spot(spot)]})


def reveal(state: State, *cards: str) -> State:
    """Nature turns up these cards."""
    return GAME.apply(state, {CHANCE: GAME.read_action({"type": "reveal", "cards": list(cards)})})


def _spot(spot: int | str) -> int:
    return spot if isinstance(spot, int) else {"new": TO_NEW, "smorage": TO_SMORAGE}[spot]


def offered(state: State, seat: int) -> list[dict[str, Any]]:
    """The legal actions of a seat as a bot reads them, without their type."""
    return [{k: v for k, v in act.to_json().items() if k != "type"} for act in GAME.legal(state, seat)]


def tokens_open(state: State, seat: int) -> set[str]:
    """The tokens that a seat may lay."""
    return {act["token"] for act in offered(state, seat)}


def all_cards(state: State) -> list[list[int]]:
    """How many cards of each value there are anywhere, by kind; the same in every state of a game."""
    found = [list(stack) for stack in state.stacks]
    lying = [8 * kind + value for kind, value in enumerate(state.board) if value]
    stored = [held for one in state.areas for held in one.smorage]
    built = [
        8 * (place % 3) + value
        for one in state.areas
        for smore in one.smores
        for place, value in enumerate(smore)
        if value
    ]
    pending = [held for _, held in state.pending if held]
    for held in (*lying, *stored, *built, *pending, *state.discarded):
        found[held >> 3][(1, 2, 3, 5).index(held & 7)] += 1
    return found
