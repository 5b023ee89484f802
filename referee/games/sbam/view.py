"""What a seat may know of a position, and the positions that such a view allows."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from referee.game import Json, Seat, View
from referee.games.sbam.cards import OOPS, SBAM, Card, arranged
from referee.games.sbam.hands import Hand, hand_of
from referee.games.sbam.state import CAUSES, COMMIT, NATURE, OVER, WINDOW, Standing, State, answerers

_DECIDING: Final = (COMMIT, WINDOW)


def public(state: State) -> View:
    """What the whole table knows (B-R51): all but the hands and which cards the pile holds."""
    number, alive, damage, out, quiet, (sbam, triple, pile, passes), oopses = state.standing
    phase, calls, cancelled, oops = state.phase, state.calls, state.cancelled, state.oops
    return {
        "phase": phase,
        "asked": [*state.asked] if phase in _DECIDING else [],
        "round": number,
        "tick": state.tick,
        "alive": [*alive],
        "damage": [*damage],
        "out": [*out],
        "hand_sizes": [len(hand.cards) for hand in state.hands],
        "pile": len(state.pile),
        "left": [*state.left],
        "right": [*state.right],
        "trail": state.trail,
        "bound": [*state.bound],
        "calls": calls_json(calls) if calls else [],
        "cancelled": calls_json(cancelled) if cancelled else [],
        "oops": None if oops is None else {"seat": oops[0], "tick": oops[1]},
        "quiet": quiet,
        "rounds_ended": {"sbam": sbam, "triple": triple, "pile": pile, "passes": passes},
        "oops_played": oopses + (oops is not None),
    }


def calls_json(calls: tuple[tuple[Seat, int], ...]) -> list[Json]:
    """Sbam! plays as views and events show them."""
    return [{"seat": seat, "count": count} for seat, count in calls]


def whole(state: State) -> View:
    """The position with its secrets, for replays."""
    return {**public(state), "hands": [list(hand.cards) for hand in state.hands], "pile_cards": list(state.pile)}


def imagined(view: View, seat: Seat, cards: tuple[Card, ...], rng: Random) -> State:
    """A position that this view allows; `cards` is the whole deck. Every deal of the unseen cards is equally likely.

    The cards that the table knows to be Sbam! or Oops are dealt first, from those unseen; all others go anywhere.
    """
    calls, cancelled = _calls(view["calls"]), _calls(view["cancelled"])
    hand = hand_of(tuple(view["hand"]))
    seen = Counter(hand.cards)
    for side in view["left"] + view["right"]:
        seen.update(side.split())
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
        asked = answerers(alive, bound, calls, oops_gone=oops is not None)
    standing = Standing(
        view["round"], alive, tuple(view["damage"]), tuple(view["out"]), view["quiet"],
        tuple(view["rounds_ended"][cause] for cause in CAUSES), view["oops_played"] - (oops is not None),
    )  # fmt: skip
    return State(
        asked, phase, standing, view["tick"], tuple(hands), tuple(view["left"]), tuple(view["right"]),
        arranged(unseen), tuple(bound), view["trail"], calls, cancelled,
        None if oops is None else (oops["seat"], oops["tick"]),
    )  # fmt: skip


def _deal(known: list[Card], unseen: list[Card], bound: int, size: int) -> Hand:
    """A hand off the ends of the two lists."""
    hand = [known.pop() for _ in range(bound)] + [unseen.pop() for _ in range(size - bound)]
    return hand_of(tuple(hand))


def _calls(data: list[Json]) -> tuple[tuple[Seat, int], ...]:
    return tuple((call["seat"], call["count"]) for call in data)
