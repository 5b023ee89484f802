"""Giant Ants: weak cards that carry many counters, and carry them around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.monster_smash.cards.definition import (
    Faction,
    Frame,
    Goes,
    Piece,
    Talent,
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
    any_other,
    everyone,
    mine,
    my_counted,
    other_bases,
    place_on_self,
    taken_off,
)

if TYPE_CHECKING:
    from referee.games.monster_smash.state import State


def played_here_this_turn(s: State, me: Piece) -> list[Piece]:
    """Other minions that you played this turn at the base where the card is now, and that are still there (R-19)."""
    base = s.where[me]
    return [m for m in s.minions_at[base] if m != me and owner(m) == owner(me) and s.played.get(m) == base]


def place_on_both(s: State, f: Frame) -> None:
    s.place(f.picks[-1], 1)
    s.place(f.source, 1)


def saves_my_minion(s: State, me: Piece, target: Piece) -> bool:
    return owner(me) == owner(target) and me in s.counters


def can_hand_on(s: State, me: Piece) -> bool:
    return me in s.counters and len(s.all_minions()) > 1


def anyone_else(s: State, f: Frame) -> list[Piece]:
    return [m for m in everyone(s, f) if m != f.source]


def hand_on_one(s: State, f: Frame) -> None:
    s.transfer(f.source, f.picks[-1], 1)


def left_to_move(s: State, f: Frame, piece: Piece) -> int:
    """How many of a minion's counters have not moved; the picks are triples of from, to and how many."""
    arrived: int = sum(n for to, n in zip(f.picks[1::3], f.picks[2::3], strict=False) if to == piece)
    return s.counters.get(piece, 0) - arrived


def targets_of(s: State, f: Frame, source: Piece) -> list[Piece]:
    """Your other minions that have not been sent counters from this one."""
    sent = [to for of, to in zip(f.picks[::3], f.picks[1::3], strict=False) if of == source]
    return [m for m in mine(s, f) if m != source and m not in sent]


def unmoved(s: State, f: Frame) -> list[Piece]:
    return [m for m in mine(s, f) if left_to_move(s, f, m) and targets_of(s, f, m)]


def not_sent_to(s: State, f: Frame) -> list[Piece]:
    return targets_of(s, f, f.picks[-1])


def unmoved_of_source(s: State, f: Frame) -> int:
    return left_to_move(s, f, f.picks[-2])


def send(s: State, f: Frame) -> None:
    s.transfer(*f.picks[-3:])


def not_picked(s: State, f: Frame) -> list[Piece]:
    return [m for m in mine(s, f) if m not in f.picks]


def place_one(s: State, f: Frame, piece: int) -> None:  # noqa: ARG001
    s.place(piece, 1)


def march(s: State, f: Frame) -> None:
    s.move(f.seat, f.picks[0], f.picks[1])


def place_two_on_first(s: State, f: Frame) -> None:
    s.place(f.picks[0], 2)


def counted_and_mine(s: State, me: Piece, target: Piece, seat: int) -> bool:
    return owner(target) == owner(me) != seat and target in s.counters


def counters_of_first(s: State, f: Frame) -> int:
    return s.counters.get(f.picks[0], 0)


def transfer_picked(s: State, f: Frame) -> None:
    source, target, number = f.picks
    s.transfer(source, target, number)


def my_counted_at_scored_base(s: State, f: Frame) -> list[Piece]:
    return [m for m in my_counted(s, f) if s.where[m] == s.scoring]


def double_counters(s: State, f: Frame) -> None:
    for m in my_counted(s, f):
        s.strengthen(m, s.counters[m])


def draw_as_many(s: State, f: Frame) -> None:
    s.draw(f.seat, taken_off(f))


CARDS = (
    minion(
        "killer-queen",
        "Killer Queen",
        power=4,
        copies=1,
        text="Talent: pick another minion that you played here this turn; a counter on it and on Killer Queen.",
        talent=Talent(
            lambda s, me: bool(played_here_this_turn(s, me)),
            (Pick(lambda s, f: played_here_this_turn(s, f.source)), place_on_both),
        ),
    ),
    minion(
        "drone",
        "Drone",
        power=3,
        copies=2,
        text="On play: a counter on Drone. You may take one off to save a minion of yours from being destroyed.",
        on_play=(place_on_self(1),),
        rescues=saves_my_minion,
    ),
    minion(
        "soldier",
        "Soldier",
        power=1,
        copies=3,
        text="On play: two counters on Soldier. Talent: move one of them to another minion.",
        on_play=(place_on_self(2),),
        talent=Talent(can_hand_on, (Pick(anyone_else), hand_on_one)),
    ),
    minion(
        "worker",
        "Worker",
        power=0,
        copies=4,
        text="On play: two counters on Worker.",
        on_play=(place_on_self(2),),
    ),
    action(
        "a-kind-of-magic",
        "A Kind of Magic",
        copies=1,
        text="Move any number of the counters on your minions to others of your minions.",
        on_play=(
            Pick(unmoved, may=True),
            Pick(not_sent_to),
            Number(unmoved_of_source),
            send,
            Again(4),
        ),
    ),
    action(
        "gimme-the-prize",
        "Gimme the Prize",
        copies=2,
        text="A counter on each of up to three of your minions.",
        on_play=(Each(not_picked, place_one, at_most=3),),
    ),
    action(
        "headlong",
        "Headlong",
        copies=1,
        text="Move a minion of yours to another base; then two counters on it.",
        on_play=(Pick(mine), Pick(other_bases, "base", skip=1), march, place_two_on_first),
    ),
    action(
        "the-show-must-go-on",
        "The Show Must Go On",
        copies=1,
        goes=Goes.ON_BASE,
        text="On a base: other players' cards do not affect your minions here that carry a counter.",
        wards=counted_and_mine,
    ),
    action(
        "under-pressure",
        "Under Pressure",
        copies=1,
        goes=Goes.BEFORE,
        text="Before a base scores: you may move any number of counters from one minion of yours to another minion.",
        on_play=(Pick(my_counted, may=True), Pick(any_other), Number(counters_of_first), transfer_picked),
    ),
    action(
        "we-are-the-champions",
        "We Are the Champions",
        copies=1,
        goes=Goes.AFTER,
        text="After a base scores: move any number of counters from one minion of yours there to another minion.",
        on_play=(
            Pick(my_counted_at_scored_base, may=True),
            Pick(any_other),
            Number(counters_of_first),
            transfer_picked,
        ),
    ),
    action(
        "we-will-rock-you",
        "We Will Rock You",
        copies=2,
        text="Each of your minions has as much more power as it carries counters, until end of turn.",
        on_play=(double_counters,),
    ),
    action(
        "who-wants-to-live-forever",
        "Who Wants to Live Forever?",
        copies=1,
        text="Take any number of counters off your minions; draw as many cards.",
        on_play=(*TAKE_COUNTERS_OFF, draw_as_many),
    ),
)

FACTION = Faction("giant-ants", "Giant Ants", CARDS)
