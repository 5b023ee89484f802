"""What seats and nature can do in Sbam!, as values made once, as JSON and as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from referee.game import IllegalAction, Json
from referee.games.sbam.cards import COPIES, HAND, PLAYABLE, SBAM, Card, spell, spell_all
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
    card: Card
    """The card of a play, else empty."""
    side: str
    """`left` or `right` for a play, else empty."""
    letter: str
    """What the trail of a round shows of it: `L`, `R`, `P`, or the number of Sbam! cards; empty in the window."""
    short: str
    """How events show it: `r1 left`, `sbam 2`, `pass`, `oops` or `decline`."""

    def to_json(self) -> dict[str, Json]:
        if self.kind == "play":
            return {"type": "play", "card": self.card, "side": self.side}
        if self.kind == "sbam":
            return {"type": "sbam", "count": len(self.cards)}
        return {"type": self.kind}

    def __str__(self) -> str:
        if self.kind == "play":
            return f"play {spell(self.card)} {self.side}"
        return f"play Sbam! x{len(self.cards)}" if self.kind == "sbam" else self.kind

    def __reduce__(self) -> tuple[object, ...]:
        return _move, (self.code,)


def _count(cards: tuple[Card, ...]) -> str:
    return "1 card" if len(cards) == 1 else f"{len(cards)} cards"


class Drawn(NamedTuple):
    """Nature's action, a deal or a refill: the cards that each seat draws, in the order drawn."""

    cards: tuple[tuple[Card, ...], ...]

    def to_json(self) -> dict[str, Json]:
        return {"type": "draw", "cards": [list(cards) for cards in self.cards]}

    def __str__(self) -> str:
        return self.told()

    def told(self, to: int | None = None) -> str:
        """Who draws what; of other seats than `to` only how many cards, where it is not None."""
        drawn = [
            f"seat {seat} draws {spell_all(cards) if to in {None, seat} else _count(cards)}"
            for seat, cards in enumerate(self.cards)
            if cards
        ]
        return "; ".join(drawn) or "nobody draws"


Action: TypeAlias = Move | Drawn


def _all_moves() -> tuple[Move, ...]:
    made: list[tuple[str, tuple[Card, ...], Card, str, str, str]] = [("pass", (), "", "", "P", "pass")]
    for card in PLAYABLE:
        made += [("play", (card,), card, side, side[0].upper(), f"{card} {side}") for side in SIDES]
    for count in range(1, HAND + 1):  # never more than a hand holds (B-R7)
        made.append(("sbam", (SBAM,) * count, "", "", str(count), f"sbam {count}"))
    made.append(("decline", (), "", "", "", "decline"))
    made.append(("oops", (OOPS_CARD,), "", "", "", "oops"))
    return tuple(Move(code, *fields) for code, fields in enumerate(made))


MOVES: Final = _all_moves()
"""Every action that a seat can ever have, the mildest first."""


def _move(code: int) -> Move:
    return MOVES[code]


def _key(data: dict[str, Json]) -> frozenset[tuple[str, type, Json]]:
    """What tells actions apart; with types, since Python takes `true` and `1.0` for 1."""
    return frozenset((name, type(value), value) for name, value in data.items())


_BY_KEY: Final = {_key(move.to_json()): move for move in MOVES}
PLAYS: Final = {card: tuple(m for m in MOVES if m.kind == "play" and m.card == card) for card in PLAYABLE}
CALLS: Final = tuple(move for move in MOVES if move.kind == "sbam")
PASS: Final = MOVES[0]
DECLINE: Final = MOVES[-2]
OOPS: Final = MOVES[-1]
ANSWERS: Final = (DECLINE, OOPS)


def play(card: Card, side: str) -> Move:
    """Putting a card on one's side of the rope to the `left` or `right`; not for Sbam! and Oops."""
    return PLAYS[card][SIDES.index(side)]


def call(count: int) -> Move:
    """Playing 1, 2 or 3 Sbam! cards together."""
    return CALLS[count - 1]


def read(data: Json) -> Action:
    """The action that `to_json` wrote. Raises IllegalAction."""
    if isinstance(data, dict):
        if data.get("type") == "draw":
            return _read_drawn(data)
        try:
            return _BY_KEY[_key(data)]
        except (KeyError, TypeError):
            pass
    raise IllegalAction(f"{data!r} is not an action of Sbam!")


def _read_drawn(data: dict[str, Json]) -> Drawn:
    hands = data.get("cards")
    if set(data) != {"type", "cards"} or not isinstance(hands, list):
        raise IllegalAction(f"{data!r} is not a draw of Sbam!")
    for hand in hands:
        if not isinstance(hand, list) or not all(isinstance(card, str) and card in COPIES for card in hand):
            raise IllegalAction(f"a draw of Sbam! has {hand!r} where a list of cards belongs")
    return Drawn(tuple(tuple(hand) for hand in hands))
