"""Positions to start a case from, and a driver that plays on by the names of cards, bases and choices.

A position is laid out as a card table would be: bases, minions with their counters, attached actions, hands, piles.
The driver takes legal actions only, and lets nature draw by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.game import CHANCE, Event
from referee.games.monster_smash.actions import DECLINES, Move
from referee.games.monster_smash.cards import (
    BASE_NO,
    BASE_SLUGS,
    CARD_NO,
    CARD_SLUGS,
    CARDS,
    FACTION_DECK,
    FACTIONS,
)
from referee.games.monster_smash.cards.definition import Frame, Piece, make_piece
from referee.games.monster_smash.game import MonsterSmash, ask
from referee.games.monster_smash.state import State, new_state
from referee.seeds import Streams

GAME = MonsterSmash()
FILLER = "howler"
"""What decks consist of unless a case says otherwise."""


def numbers(slugs: Sequence[str]) -> tuple[int, ...]:
    return tuple(CARD_NO[slug] for slug in slugs)


class Position:
    """A table to lay cards on, and then to play at: by default two players, seat 0 in its Play Cards step."""

    def __init__(self, *bases: str, seats: int = 2, deck: int = 12) -> None:
        self.s: State = new_state(seats)
        s = self.s
        s.first = s.current = 0
        s.turn = 5
        s.minion_plays = s.action_plays = 1
        s.bases = [BASE_NO[base] for base in bases or ("crypt", "the-hill", "moot-site")]
        s.base_deck = tuple(base for base in range(len(BASE_SLUGS)) if base not in s.bases)
        s.rest = [(CARD_NO[FILLER],) * deck for _ in range(seats)]
        four: list[tuple[int, ...]] = [(0, 1), (2, 3), (0, 3), (1, 2)]
        s.factions = four[:seats]
        s.stack = [Frame("turn", 1, 0, 0)]
        self.streams = Streams(0)
        self.told: list[Event] = []
        self.asked = False

    # Laying out.

    def minion(self, seat: int, card: str, base: str, counters: int = 0) -> Piece:
        """A minion that stands at a base since an earlier turn."""
        s = self.s
        piece = self._piece(seat, card)
        s.where[piece] = BASE_NO[base]
        s.minions_at[BASE_NO[base]] += (piece,)
        self._count(piece, counters)
        return piece

    def on_base(self, seat: int, card: str, base: str, counters: int = 0) -> Piece:
        """An action that lies on a base."""
        piece = self._piece(seat, card)
        self.s.where[piece] = BASE_NO[base]
        self.s.actions_at[BASE_NO[base]] += (piece,)
        self._count(piece, counters)
        return piece

    def on_minion(self, seat: int, card: str, host: Piece) -> Piece:
        """An action that is attached to a minion."""
        piece = self._piece(seat, card)
        self.s.host[piece] = host
        self.s.attached[host] = (*self.s.attached.get(host, ()), piece)
        return piece

    def _piece(self, seat: int, card: str) -> Piece:
        self.s.serials += 1
        return make_piece(self.s.serials, CARD_NO[card], seat)

    def _count(self, piece: Piece, counters: int) -> None:
        if counters:
            self.s.counters[piece] = counters

    def hand(self, seat: int, *cards: str) -> Position:
        self.s.hands[seat] = tuple(sorted((*self.s.hands[seat], *numbers(cards))))
        held = {faction for faction in range(len(FACTIONS)) for c in self.s.hands[seat] if c in FACTION_DECK[faction]}
        self.s.factions[seat] = tuple(sorted(held | set(self.s.factions[seat])))
        return self

    def discards(self, seat: int, *cards: str) -> Position:
        self.s.discards[seat] += numbers(cards)
        return self

    def deck(self, seat: int, *cards: str) -> Position:
        self.s.rest[seat] = tuple(sorted(numbers(cards)))
        return self

    def start_turn(self, seat: int = 0) -> Position:
        """Have the turn of a seat begin, start-of-turn effects first."""
        self.s.stack = [Frame("turn", 0, seat, 0)]
        self.s.current = seat
        return self._ask()

    def score_check(self) -> Position:
        """End the Play Cards step: bases score, cards are drawn, and the next turn may begin."""
        return self.end()

    # Playing.

    def _ask(self) -> Position:
        ask(self.s)
        self.asked = True
        self.told += GAME.events(self.s, {}, self.s, None)
        self._nature()
        return self

    def _nature(self) -> None:
        """Nature's moves, and passes of those who have nothing else to do in a Me First window."""
        while self.s.asked == CHANCE or self.s.options == [DECLINES["pass"]]:
            self._apply(GAME.draw(self.s, self.streams) if self.s.asked == CHANCE else DECLINES["pass"])

    def _apply(self, move: Move) -> None:
        before = self.s
        self.s = GAME.apply(before, {before.asked: move})
        self.told += GAME.events(before, {before.asked: move}, self.s, None)

    def do(self, kind: str, value: Any = -1) -> Position:
        """Take a legal action of whoever is asked."""
        if not self.asked:
            self._ask()
        move = Move(kind, value)
        assert move in self.s.options, f"{move} is not among {', '.join(map(str, self.s.options))}"
        self._apply(move)
        self._nature()
        return self

    def play(self, card: str, base: str = "") -> Position:
        """Play a card from hand; if it asks for a base, at this one."""
        self.do("play", CARD_NO[card])
        return self.at(base) if base else self

    def at(self, base: str) -> Position:
        return self.do("base", BASE_NO[base])

    def pick(self, *minions: Piece) -> Position:
        for minion in minions:
            self.do("minion", minion)
        return self

    def card(self, *cards: str) -> Position:
        for card in cards:
            self.do("card", CARD_NO[card])
        return self

    def number(self, n: int) -> Position:
        return self.do("number", n)

    def talent(self, piece: Piece) -> Position:
        return self.do("talent", piece)

    def done(self) -> Position:
        return self.do("done")

    def passes(self, times: int = 1) -> Position:
        for _ in range(times):
            self.do("pass")
        return self

    def end(self) -> Position:
        """End the Play Cards step."""
        return self.do("end")

    def order(self, effect: str) -> Position:
        """Have the waiting trigger of this effect resolve next."""
        waiting = self.s.stack[-1].picks
        return self.do("order", [name for name, *_ in waiting].index(effect))

    # Looking.

    def offers(self, kind: str) -> list[Any]:
        """The values of the legal actions of this type, whoever is asked."""
        if not self.asked:
            self._ask()
        return [move.value for move in self.s.options if move.type == kind]

    def cards_offered(self, kind: str = "card") -> list[str]:
        return [CARD_SLUGS[card] for card in self.offers(kind) if card < len(CARDS)]

    def bases_offered(self) -> list[str]:
        return [BASE_SLUGS[base] for base in self.offers("base")]

    def idle(self) -> bool:
        """Whether the player whose turn it is may go on playing cards: nothing else is pending."""
        return [f.effect for f in self.s.stack] == ["turn"] and self.s.stack[0].at == 1

    def counters(self, piece: Piece) -> int:
        return self.s.counters.get(piece, 0)

    def power(self, piece: Piece) -> int:
        return self.s.power(piece)

    def total(self, seat: int, base: str) -> int:
        return self.s.totals(BASE_NO[base])[seat]

    def in_play(self, piece: Piece) -> bool:
        return piece in self.s.where or piece in self.s.host

    def base_of(self, piece: Piece) -> str:
        return BASE_SLUGS[self.s.where[piece]]

    def hand_of(self, seat: int) -> list[str]:
        return [CARD_SLUGS[card] for card in self.s.hands[seat]]

    def pile_of(self, seat: int) -> list[str]:
        return [CARD_SLUGS[card] for card in self.s.discards[seat]]

    def newest(self, seat: int = 0) -> Piece:
        """The piece of this seat that entered play last."""
        return max(
            (p for pieces in (self.s.where, self.s.host) for p in pieces if p & 3 == seat), key=lambda p: p >> 12
        )

    def events(self, kind: str) -> list[Event]:
        """All events of a type so far, secrets included."""
        return [event for event in self.told if event["type"] == kind]
