"""The state of a game of The Marshmallow Test and how a card changes it.

A state is made of tuples, numbers and strings, so that a step costs about a microsecond. Who is still in the round is
a bit mask, one bit for each seat; finished tricks are kept in the very spelling that views carry.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from referee.game import Seat
from referee.games.marshmallow_test.actions import DECK, HAND, MOST_SEATS, NO_SUIT, PLACE, SUITS, Play

THRESHOLD: Final = {2: 6, 3: 4, 4: 3, 5: 3}
"""Players -> tricks that put a seat out of the round. The rulebook's table is lost; reconstructed (rules page, 2)."""
TARGET: Final = 20
"""Points that win at once."""
ROUND_LIMIT: Final = 200
"""M-R29: a guard of the harness against endless two-player games, not a rule."""


class Phase(IntEnum):
    """What the game waits for."""

    FIRST_DEALER = 0
    DEAL = 1
    TRUMP = 2
    PLAY = 3
    OVER = 4


FIRST_DEALER, DEAL, TRUMP, PLAY, OVER = Phase


@dataclass(slots=True, unsafe_hash=True)
class State:
    """Everything about a game at one moment.

    A value like any other; it is not declared frozen, since the steps below make it much cheaper by filling a bare one.
    """

    phase: Phase
    round: int
    """From 1; 0 before the first deal. It rises with the deal, so between rounds the last one still lies open."""
    dealer: Seat
    """Who deals, or will deal next; -1 before nature chose the first."""
    points: tuple[int, ...]
    trump: int
    """Index into `SUITS`, or `NO_SUIT` (M-R4)."""
    hands: tuple[tuple[Play, ...], ...]
    """Cards in hand, mildest first; of a seat that is out, what it laid aside (M-R18)."""
    won: tuple[int, ...]
    """Tricks taken in this round."""
    inside: int
    """Bit mask of the seats still in the round."""
    turn: Seat
    """Who plays or names trump next; -1 when nobody does."""
    left: int
    """Cards still to come to the current trick."""
    led: int
    """Suit of the current trick, or `NO_SUIT` before its first card."""
    best: Play | None
    """The card that wins the current trick so far; None before its first card."""
    taker: Seat
    """Who played `best`; -1 before the first card."""
    trick: str
    """The current trick as views spell it: `seat:card` in order of play, with blanks between."""
    tricks: tuple[str, ...]
    """The finished tricks of this round, spelled likewise."""
    winners: tuple[Seat, ...]
    """Who took each finished trick."""


def _next_table() -> tuple[tuple[Seat, ...], ...]:
    def after(mask: int, seat: Seat) -> Seat:
        around = ((seat + step) % MOST_SEATS for step in range(1, MOST_SEATS + 1))
        return next((other for other in around if mask >> other & 1), -1)

    return tuple(tuple(after(mask, seat) for seat in range(MOST_SEATS)) for mask in range(1 << MOST_SEATS))


NEXT: Final = _next_table()
"""Mask of seats -> seat -> the next seat clockwise that is in the mask (M-R28); unused bits make it fit any table."""
SEATS_IN: Final = tuple(
    tuple(seat for seat in range(MOST_SEATS) if mask >> seat & 1) for mask in range(1 << MOST_SEATS)
)
"""Mask of seats -> those seats, rising."""


IS_TRUMP: Final = tuple({play: play.suit == suit for play in DECK} for suit in range(len(SUITS)))
"""Trump suit -> card -> whether it is one."""


_bare = object.__new__  # half the cost of calling State with sixteen values


def dealt(before: State, hands: tuple[tuple[Play, ...], ...]) -> State:
    """The state after a deal: round 1 is led at once and has no trump (M-R4), later ones wait for a trump (M-R5)."""
    seats = len(before.points)
    return State(
        TRUMP if before.round else PLAY,
        before.round + 1,
        before.dealer,
        before.points,
        NO_SUIT,
        hands,
        (0,) * seats,
        (1 << seats) - 1,
        before.dealer,
        seats,
        NO_SUIT,
        None,
        -1,
        "",
        (),
        (),
    )


def named(before: State, suit: int) -> State:
    """The state after the dealer named a trump; trumps move to the end of every hand, being the least mild."""
    is_trump = IS_TRUMP[suit].__getitem__
    return State(
        PLAY,
        before.round,
        before.dealer,
        before.points,
        suit,
        tuple([tuple(sorted(hand, key=is_trump)) for hand in before.hands]),
        before.won,
        before.inside,
        before.turn,
        before.left,
        NO_SUIT,
        None,
        -1,
        "",
        (),
        (),
    )


def in_order(hand: tuple[Play, ...], trump: int) -> tuple[Play, ...]:
    """A hand from its mildest card to its strongest: low before high, plain suits before trumps."""
    return tuple(sorted(hand, key=lambda play: (play.suit == trump, PLACE[play])))


def played(before: State, play: Play) -> State:
    """The state after the seat on turn played a card that is legal."""
    turn, trick, led, best, taker = before.turn, before.trick, before.led, before.best, before.taker
    hands = [*before.hands]
    hand = [*hands[turn]]
    hand.remove(play)
    hands[turn] = tuple(hand)
    suit = play.suit
    if best is None:
        led, best, taker, trick = suit, play, turn, play.opening[turn]
    else:
        trick += play.following[turn]
        # M-R14: `best` is of the led suit or a trump, so an equal suit is beaten by rank and another only by a trump.
        if play.rank > best.rank if suit == best.suit else suit == before.trump:
            best, taker = play, turn
    after = _bare(State)
    after.round = before.round
    after.trump = before.trump
    after.hands = tuple(hands)
    if before.left == 1:
        _take_trick(before, after, taker, trick)
        return after
    after.phase = before.phase
    after.dealer = before.dealer
    after.points = before.points
    after.won = before.won
    after.inside = inside = before.inside
    after.turn = NEXT[inside][turn]
    after.left = before.left - 1
    after.led = led
    after.best = best
    after.taker = taker
    after.trick = trick
    after.tricks = before.tricks
    after.winners = before.winners
    return after


def _take_trick(before: State, after: State, taker: Seat, trick: str) -> None:
    """Fill in what follows when a trick is complete: its winner may go out, and the round or the game may be over."""
    phase, dealer, points, inside, turn = before.phase, before.dealer, before.points, before.inside, taker
    tricks = (*before.tricks, trick)
    won = [*before.won]
    won[taker] = taken = won[taker] + 1
    over = False
    if taken == THRESHOLD[len(won)]:  # M-R15: out, whether he likes or not
        # M-R16: all other seats' tricks, one point each, those of seats already out included.
        gained = points[taker] + len(tricks) - taken
        points = (*points[:taker], gained, *points[taker + 1 :])
        over = gained >= TARGET  # M-R24
        inside &= ~(1 << taker)
        turn = NEXT[inside][taker]  # M-R17
    left = len(SEATS_IN[inside])
    if over:
        phase, turn, left = OVER, -1, 0
    elif left == 1 or len(tricks) == HAND:
        # Those still in get nothing. Who would lead deals: the one left (M-R20, M-R23), after trick 12 its winner or,
        # if he went out with it, the next one in (M-R22).
        phase, dealer, turn, left = DEAL if before.round < ROUND_LIMIT else OVER, turn, -1, 0
    after.phase = phase
    after.dealer = dealer
    after.points = points
    after.won = tuple(won)
    after.inside = inside
    after.turn = turn
    after.left = left
    after.led = NO_SUIT
    after.best = None
    after.taker = -1
    after.trick = ""
    after.tricks = tricks
    after.winners = (*before.winners, taker)
