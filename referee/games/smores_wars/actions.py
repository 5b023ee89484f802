"""The actions of S'mores Wars, seats' and nature's: small frozen values, made once and shared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations, product
from typing import Final, TypeAlias

from referee.game import IllegalAction, Json
from referee.games.smores_wars.cards import (
    BATTLE_CARDS,
    CARD_NAMES,
    CARDS,
    FULL,
    KINDS,
    TIEBREAKERS,
    TOKENS,
    VALUES,
    Card,
    names,
)
from referee.games.smores_wars.state import TO_NEW, TO_SMORAGE


@dataclass(frozen=True, slots=True)
class Select:
    """Lay this Selection token face down."""

    token: int

    def to_json(self) -> dict[str, Json]:
        return {"type": "select", "token": TOKENS[self.token]}

    def __str__(self) -> str:
        return f"select {TOKENS[self.token]}"


@dataclass(frozen=True, slots=True)
class Fight:
    """Lay this Battle card face down."""

    card: int

    def to_json(self) -> dict[str, Json]:
        return {"type": "fight", "card": BATTLE_CARDS[self.card]}

    def __str__(self) -> str:
        return f"fight with {BATTLE_CARDS[self.card]}"


@dataclass(frozen=True, slots=True)
class Place:
    """Put the card that was just collected on this spot."""

    spot: int

    def to_json(self) -> dict[str, Json]:
        return {"type": "place", **spot_json(self.spot)}

    def __str__(self) -> str:
        return f"place {spot_name(self.spot)}"


@dataclass(frozen=True, slots=True)
class Move:
    """Take this card out of one's S'morage and put it on this spot."""

    card: Card
    spot: int

    def to_json(self) -> dict[str, Json]:
        return {"type": "move", "card": CARD_NAMES[self.card], **spot_json(self.spot)}

    def __str__(self) -> str:
        return f"move {CARD_NAMES[self.card]} {spot_name(self.spot)}"


@dataclass(frozen=True, slots=True)
class Stay:
    """Leave one's S'morage as it is (S-R5)."""

    def to_json(self) -> dict[str, Json]:
        return {"type": "stay"}

    def __str__(self) -> str:
        return "stay"


@dataclass(frozen=True, slots=True)
class Deal:
    """Nature gives each seat this Tiebreaker."""

    tiebreakers: tuple[int, ...]

    def to_json(self) -> dict[str, Json]:
        return {"type": "deal", "tiebreakers": [BATTLE_CARDS[card] for card in self.tiebreakers]}

    def __str__(self) -> str:
        return "deal " + ", ".join(BATTLE_CARDS[card] for card in self.tiebreakers)


@dataclass(frozen=True, slots=True)
class Reveal:
    """Nature turns up cards of these values, by kind; 0 for a kind whose card still lies there."""

    values: tuple[int, ...]

    def names(self) -> list[str]:
        """The cards turned up."""
        return names(8 * kind + value for kind, value in enumerate(self.values) if value)

    def to_json(self) -> dict[str, Json]:
        return {"type": "reveal", "cards": self.names()}

    def __str__(self) -> str:
        return f"reveal {' '.join(self.names())}"


Act: TypeAlias = Select | Fight | Place | Move | Stay | Deal | Reveal


def spot_json(spot: int) -> dict[str, Json]:
    """A spot as actions and events show it."""
    if spot >= 0:
        return {"to": "smore", "smore": spot}
    return {"to": "new" if spot == TO_NEW else "smorage"}


def spot_name(spot: int) -> str:
    """A spot for people, as the end of a phrase."""
    if spot >= 0:
        return f"on s'more {spot}"
    return "as a new s'more" if spot == TO_NEW else "in s'morage"


SPOTS: Final = range(TO_NEW, sum(FULL[0]))
"""Every spot that an area can ever have besides S'morage: each s'more needs a Graham."""
SELECT_INGREDIENT: Final = tuple(Select(kind) for kind in reversed(KINDS))
"""The mildest first: a Marshmallow can be put nowhere without a Graham."""
SELECT_ANY: Final = (Select(len(KINDS)), *SELECT_INGREDIENT)
SELECTS: Final = {TOKENS[act.token]: act for act in SELECT_ANY}
FIGHTS: Final = tuple(Fight(card) for card in range(len(BATTLE_CARDS)))
PLACES: Final = {spot: Place(spot) for spot in (TO_SMORAGE, *SPOTS)}
MOVES: Final = {(8 * k + v, spot): Move(8 * k + v, spot) for k in KINDS for v in VALUES for spot in SPOTS}
STAY: Final = Stay()
DEALS: Final = {order: Deal(order) for cards in TIEBREAKERS.values() for order in permutations(cards)}
REVEALS: Final = {values: Reveal(values) for values in product((0, *VALUES), repeat=len(KINDS)) if any(values)}


def _spot(data: Mapping[str, Json]) -> int:
    to = data["to"]
    return int(data["smore"]) if to == "smore" else {"new": TO_NEW, "smorage": TO_SMORAGE}[to]


def read(data: Json) -> Act:
    """The shared action that `to_json` wrote. Raises IllegalAction."""
    try:
        act = _read(data)
    except (KeyError, TypeError, ValueError, IndexError):
        act = None
    if act is None or act.to_json() != data:
        raise IllegalAction(f"not an action of S'mores Wars: {data}")
    return act


def _read(data: Mapping[str, Json]) -> Act:
    match data["type"]:
        case "select":
            return SELECTS[data["token"]]
        case "fight":
            return FIGHTS[BATTLE_CARDS.index(data["card"])]
        case "place":
            return PLACES[_spot(data)]
        case "move":
            return MOVES[CARDS[data["card"]], _spot(data)]
        case "stay":
            return STAY
        case "deal":
            return DEALS[tuple(BATTLE_CARDS.index(name) for name in data["tiebreakers"])]
        case "reveal":
            values = {CARDS[name] >> 3: CARDS[name] & 7 for name in data["cards"]}
            return REVEALS[tuple(values.get(kind, 0) for kind in KINDS)]
    raise KeyError(data["type"])
