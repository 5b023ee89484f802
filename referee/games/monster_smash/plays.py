"""Cards being played, minions being destroyed, and the triggers that follow: the machinery under the turn.

Each part is an effect of the engine's own: a tuple of steps, as the cards have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from referee.games.monster_smash.cards import (
    BASE_EFFECTS,
    BASE_TRIGGERS,
    CARD_SLUGS,
    CARD_TRIGGERS,
    EFFECTS,
    GOES,
    TRIGGER,
)
from referee.games.monster_smash.cards.definition import (
    DECLINED,
    Ask,
    Fallen,
    Frame,
    Goes,
    On,
    Piece,
    Played,
    Steps,
)
from referee.games.monster_smash.cards.steps import Pick, everyone
from referee.games.monster_smash.state import State


def play(s: State, seat: int, card: int) -> None:
    """Have a card from hand played next: it is announced now, and resolves when the stack comes to it (R-02)."""
    s.play_from_hand(seat, card)
    goes = GOES[card]
    if goes is Goes.MINION:
        s.stack.append(Frame("enter", 0, seat, card))
    elif goes is Goes.ON_BASE:
        s.stack.append(Frame("attach-to-base", 0, seat, card))
    elif goes is Goes.ON_MINION:
        s.stack.append(Frame("attach-to-minion", 0, seat, card))
    else:
        s.stack.append(Frame("put-away", 0, seat, card))
        use(s, seat, card, card)


def use(s: State, seat: int, card: int, source: int, ability: str = "") -> None:
    """Have an ability of a card resolved next, and then what it triggered."""
    s.stack.append(Frame("after", 0, seat, 0, (len(s.deaths),)))
    s.stack.append(Frame(CARD_SLUGS[card] + ability, 0, seat, source))


def put_away(s: State, f: Frame) -> None:
    s.discard(f.seat, f.source)


# A minion enters.


def enter(s: State, f: Frame) -> None:
    """The minion stands there, then its own ability, then what others have to say to it."""
    base = f.picks[0]
    first = base not in s.played_at
    piece = s.enter(f.seat, f.source, base)
    s.stack.append(Frame("after", 0, f.seat, piece, (len(s.deaths), base, first)))
    name = CARD_SLUGS[f.source]
    if name in EFFECTS:
        s.stack.append(Frame(name, 0, f.seat, piece))


def bases(s: State, f: Frame) -> Sequence[int]:  # noqa: ARG001
    return s.bases


# An action is attached.


class Attach(Ask):
    """Where an action goes that stays; with nowhere to go it is discarded (R-13)."""

    def nothing(self, s: State, f: Frame) -> None:
        s.stack.pop()
        s.log.append(("no-target", f.seat, f.source))
        s.discard(f.seat, f.source)


class AttachToBase(Attach):
    kind = "base"

    def values(self, s: State, f: Frame) -> Sequence[int]:  # noqa: ARG002
        return s.bases

    def chosen(self, s: State, f: Frame, value: int) -> None:
        s.stack.pop()
        s.attach_to_base(f.seat, f.source, value)


class AttachToMinion(Attach):
    """Any minion may be chosen; one that this player's cards do not affect takes no action (R-11, R-13)."""

    def values(self, s: State, f: Frame) -> Sequence[int]:
        return everyone(s, f)

    def chosen(self, s: State, f: Frame, value: int) -> None:
        s.stack.pop()
        if s.warded(value, f.seat):
            s.log.append(("unaffected", value))
            s.discard(f.seat, f.source)
        else:
            s.attach_to_minion(f.seat, f.source, value)


# Minions are destroyed: f.picks are those still threatened.


def spare(s: State, f: Frame) -> None:
    """Those that cannot be destroyed, or are unaffected, are out of danger; the rest faces its rescuers."""
    threatened = []
    for minion in f.picks:
        if s.warded(minion, f.seat):
            s.log.append(("unaffected", minion))
        elif s.shielded(minion):
            s.log.append(("indestructible", minion))
        else:
            threatened.append(minion)
    s.stack[-1] = s.stack[-1].picking(0, *threatened)


class Rescue(Ask):
    """Each threatened minion's controller may spend a counter to save it; picks are how many are decided, and all."""

    def seat(self, s: State, f: Frame) -> int:  # noqa: ARG002
        minion: Piece = f.picks[1 + f.picks[0]]
        return minion & 3

    def values(self, s: State, f: Frame) -> Sequence[int]:
        decided = f.picks[0]
        if decided == len(f.picks) - 1:
            return ()
        rescuers = s.rescuers(f.picks[1 + decided])
        return [DECLINED, *rescuers] if rescuers else ()

    def chosen(self, s: State, f: Frame, value: int) -> None:
        decided = f.picks[0]
        if value == DECLINED:
            s.stack[-1] = f.picking(decided + 1, *f.picks[1:])
            return
        minion = f.picks[1 + decided]
        s.remove(value, 1)
        s.log.append(("saved", minion, value))
        s.stack[-1] = f.picking(decided, *f.picks[1 : 1 + decided], *f.picks[2 + decided :])

    def nothing(self, s: State, f: Frame) -> None:
        decided = f.picks[0]
        if decided == len(f.picks) - 1:
            s.stack[-1] = f.on()
        else:
            s.stack[-1] = f.picking(decided + 1, *f.picks[1:])


def fall(s: State, f: Frame) -> None:
    """The doomed leave together: to hand where something calls them back, else to the discard pile (R-09, R-10)."""
    fate = [(minion, s.where[minion], s.recalled(minion)) for minion in f.picks[1:]]
    for minion, base, recalled in fate:
        s.leave(minion)
        seat, card = minion & 3, minion >> 2 & 1023
        if recalled:
            s.gain_hand_card(seat, card)
            s.known[seat] = tuple(sorted((*s.known[seat], card)))
            s.log.append(("returned", minion))
        else:
            s.discard(seat, card)
            s.deaths.append(Fallen(minion, base, f.seat))
            s.log.append(("destroyed", minion, base, f.seat))


# What follows: triggers are (effect, seat, source, picks).

Waiting = tuple[str, int, int, tuple[Any, ...]]


def after(s: State, f: Frame) -> None:
    """An ability is complete: whatever waited for what it did is due."""
    if not s.deaths and not f.source:
        return
    start = f.picks[0]
    waiting: list[Waiting] = []
    fallen = s.deaths[start:]
    if fallen:
        del s.deaths[start:]
        waiting += due(s, On.DESTROYED, fallen)
        waiting += gone(s, [one.piece for one in fallen])
    if f.source:
        waiting += due(s, On.PLAYED, Played(f.source, f.picks[1], f.picks[2]))
    follow(s, waiting)


def follow(s: State, waiting: list[Waiting]) -> None:
    """Have these triggers resolved next, in the order that the current player picks."""
    if waiting:
        s.stack.append(Frame("triggers", 0, s.current, 0, tuple(waiting)))


def due(s: State, on: On, what: object) -> list[Waiting]:
    """The triggers that wait for an event, of bases and cards in play."""
    waiting: list[Waiting] = []
    by_card, by_base = CARD_TRIGGERS[on], BASE_TRIGGERS[on]
    for base in s.bases:
        if rows := by_base[base]:
            for name, trigger in rows:
                waiting += [(name, seat, base, picks) for seat, picks in trigger.when(s, base, what)]
    for pieces in (s.where, s.host):
        for piece in pieces:
            if rows := by_card[piece >> 2 & 1023]:
                for name, trigger in rows:
                    waiting += [(name, seat, piece, picks) for seat, picks in trigger.when(s, piece, what)]
    return waiting


def gone(s: State, pieces: Sequence[Piece]) -> list[Waiting]:
    """The triggers of cards that went from play to the discard pile."""
    waiting: list[Waiting] = []
    for piece in pieces:
        for name, trigger in CARD_TRIGGERS[On.GONE][piece >> 2 & 1023]:
            waiting += [(name, seat, piece, picks) for seat, picks in trigger.when(s, piece, piece)]
    return waiting


def order_matters(waiting: Sequence[Waiting]) -> bool:
    """Whether the order of these triggers can make a difference: one reads what others change, or two seats choose."""
    if len(waiting) < 2:
        return False
    choosers = {seat for name, seat, _, _ in waiting if not TRIGGER[name].plain}
    return len(choosers) > 1 or any(TRIGGER[name].reads for name, _, _, _ in waiting)


class Order(Ask):
    """The current player picks which waiting trigger resolves next, where that matters (R-01)."""

    kind = "order"

    def seat(self, s: State, f: Frame) -> int:  # noqa: ARG002
        return s.current

    def values(self, s: State, f: Frame) -> Sequence[int]:  # noqa: ARG002
        if not f.picks:
            return ()
        if not order_matters(f.picks):
            return (0,)
        alike = [(name, seat, source) for name, seat, source, _ in f.picks]
        return [i for i, one in enumerate(alike) if alike.index(one) == i]

    def chosen(self, s: State, f: Frame, value: int) -> None:
        name, seat, source, picks = f.picks[value]
        s.stack[-1] = f.picking(*f.picks[:value], *f.picks[value + 1 :])
        s.log.append(("base-trigger" if name in BASE_EFFECTS else "trigger", seat, name, source))
        s.stack.append(Frame("after", 0, seat, 0, (len(s.deaths),)))
        s.stack.append(Frame(name, 0, seat, source, picks))


PLAYS: Final[dict[str, Steps]] = {
    "enter": (Pick(bases, "base"), enter),
    "attach-to-base": (AttachToBase(),),
    "attach-to-minion": (AttachToMinion(),),
    "put-away": (put_away,),
    "destroy": (spare, Rescue(), fall),
    "after": (after,),
    "triggers": (Order(),),
}
"""The engine's effects of this module, by name."""

ON_THE_WAY: Final = frozenset({"enter", "attach-to-base", "attach-to-minion", "put-away"})
"""The effects that hold a card which is in no zone, at their first step: its number is the frame's source."""
