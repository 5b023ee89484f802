"""The actions of seats and of nature: a type and a value, with a JSON form that names cards, bases and factions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from referee.game import IllegalAction, Json
from referee.games.monster_smash.cards import (
    BASE_NO,
    BASE_SLUGS,
    BASES,
    CARD_NO,
    CARD_SLUGS,
    CARDS,
    FACTION_NO,
    FACTION_SLUGS,
    FACTIONS,
)
from referee.games.monster_smash.cards.definition import DECLINED, Piece, card_of, serial


class Move(NamedTuple):
    """One decision of a seat, or one outcome of nature."""

    type: str
    value: Any

    def to_json(self) -> dict[str, Json]:
        shape = SHAPES[self.type]
        return {"type": self.type, shape.field: shape.write(self.value)} if shape.field else {"type": self.type}

    def __str__(self) -> str:
        return SHAPES[self.type].spell(self.value)


class Shape(NamedTuple):
    """How a type of action is written: the field of its value, to JSON and back, and in words."""

    field: str
    write: Callable[[Any], Json]
    read: Callable[[Json], Any]
    spell: Callable[[Any], str]


NAMES: Final = tuple(card.name for card in CARDS)
"""By card number."""


def spell_piece(piece: Piece) -> str:
    """A card in play in words: its name and its serial number."""
    return f"{NAMES[piece >> 2 & 1023]} #{serial(piece)}"


def _number(data: Json) -> int:
    if type(data) is not int:
        raise ValueError(data)
    return data


def _piece(data: Json) -> int:
    piece = _number(data)
    if piece < 1 << 12 or card_of(piece) >= len(CARDS):
        raise ValueError(data)
    return piece


def _cards(data: Json) -> tuple[int, ...]:
    return tuple(CARD_NO[slug] for slug in data)


def _bases(data: Json) -> tuple[int, ...]:
    return tuple(BASE_NO[slug] for slug in data)


def _factions(data: Json) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(FACTION_NO[slug] for slug in pair) for pair in data)


def _names(cards: tuple[int, ...]) -> str:
    return ", ".join(CARDS[card].name for card in cards) or "nothing"


def _word(word: str) -> Shape:
    return Shape("", int, int, lambda _: word)


SHAPES: Final[Mapping[str, Shape]] = {
    "draft": Shape(
        "faction", FACTION_SLUGS.__getitem__, FACTION_NO.__getitem__, lambda value: f"draft {FACTIONS[value].name}"
    ),
    "play": Shape("card", CARD_SLUGS.__getitem__, CARD_NO.__getitem__, lambda value: f"play {CARDS[value].name}"),
    "talent": Shape("id", int, _piece, lambda value: f"use the talent of {spell_piece(value)}"),
    "base": Shape("base", BASE_SLUGS.__getitem__, BASE_NO.__getitem__, lambda value: f"at {BASES[value].name}"),
    "minion": Shape("id", int, _piece, lambda value: f"pick {spell_piece(value)}"),
    "card": Shape("card", CARD_SLUGS.__getitem__, CARD_NO.__getitem__, lambda value: f"choose {CARDS[value].name}"),
    "number": Shape("number", int, _number, lambda value: f"{value} of them"),
    "order": Shape("trigger", int, _number, lambda value: f"resolve trigger {value} first"),
    "end": _word("end the Play Cards step"),
    "pass": _word("pass"),
    "done": _word("no more"),
    "first": Shape("seat", int, _number, lambda value: f"seat {value} goes first"),
    "factions": Shape(
        "factions",
        lambda value: [[FACTION_SLUGS[faction] for faction in pair] for pair in value],
        _factions,
        lambda value: "factions dealt: " + "; ".join(" and ".join(FACTIONS[f].name for f in pair) for pair in value),
    ),
    "bases": Shape(
        "bases",
        lambda value: [BASE_SLUGS[base] for base in value],
        _bases,
        lambda value: "bases revealed: " + ", ".join(BASES[base].name for base in value),
    ),
    "deal": Shape(
        "cards", lambda value: [CARD_SLUGS[card] for card in value], _cards, lambda value: f"draws {_names(value)}"
    ),
}
"""By the type of action."""

PLAYS: Final = tuple(Move("play", card) for card in range(len(CARDS)))
"""By card number; made once, as they are offered most."""
MOVES: Final[Mapping[str, Mapping[int, Move]]] = {
    kind: {value: Move(kind, value) for value in range(many)}
    for kind, many in (
        ("card", len(CARDS)),
        ("base", len(BASES)),
        ("draft", len(FACTIONS)),
        ("number", 0),
        ("order", 0),
    )
}
"""By kind, by value: those made once."""
DECLINES: Final = {kind: Move(kind, DECLINED) for kind in ("end", "pass", "done")}


def read(data: Json) -> Move:
    """The action that `Move.to_json` wrote. Raises IllegalAction when it is not one."""
    try:
        shape = SHAPES[data["type"]]
        return Move(data["type"], shape.read(data[shape.field]) if shape.field else DECLINED)
    except (KeyError, TypeError, ValueError, IndexError):
        raise IllegalAction(f"{data!r} is not an action of monster-smash") from None
