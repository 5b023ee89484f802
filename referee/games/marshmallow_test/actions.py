"""The cards of The Marshmallow Test and the moves of seats and of nature.

There is exactly one `Play` object for each card and one `Trump` for each suit, made here; they compare by identity,
which is what keeps the engine fast. Get them from `PLAY_OF`, `TRUMPS` or `read_action`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from referee.game import IllegalAction, Json, Seat

SUITS: Final = "RUGYP"
"""Red, blue, green, yellow, purple. Purple and green are attested, the rest are assumed; no rule depends on them."""
RANKS: Final = 12
HAND: Final = 12
"""Cards dealt to each seat, and so the most tricks of a round."""
MOST_SEATS: Final = 5
NO_SUIT: Final = -1
"""No trump, or no card led yet."""


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """A card put into the trick."""

    card: str
    """Its name, such as `R7`."""
    suit: int
    """Index into `SUITS`."""
    rank: int
    """1 to 12, higher wins."""
    opening: tuple[str, ...]
    """By seat: how the card is written when that seat leads it, such as `2:R7`."""
    following: tuple[str, ...]
    """By seat: the same with a blank before it."""

    def to_json(self) -> dict[str, Json]:
        return {"type": "play", "card": self.card}

    def __str__(self) -> str:
        return f"play {self.card}"

    def __reduce__(self) -> tuple[Any, ...]:
        return play_of, (self.card,)


@dataclass(frozen=True, slots=True, eq=False)
class Trump:
    """The dealer's naming of a trump suit (M-R5)."""

    suit: int

    def to_json(self) -> dict[str, Json]:
        return {"type": "trump", "suit": SUITS[self.suit]}

    def __str__(self) -> str:
        return f"name {SUITS[self.suit]} trump"

    def __reduce__(self) -> tuple[Any, ...]:
        return trump_of, (self.suit,)


@dataclass(frozen=True, slots=True)
class FirstDealer:
    """Nature's choice of who deals the first round (M-R2)."""

    seat: Seat

    def to_json(self) -> dict[str, Json]:
        return {"type": "dealer", "seat": self.seat}

    def __str__(self) -> str:
        return f"seat {self.seat} deals first"


@dataclass(frozen=True, slots=True)
class Deal:
    """Nature's deal of a round: a hand of 12 cards for each seat, lowest first; the rest lies unseen (M-R3)."""

    hands: tuple[tuple[Play, ...], ...]

    def to_json(self) -> dict[str, Json]:
        return {"type": "deal", "hands": [[play.card for play in hand] for hand in self.hands]}

    def __str__(self) -> str:
        return "deal " + " | ".join(" ".join(play.card for play in hand) for hand in self.hands)


Move: TypeAlias = Play | Trump | FirstDealer | Deal


def _made(rank: int, suit: int) -> Play:
    card = f"{SUITS[suit]}{rank}"
    opening = tuple(f"{seat}:{card}" for seat in range(MOST_SEATS))
    return Play(card, suit, rank, opening, tuple(f" {text}" for text in opening))


DECK: Final = tuple(_made(rank, suit) for rank in range(1, RANKS + 1) for suit in range(len(SUITS)))
"""All 60 cards, by rank and then by suit."""
PLAY_OF: Final = {play.card: play for play in DECK}
"""Card name -> its play."""
TRUMPS: Final = tuple(Trump(suit) for suit in range(len(SUITS)))
PLACE: Final = {play: place for place, play in enumerate(DECK)}
"""Play -> its place in `DECK`: the order of a hand before a trump is named."""


def play_of(card: str) -> Play:
    """The play of a card by its name."""
    return PLAY_OF[card]


def trump_of(suit: int) -> Trump:
    """The naming of a suit by its index."""
    return TRUMPS[suit]


def read_action(data: Json) -> Move:
    """The move that `to_json` wrote. Raises IllegalAction when the data is not one."""
    kind = data.get("type") if isinstance(data, dict) else None
    try:
        if kind == "play":
            return PLAY_OF[data["card"]]
        if kind == "trump":
            return TRUMPS[_suit(data["suit"])]
        if kind == "dealer" and type(data["seat"]) is int and 0 <= data["seat"] < MOST_SEATS:
            return FirstDealer(data["seat"])
        if kind == "deal":
            return _deal(data["hands"])
    except (KeyError, TypeError):
        pass
    raise IllegalAction(f"not a move of marshmallow-test: {str(data)[:200]}")


def _suit(name: Json) -> int:
    return {suit: index for index, suit in enumerate(SUITS)}[name]


def _deal(hands: Json) -> Deal:
    dealt = tuple(tuple(sorted((PLAY_OF[card] for card in hand), key=PLACE.__getitem__)) for hand in hands)
    cards = [play for hand in dealt for play in hand]
    if not 2 <= len(dealt) <= MOST_SEATS or any(len(hand) != HAND for hand in dealt) or len(set(cards)) != len(cards):
        raise KeyError("hands")
    return Deal(dealt)
