"""Mad Scientists: counters, protection, and minions that come back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.games.monster_smash.cards.definition import (
    DECLINED,
    Ask,
    Due,
    Faction,
    Frame,
    Goes,
    On,
    Piece,
    Played,
    Talent,
    Trigger,
    action,
    minion,
    owner,
)
from referee.games.monster_smash.cards.steps import (
    TAKE_COUNTERS_OFF,
    Again,
    Each,
    Number,
    Pick,
    at_most,
    destroy_it,
    everyone,
    host_shielded,
    mine,
    my_others,
    my_turn_starts,
    own,
    place_on_all_mine,
    place_on_it,
    taken_off,
)

if TYPE_CHECKING:
    from referee.games.monster_smash.state import State


def for_owner(s: State, me: Piece, piece: Piece) -> Due:  # noqa: ARG001
    return own(me)


def has_another(s: State, me: Piece) -> bool:
    return len(s.minions_of(owner(me))) > 1


def has_counter(s: State, me: Piece) -> bool:
    return me in s.counters


def trade_counter_for_minion(s: State, f: Frame) -> None:
    if s.remove(f.source, 1):
        s.extra_minion()


def bury(s: State, f: Frame, card: int) -> None:
    s.put_under(f.seat, card)
    s.place(f.picks[0], 1)


def hand(s: State, f: Frame) -> Sequence[int]:
    """The different cards in your hand."""
    return s.hand_cards(f.seat)


def weaker_than_removed(s: State, f: Frame) -> Sequence[Piece]:
    """Minions of power up to the number of counters taken off."""
    return at_most(taken_off(f), everyone)(s, f)


def destroy_it_for_parts(s: State, f: Frame) -> None:
    s.note(s.power(f.picks[0]))
    destroy_it(s, f)


def parts_left(s: State, f: Frame) -> int:  # noqa: ARG001
    """Counters not yet handed out; the picks are the minion, its power, and pairs of a minion and a number."""
    power: int = f.picks[1]
    handed_out: int = sum(f.picks[3::2])
    return power - handed_out


def without_parts_yet(s: State, f: Frame) -> list[Piece]:
    return [m for m in mine(s, f) if m not in f.picks[2::2]] if parts_left(s, f) else []


def all_if_last(s: State, f: Frame) -> int:
    """The last of your minions to get any takes all that is left."""
    return 1 if any(m not in f.picks[2::2] for m in mine(s, f)) else parts_left(s, f)


def hand_out_parts(s: State, f: Frame) -> None:
    s.place(f.picks[-2], f.picks[-1])


def played_here_by_me(s: State, me: Piece, played: Played) -> Due:
    """Fires with the minion played, if the card's controller played it at the card's base."""
    if owner(played.piece) == owner(me) and played.base == s.where[me]:
        return ((owner(me), (played.piece,)),)
    return ()


def is_mine(s: State, me: Piece, target: Piece) -> bool:  # noqa: ARG001
    return owner(me) == owner(target)


class FromHand(Ask):
    """Play a minion from hand at once, or not at all (R-16)."""

    kind = "card"
    hidden = True

    def values(self, s: State, f: Frame) -> list[int]:
        return [DECLINED, *(c for c in s.hand_cards(f.seat) if s.is_minion_card(c))]

    def chosen(self, s: State, f: Frame, value: int) -> None:
        if value == DECLINED:
            s.stack.pop()
            return
        s.stack[-1] = f.on()
        s.play_from_hand(f.seat, value)
        s.play_extra_minion(f.seat, value)


def feed_host(s: State, f: Frame) -> None:
    s.place(s.host[f.source], 1)


CARDS = (
    minion(
        "herr-doktor",
        "Herr Doktor",
        power=5,
        copies=1,
        text="Talent: a counter on another minion of yours.",
        talent=Talent(has_another, (Pick(my_others), place_on_it(1))),
    ),
    minion(
        "the-monster",
        "The Monster",
        power=4,
        copies=2,
        text="Talent: take a counter off The Monster to play an extra minion this turn.",
        talent=Talent(has_counter, (trade_counter_for_minion,)),
    ),
    minion(
        "lab-assistant",
        "Lab Assistant",
        power=3,
        copies=3,
        text="On play: a counter on another minion of yours.",
        on_play=(Pick(my_others), place_on_it(1)),
    ),
    minion(
        "igor",
        "Igor",
        power=2,
        copies=4,
        text="When he goes from play to the discard pile, destroyed or scored: a counter on a minion of yours.",
        triggers=(Trigger(On.GONE, for_owner, (Pick(mine), place_on_it(1))),),
    ),
    action(
        "angry-mob",
        "Angry Mob",
        copies=1,
        text="Pick a minion of yours and put any number of cards from hand under your deck: a counter on it for each.",
        on_play=(Pick(mine), Each(hand, bury, "card", hidden=True)),
    ),
    action(
        "blitzed",
        "Blitzed",
        copies=1,
        text="Take any number of counters off your minions; then destroy a minion of that power or less.",
        on_play=(*TAKE_COUNTERS_OFF, Pick(weaker_than_removed), destroy_it),
    ),
    action(
        "body-shop",
        "Body Shop",
        copies=1,
        text="Destroy a minion of yours; then spread counters equal to the power it had over your minions.",
        on_play=(
            Pick(mine),
            destroy_it_for_parts,
            Pick(without_parts_yet),
            Number(parts_left, least=all_if_last),
            hand_out_parts,
            Again(3),
        ),
    ),
    action(
        "german-engineering",
        "German Engineering",
        copies=1,
        goes=Goes.ON_BASE,
        text="On a base: each minion that you play here gains a counter.",
        triggers=(Trigger(On.PLAYED, played_here_by_me, (place_on_it(1),), plain=True),),
    ),
    action(
        "grave-situation",
        "Grave Situation",
        copies=1,
        goes=Goes.ON_BASE,
        text="On a base: your minions here go to your hand instead of being destroyed.",
        recalls=is_mine,
    ),
    action(
        "its-alive",
        "It's Alive!",
        copies=2,
        text="You may play an extra minion from hand at once; then a counter on it.",
        on_play=(FromHand(), place_on_it(1)),
    ),
    action(
        "jolt",
        "Jolt",
        copies=1,
        text="A counter on each of your minions.",
        on_play=(place_on_all_mine,),
    ),
    action(
        "uberserum",
        "Überserum",
        copies=2,
        goes=Goes.ON_MINION,
        text="On a minion: it gains a counter as each of your turns starts, and cannot be destroyed.",
        triggers=(Trigger(On.TURN_START, my_turn_starts, (feed_host,), plain=True),),
        shields=host_shielded,
    ),
)

FACTION = Faction("mad-scientists", "Mad Scientists", CARDS)
