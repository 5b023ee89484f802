"""The words that card effects are written in: steps that pick, and steps that do.

An effect is a tuple of steps. Picks are kept in its frame in order; `it` is the last one. A pick with nothing to pick
from ends the effect, because the rest of it has no object (R-13), unless it says how many steps to skip instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from referee.games.monster_smash.cards.definition import DECLINED, Ask, Do, Due, Frame, Piece, Step, owner

if TYPE_CHECKING:
    from referee.games.monster_smash.state import State

Candidates: TypeAlias = Callable[["State", Frame], Sequence[int]]


class Pick(Ask):
    """Choose one; `may` allows none. Without a choice the effect ends, or goes on after `skip` more steps."""

    def __init__(self, among: Candidates, kind: str = "minion", *, may: bool = False, skip: int = -1) -> None:
        self.among = among
        self.kind = kind
        self.may = may
        self.skip = skip

    def values(self, s: State, f: Frame) -> Sequence[int]:
        found = self.among(s, f)
        return [DECLINED, *found] if found and self.may else found

    def chosen(self, s: State, f: Frame, value: int) -> None:
        if value == DECLINED:
            self.nothing(s, f)
        else:
            s.stack[-1] = Frame(f.effect, f.at + 1, f.seat, f.source, (*f.picks, value))

    def nothing(self, s: State, f: Frame) -> None:
        if self.skip < 0:
            s.stack.pop()
        else:
            s.stack[-1] = f.on(1 + self.skip)


class Each(Ask):
    """Choose any number, one after the other, and do something with each at once; "done" ends it.

    What is chosen from a hand (`hidden`) is not kept in the frame, for frames are public.
    """

    def __init__(
        self,
        among: Candidates,
        do: Callable[[State, Frame, int], None],
        kind: str = "minion",
        *,
        hidden: bool = False,
        at_most: int = 0,
    ) -> None:
        self.among = among
        self.do = do
        self.kind = kind
        self.hidden = hidden
        self.at_most = at_most

    def values(self, s: State, f: Frame) -> Sequence[int]:
        if self.at_most and len(f.picks) == self.at_most:
            return ()
        found = self.among(s, f)
        return [DECLINED, *found] if found or self.hidden else ()

    def chosen(self, s: State, f: Frame, value: int) -> None:
        if value == DECLINED:
            self.nothing(s, f)
            return
        if not self.hidden:
            s.stack[-1] = f.picking(*f.picks, value)
        self.do(s, f, value)

    def nothing(self, s: State, f: Frame) -> None:
        s.stack[-1] = f.on()


class Number(Ask):
    """Choose how many, from 1 or `least`."""

    kind = "number"

    def __init__(self, most: Callable[[State, Frame], int], least: Callable[[State, Frame], int] | None = None) -> None:
        self.most = most
        self.least = least

    def values(self, s: State, f: Frame) -> Sequence[int]:
        return range(self.least(s, f) if self.least else 1, self.most(s, f) + 1)

    def chosen(self, s: State, f: Frame, value: int) -> None:
        s.stack[-1] = Frame(f.effect, f.at + 1, f.seat, f.source, (*f.picks, value))


class Again(Ask):
    """Go back to the step that many before."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def values(self, s: State, f: Frame) -> Sequence[int]:  # noqa: ARG002
        return ()

    def nothing(self, s: State, f: Frame) -> None:
        s.stack[-1] = f.on(-self.steps)


# Taking any number of counters off your minions: picks are pairs of a minion and a number.


def counted_and_not_picked(s: State, f: Frame) -> list[Piece]:
    """Your minions that carry a counter and were not picked before."""
    return [m for m in s.minions_of(f.seat) if m in s.counters and m not in f.picks[::2]]


def counters_of_it(s: State, f: Frame) -> int:
    """How many counters the last pick carries."""
    return s.counters.get(f.picks[-1], 0)


def take_them_off(s: State, f: Frame) -> None:
    """Take as many counters as the last pick says off the one before it."""
    s.remove(f.picks[-2], f.picks[-1])


def taken_off(f: Frame) -> int:
    """How many counters were taken off in all."""
    return sum(f.picks[1::2])


# What to pick from.


def mine(s: State, f: Frame) -> list[Piece]:
    """Your minions at every base."""
    return s.minions_of(f.seat)


def my_others(s: State, f: Frame) -> list[Piece]:
    """Your minions but the one that this effect comes from."""
    return [m for m in s.minions_of(f.seat) if m != f.source]


def my_counted(s: State, f: Frame) -> list[Piece]:
    """Your minions that carry a counter."""
    return [m for m in s.minions_of(f.seat) if m in s.counters]


def any_other(s: State, f: Frame) -> list[Piece]:
    """Any minion but the one picked before."""
    return [m for m in s.all_minions() if m != f.picks[-1]]


def other_bases(s: State, f: Frame) -> list[int]:
    """Bases in play but the one where the last pick is."""
    return [b for b in s.bases if b != s.where[f.picks[-1]]]


def at_most(power: int, among: Callable[[State, Frame], Iterable[Piece]]) -> Candidates:
    """Those whose current power is no more than this (R-15)."""
    return lambda s, f: [m for m in among(s, f) if s.power(m) <= power]


def everyone(s: State, f: Frame) -> list[Piece]:  # noqa: ARG001
    """All minions in play."""
    return s.all_minions()


def here(s: State, f: Frame) -> Iterable[Piece]:
    """Minions at the base of this effect's source."""
    return s.minions_at[s.where[f.source]] if f.source in s.where else ()


def beside_it(s: State, f: Frame) -> Iterable[Piece]:
    """Minions at the base of the one picked, itself included."""
    return s.minions_at[s.where[f.picks[-1]]] if f.picks[-1] in s.where else ()


# What to do.


def place_on_it(n: int) -> Do:
    """Put counters on the last pick."""
    return lambda s, f: s.place(f.picks[-1], n)


def place_on_self(n: int) -> Do:
    """Put counters on the card itself."""
    return lambda s, f: s.place(f.source, n)


def place_on_all_mine(s: State, f: Frame) -> None:
    """A counter on each of your minions, at every base."""
    for m in s.minions_of(f.seat):
        s.place(m, 1)


def strengthen_self(n: int) -> Do:
    """Power for the card itself until the end of the turn."""
    return lambda s, f: s.strengthen(f.source, n)


def destroy_it(s: State, f: Frame) -> None:
    """Destroy the last pick."""
    s.destroy(f.seat, (f.picks[-1],))


def if_destroyed(s: State, f: Frame) -> None:
    """Go on only if the last pick really was destroyed (the "to" of R-12)."""
    if not s.fell(f.picks[-1]):
        s.stack.pop()


TAKE_COUNTERS_OFF: tuple[Step, ...] = (
    Pick(counted_and_not_picked, may=True, skip=3),
    Number(counters_of_it),
    take_them_off,
    Again(3),
)
"""Take any number of counters off your minions."""


def leads_at_base(s: State, piece: Piece) -> bool:
    """Whether a minion has the highest power at its base; a tie is enough."""
    power = s.power(piece)
    return all(s.power(m) <= power for m in s.minions_at[s.where[piece]])


def host_leads(s: State, piece: Piece) -> bool:
    """Whether the minion that this action is on has the highest power at its base, whoever owns it."""
    return leads_at_base(s, s.host[piece])


def behind(s: State, seat: int, base: int) -> bool:
    """Whether a single other player has a higher total at this base."""
    totals = s.totals(base)
    return max(totals) > totals[seat]


def host_shielded(s: State, piece: Piece, target: Piece) -> bool:  # noqa: ARG001
    """The minion that this action is on cannot be destroyed."""
    return True


def own(piece: Piece) -> tuple[tuple[int, tuple[int, ...]]]:
    """Fires once, for the card's controller."""
    return ((owner(piece), ()),)


def my_turn_starts(s: State, me: Piece, seat: int) -> Due:  # noqa: ARG001
    """Fires once when it is the card's controller whose turn starts."""
    return own(me) if owner(me) == seat else ()
