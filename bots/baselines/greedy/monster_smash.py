"""Greedy play of Smash Up: Monster Smash: every choice is judged by how the bases would stand after it.

A base is worth the victory points that it would pay now, the others' against our own, and the more the nearer it is to
scoring. A minion, a counter or a destruction changes the totals of a base, so its worth is the difference. Cards whose
gain does not show in the totals have a worth of their own, set by hand.
"""

from __future__ import annotations

TYPE_CHECKING = False  # spares the import of typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    View: TypeAlias = dict[str, Any]
    Action: TypeAlias = dict[str, Any]

MINIONS = {
    "the-count": 5, "nightstalker": 4, "heavy-drinker": 3, "fledgling-vampire": 2, "herr-doktor": 5, "the-monster": 4,
    "lab-assistant": 3, "igor": 2, "pack-alpha": 5, "loup-garou": 4, "teenage-wolf": 3, "howler": 4, "killer-queen": 4,
    "drone": 4, "soldier": 3, "worker": 2,
}  # fmt: skip
"""The power that a minion enters with."""
PAYS = {
    "castle-blood": (3, 1, 1), "crypt": (4, 2, 2), "golem-schloss": (4, 3, 2), "laboratorium": (5, 3, 3),
    "moot-site": (2, 1, 0), "standing-stones": (4, 2, 1), "egg-chamber": (3, 1, 1), "the-hill": (4, 2, 1),
}  # fmt: skip
FACTIONS = ("werewolves", "mad-scientists", "giant-ants", "vampires")
"""In the order of drafting: those that win most when greedy plays all seats first."""
AFAR = 0.1
"""What a base that has only just opened is worth, as a share of one that scores now."""
POWER = 0.06
"""What a point of power in play is worth by itself, in victory points."""
WORTH = {
    "jolt": 0.06, "mad-monster-party": 0.05, "uberserum": 0.3, "opportunist": 0.15, "summon-wolves": 0.3,
    "moontouched": 0.2, "leader-of-the-pack": 0.15, "unstoppable": 0.05, "full-moon": 0.1, "german-engineering": 0.15,
    "grave-situation": 0.05, "the-show-must-go-on": 0.05, "marking-territory": 0.3, "its-alive": 0.3,
    "crack-of-dusk": 0.3, "gimme-the-prize": 0.15, "headlong": 0.12, "a-kind-of-magic": 0.0,
    "we-will-rock-you": 0.02, "frenzy": 0.02, "cull-the-weak": 0.02, "angry-mob": 0.04,
}  # fmt: skip
"""What an action is worth beside what it changes at once."""
KILLS = {"big-gulp": 4, "chew-toy": 3, "dinner-date": 2, "let-the-dog-out": 5, "blitzed": 0}
"""Actions that destroy, with the power that they usually reach."""
NEVER = ("body-shop", "who-wants-to-live-forever", "under-pressure")
HARM = {
    ("nightstalker", 0), ("big-gulp", 0), ("blitzed", 4), ("dinner-date", 2), ("chew-toy", 1), ("let-the-dog-out", 1),
    ("body-shop", 0),
}  # fmt: skip
"""Picks, by effect and step, of a minion to destroy."""
DECLINED = ("heavy-drinker", "blitzed", "who-wants-to-live-forever", "a-kind-of-magic", "under-pressure")
"""Effects whose offer costs more than it brings."""


def choose(_start: dict[str, Any], view: View, legal: list[Action]) -> int:
    """The index of the chosen action in `legal`."""
    worths = [worth(view, action) for action in legal]
    return worths.index(max(worths))


def worth(view: View, action: Action) -> float:
    """How good an action is; 0 is what doing nothing is worth."""
    judge = JUDGES.get(action["type"])
    return judge(view, action) if judge else 0.0


# How the bases stand.


def standing(view: View, base: Action, mine: float = 0, theirs: tuple[int, float] = (0, 0)) -> float:
    """What a base is worth to us, with so much power more of ours, and so much more of that seat."""
    me = view["seat"]
    totals: list[float] = list(base["totals"])
    there = {minion["owner"] for minion in base["minions"]}
    totals[me] += mine
    totals[theirs[0]] += theirs[1]
    if mine > 0:
        there.add(me)
    near = min(1.0, sum(totals) / max(1, base["breakpoint"]))
    gains = [
        PAYS[base["base"]][rank] if seat in there and (rank := sum(totals[o] > totals[seat] for o in there)) < 3 else 0
        for seat in range(len(totals))
    ]
    others = [gain for seat, gain in enumerate(gains) if seat != me]
    lead: float = gains[me] - 0.5 * max(others) - 0.3 * sum(others) / len(others)
    value: float = lead * (AFAR + (1 - AFAR) * near**2) + POWER * (totals[me] - 0.5 * (sum(totals) - totals[me]))
    return value


def filled(base: Action) -> float:
    """How much of its breakpoint a base has reached."""
    return float(sum(base["totals"]) / max(1, base["breakpoint"]))


def gain(view: View, base: Action, mine: float) -> float:
    """What so much more power of ours at a base is worth."""
    return standing(view, base, mine) - standing(view, base)


def loss(view: View, base: Action, minion: Action) -> float:
    """What it is worth to us that a minion goes."""
    if minion["owner"] == view["seat"]:
        return gain(view, base, -minion["power"]) - 0.2
    return standing(view, base, 0, (minion["owner"], -minion["power"])) - standing(view, base) + 0.05


def find(view: View, piece: int) -> tuple[Action, Action]:
    """The base and the minion of this id."""
    for base in view["bases"]:
        for minion in base["minions"]:
            if minion["id"] == piece:
                return base, minion
    raise LookupError(piece)


def ours(view: View) -> list[tuple[Action, Action]]:
    """Our minions with their bases."""
    return [(base, m) for base in view["bases"] for m in base["minions"] if m["owner"] == view["seat"]]


def targets(view: View, power: int) -> list[float]:
    """What the destruction of each enemy minion up to this power is worth."""
    return [
        loss(view, base, m)
        for base in view["bases"]
        for m in base["minions"]
        if m["owner"] != view["seat"] and m["power"] <= power
    ]


# What a choice is for: the effect on top of the pending ones, and its step.


def doing(view: View) -> tuple[str, int]:
    effect, step = view["pending"][-1][:2]
    return effect, step


def judge_play(view: View, action: Action) -> float:
    card = action["card"]
    if card in MINIONS:
        return 10 + max(gain(view, base, MINIONS[card]) for base in view["bases"])
    if card in NEVER:
        return -1.0
    if card == "buffet":
        return 1.0 if view["seat"] in view["winners"] else -1.0
    if card == "we-are-the-champions":
        base = next(base for base in view["bases"] if base["base"] == view["scoring"])
        return 1.0 if any(m["owner"] == view["seat"] and m["counters"] for m in base["minions"]) else -1.0
    if card in KILLS:
        beside = card in ("chew-toy", "dinner-date", "let-the-dog-out")
        return max(targets_beside(view, KILLS[card]) if beside else targets(view, KILLS[card]), default=-1.0)
    mine = ours(view)
    each = 1.0 if card in ("jolt", "we-will-rock-you", "frenzy", "mad-monster-party") else 0.0
    at_once = each * sum(max(0.0, gain(view, base, reach(card, m))) for base, m in mine)
    return WORTH.get(card, 0.0) * (1 + len(mine)) * (1 if mine else 0) - 0.05 + at_once


def reach(card: str, minion: Action) -> int:
    """How much power an action on all our minions gives to this one."""
    if card == "we-will-rock-you":
        return int(minion["counters"])
    if card == "frenzy":
        return int(minion["power"] >= 4)
    return int(card == "jolt" or not minion["counters"])


def targets_beside(view: View, power: int) -> list[float]:
    """As `targets`, at bases where we have a minion of more power."""
    return [
        loss(view, base, m)
        for base in view["bases"]
        for m in base["minions"]
        if m["owner"] != view["seat"]
        and m["power"] <= power
        and any(own["owner"] == view["seat"] and own["power"] > m["power"] for own in base["minions"])
    ]


def judge_talent(view: View, action: Action) -> float:
    for base in view["bases"]:
        for minion in base["minions"]:
            if minion["id"] == action["id"]:
                if minion["card"] == "soldier":
                    return -1.0
                return 5.0 if minion["card"] != "the-monster" or any(c in MINIONS for c in view["hand"]) else -1.0
    return 20.0


def judge_base(view: View, action: Action) -> float:
    effect, _ = doing(view)
    base = next(base for base in view["bases"] if base["base"] == action["base"])
    top = view["pending"][-1]
    if effect == "enter":
        return gain(view, base, MINIONS[top[3]])
    if effect == "attach-to-base":
        mine: int = sum(m["owner"] == view["seat"] for m in base["minions"])
        return standing(view, base) + mine * 0.5 - (2.0 * filled(base) if mine else 0.0)
    if effect == "headlong":
        _, moved = find(view, top[4][0])
        return gain(view, base, moved["power"] + 2)
    return standing(view, base)


def judge_minion(view: View, action: Action) -> float:
    effect, step = doing(view)
    base, minion = find(view, action["id"])
    own = bool(minion["owner"] == view["seat"])
    if effect in DECLINED and (effect, step) not in HARM:
        return -1.0
    if (effect, step) in HARM:
        return loss(view, base, minion)
    if effect == "destroy":
        return 0.5  # a Drone saves
    if effect == "chew-toy" or effect == "let-the-dog-out":
        prey = [loss(view, base, m) for m in base["minions"] if m["power"] < minion["power"] and m is not minion]
        return max(prey, default=0.0)
    if effect == "attach-to-minion":
        return (1.0 if own else -1.0) + 0.1 * int(minion["power"]) - filled(base)
    if effect == "we-are-the-champions":
        return 1.0 + int(minion["counters"]) if step == 0 else (1.0 if own else -1.0) - 0.1 * filled(base)
    if effect == "the-hill/turn-start":
        hill = next(b for b in view["bases"] if b["base"] == "the-hill")
        return gain(view, hill, minion["power"]) + gain(view, base, -minion["power"])
    if effect == "headlong":
        return gain(view, base, -minion["power"])
    return gain(view, base, 1) + 0.01 if own else -0.5


def judge_card(view: View, action: Action) -> float:
    effect, _ = doing(view)
    card = action["card"]
    power = MINIONS.get(card, 2.5)
    if effect == "turn":  # the hand limit
        return -power
    if effect in ("cull-the-weak", "angry-mob"):
        return len(view["hand"]) - 5.5 - 0.1 * power
    return float(power)


def judge_number(_view: View, action: Action) -> float:
    return float(action["number"])


def judge_draft(_view: View, action: Action) -> float:
    return -float(FACTIONS.index(action["faction"]))


JUDGES: dict[str, Callable[[View, Action], float]] = {
    "play": judge_play,
    "talent": judge_talent,
    "base": judge_base,
    "minion": judge_minion,
    "card": judge_card,
    "number": judge_number,
    "draft": judge_draft,
}
