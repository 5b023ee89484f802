"""The turn: its start, the Play Cards step with its talents, drawing, the end of the turn and of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.games.monster_smash.cards import BASES, IS_MINION, TALENT
from referee.games.monster_smash.cards.definition import DECLINED, Ask, Frame, On, Piece, Steps, make_piece
from referee.games.monster_smash.plays import due, follow, play, use
from referee.games.monster_smash.scoring import SPECIAL, ChooseScoring
from referee.games.monster_smash.state import State

TO_WIN: Final = 15
HAND_LIMIT: Final = 10
TURN_CAP: Final = 200
"""A guard of the harness, not a rule (R-37)."""

FIRST_PIECE: Final = 1 << 12
"""In the Play Cards step, values from here on are pieces whose talent is used, values below are cards."""


def begin_turn(s: State, f: Frame) -> None:
    s.current = f.seat
    s.turn += 1
    s.minion_plays = s.action_plays = 1
    s.log.append(("turn", f.seat, s.turn))
    follow(s, due(s, On.TURN_START, f.seat))


def second_talent_at(s: State, piece: Piece) -> int:
    """The base at which a minion could use its talent a second time now, or -1."""
    base = s.where.get(piece, -1)
    if base < 0 or not IS_MINION[piece >> 2 & 1023] or not BASES[base].second_talent or -1 - base in s.used:
        return -1
    return base if s.used.get(piece) == 1 else -1


def talents(s: State, seat: int) -> list[Piece]:
    """The pieces whose talent this seat may use now (R-21), base by base."""
    mine = HAVE_TALENT[seat]
    found = [piece for piece in s.where if piece & 0xFFF in mine]
    if s.host:
        found += [piece for piece in s.host if piece & 0xFFF in mine]
    usable = [piece for piece in found if may_use_talent(s, piece)]
    if len(usable) < 2:
        return usable
    ordered = []
    attached = s.attached
    for base in s.bases:
        ordered += [a for a in s.actions_at[base] if a in usable]
        for piece in s.minions_at[base]:
            if piece in usable:
                ordered.append(piece)
            if piece in attached:
                ordered += [a for a in attached[piece] if a in usable]
    return ordered


def may_use_talent(s: State, piece: Piece) -> bool:
    """Whether the talent of a piece can be used in its controller's Play Cards step now."""
    if piece in s.used and second_talent_at(s, piece) < 0:
        return False
    talent = TALENT[piece >> 2 & 1023]
    return talent is not None and talent.ready(s, piece)


HAVE_TALENT: Final = tuple(
    frozenset(make_piece(0, card, seat) for card, talent in enumerate(TALENT) if talent) for seat in range(4)
)
"""By seat: its cards with a talent, as pieces without their serial number."""


class PlayCards(Ask):
    """One minion, one action, extras and talents, in any order, as long as the player likes."""

    kind = "play"
    decline = "end"
    hidden = True

    def values(self, s: State, f: Frame) -> Sequence[int]:
        found = [DECLINED]
        minions, actions = s.minion_plays > 0 and bool(s.bases), s.action_plays > 0
        if minions or actions:
            last = -1
            for card in s.hands[f.seat]:
                if card != last:
                    last = card
                    if minions if IS_MINION[card] else actions and not SPECIAL[card]:
                        found.append(card)
        found += talents(s, f.seat)
        return found

    def chosen(self, s: State, f: Frame, value: int) -> None:
        if value == DECLINED:
            s.stack[-1] = f.on()
            s.minion_plays = s.action_plays = 0
        elif value >= FIRST_PIECE:
            self._use_talent(s, f.seat, value)
        else:
            if IS_MINION[value]:
                s.minion_plays -= 1
            else:
                s.action_plays -= 1
            play(s, f.seat, value)

    def _use_talent(self, s: State, seat: int, piece: Piece) -> None:
        s.use_talent(piece, second_talent_at(s, piece))
        use(s, seat, piece >> 2 & 1023, piece, "/talent")


def draw_two(s: State, f: Frame) -> None:
    s.draw(f.seat, 2)


class HandLimit(Ask):
    """Down to ten cards, one by one (R-36)."""

    kind = "card"
    hidden = True

    def values(self, s: State, f: Frame) -> Sequence[int]:
        return s.hand_cards(f.seat) if len(s.hands[f.seat]) > HAND_LIMIT else ()

    def chosen(self, s: State, f: Frame, value: int) -> None:
        s.discard_from_hand(f.seat, value)

    def nothing(self, s: State, f: Frame) -> None:
        s.stack[-1] = f.on()


def end_turn(s: State, f: Frame) -> None:
    """What lasts until the end of the turn ends (R-17); then the game may be over (R-26, R-29, R-37)."""
    s.end_turn()
    s.over = ending(s)
    s.stack.clear()
    if s.over:
        s.log.append(("over", s.over))
    else:
        s.stack.append(Frame("turn", 0, (f.seat + 1) % s.seats, 0))


def ending(s: State) -> str:
    """Why the game is over at the end of this turn, or empty."""
    best = max(s.vp)
    leaders = [seat for seat, vp in enumerate(s.vp) if vp == best]
    if best >= TO_WIN and len(leaders) == 1:
        return f"Seat {leaders[0]} has {best} victory points."
    who = f"seat {leaders[0]} leads" if len(leaders) == 1 else "seats " + " and ".join(map(str, leaders)) + " share"
    if not s.bases:
        return f"No base is left in play: {who} with {best} victory points."
    if s.turn >= TURN_CAP:
        return f"The cap of {TURN_CAP} turns is reached: {who} with {best} victory points."
    return ""


TURN: Final[dict[str, Steps]] = {
    "turn": (begin_turn, PlayCards(), ChooseScoring(), draw_two, HandLimit(), end_turn),
}
"""The effect of this module, by name."""
