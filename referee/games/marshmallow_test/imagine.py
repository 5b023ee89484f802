"""Full states that a view allows, for searches that must guess what they cannot see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from random import Random

from referee.game import Seat, View
from referee.games.marshmallow_test.actions import DECK, HAND, NO_SUIT, PLAY_OF, SUITS, Play
from referee.games.marshmallow_test.state import Phase, State, in_order
from referee.games.marshmallow_test.view import PHASES

REST = -1
"""The owner of the cards that nobody was dealt."""


def imagined(view: View, seat: Seat, rng: Random) -> State:
    """A state that `view` allows. Every such state can come up; all are equally likely while nobody has shown a void.

    A seat that could not follow suit holds no card of that suit any more, and neither does what it laid aside.
    """
    tricks = [_plays(trick) for trick in (*view["tricks"], view["trick"])]
    trump = NO_SUIT if view["trump"] is None else SUITS.index(view["trump"])
    hands = _hands(view, seat, tricks, trump, rng)
    led, best, taker = _standing(tricks[-1], trump)
    seats = range(view["players"])
    inside = sum(1 << other for other in view["in"])
    turn = -1 if view["turn"] is None else view["turn"]
    return State(
        phase=Phase(PHASES.index(view["phase"])),
        round=view["round"],
        dealer=-1 if view["dealer"] is None else view["dealer"],
        points=tuple(view["points"]),
        trump=trump,
        hands=tuple(in_order(tuple(hands[other]), trump) for other in seats),
        won=tuple(view["tricks_won"]),
        inside=inside,
        turn=turn,
        left=0 if turn < 0 else inside.bit_count() - len(tricks[-1]),
        led=led,
        best=best,
        taker=taker,
        trick=view["trick"],
        tricks=tuple(view["tricks"]),
        winners=tuple(view["winners"]),
    )


def _plays(trick: str) -> list[tuple[Seat, Play]]:
    """The seats and cards of a trick from its spelling."""
    pairs = (entry.split(":") for entry in trick.split())
    return [(int(seat), PLAY_OF[card]) for seat, card in pairs]


def _standing(trick: Sequence[tuple[Seat, Play]], trump: int) -> tuple[int, Play | None, Seat]:
    """Led suit, best card and who played it, of an unfinished trick (M-R14)."""
    if not trick:
        return NO_SUIT, None, -1
    led = trick[0][1].suit
    taker, best = max(trick, key=lambda entry: (entry[1].suit == trump, entry[1].suit == led, entry[1].rank))
    return led, best, taker


def _voids(tricks: Iterable[Sequence[tuple[Seat, Play]]], trump: int) -> set[tuple[Seat, int]]:
    """Who has shown to hold no card of which suit."""
    found = set()
    for trick in tricks:
        trumped = False
        for seat, play in trick:
            led = trick[0][1].suit
            # M-R8: a trump on an earlier trump may come from a hand that could follow; any other stray card may not.
            if play.suit != led and not (play.suit == trump and trumped):
                found.add((seat, led))
            trumped = trumped or (play.suit == trump and led != trump)
    return found


def _hands(
    view: View, seat: Seat, tricks: Sequence[Sequence[tuple[Seat, Play]]], trump: int, rng: Random
) -> list[list[Play]]:
    """Cards of every seat: one's own as seen, the others' drawn from what is unseen."""
    hands: list[list[Play]] = [[] for _ in range(view["players"])]
    hands[seat] = [PLAY_OF[card] for card in view["hand"] or view["laid_aside"]]
    if view["round"] == 0:
        return hands
    shown = [entry for trick in tricks for entry in trick]
    gone = {play for _, play in shown} | set(hands[seat])
    unseen = [play for play in DECK if play not in gone]
    sizes = {other: HAND for other in range(view["players"]) if other != seat}
    for other, _ in shown:
        if other != seat:
            sizes[other] -= 1
    sizes[REST] = len(unseen) - sum(sizes.values())
    voids = {(owner, suit) for owner, suit in _voids(tricks, trump) if owner != seat}
    for play, owner in _dealt_out(unseen, sizes, voids, rng):
        if owner != REST:
            hands[owner].append(play)
    return hands


def _dealt_out(
    unseen: list[Play], sizes: dict[Seat, int], voids: set[tuple[Seat, int]], rng: Random
) -> Iterable[tuple[Play, Seat]]:
    """Each unseen card with an owner who may hold it, every owner getting as many as `sizes` says."""
    rng.shuffle(unseen)
    if not voids:
        owners = [owner for owner, size in sizes.items() for _ in range(size)]
        yield from zip(unseen, owners, strict=True)
        return
    # The suits that most owners lack go first; an owner is taken only if the rest can still be dealt after it.
    unseen.sort(key=lambda play: -sum((owner, play.suit) in voids for owner in sizes))
    supply = [sum(play.suit == suit for play in unseen) for suit in range(len(SUITS))]
    limits = _limits(sizes, voids)
    for play in unseen:
        supply[play.suit] -= 1
        open_to = [owner for owner, size in sizes.items() if size and (owner, play.suit) not in voids]
        while True:
            (owner,) = rng.choices(open_to, [sizes[other] for other in open_to])
            sizes[owner] -= 1
            if all(
                sum([supply[suit] for suit in suits]) <= sum([sizes[o] for o in takers]) for suits, takers in limits
            ):
                break
            sizes[owner] += 1
            open_to.remove(owner)
        yield play, owner


def _limits(owners: Collection[Seat], voids: set[tuple[Seat, int]]) -> list[tuple[tuple[int, ...], list[Seat]]]:
    """Sets of suits that not everybody may hold, each with those who may hold some of it.

    The cards that are left can be dealt just when for each of these sets there is room for its cards (Hall's theorem);
    a set that everybody may hold a part of always has room, for there are as many cards as places.
    """
    found = []
    for number in range(1, len(SUITS) + 1):
        for suits in combinations(range(len(SUITS)), number):
            takers = [owner for owner in owners if any((owner, suit) not in voids for suit in suits)]
            if len(takers) < len(owners):
                found.append((suits, takers))
    return found
