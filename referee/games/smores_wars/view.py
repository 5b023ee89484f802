"""States as plain data and back: the one view of all seats, since everything but the open choice is public (S-R43)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Final

from referee.game import Json, View
from referee.games.smores_wars.battle import Battle, hand
from referee.games.smores_wars.cards import (
    BATTLE_CARDS,
    INGREDIENTS,
    NOT_PLAYING,
    TOKENS,
    VALUES,
    Counts,
    cards_json,
    read_cards,
)
from referee.games.smores_wars.state import STAGES, Area, State

GAINS: Final = ("taken", "won", "moved")


def show(state: State) -> View:
    """The whole state."""
    battles, pending, board, stacks, gains = state.battles, state.pending, state.board, state.stacks, state.gains
    return {
        "stage": STAGES[state.stage],
        "round": state.round,
        "board": {"graham": board[0], "chocolate": board[1], "marshmallow": board[2]},
        "stacks": {
            "graham": _counts(stacks[0]).copy(),
            "chocolate": _counts(stacks[1]).copy(),
            "marshmallow": _counts(stacks[2]).copy(),
        },
        "tiebreakers": [BATTLE_CARDS[card] for card in state.tiebreakers],
        "players": [area.json() for area in state.areas],
        "tokens": [TOKENS[token] for token in state.tokens],
        "battles": [_battle(battle, len(state.areas)) for battle in battles] if battles else [],
        "pending": [_pending(*entry) for entry in pending] if pending else [],
        "discarded": cards_json(state.discarded),
        "quiet": state.quiet,
        "gains": {"taken": gains[0], "won": gains[1], "moved": gains[2]},
    }


@cache
def _counts(counts: Counts) -> dict[str, Json]:
    return {str(value): count for value, count in zip(VALUES, counts, strict=True)}


def _battle(battle: Battle, seats: int) -> Json:
    return {
        "ingredient": INGREDIENTS[battle.kind],
        "seats": list(battle.seats),
        "reveals": [row_json(row) for row in battle.reveals],
        "hands": [_hand(battle.played(seat)).copy() if seat in battle.seats else [] for seat in range(seats)],
    }


@cache
def _hand(played: tuple[int, ...]) -> list[str]:
    return [BATTLE_CARDS[card] for card in hand(played)]


def row_json(cards: tuple[int, ...]) -> list[Json]:
    """Battle cards by name, null for a seat that does not play."""
    return [None if card == NOT_PLAYING else BATTLE_CARDS[card] for card in cards]


def _pending(seat: int, card: int) -> Json:
    if not card:
        return {"seat": seat, "from": "smorage"}
    return {"seat": seat, "from": "board", "ingredient": INGREDIENTS[card >> 3], "value": card & 7}


def read_view(data: View) -> State:
    """The state that `show` wrote."""
    return State(
        stage=STAGES.index(data["stage"]),
        round=data["round"],
        tiebreakers=_read_names(data["tiebreakers"]),
        stacks=tuple(tuple(data["stacks"][name][str(value)] for value in VALUES) for name in INGREDIENTS),
        board=tuple(data["board"][name] for name in INGREDIENTS),
        areas=tuple(_read_area(player) for player in data["players"]),
        tokens=tuple(TOKENS.index(token) for token in data["tokens"]),
        battles=tuple(_read_battle(battle) for battle in data["battles"]),
        pending=tuple((entry["seat"], _read_pending(entry)) for entry in data["pending"]),
        discarded=read_cards(data["discarded"]),
        quiet=data["quiet"],
        gains=(data["gains"]["taken"], data["gains"]["won"], data["gains"]["moved"]),
    )


def _read_names(names: Json) -> tuple[int, ...]:
    return tuple(NOT_PLAYING if name is None else BATTLE_CARDS.index(name) for name in names)


def _read_area(data: Mapping[str, Json]) -> Area:
    smores = tuple((bottom, chocolate, marshmallow, top) for bottom, chocolate, marshmallow, top in data["smores"])
    return Area(smores, read_cards(data["smorage"]))


def _read_battle(data: Mapping[str, Json]) -> Battle:
    kind = INGREDIENTS.index(data["ingredient"])
    return Battle(kind, tuple(data["seats"]), tuple(_read_names(row) for row in data["reveals"]))


def _read_pending(entry: Mapping[str, Json]) -> int:
    if entry["from"] == "smorage":
        return 0
    value: int = entry["value"]
    return 8 * INGREDIENTS.index(entry["ingredient"]) + value


def tally(state: State) -> dict[str, int]:
    """How the cards were got and what they came to, all seats together."""
    smores = [smore for area in state.areas for smore in area.smores]
    complete = [smore for smore in smores if smore[3]]
    stored = Counter(card >> 3 for area in state.areas for card in area.smorage)
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
        "cards left in s'morage": stored.total(),
    }
