"""A position of Sbam! and the ways in which it goes on: a deal or refill, a tick, an answer, the end of a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Final, NamedTuple

from referee.game import CHANCE, IllegalAction, Seat
from referee.games.sbam.actions import OOPS, Action, Drawn
from referee.games.sbam.cards import COPIES, HAND, SBAM, Card
from referee.games.sbam.cards import OOPS as OOPS_CARD
from referee.games.sbam.fights import Check, check
from referee.games.sbam.hands import EMPTY, Hand

DEAL: Final = "deal"
COMMIT: Final = "commit"
WINDOW: Final = "window"
REFILL: Final = "refill"
OVER: Final = "over"
CHECK: Final = "check"
"""The round has ended and is not yet reckoned; no position that leaves the engine is in this phase."""

OUT_AT: Final = 5
QUIET_LIMIT: Final = 50
ROUND_LIMIT: Final = 200
"""The guard of the harness, not a rule of the game (B-R50): rounds in a row without damage, and rounds in all."""

CAUSES: Final = ("sbam", "triple", "pile", "passes")
NATURE: Final = (CHANCE,)


class Standing(NamedTuple):
    """What changes only between rounds; tuples named by seat have an entry for every seat, eliminated ones included."""

    round: int
    """From 1."""
    alive: tuple[Seat, ...]
    """The seats still in, clockwise; gaps close by themselves (B-R41)."""
    damage: tuple[int, ...]
    """Tokens by seat: plain numbers, their supply never runs out (B-R38)."""
    out: tuple[int, ...]
    """The round in which each seat was eliminated, 0 while it is in."""
    quiet: int
    """Rounds in a row without damage."""
    ended: tuple[int, ...]
    """Rounds ended so far by each of `CAUSES`."""
    oopses: int
    """Oops plays in the rounds before."""


@dataclass(slots=True, unsafe_hash=True)
class State:
    """A position; tuples named by seat have an entry for every seat, eliminated ones included.

    A value like any other; it is not declared frozen, since the steps below make it much cheaper by filling a bare one.
    """

    asked: tuple[Seat, ...]
    phase: str
    standing: Standing
    tick: int
    """From 1 in each round; 0 before its deal."""
    hands: tuple[Hand, ...]
    """By seat."""
    left: tuple[str, ...]
    """By seat, what lies on its side of the rope to its left, in the order played: names with blanks between.

    Views carry sides in this very form, which nobody can change, so it need not be copied.
    """
    right: tuple[str, ...]
    """By seat, what lies on its side of the rope to its right."""
    pile: tuple[Card, ...]
    """What can still be drawn, without an order: nobody has looked. One pile stands for the several (B-R2)."""
    bound: tuple[int, ...]
    """By seat, how many of its cards the whole table knows to be Sbam! or Oops, by a pass of this round."""
    trail: str
    """The ticks of the round with blanks between, each a letter for every seat still in, in their order.

    `L` and `R` are plays, `P` is a pass, a digit the number of Sbam! cards.
    """
    calls: tuple[tuple[Seat, int], ...]
    """The Sbam! plays of this tick that may still be answered: seat and number."""
    cancelled: tuple[tuple[Seat, int], ...]
    """The Sbam! plays that Oops undid in this round; they have no effect any more and stay out (B-R20)."""
    oops: tuple[Seat, int] | None
    """Who played Oops in this round, and in which tick."""


_new = tuple.__new__  # a third of the cost of calling a named tuple with so many values
_bare = object.__new__  # half the cost of calling State


def opening(seats: int, cards: tuple[Card, ...]) -> State:
    """The position before the first deal; `cards` is the whole deck."""
    zeros = (0,) * seats
    return _between(Standing(1, tuple(range(seats)), zeros, zeros, 0, (0,) * len(CAUSES), 0), cards, over=False)


def _between(standing: Standing, cards: tuple[Card, ...], over: bool) -> State:
    """The position between two rounds: all cards, hands included, are back in the pile (B-R47)."""
    seats = len(standing.damage)
    none, bare = (EMPTY,) * seats, ("",) * seats
    phase, asked = (OVER, ()) if over else (DEAL, NATURE)
    return State(asked, phase, standing, 0, none, bare, bare, cards, (0,) * seats, "", (), (), None)


def pick(state: State, random: Callable[[], float]) -> tuple[Drawn, State]:
    """A deal or refill in seat order, each card by one number of `random` from what the pile holds; and where it leads.

    The k-th card of a round depends on the k numbers alone, not on who draws it.
    """
    pile, hands = list(state.pile), list(state.hands)
    drawn: list[tuple[Card, ...]] = [()] * len(hands)
    left = len(pile)
    for seat in state.standing.alive:
        hand = hands[seat]
        due = HAND - len(hand.cards)
        if due > left:
            due = left
        if due == 1:
            card = pile.pop(int(random() * left))
            drawn[seat] = (card,)
            hands[seat] = hand.grown.get(card) or hand.grow(card)
        elif due:
            drawn[seat] = cards = tuple([pile.pop(int(random() * n)) for n in range(left, left - due, -1)])
            hands[seat] = hand.fill(cards)
        left -= due
    return _new(Drawn, (tuple(drawn),)), _after_draw(state, hands, pile)


def draw_in(state: State, drawn: Drawn) -> State:
    """The position after a deal or refill from elsewhere. Raises IllegalAction when it could not be drawn now."""
    pile, hands, alive = list(state.pile), list(state.hands), state.standing.alive
    if len(drawn.cards) != len(hands):
        raise IllegalAction(f"a draw for {len(drawn.cards)} seats where {len(hands)} play")
    for seat, cards in enumerate(drawn.cards):
        due = min(HAND - len(hands[seat].cards), len(pile)) if seat in alive else 0
        if len(cards) != due:
            raise IllegalAction(f"seat {seat} draws {len(cards)} cards where {due} are due")
        for card in cards:
            if card not in pile:
                raise IllegalAction(f"seat {seat} draws {card}, and the pile holds none")
            pile.remove(card)
        hands[seat] = hands[seat].fill(cards)
    return _after_draw(state, hands, pile)


def _after_draw(state: State, hands: list[Hand], pile: list[Card]) -> State:
    """Step 4 of a tick done: the next tick, or the end of the round."""
    after = _bare(State)
    # The pile is empty when its last card has just been drawn; that ends the round at once (B-R23, B-R25).
    after.phase, after.asked = (COMMIT, state.standing.alive) if pile else (CHECK, ())
    after.standing = state.standing
    after.tick = state.tick + 1
    after.hands = tuple(hands)
    after.left = state.left
    after.right = state.right
    after.pile = tuple(pile)
    after.bound = state.bound
    after.trail = state.trail
    after.calls = ()
    after.cancelled = state.cancelled
    after.oops = state.oops
    return after


def land(state: State, actions: Mapping[Seat, Action]) -> State:
    """The position after a tick's commits, all of them at once (B-R3, B-R10). Raises IllegalAction."""
    hands, left, right = [*state.hands], [*state.left], [*state.right]
    alive, bound = state.standing.alive, state.bound
    calls: tuple[tuple[Seat, int], ...] = ()
    letters, passes = "", 0
    for seat in alive:
        try:
            hands[seat], letter, card = hands[seat].outcomes[actions[seat]]
        except KeyError:
            raise IllegalAction(f"seat {seat} may not {actions[seat]} now") from None
        letters += letter
        if letter == "L":
            left[seat] = f"{side} {card}" if (side := left[seat]) else card
        elif letter == "R":
            right[seat] = f"{side} {card}" if (side := right[seat]) else card
        elif letter == "P":
            bound = _with(bound, seat, HAND)
            passes += 1
        else:  # Sbam! cards go to the middle and lie at no rope (B-R9)
            count = int(letter)
            calls += ((seat, count),)
            bound = _with(bound, seat, max(0, bound[seat] - count))
    after = _bare(State)
    after.phase, after.asked = REFILL, NATURE
    if calls:
        after.asked = asked = answerers(alive, bound, calls, oops_gone=state.oops is not None)
        after.phase = WINDOW if asked else CHECK
    elif passes == len(alive):
        after.phase, after.asked = CHECK, ()
    after.standing = state.standing
    after.tick = state.tick
    after.hands = tuple(hands)
    after.left = tuple(left)
    after.right = tuple(right)
    after.pile = state.pile
    after.bound = bound
    after.trail = f"{state.trail} {letters}" if state.trail else letters
    after.calls = calls
    after.cancelled = state.cancelled
    after.oops = state.oops
    return after


def _with(bound: tuple[int, ...], seat: Seat, number: int) -> tuple[int, ...]:
    return (*bound[:seat], number, *bound[seat + 1 :])


def answerers(
    alive: tuple[Seat, ...], bound: Sequence[int], calls: tuple[tuple[Seat, int], ...], oops_gone: bool
) -> tuple[Seat, ...]:
    """The seats that could hold Oops and answer a Sbam! with it, as far as the whole table knows; public facts only.

    Whoever called may not answer (B-R17). Oops is out for the round once played. A bound card is Sbam! or Oops, so
    the table can count: while the bound cards are no more than the Sbam! cards unseen, Oops can be anywhere; one more,
    and it must be among the bound ones. (No earlier call of this round can still count here: it would have taken Oops
    with it.)
    """
    if oops_gone:
        return ()
    callers, unseen = [], COPIES[SBAM]
    for seat, count in calls:
        callers.append(seat)
        unseen -= count
    anywhere = sum(bound) <= unseen
    return tuple([seat for seat in alive if seat not in callers and (anywhere or bound[seat])])


def answer(state: State, actions: Mapping[Seat, Action]) -> State:
    """The position after the window. Raises IllegalAction.

    The window comes before the refill, so Oops was in hand when the tick began (B-R18); its player's own play of this
    tick stands (B-R22). One Oops undoes every call of the tick (B-R19), and the round goes on with full hands (B-R21).
    """
    for seat in state.asked:
        if actions[seat] is OOPS:
            hands = list(state.hands)
            if OOPS_CARD not in hands[seat].cards:
                raise IllegalAction(f"seat {seat} may not play Oops without holding it")
            hands[seat] = hands[seat].without((OOPS_CARD,))
            bound = _with(state.bound, seat, max(0, state.bound[seat] - 1))
            return State(
                NATURE, REFILL, state.standing, state.tick, tuple(hands), state.left, state.right, state.pile,
                bound, state.trail, (), state.calls, (seat, state.tick)
            )  # fmt: skip
    return State(
        (), CHECK, state.standing, state.tick, state.hands, state.left, state.right, state.pile, state.bound,
        state.trail, state.calls, state.cancelled, state.oops
    )  # fmt: skip


def reckon(state: State) -> Check:
    """The tokens of a round that has ended; `state` is in the phase `check`.

    A Sbam! that stands decides the round before the draw, even if that draw would have emptied the pile (B-R24).
    """
    cause = "sbam" if state.calls else "passes" if state.pile else "pile"
    return check(state.standing.alive, state.left, state.right, state.calls, cause)


def close(state: State, found: Check, cards: tuple[Card, ...]) -> State:
    """The position after a round: tokens dealt together, then whoever has 5 or more is out (B-R39, B-R48).

    `found` is the round's reckoning, `cards` the whole deck, which goes back into the pile.
    """
    now = state.standing
    alive, out, hurt = now.alive, now.out, found.hurt
    damage = tuple(map(add, now.damage, hurt))
    if max([damage[seat] for seat in alive]) >= OUT_AT:  # more than 5 is as good as 5 (B-R40)
        gone = [seat for seat in alive if damage[seat] >= OUT_AT]
        alive = tuple(seat for seat in alive if seat not in gone)
        out = tuple(now.round if seat in gone else number for seat, number in enumerate(out))
    quiet = 0 if any(hurt) else now.quiet + 1
    at = CAUSES.index(found.cause)
    ended = (*now.ended[:at], now.ended[at] + 1, *now.ended[at + 1 :])
    over = len(alive) < 2 or quiet >= QUIET_LIMIT or now.round >= ROUND_LIMIT
    number = now.round if over else now.round + 1
    oopses = now.oopses + (state.oops is not None)
    return _between(_new(Standing, (number, alive, damage, out, quiet, ended, oopses)), cards, over)
