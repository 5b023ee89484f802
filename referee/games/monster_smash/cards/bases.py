"""The eight bases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.games.monster_smash.cards.definition import (
    Base,
    BaseNo,
    Due,
    Fallen,
    Frame,
    On,
    Piece,
    Played,
    Trigger,
    owner,
)
from referee.games.monster_smash.cards.steps import Pick, behind, place_on_all_mine, place_on_it

if TYPE_CHECKING:
    from referee.games.monster_smash.state import State


def played_here(s: State, here: BaseNo, played: Played) -> Due:  # noqa: ARG001
    """Fires for whoever played a minion here, with that minion."""
    return ((owner(played.piece), (played.piece,)),) if played.base == here else ()


def first_played_here(s: State, here: BaseNo, played: Played) -> Due:
    """Fires for the first minion played here in a turn, by whoever (R-34)."""
    return played_here(s, here, played) if played.first else ()


def destroyed_here(s: State, here: BaseNo, fallen: Sequence[Fallen]) -> Due:
    """Fires once for the player whose card destroyed one minion here or more, if it has one here itself (R-33)."""
    seats = sorted({one.by for one in fallen if one.base == here})
    return tuple((seat, ()) for seat in seats if any(owner(m) == seat for m in s.minions_at[here]))


def winners_here(s: State, here: BaseNo, base: BaseNo) -> Due:
    return tuple((seat, ()) for seat in s.winners) if base == here else ()


def turn_of_one_elsewhere(s: State, here: BaseNo, seat: int) -> Due:
    """Fires for whoever's turn starts, if that player has a minion to move here."""
    elsewhere = any(owner(m) == seat for base in s.bases if base != here for m in s.minions_at[base])
    return ((seat, ()),) if elsewhere else ()


def it_if_behind(s: State, f: Frame) -> list[Piece]:
    """The minion just played, if it is still in play and its player is behind some other player here."""
    piece = f.picks[0]
    return [piece] if piece in s.where and behind(s, f.seat, f.source) else []


def mine_at_this_base(s: State, f: Frame) -> list[Piece]:
    return [m for m in s.minions_at[f.source] if owner(m) == f.seat]


def mine_elsewhere(s: State, f: Frame) -> list[Piece]:
    return [m for m in s.minions_of(f.seat) if s.where[m] != f.source]


def strengthen_it_by_two(s: State, f: Frame) -> None:
    s.strengthen(f.picks[-1], 2)


def move_it_here(s: State, f: Frame) -> None:
    s.move(f.seat, f.picks[-1], f.source)


def carries_counter(s: State, here: BaseNo, target: Piece) -> bool:  # noqa: ARG001
    return target in s.counters


BASES = (
    Base(
        slug="castle-blood",
        name="Castle Blood",
        breakpoint=18,
        vp=(3, 1, 1),
        text="Whoever plays a minion here while another player's total is higher may put a counter on it.",
        triggers=(Trigger(On.PLAYED, played_here, (Pick(it_if_behind, may=True), place_on_it(1)), reads=True),),
    ),
    Base(
        slug="crypt",
        name="Crypt",
        breakpoint=20,
        vp=(4, 2, 2),
        text="When minions here are destroyed by one effect, its player may put a counter on a minion of theirs here.",
        triggers=(Trigger(On.DESTROYED, destroyed_here, (Pick(mine_at_this_base, may=True), place_on_it(1))),),
    ),
    Base(
        slug="golem-schloss",
        name="Golem Schloß",
        breakpoint=22,
        vp=(4, 3, 2),
        text="After it scores, each winner puts a counter on every minion of theirs in play.",
        triggers=(Trigger(On.AFTER_SCORING, winners_here, (place_on_all_mine,), plain=True),),
    ),
    Base(
        slug="laboratorium",
        name="Laboratorium",
        breakpoint=25,
        vp=(5, 3, 3),
        text="The first minion played here in each turn gains a counter.",
        triggers=(Trigger(On.PLAYED, first_played_here, (place_on_it(1),), plain=True),),
    ),
    Base(
        slug="moot-site",
        name="Moot Site",
        breakpoint=15,
        vp=(2, 1, 0),
        text="The first minion played here in each turn has 2 more power until end of turn.",
        triggers=(Trigger(On.PLAYED, first_played_here, (strengthen_it_by_two,), plain=True),),
    ),
    Base(
        slug="standing-stones",
        name="Standing Stones",
        breakpoint=20,
        vp=(4, 2, 1),
        text="In each of your turns, one minion of yours here may use its talent a second time.",
        second_talent=True,
    ),
    Base(
        slug="egg-chamber",
        name="Egg Chamber",
        breakpoint=17,
        vp=(3, 1, 1),
        text="Minions here that carry a counter cannot be destroyed.",
        shields=carries_counter,
    ),
    Base(
        slug="the-hill",
        name="The Hill",
        breakpoint=23,
        vp=(4, 2, 1),
        text="As each turn starts, its player may move a minion of theirs here from another base.",
        triggers=(Trigger(On.TURN_START, turn_of_one_elsewhere, (Pick(mine_elsewhere, may=True), move_it_here)),),
    ),
)
