"""What a seat may know of a position, and the positions that such a view allows."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from referee.game import Json, Seat, View
from referee.games.sbam.cards import OOPS, SBAM, Card, arranged, in_order
from referee.games.sbam.state import CAUSES, COMMIT, NATURE, OVER, WINDOW, State, answerers

_DECIDING: Final = (COMMIT, WINDOW)


def public(state: State) -> View:
    """What the whole table knows (B-R51): all but the hands and which cards the pile holds."""
    alive, left, right = state.alive, state.left, state.right
    ropes = []
    if len(alive) > 1:
        other = alive[1:] + alive[:1]
        ropes = [
            {"left_seat": a, "left": list(left[a]), "right_seat": b, "right": list(right[b])}
            for a, b in zip(alive, other, strict=True)
        ]
    oops = state.oops
    return {
        "phase": state.phase,
        "asked": list(state.asked) if state.phase in _DECIDING else [],
        "round": state.round,
        "tick": state.tick,
        "alive": list(alive),
        "damage": list(state.damage),
        "out": list(state.out),
        "hand_sizes": list(map(len, state.hands)),
        "pile": len(state.pile),
        "ropes": ropes,
        "trail": list(state.trail),
        "bound": list(state.bound),
        "calls": calls_json(state.calls),
        "cancelled": calls_json(state.cancelled),
        "oops": None if oops is None else {"seat": oops[0], "tick": oops[1]},
        "quiet": state.quiet,
        "rounds_ended": dict(zip(CAUSES, state.ended, strict=True)),
        "oops_played": state.oopses,
    }


def calls_json(calls: tuple[tuple[Seat, int], ...]) -> list[Json]:
    """Sbam! plays as views and events show them."""
    return [{"seat": seat, "count": count} for seat, count in calls]


def whole(state: State) -> View:
    """The position with its secrets, for replays."""
    return {**public(state), "hands": [list(hand) for hand in state.hands], "pile_cards": list(state.pile)}


def imagined(view: View, seat: Seat, cards: tuple[Card, ...], rng: Random) -> State:
    """A position that this view allows; `cards` is the whole deck. Every deal of the unseen cards is equally likely.

    The cards that the table knows to be Sbam! or Oops are dealt first, from those unseen; all others go anywhere.
    """
    left, right = _sides(view)
    calls, cancelled = _calls(view["calls"]), _calls(view["cancelled"])
    hand: tuple[Card, ...] = tuple(view["hand"])
    seen = Counter(hand)
    for side in (*left, *right):
        seen.update(side)
    seen[SBAM] += sum(count for _, count in calls + cancelled)
    seen[OOPS] += view["oops"] is not None
    unseen = list((Counter(cards) - seen).elements())
    bound: list[int] = view["bound"]
    specials = [card for card in unseen if card in (SBAM, OOPS)]
    known = rng.sample(specials, sum(bound) - bound[seat])
    for card in known:
        unseen.remove(card)
    rng.shuffle(unseen)
    hands = [hand if s == seat else _deal(known, unseen, bound[s], size) for s, size in enumerate(view["hand_sizes"])]
    alive, phase, oops = tuple(view["alive"]), view["phase"], view["oops"]
    asked: tuple[Seat, ...] = () if phase == OVER else NATURE
    if phase == COMMIT:
        asked = alive
    elif phase == WINDOW:
        asked = answerers(alive, bound, calls, oops is not None)
    ended = view["rounds_ended"]
    return State(
        asked, phase, view["round"], view["tick"], alive, tuple(view["damage"]), tuple(view["out"]), tuple(hands),
        left, right, arranged(unseen), tuple(bound), tuple(view["trail"]), calls, cancelled,
        None if oops is None else (oops["seat"], oops["tick"]), view["quiet"],
        (ended["sbam"], ended["triple"], ended["pile"], ended["passes"]), view["oops_played"],
    )  # fmt: skip


def _deal(known: list[Card], unseen: list[Card], bound: int, size: int) -> tuple[Card, ...]:
    """A hand off the ends of the two lists, in the order of the deck."""
    hand = [known.pop() for _ in range(bound)] + [unseen.pop() for _ in range(size - bound)]
    return in_order(tuple(hand))


def _sides(view: View) -> tuple[tuple[tuple[Card, ...], ...], tuple[tuple[Card, ...], ...]]:
    none: tuple[Card, ...] = ()
    left, right = [none] * len(view["damage"]), [none] * len(view["damage"])
    for rope in view["ropes"]:
        left[rope["left_seat"]] = tuple(rope["left"])
        right[rope["right_seat"]] = tuple(rope["right"])
    return tuple(left), tuple(right)


def _calls(data: list[Json]) -> tuple[tuple[Seat, int], ...]:
    return tuple((call["seat"], call["count"]) for call in data)
