"""Greedy play of The Marshmallow Test: wait while waiting is safe, then take tricks as cheaply as they come.

Going out pays more the later it happens, but the last seat left in gets nothing. So each card is weighed by one
number: which share of the tricks that may still come this seat has to win. The constants were tuned on random play.
"""

from __future__ import annotations

TYPE_CHECKING = False  # spares the import of typing
if TYPE_CHECKING:
    from typing import Any

PATIENCE = 0.55
"""A share of the coming tricks up to which the bot would rather not win this one."""
COST = 0.006
"""What a rank is worth keeping, while the bot wants to win."""
COST_WAITING = 0.002
"""The same while it waits."""
TRUMP_RANKS = 10
"""How many ranks a trump is worth more than a plain card."""
LENGTH = 4
"""How many ranks a card more is worth when a trump suit is named."""
BEATEN = 0.2
"""How likely a seat that still plays has one given higher card and may use it."""
RUFFED = 0.05
"""How likely a seat that still plays trumps a plain card."""


def choose(_start: dict[str, Any], view: dict[str, Any], legal: list[dict[str, Any]]) -> int:
    """The index of the chosen action in `legal`."""
    if legal[0]["type"] == "trump":
        return max(range(len(legal)), key=lambda index: _length(view["hand"], legal[index]["suit"]))
    want = _share_to_win(view) - PATIENCE
    cost = COST if want > 0 else COST_WAITING
    seen = _seen(view)
    values = [
        want * _chance(action["card"], view, seen) - cost * _worth(action["card"], view["trump"]) for action in legal
    ]
    return values.index(max(values))


def _length(hand: list[str], suit: str) -> int:
    return sum(LENGTH + int(card[1:]) for card in hand if card[0] == suit)


def _share_to_win(view: dict[str, Any]) -> float:
    """The tricks that this seat still has to win, as a share of those that may come before the others are all out."""
    need = {seat: view["tricks_to_go_out"] - view["tricks_won"][seat] for seat in view["in"]}
    mine: int = need.pop(view["seat"])
    coming: int = min(len(view["hand"]), sum(need.values()) + mine - 1)
    return mine / coming


def _seen(view: dict[str, Any]) -> set[str]:
    """The cards that nobody else can hold."""
    tricks = [*view["tricks"], view["trick"]]
    return {entry.split(":")[1] for trick in tricks for entry in trick.split()} | set(view["hand"])


def _chance(card: str, view: dict[str, Any], seen: set[str]) -> float:
    """About how likely this card wins the trick."""
    trump = view["trump"]
    trick = [entry.split(":")[1] for entry in view["trick"].split()]
    led = trick[0][0] if trick else card[0]
    strength = _strength(card, led, trump)
    if strength <= max((_strength(other, led, trump) for other in trick), default=0):
        return 0.0
    higher = sum(f"{card[0]}{rank}" not in seen for rank in range(int(card[1:]) + 1, 13))
    lost = BEATEN * higher + (RUFFED if trump not in (None, card[0]) else 0.0)
    after = len(view["in"]) - len(trick) - 1
    return max(0.0, 1.0 - lost) ** after


def _strength(card: str, led: str, trump: str | None) -> int:
    """0 for a card that cannot win, else higher for what beats lower."""
    if card[0] == trump:
        return 100 + int(card[1:])
    return int(card[1:]) if card[0] == led else 0


def _worth(card: str, trump: str | None) -> int:
    return int(card[1:]) + (TRUMP_RANKS if card[0] == trump else 0)
