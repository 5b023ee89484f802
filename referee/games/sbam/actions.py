"""What seats and nature can do in Sbam!, as values made once, and what each hand allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from referee.game import IllegalAction, Json
from referee.games.sbam.cards import COPIES, HAND, PLAYABLE, SBAM, VALUE, Card, spell, spell_all
from referee.games.sbam.cards import OOPS as OOPS_CARD

SIDES: Final = ("left", "right")


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A seat's action. Each exists once (see `play`, `call`, `PASS`, `OOPS`, `DECLINE`), so equality is identity."""

    code: int
    """Its place in `MOVES`."""
    kind: str
    """`play`, `sbam`, `pass`, `oops` or `decline`."""
    cards: tuple[Card, ...]
    """The cards that leave the hand."""
    side: str
    """`left` or `right` for a play, else empty."""
    letter: str
    """What the seat's trail shows of it: `L`, `R`, `P`, or the number of Sbam! cards; empty in the window."""
    data: dict[str, Json]
    """Its JSON form; shared, so nobody may change it."""

    def to_json(self) -> dict[str, Json]:
        return self.data

    def __str__(self) -> str:
        if self.kind == "play":
            return f"play {spell(self.cards[0])} {self.side}"
        return f"Sbam! x{len(self.cards)}" if self.kind == "sbam" else self.kind

    def __reduce__(self) -> tuple[object, ...]:
        return _move, (self.code,)


class Drawn(NamedTuple):
    """Nature's action, a deal or a refill: the cards that each seat draws, in the order drawn."""

    cards: tuple[tuple[Card, ...], ...]

    def to_json(self) -> dict[str, Json]:
        return {"action": "draw", "cards": [list(cards) for cards in self.cards]}

    def __str__(self) -> str:
        drawn = [f"seat {seat} draws {spell_all(cards)}" for seat, cards in enumerate(self.cards) if cards]
        return "; ".join(drawn) or "nobody draws"


Action: TypeAlias = Move | Drawn


def _all_moves() -> tuple[Move, ...]:
    made: list[Move] = []

    def add(kind: str, cards: tuple[Card, ...], letter: str, **data: Json) -> None:
        made.append(Move(len(made), kind, cards, data.get("side", ""), letter, {"action": kind, **data}))

    add("pass", (), "P")
    for card in PLAYABLE:
        for side in SIDES:
            add("play", (card,), side[0].upper(), card=card, side=side)
    for count in range(1, HAND + 1):  # never more than a hand holds (B-R7)
        add("sbam", (SBAM,) * count, str(count), count=count)
    add("decline", (), "")
    add("oops", (OOPS_CARD,), "")
    return tuple(made)


MOVES: Final = _all_moves()
"""Every action that a seat can ever have, the mildest first."""


def _move(code: int) -> Move:
    return MOVES[code]


def _key(data: dict[str, Json]) -> frozenset[tuple[str, type, Json]]:
    """What tells actions apart; with types, since Python takes `true` and `1.0` for 1."""
    return frozenset((name, type(value), value) for name, value in data.items())


_BY_KEY: Final = {_key(move.data): move for move in MOVES}
_PLAYS: Final = {card: tuple(m for m in MOVES if m.kind == "play" and m.cards == (card,)) for card in PLAYABLE}
_CALLS: Final = tuple(move for move in MOVES if move.kind == "sbam")
PASS: Final = MOVES[0]
DECLINE: Final = MOVES[-2]
OOPS: Final = MOVES[-1]
NO_ANSWER: Final = (DECLINE,)
ANSWERS: Final = (DECLINE, OOPS)


def play(card: Card, side: str) -> Move:
    """Putting a card on one's side of the rope to the `left` or `right`; not for Sbam! and Oops."""
    return _PLAYS[card][SIDES.index(side)]


def call(count: int) -> Move:
    """Playing 1, 2 or 3 Sbam! cards together."""
    return _CALLS[count - 1]


def read(data: Json) -> Action:
    """The action that `to_json` wrote. Raises IllegalAction."""
    if isinstance(data, dict):
        if data.get("action") == "draw":
            return _read_drawn(data)
        try:
            return _BY_KEY[_key(data)]
        except (KeyError, TypeError):
            pass
    raise IllegalAction(f"{data!r} is not an action of Sbam!")


def _read_drawn(data: dict[str, Json]) -> Drawn:
    hands = data.get("cards")
    if set(data) != {"action", "cards"} or not isinstance(hands, list):
        raise IllegalAction(f"{data!r} is not a draw of Sbam!")
    for hand in hands:
        if not isinstance(hand, list) or not all(isinstance(card, str) and card in COPIES for card in hand):
            raise IllegalAction(f"a draw of Sbam! has {hand!r} where a list of cards belongs")
    return Drawn(tuple(tuple(hand) for hand in hands))


@cache
def outcomes(hand: tuple[Card, ...]) -> Mapping[Action, tuple[Card, ...]]:
    """The legal commits of a hand in their fixed order, each with the hand that it leaves.

    Playing is a duty (B-R4), to either side (B-R5), one card at a time but for Sbam! cards (B-R6), of which the seat
    chooses how many (B-R8). Passing is legal only when nothing but Sbam! and Oops is held (B-R4); it is the mildest.
    """
    result: dict[Action, tuple[Card, ...]] = {}
    playable = [card for card in dict.fromkeys(hand) if card in _PLAYS]
    # The mildest play is a coloured card: it is what everybody plays all the time.
    for card in sorted(playable, key=lambda card: card not in VALUE):
        left = _without(hand, (card,))
        for move in _PLAYS[card]:
            result[move] = left
    if not playable:
        result[PASS] = hand
    for move in _CALLS[: hand.count(SBAM)]:
        result[move] = _without(hand, move.cards)
    return result


@cache
def commits(hand: tuple[Card, ...]) -> tuple[Move, ...]:
    """The legal commits of a hand, the mildest first."""
    return tuple(move for move in outcomes(hand) if isinstance(move, Move))


def without_oops(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """The hand after Oops has left it. Raises IllegalAction when it is not there."""
    if OOPS_CARD not in hand:
        raise IllegalAction("Oops is not in that hand")
    return _without(hand, (OOPS_CARD,))


def _without(hand: Sequence[Card], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)
