"""States as plain data and back: the one view of all seats, since everything but the open choice is public (S-R43)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final

from referee.game import Json, View
from referee.games.smores_wars.battle import Battle, hand
from referee.games.smores_wars.cards import (
    BATTLE_CARDS,
    CARD_NAMES,
    CARDS,
    INGREDIENTS,
    KINDS,
    NOT_PLAYING,
    TOKENS,
    VALUES,
    Card,
    Counts,
    names,
)
from referee.games.smores_wars.state import STAGES, Area, Shown, State, read_smore

GAINS: Final = ("taken", "won", "moved")


_new = tuple.__new__  # a third of the cost of calling Shown


def show(state: State) -> View:
    """The whole state; nothing in it is shared with another view."""
    board, tiebreakers, tokens, discarded = state.shown or _shown(state)
    stacks = state.stacks_shown or _stacks(state)
    battles, pending, gains = state.battles, state.pending, state.gains
    players: list[Json] = []
    for area in state.areas:
        smores, smorage, score = area.shown or area.show()
        players.append({"smores": smores.copy(), "smorage": smorage.copy(), "score": score})
    return {
        "stage": STAGES[state.stage],
        "round": state.round,
        "board": board.copy(),
        "stacks": stacks.copy(),
        "tiebreakers": tiebreakers.copy(),
        "players": players,
        "tokens": tokens.copy(),
        "battles": [_battle(battle, len(players)) for battle in battles] if battles else [],
        "pending": [{"seat": seat, "card": CARD_NAMES.get(card)} for seat, card in pending] if pending else [],
        "discarded": discarded.copy(),
        "quiet": state.quiet,
        "gains": {"taken": gains[0], "won": gains[1], "moved": gains[2]},
    }


def _shown(state: State) -> Shown:
    state.shown = shown = _new(Shown, (
        _board(state.board),
        _hand_names(state.tiebreakers),
        _token_names(state.tokens),
        names(state.discarded) if state.discarded else [],
    ))  # fmt: skip
    return shown


@cache
def _board(board: tuple[int, ...]) -> list[str]:
    return names(8 * kind + value for kind, value in enumerate(board) if value)


def _stacks(state: State) -> dict[str, int]:
    graham, chocolate, marshmallow = state.stacks
    state.stacks_shown = shown = {**_graham(graham), **_chocolate(chocolate), **_marshmallow(marshmallow)}
    return shown


def _stack(kind: int) -> Callable[[Counts], dict[str, int]]:
    cards = [CARD_NAMES[8 * kind + value] for value in VALUES]
    return cache(lambda counts: dict(zip(cards, counts, strict=True)))


_graham, _chocolate, _marshmallow = map(_stack, KINDS)


@cache
def _token_names(tokens: tuple[int, ...]) -> list[str]:
    return [TOKENS[token] for token in tokens]


@cache
def _hand_names(cards: tuple[int, ...]) -> list[str]:
    return [BATTLE_CARDS[card] for card in cards]


def _battle(battle: Battle, seats: int) -> Json:
    kind, inside, reveals = battle
    hands: list[list[str]] = []
    for seat in range(seats):
        if seat not in inside:
            hands.append([])
        elif reveals:
            hands.append(_hand_names(hand(battle.played(seat))).copy())
        else:
            hands.append([*BATTLE_CARDS])
    return {
        "ingredient": INGREDIENTS[kind],
        "seats": [*inside],
        "reveals": [row_json(row) for row in reveals] if reveals else [],
        "hands": hands,
    }


def row_json(cards: tuple[int, ...]) -> list[Json]:
    """Battle cards by name, null for a seat that does not play."""
    return [None if card == NOT_PLAYING else BATTLE_CARDS[card] for card in cards]


def read_view(data: View) -> State:
    """The state that `show` wrote."""
    return State(
        stage=STAGES.index(data["stage"]),
        round=data["round"],
        tiebreakers=_read_row(data["tiebreakers"]),
        stacks=tuple(tuple(data["stacks"][f"{letter}{value}"] for value in VALUES) for letter in "GCM"),
        board=_read_board(data["board"]),
        areas=tuple(_read_area(player) for player in data["players"]),
        tokens=tuple(TOKENS.index(token) for token in data["tokens"]),
        battles=tuple(_read_battle(battle) for battle in data["battles"]),
        pending=tuple((entry["seat"], CARDS.get(entry["card"], 0)) for entry in data["pending"]),
        discarded=_read_cards(data["discarded"]),
        quiet=data["quiet"],
        gains=(data["gains"]["taken"], data["gains"]["won"], data["gains"]["moved"]),
    )


def _read_row(row: Json) -> tuple[int, ...]:
    return tuple(NOT_PLAYING if name is None else BATTLE_CARDS.index(name) for name in row)


def _read_cards(cards: Iterable[str]) -> tuple[Card, ...]:
    return tuple(CARDS[name] for name in cards)


def _read_board(cards: Iterable[str]) -> tuple[int, ...]:
    board = [0, 0, 0]
    for card in _read_cards(cards):
        board[card >> 3] = card & 7
    return tuple(board)


def _read_area(data: Mapping[str, Json]) -> Area:
    return Area(tuple(read_smore(name) for name in data["smores"]), _read_cards(data["smorage"]))


def _read_battle(data: Mapping[str, Json]) -> Battle:
    kind = INGREDIENTS.index(data["ingredient"])
    return Battle(kind, tuple(data["seats"]), tuple(_read_row(row) for row in data["reveals"]))


def tally(state: State) -> dict[str, int]:
    """How the cards were got and what they came to, all seats together."""
    smores = [smore for area in state.areas for smore in area.smores]
    complete = [smore for smore in smores if smore[3]]
    return {
        "rounds": state.round,
        "cards taken unopposed": state.gains[0],
        "cards won in battle": state.gains[1],
        "cards moved out of s'morage": state.gains[2],
        "cards discarded": len(state.discarded),
        "complete s'mores": len(complete),
        "points of graham crackers": sum(smore[0] + smore[3] for smore in complete),
        "points of chocolate": sum(smore[1] for smore in complete),
        "points of marshmallows": sum(smore[2] for smore in complete),
        "points lost to incomplete s'mores": sum(smore.count(0) for smore in smores if not smore[3]),
        "cards left in s'morage": sum(len(area.smorage) for area in state.areas),
    }
