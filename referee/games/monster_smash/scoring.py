"""Scoring a base (R-06): windows for Specials, ranks and victory points, clearing and replacing it.

The source of the frames is the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.games.monster_smash.cards import BASES, CARDS, FACTION_DECK, GOES
from referee.games.monster_smash.cards.definition import DECLINED, Ask, Frame, Goes, On, Steps
from referee.games.monster_smash.plays import due, follow, gone, play
from referee.games.monster_smash.state import State

WINDOWS: Final = (Goes.BEFORE, Goes.AFTER)
SPECIAL: Final = tuple(goes in WINDOWS for goes in GOES)
"""By card number."""


class ChooseScoring(Ask):
    """While a base reaches its breakpoint, the current player picks one to score (R-06)."""

    kind = "base"

    def values(self, s: State, f: Frame) -> Sequence[int]:  # noqa: ARG002
        return [base for base in s.bases if s.all_power(base) >= s.breakpoint(base)]

    def chosen(self, s: State, f: Frame, value: int) -> None:
        s.scoring = value
        s.log.append(("scoring", value))
        s.stack.append(Frame("score", 0, f.seat, value))

    def nothing(self, s: State, f: Frame) -> None:
        s.stack[-1] = f.on()


def before_scoring(s: State, f: Frame) -> None:
    s.stack.append(Frame("window", 0, f.seat, f.source, (0, f.seat, 0)))
    follow(s, due(s, On.BEFORE_SCORING, f.source))


class MeFirst(Ask):
    """Specials from hand, clockwise from the current player, until all pass in a row (R-03).

    The frame's picks are the window (before 0, after 1), the next seat, and how many have passed. A seat is asked
    whenever it could hold such a Special as far as the table knows, else it passes by.
    """

    kind = "play"
    decline = "pass"
    hidden = True

    def seat(self, s: State, f: Frame) -> int:  # noqa: ARG002
        seat: int = f.picks[1]
        return seat

    def values(self, s: State, f: Frame) -> Sequence[int]:
        window, seat, passes = f.picks
        if passes == s.seats or not may_hold(s, seat, WINDOWS[window]):
            return ()
        return [DECLINED, *(card for card in s.hand_cards(seat) if GOES[card] is WINDOWS[window])]

    def chosen(self, s: State, f: Frame, value: int) -> None:
        window, seat, _ = f.picks
        if value == DECLINED:
            s.log.append(("pass", seat))
            self._next(s, f)
        else:
            s.stack[-1] = f.picking(window, (seat + 1) % s.seats, 0)
            play(s, seat, value)

    def nothing(self, s: State, f: Frame) -> None:
        if f.picks[2] == s.seats:
            s.stack.pop()
        else:
            self._next(s, f)

    def _next(self, s: State, f: Frame) -> None:
        window, seat, passes = f.picks
        s.stack[-1] = f.picking(window, (seat + 1) % s.seats, passes + 1)


def may_hold(s: State, seat: int, goes: Goes) -> bool:
    """Whether a seat could hold a Special of this window as far as the table knows."""
    if not s.hands[seat]:
        return False
    return any(
        s.discards[seat].count(card) < CARDS[card].copies
        for faction in s.factions[seat]
        for card in SPECIAL_CARDS[faction]
        if GOES[card] is goes
    )


SPECIAL_CARDS: Final = tuple(tuple(sorted({card for card in deck if SPECIAL[card]})) for deck in FACTION_DECK)
"""By faction: its Specials from hand."""


def award(s: State, f: Frame) -> None:
    """Rank those with a minion there; ties are paid for the best place they tied for (R-24)."""
    totals = s.totals(f.source)
    present = sorted({m & 3 for m in s.minions_at[f.source]})
    s.log.append(("totals", f.source, tuple(totals)))
    winners = []
    for seat in present:
        rank = 1 + sum(totals[other] > totals[seat] for other in present)
        gain = BASES[f.source].vp[rank - 1] if rank <= 3 else 0
        s.vp[seat] += gain
        if rank == 1:
            winners.append(seat)
        s.log.append(("vp", seat, rank, gain))
    s.winners = tuple(winners)
    s.stack.append(Frame("window", 0, f.seat, f.source, (1, f.seat, 0)))
    follow(s, due(s, On.AFTER_SCORING, f.source))


def clear_base(s: State, f: Frame) -> None:
    """All cards at the base go to their owners' discard piles together; that does not destroy them."""
    pieces = (*s.minions_at[f.source], *s.actions_at[f.source])
    for piece in pieces:
        s.leave(piece)
        s.discard(piece & 3, piece >> 2 & 1023)
    s.log.append(("cleared", f.source, pieces))
    follow(s, gone(s, pieces))


def replace_base(s: State, f: Frame) -> None:
    s.bases.remove(f.source)
    s.out_bases += (f.source,)
    s.breakpoints.pop(f.source, None)
    s.scoring, s.winners = -1, ()
    s.stack.append(Frame("base", 0, f.seat, 1))


SCORING: Final[dict[str, Steps]] = {
    "score": (before_scoring, award, clear_base, replace_base),
    "window": (MeFirst(),),
}
"""The effects of this module, by name."""
