"""A position of Sbam! and the ways in which it goes on: a deal or refill, a tick, an answer, the end of a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from referee.game import CHANCE, IllegalAction, Seat
from referee.games.sbam.actions import OOPS, Action, Drawn, outcomes, without_oops
from referee.games.sbam.cards import COPIES, HAND, SBAM, Card, in_order
from referee.games.sbam.fights import Check, check

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


class State(NamedTuple):
    """A position; tuples named by seat have an entry for every seat, eliminated ones included."""

    asked: tuple[Seat, ...]
    phase: str
    round: int
    """From 1."""
    tick: int
    """From 1 in each round; 0 before its first deal."""
    alive: tuple[Seat, ...]
    """The seats still in, clockwise; gaps close by themselves (B-R41)."""
    damage: tuple[int, ...]
    """Tokens by seat: plain numbers, their supply never runs out (B-R38)."""
    out: tuple[int, ...]
    """The round in which each seat was eliminated, 0 while it is in."""
    hands: tuple[tuple[Card, ...], ...]
    """By seat, in the order of the deck."""
    left: tuple[tuple[Card, ...], ...]
    """By seat, what lies on its side of the rope to its left, in the order played."""
    right: tuple[tuple[Card, ...], ...]
    """By seat, what lies on its side of the rope to its right, in the order played."""
    pile: tuple[Card, ...]
    """What can still be drawn, without an order: nobody has looked. One pile stands for the several (B-R2)."""
    bound: tuple[int, ...]
    """By seat, how many of its cards the whole table knows to be Sbam! or Oops, by a pass of this round."""
    trail: tuple[str, ...]
    """By seat, a letter for each tick of the round: `L`, `R`, `P` for a pass, or the number of Sbam! cards."""
    calls: tuple[tuple[Seat, int], ...]
    """The Sbam! plays of this tick that may still be answered: seat and number."""
    cancelled: tuple[tuple[Seat, int], ...]
    """The Sbam! plays that Oops undid in this round; they have no effect any more and stay out (B-R20)."""
    oops: tuple[Seat, int] | None
    """Who played Oops in this round, and in which tick."""
    quiet: int
    """Rounds in a row without damage."""
    ended: tuple[int, int, int, int]
    """Rounds ended so far by each of `CAUSES`."""
    oopses: int
    """Oops plays so far."""


def opening(seats: int, cards: tuple[Card, ...]) -> State:
    """The position before the first deal."""
    zeros = (0,) * seats
    return _fresh(1, tuple(range(seats)), zeros, zeros, cards, 0, (0, 0, 0, 0), 0)


def _fresh(
    number: int,
    alive: tuple[Seat, ...],
    damage: tuple[int, ...],
    out: tuple[int, ...],
    cards: tuple[Card, ...],
    quiet: int,
    ended: tuple[int, int, int, int],
    oopses: int,
    over: bool = False,
) -> State:
    """The position between two rounds: all cards, hands included, are back in the pile (B-R47)."""
    none: tuple[tuple[Card, ...], ...] = ((),) * len(damage)
    phase, asked = (OVER, ()) if over else (DEAL, NATURE)
    bound, trail = (0,) * len(damage), ("",) * len(damage)
    return State(
        asked, phase, number, 0, alive, damage, out, none, none, none, cards, bound, trail, (), (), None, quiet, ended,
        oopses,
    )  # fmt: skip


def draw_in(state: State, drawn: Drawn) -> State:
    """The position after a deal or refill, in seat order from the lowest (step 4 of a tick). Raises IllegalAction."""
    pile, hands = list(state.pile), list(state.hands)
    if len(drawn.cards) != len(hands):
        raise IllegalAction(f"a draw for {len(drawn.cards)} seats where {len(hands)} play")
    for seat, cards in enumerate(drawn.cards):
        due = min(HAND - len(hands[seat]), len(pile)) if seat in state.alive else 0
        if len(cards) != due:
            raise IllegalAction(f"seat {seat} draws {len(cards)} cards where {due} are due")
        if not cards:
            continue
        try:
            for card in cards:
                pile.remove(card)
        except ValueError:
            raise IllegalAction(f"seat {seat} draws {', '.join(cards)}, and the pile does not hold that") from None
        hands[seat] = in_order(hands[seat] + cards)
    # The pile is empty when its last card has just been drawn; that ends the round at once (B-R23, B-R25).
    phase, asked = (COMMIT, state.alive) if pile else (CHECK, ())
    return State(
        asked, phase, state.round, state.tick + 1 if pile else state.tick, state.alive, state.damage, state.out,
        tuple(hands), state.left, state.right, tuple(pile), state.bound, state.trail, (), state.cancelled,
        state.oops, state.quiet, state.ended, state.oopses,
    )  # fmt: skip


def land(state: State, actions: Mapping[Seat, Action]) -> State:
    """The position after a tick's commits, all of them at once (B-R3, B-R10). Raises IllegalAction."""
    hands, left, right = list(state.hands), list(state.left), list(state.right)
    bound, trail = list(state.bound), list(state.trail)
    calls: tuple[tuple[Seat, int], ...] = ()
    passes = 0
    for seat in state.alive:
        move = actions[seat]
        rest = outcomes(hands[seat]).get(move)
        if rest is None or isinstance(move, Drawn):
            raise IllegalAction(f"seat {seat} may not play {move}")
        hands[seat] = rest
        letter = move.letter
        trail[seat] += letter
        if letter == "L":
            left[seat] += move.cards
        elif letter == "R":
            right[seat] += move.cards
        elif letter == "P":
            bound[seat] = HAND
            passes += 1
        else:  # Sbam! cards go to the middle and lie at no rope (B-R9)
            count = len(move.cards)
            calls += ((seat, count),)
            bound[seat] = max(0, bound[seat] - count)
    asked: tuple[Seat, ...] = NATURE
    phase = REFILL
    if calls:
        asked = answerers(state.alive, bound, calls, state.oops is not None)
        phase = WINDOW if asked else CHECK
    elif passes == len(state.alive):
        asked, phase = (), CHECK
    return State(
        asked, phase, state.round, state.tick, state.alive, state.damage, state.out, tuple(hands), tuple(left),
        tuple(right), state.pile, tuple(bound), tuple(trail), calls, state.cancelled, state.oops, state.quiet,
        state.ended, state.oopses,
    )  # fmt: skip


def answerers(
    alive: tuple[Seat, ...], bound: list[int] | tuple[int, ...], calls: tuple[tuple[Seat, int], ...], oops_gone: bool
) -> tuple[Seat, ...]:
    """The seats that could hold Oops and answer a Sbam! with it, as far as the whole table knows; public facts only.

    Whoever called may not answer (B-R17). Oops is out for the round once played. A bound card is Sbam! or Oops, so
    the table can count: while the bound cards are no more than the Sbam! cards unseen, Oops can be anywhere; one more,
    and it must be among the bound ones. (No earlier call of this round can still count here: it would have taken Oops
    with it.)
    """
    if oops_gone:
        return ()
    callers = [seat for seat, _ in calls]
    unseen = COPIES[SBAM] - sum(count for _, count in calls)
    anywhere = sum(bound) <= unseen
    return tuple(seat for seat in alive if seat not in callers and (anywhere or bound[seat]))


def answer(state: State, actions: Mapping[Seat, Action]) -> State:
    """The position after the window. Raises IllegalAction.

    The window comes before the refill, so Oops was in hand when the tick began (B-R18); its player's own play of this
    tick stands (B-R22). One Oops undoes every call of the tick (B-R19), and the round goes on with full hands (B-R21).
    """
    for seat in state.asked:
        if actions[seat] is OOPS:
            hands, bound = list(state.hands), list(state.bound)
            hands[seat] = without_oops(hands[seat])
            bound[seat] = max(0, bound[seat] - 1)
            return State(
                NATURE, REFILL, state.round, state.tick, state.alive, state.damage, state.out, tuple(hands),
                state.left, state.right, state.pile, tuple(bound), state.trail, (), state.calls, (seat, state.tick),
                state.quiet, state.ended, state.oopses + 1,
            )  # fmt: skip
    return state._replace(asked=(), phase=CHECK)


def reckon(state: State) -> Check:
    """The tokens of a round that has ended; `state` is in the phase `check`.

    A Sbam! that stands decides the round before the draw, even if that draw would have emptied the pile (B-R24).
    """
    cause = "sbam" if state.calls else "passes" if state.pile else "pile"
    return check(state.alive, state.left, state.right, state.calls, cause)


def close(state: State, cards: tuple[Card, ...]) -> State:
    """The position after a round that has ended: tokens dealt together, then eliminations (B-R39, B-R48).

    The next round follows with all cards in the pile; `cards` is the whole deck.
    """
    found = reckon(state)
    damage = tuple(map(sum, zip(state.damage, found.hurt, strict=True)))
    alive = tuple(seat for seat in state.alive if damage[seat] < OUT_AT)  # more than 5 is as good as 5 (B-R40)
    out = state.out
    if len(alive) < len(state.alive):
        gone = set(state.alive).difference(alive)
        out = tuple(state.round if seat in gone else number for seat, number in enumerate(out))
    quiet = 0 if any(found.hurt) else state.quiet + 1
    at = CAUSES.index(found.cause)
    ended = state.ended
    ended = (*ended[:at], ended[at] + 1, *ended[at + 1 :])  # type: ignore[assignment]
    over = len(alive) < 2 or quiet >= QUIET_LIMIT or state.round >= ROUND_LIMIT
    number = state.round if over else state.round + 1
    return _fresh(number, alive, damage, out, cards, quiet, ended, state.oopses, over)


def advance(state: State, actions: Mapping[Seat, Action]) -> State:
    """The position after these actions with a round that has ended left unreckoned. Raises IllegalAction."""
    if state.phase == COMMIT:
        return land(state, actions)
    if state.phase == WINDOW:
        return answer(state, actions)
    drawn = actions[CHANCE]
    if not isinstance(drawn, Drawn):
        raise IllegalAction(f"nature draws cards here, it may not {drawn}")
    return draw_in(state, drawn)
