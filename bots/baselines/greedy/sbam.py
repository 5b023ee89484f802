"""A player of Sbam! that counts the fights as they lie and ends the round when that pays.

Each play is judged by the two fights of its player after it: the further ahead a side is, the more likely it stays
there while the others go on playing. A Sbam! is judged by all fights: what it should cost the others, less what it
should cost its player.
"""

from __future__ import annotations

from math import exp

TYPE_CHECKING = False  # spares the import of typing
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    View = Mapping[str, Any]

STEADY = 1.6
"""By how many points a side must lead for odds of e to 1 that it wins its fight."""
WORTH = {1: 0.4, 2: 0.3}
"""What a single or double Sbam! must be worth, in tokens, to be played."""
FEAR = 0.1
"""How much a Sbam! of another must be worth against this player to be answered with Oops."""


def choose(start: Mapping[str, Any], view: View, legal: Sequence[Mapping[str, Any]]) -> int:
    """The index of the action to take."""
    seat = start["seat"]
    if view["phase"] == "window":
        calls = {call["seat"]: call["count"] for call in view["calls"]}
        return int(ending_worth(view, seat, calls) < -FEAR)  # declining is the first of the two
    best, at = -1e9, 0
    for index, action in enumerate(legal):
        if action["type"] == "play":
            value = play_worth(view, seat, action)
        elif action["type"] == "pass":
            value = 0.0
        else:
            count = action["count"]
            value = ending_worth(view, seat, {seat: count}) - WORTH.get(count, 0.0)
            value = 10 + value if value > 0 else -10 + value
        if value > best:
            best, at = value, index
    return at


def play_worth(view: View, seat: int, action: Mapping[str, Any]) -> float:
    """How the two fights of a seat would stand after a play: the chances to win them, less those to lose them."""
    alive = view["alive"]
    place = alive.index(seat)
    across = {"left": alive[(place + 1) % len(alive)], "right": alive[place - 1]}
    total = 0.0
    for side, other in ("left", "right"), ("right", "left"):
        mine, theirs = view[side][seat].split(), view[other][across[side]].split()
        if action["side"] == side:
            mine.append(action["card"])
        lead = margin(mine, theirs)
        total += 1 - 2 * loses(lead)
    return total


def ending_worth(view: View, seat: int, calls: Mapping[int, int]) -> float:
    """What it is worth to a seat, in tokens, that the round ends with these Sbam! plays: seat -> number."""
    alive = view["alive"]
    cost = dict.fromkeys(alive, 0.0)
    if 3 in calls.values():
        for one in alive:
            cost[one] = float(calls.get(one) != 3)
    else:
        for place, one in enumerate(alive):
            other = alive[(place + 1) % len(alive)]
            lead = margin(view["left"][one].split(), view["right"][other].split())
            for who, ahead in (one, lead), (other, -lead):
                if calls.get(who) != 2:
                    cost[who] += loses(ahead - (calls.get(who) == 1))
    mine = cost.pop(seat, 0.0)
    return sum(cost.values()) / max(1, len(cost)) - mine


def loses(lead: float) -> float:
    """The chance to lose a fight in which one leads by so many points."""
    return 1 / (1 + exp(lead / STEADY))


def margin(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """By how many points the first side leads."""
    specials = {card for card in (*mine, *theirs) if card[0] in "=+xn"}
    counts = dict.fromkeys("rby", 0)
    leads = dict.fromkeys("rby", 0)
    for side, sign in (mine, 1), (theirs, -1):
        for card in set(side):
            colour, strength = card[0], card[1]
            if card in specials or "x" + colour in specials or ("no3" in specials and strength == "3"):
                continue
            copies = side.count(card)
            left = copies if "=" + colour in specials else copies % 2
            counts[colour] += left
            leads[colour] += sign * left * int(strength)
    most = max(counts.values())
    return sum(leads[colour] for colour in "rby" if counts[colour] == most or "+" + colour in specials)
