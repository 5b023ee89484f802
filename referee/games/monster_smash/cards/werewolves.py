"""Werewolves: bursts of power, and the strongest takes all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.monster_smash.cards.definition import (
    Due,
    Faction,
    Frame,
    Goes,
    On,
    Piece,
    Talent,
    Trigger,
    action,
    minion,
    owner,
)
from referee.games.monster_smash.cards.steps import (
    Each,
    Pick,
    beside_it,
    destroy_it,
    host_leads,
    host_shielded,
    mine,
    my_turn_starts,
    own,
    strengthen_self,
)

if TYPE_CHECKING:
    from referee.games.monster_smash.state import State


def always(s: State, me: Piece) -> bool:  # noqa: ARG001
    return True


def my_base_scores(s: State, me: Piece, base: int) -> Due:
    return own(me) if s.where[me] == base else ()


def strengthen_mine_here(s: State, f: Frame) -> None:
    for m in s.minions_at[s.where[f.source]]:
        if owner(m) == f.seat:
            s.strengthen(m, 1)


def weaker_beside_it(s: State, f: Frame) -> list[Piece]:
    power = s.power(f.picks[-1])
    return [m for m in beside_it(s, f) if s.power(m) < power]


def strengthen_strong(s: State, f: Frame) -> None:
    for m in [m for m in mine(s, f) if s.power(m) >= 4]:
        s.strengthen(m, 1)


def one_each_for_mine(s: State, me: Piece, target: Piece) -> int:  # noqa: ARG001
    return 1 if owner(target) == owner(me) else 0


def fits_beside(s: State, f: Frame) -> list[Piece]:
    """Minions beside the first pick that still fit in its power together with those picked since."""
    left = s.power(f.picks[0]) - sum(s.power(m) for m in f.picks[1:])
    return [m for m in s.minions_at[s.where[f.picks[0]]] if m not in f.picks[1:] and s.power(m) <= left]


def only_pick(s: State, f: Frame, piece: int) -> None:
    """Nothing yet: all picked fall together."""


def destroy_picked(s: State, f: Frame) -> None:
    s.destroy(f.seat, f.picks[1:])


def mark_if_leading(s: State, f: Frame) -> None:
    base = s.where[f.source]
    totals = s.totals(base)
    if all(totals[f.seat] > total for seat, total in enumerate(totals) if seat != f.seat):
        s.set_breakpoint(base, 0)


def extra_action(s: State, f: Frame) -> None:  # noqa: ARG001
    s.extra_action()


def draw_one(s: State, f: Frame) -> None:
    s.draw(f.seat, 1)


CARDS = (
    minion(
        "pack-alpha",
        "Pack Alpha",
        power=5,
        copies=1,
        text="Before this base scores: each of your minions here has 1 more power until end of turn.",
        triggers=(Trigger(On.BEFORE_SCORING, my_base_scores, (strengthen_mine_here,), plain=True),),
    ),
    minion(
        "loup-garou",
        "Loup-Garou",
        power=4,
        copies=2,
        text="Before this base scores: it has 2 more power until end of turn.",
        triggers=(Trigger(On.BEFORE_SCORING, my_base_scores, (strengthen_self(2),), plain=True),),
    ),
    minion(
        "teenage-wolf",
        "Teenage Wolf",
        power=3,
        copies=3,
        text="Talent: it has 1 more power until end of turn.",
        talent=Talent(always, (strengthen_self(1),)),
    ),
    minion(
        "howler",
        "Howler",
        power=2,
        copies=4,
        text="On play: it has 2 more power until end of turn.",
        on_play=(strengthen_self(2),),
    ),
    action(
        "chew-toy",
        "Chew Toy",
        copies=2,
        text="Pick a minion of yours; destroy a minion at its base that has less power.",
        on_play=(Pick(mine), Pick(weaker_beside_it), destroy_it),
    ),
    action(
        "frenzy",
        "Frenzy",
        copies=2,
        text="Each of your minions of power 4 or more has 1 more power until end of turn.",
        on_play=(strengthen_strong,),
    ),
    action(
        "full-moon",
        "Full Moon",
        copies=1,
        goes=Goes.ON_BASE,
        text="On a base: each of your minions here has 1 more power.",
        adds_power=one_each_for_mine,
    ),
    action(
        "leader-of-the-pack",
        "Leader of the Pack",
        copies=1,
        goes=Goes.ON_MINION,
        text="On a minion. Talent: if no minion at its base has more power, play an extra action this turn.",
        talent=Talent(host_leads, (extra_action,)),
    ),
    action(
        "let-the-dog-out",
        "Let the Dog Out",
        copies=1,
        text="Pick a minion of yours; destroy any set of minions at its base whose powers add up to its own or less.",
        on_play=(Pick(mine), Each(fits_beside, only_pick), destroy_picked),
    ),
    action(
        "marking-territory",
        "Marking Territory",
        copies=1,
        goes=Goes.ON_BASE,
        text="On a base: as your turn starts, if your total here beats every other player's, the breakpoint is 0 "
        "until end of turn.",
        triggers=(Trigger(On.TURN_START, my_turn_starts, (mark_if_leading,), plain=True, reads=True),),
    ),
    action(
        "moontouched",
        "Moontouched",
        copies=1,
        goes=Goes.ON_MINION,
        text="On a minion. Talent: if no minion at its base has more power, draw a card.",
        talent=Talent(host_leads, (draw_one,)),
    ),
    action(
        "unstoppable",
        "Unstoppable",
        copies=1,
        goes=Goes.ON_MINION,
        text="On a minion: it cannot be destroyed.",
        shields=host_shielded,
    ),
)

FACTION = Faction("werewolves", "Werewolves", CARDS)
