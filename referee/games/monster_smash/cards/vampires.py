"""Vampires: they grow by what others lose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.games.monster_smash.cards.definition import (
    Due,
    Faction,
    Fallen,
    Frame,
    Goes,
    On,
    Piece,
    Trigger,
    action,
    minion,
    owner,
)
from referee.games.monster_smash.cards.steps import (
    Each,
    Pick,
    at_most,
    behind,
    beside_it,
    destroy_it,
    everyone,
    here,
    if_destroyed,
    mine,
    my_turn_starts,
    place_on_all_mine,
    place_on_it,
    place_on_self,
)

if TYPE_CHECKING:
    from referee.games.monster_smash.state import State


def others_fell(s: State, me: Piece, fallen: Sequence[Fallen]) -> Due:  # noqa: ARG001
    """For the controller, with the number of other players' minions that were destroyed; not at all if none was."""
    count = sum(owner(one.piece) != owner(me) for one in fallen)
    return ((owner(me), (count,)),) if count else ()


def grow_by_fallen(s: State, f: Frame) -> None:
    s.place(f.source, f.picks[0])


def feed_host_by_fallen(s: State, f: Frame) -> None:
    s.place(s.host[f.source], f.picks[0])


def grow_if_behind(s: State, f: Frame) -> None:
    if behind(s, f.seat, s.where[f.source]):
        s.place(f.source, 1)


def feast_if_winner(s: State, f: Frame) -> None:
    if f.seat in s.winners:
        place_on_all_mine(s, f)


def weak_in_discard(s: State, f: Frame) -> list[int]:
    """The different minions of printed power 2 or less in your discard pile (R-15)."""
    return [c for c in sorted(set(s.discards[f.seat])) if s.is_minion_card(c) and s.printed(c) <= 2]


def play_it_from_discard(s: State, f: Frame) -> None:
    s.play_from_discard(f.seat, f.picks[-1])
    s.play_extra_minion(f.seat, f.picks[-1])


def minions_in_hand(s: State, f: Frame) -> list[int]:
    """The different minion cards in your hand."""
    return [c for c in s.hand_cards(f.seat) if s.is_minion_card(c)]


def cull(s: State, f: Frame, card: int) -> None:
    s.discard_from_hand(f.seat, card)
    s.place(f.picks[0], 1)


def place_on_uncounted(s: State, f: Frame) -> None:
    for m in s.minions_of(f.seat):
        if m not in s.counters:
            s.place(m, 1)


def pack_strength(s: State, me: Piece) -> int:
    return s.counters.get(me, 0)


CARDS = (
    minion(
        "the-count",
        "The Count",
        power=5,
        copies=1,
        text="Gains a counter for each minion of another player that is destroyed, wherever and by whomever.",
        triggers=(Trigger(On.DESTROYED, others_fell, (grow_by_fallen,), plain=True),),
    ),
    minion(
        "nightstalker",
        "Nightstalker",
        power=4,
        copies=2,
        text="On play: destroy a minion of power 2 or less here; if it was destroyed, a counter on Nightstalker.",
        on_play=(Pick(at_most(2, here)), destroy_it, if_destroyed, place_on_self(1)),
    ),
    minion(
        "heavy-drinker",
        "Heavy Drinker",
        power=3,
        copies=3,
        text="On play: you may destroy any one minion of yours; if it was destroyed, a counter on Heavy Drinker.",
        on_play=(Pick(mine, may=True), destroy_it, if_destroyed, place_on_self(1)),
    ),
    minion(
        "fledgling-vampire",
        "Fledgling Vampire",
        power=2,
        copies=4,
        text="On play: gains a counter if some other player's total here is higher than yours.",
        on_play=(grow_if_behind,),
    ),
    action(
        "big-gulp",
        "Big Gulp",
        copies=1,
        text="Destroy a minion of power 4 or less, at any base.",
        on_play=(Pick(at_most(4, everyone)), destroy_it),
    ),
    action(
        "buffet",
        "Buffet",
        copies=1,
        goes=Goes.AFTER,
        text="After a base scores: if you were a winner there, a counter on every minion you have in play.",
        on_play=(feast_if_winner,),
    ),
    action(
        "crack-of-dusk",
        "Crack of Dusk",
        copies=2,
        text="Play a minion of printed power 2 or less from your discard pile as an extra one; then a counter on it.",
        on_play=(Pick(weak_in_discard, "card"), play_it_from_discard, place_on_it(1)),
    ),
    action(
        "cull-the-weak",
        "Cull the Weak",
        copies=1,
        text="Pick a minion of yours and discard any number of minion cards from hand: a counter on it for each.",
        on_play=(Pick(mine), Each(minions_in_hand, cull, "card", hidden=True)),
    ),
    action(
        "dinner-date",
        "Dinner Date",
        copies=2,
        text="A counter on a minion of yours; then destroy a minion of power 2 or less at its base.",
        on_play=(Pick(mine), place_on_it(1), Pick(at_most(2, beside_it)), destroy_it),
    ),
    action(
        "mad-monster-party",
        "Mad Monster Party",
        copies=1,
        text="A counter on each of your minions that has none.",
        on_play=(place_on_uncounted,),
    ),
    action(
        "opportunist",
        "Opportunist",
        copies=1,
        goes=Goes.ON_MINION,
        text="On a minion: it gains a counter for each minion destroyed that belongs to a player other than you.",
        triggers=(Trigger(On.DESTROYED, others_fell, (feed_host_by_fallen,), plain=True),),
    ),
    action(
        "summon-wolves",
        "Summon Wolves",
        copies=1,
        goes=Goes.ON_BASE,
        text="On a base: gains a counter as each of your turns starts; each is 1 power for you while a minion of yours "
        "is there.",
        triggers=(Trigger(On.TURN_START, my_turn_starts, (place_on_self(1),), plain=True),),
        adds_total=pack_strength,
    ),
)

FACTION = Faction("vampires", "Vampires", CARDS)
