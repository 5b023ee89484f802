"""A second S'mores Wars, written from the pages under `docs/` alone: plain data, no code of the engine.

It takes the actions of a replay as JSON, refuses what may not be (ValueError), and gives the view after each step, so
that two readings of the rules are held against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

ORDER = [f"{letter}{value}" for letter in "GCM" for value in (1, 2, 3, 5)]
COPIES = dict(zip(ORDER, (9, 8, 5, 3, 5, 5, 3, 2, 5, 5, 3, 2), strict=True))
LETTER = {"graham": "G", "chocolate": "C", "marshmallow": "M"}
HAND = ["chomp", "smash", "splat", "stretch", "toast"]
TIEBREAKERS = ["smash", "splat", "stretch", "chomp", "toast"]
BEATS = {
    "chomp": ["toast"],
    "smash": ["stretch", "chomp"],
    "splat": ["smash", "chomp"],
    "stretch": ["splat", "chomp"],
    "toast": ["smash", "splat", "stretch"],
}

Record = dict[str, Any]


def beginning(players: int) -> Record:
    """The view before anything happened."""
    return {
        "stage": "deal",
        "round": 1,
        "board": [],
        "stacks": dict(COPIES),
        "tiebreakers": [],
        "players": [{"smores": [], "smorage": [], "score": 0} for _ in range(players)],
        "tokens": [],
        "battles": [],
        "pending": [],
        "discarded": [],
        "quiet": 0,
        "gains": {"taken": 0, "won": 0, "moved": 0},
    }


def legal(view: Record, seat: int) -> list[Record]:
    """The legal actions of a seat that is asked."""
    player = view["players"][seat]
    if view["stage"] == "select":
        tokens = ["marshmallow", "chocolate", "graham"]
        return [{"type": "select", "token": t} for t in (["smorage"] if player["smorage"] else []) + tokens]
    if view["stage"] == "battle":
        return [{"type": "fight", "card": card} for card in view["battles"][0]["hands"][seat]]
    card = view["pending"][0]["card"]
    if card is not None:
        return [{"type": "place", "to": "smorage"}, *({"type": "place", **to} for to in places(player, card))]
    cards = [card for card in ORDER if card in player["smorage"]]
    return [{"type": "stay"}, *({"type": "move", "card": card, **to} for card in cards for to in places(player, card))]


def asked(view: Record) -> list[int]:
    """The seats that act, in order; -1 is nature."""
    stage = view["stage"]
    if stage in ("deal", "reveal"):
        return [-1]
    if stage == "battle":
        return list(view["battles"][0]["seats"])
    if stage == "place":
        return [view["pending"][0]["seat"]]
    return list(range(len(view["players"]))) if stage == "select" else []


def may_turn_up(view: Record, act: Record) -> bool:
    """Nature deals each Tiebreaker of that number of players once, and fills what the board lacks from the stacks."""
    if view["stage"] == "deal":
        used = TIEBREAKERS[: len(view["players"])]
        return bool(act["type"] == "deal" and sorted(act["tiebreakers"]) == sorted(used))
    lying = [card[0] for card in view["board"]]
    lacking = [letter for letter in "GCM" if letter not in lying]
    return act["type"] == "reveal" and (
        [card[0] for card in act["cards"]] == lacking and all(view["stacks"].get(card) for card in act["cards"])
    )


def places(player: Record, card: str) -> list[Record]:
    """The s'mores that a card may go to, a new one first."""
    found: list[Record] = [{"to": "new"}] if card[0] == "G" else []
    seen: list[str] = []
    for number, smore in enumerate(player["smores"]):
        letters = "".join(part[0] for part in smore.split())
        fits = letters == "GCM" if card[0] == "G" else len(letters) < 4 and card[0] not in letters
        if fits and smore not in seen:
            seen.append(smore)
            found.append({"to": "smore", "smore": number})
    return found


def step(view: Record, acts: dict[int, Record]) -> None:
    """Apply what was done to the view: `acts` by seat, -1 for nature. Raises ValueError if it may not be."""
    stage = view["stage"]
    if sorted(acts) != asked(view):
        raise ValueError(f"{stage}: {asked(view)} are to act, not {sorted(acts)}")
    if not all(may_turn_up(view, act) if seat == -1 else act in legal(view, seat) for seat, act in acts.items()):
        raise ValueError(f"{stage}: not all of {acts} is allowed")
    if stage == "deal":
        view["tiebreakers"] = acts[-1]["tiebreakers"]
        view["stage"] = "reveal"
    elif stage == "reveal":
        for card in acts[-1]["cards"]:
            view["stacks"][card] -= 1
            view["board"].append(card)
        view["board"].sort(key=ORDER.index)
        view["stage"] = "select"
    else:
        {"select": tokens, "battle": reveal, "place": placement}[stage](view, acts)
        finish(view)


def leave(view: Record, name: str) -> str:
    """Take the card of this ingredient from the board."""
    card: str = next(card for card in view["board"] if card[0] == LETTER[name])
    view["board"].remove(card)
    return card


def discard(view: Record, card: str) -> None:
    view["discarded"] = sorted([*view["discarded"], card], key=ORDER.index)


def tokens(view: Record, acts: dict[int, Record]) -> None:
    laid = [acts[seat]["token"] for seat in range(len(view["players"]))]
    view["tokens"] = laid
    for name in LETTER:
        seats = [seat for seat, token in enumerate(laid) if token == name]
        if len(seats) == 1:
            view["pending"].append({"seat": seats[0], "card": leave(view, name)})
            view["gains"]["taken"] += 1
        elif len(seats) in (2, 3):
            hands = [list(HAND) if seat in seats else [] for seat in range(len(laid))]
            view["battles"].append({"ingredient": name, "seats": seats, "reveals": [], "hands": hands})
        elif seats:
            discard(view, leave(view, name))
    view["pending"] += [{"seat": seat, "card": None} for seat, token in enumerate(laid) if token == "smorage"]
    view["pending"].sort(key=lambda entry: int(entry["seat"]))
    view["quiet"] = view["quiet"] + 1 if set(laid) == {"smorage"} else 0


def reveal(view: Record, acts: dict[int, Record]) -> None:
    battle = view["battles"][0]
    shown = {seat: acts[seat]["card"] for seat in battle["seats"]}
    left = still_in(shown, view["tiebreakers"])
    battle["reveals"].append([shown.get(seat) for seat in range(len(view["players"]))])
    if len(left) == 1:
        view["pending"].append({"seat": left[0], "card": leave(view, battle["ingredient"])})
        view["pending"].sort(key=lambda entry: int(entry["seat"]))
        view["gains"]["won"] += 1
        view["battles"].pop(0)
    elif len(battle["reveals"]) == 20:
        discard(view, leave(view, battle["ingredient"]))
        view["battles"].pop(0)
    else:
        battle["seats"] = left
        for seat, cards in enumerate(battle["hands"]):
            rest = [card for card in cards if card != shown.get(seat)]
            battle["hands"][seat] = (rest or list(HAND)) if seat in left else []


def still_in(shown: dict[int, str], tiebreakers: Sequence[str]) -> list[int]:
    undefeated = [seat for seat, card in shown.items() if not any(card in BEATS[other] for other in shown.values())]
    if len(undefeated) == 2:
        owners = [seat for seat in undefeated if tiebreakers[seat] == shown[seat]]
        return owners or undefeated
    return undefeated if len(undefeated) == 1 else list(shown)


def placement(view: Record, acts: dict[int, Record]) -> None:
    entry = view["pending"].pop(0)
    act, player = acts[entry["seat"]], view["players"][entry["seat"]]
    if act["type"] == "stay":
        return
    card = entry["card"] or act["card"]
    if act["type"] == "move":
        player["smorage"].remove(card)
        view["gains"]["moved"] += 1
        view["quiet"] = 0
    if act["to"] == "smorage":
        player["smorage"] = sorted([*player["smorage"], card], key=ORDER.index)
    elif act["to"] == "new":
        player["smores"].append(card)
    else:
        bottom, *rest = player["smores"][act["smore"]].split()
        rest = sorted([*rest, card], key=lambda part: "CMG".index(part[0]))
        player["smores"][act["smore"]] = " ".join([bottom, *rest])
    parts = [smore.split() for smore in player["smores"]]
    player["score"] = sum(sum(int(c[1]) for c in cards) if len(cards) == 4 else len(cards) - 4 for cards in parts)


def finish(view: Record) -> None:
    """What comes next: a Battle, a placement, the end or a new round."""
    if view["battles"] or view["pending"]:
        view["stage"] = "battle" if view["battles"] else "place"
        return
    left = {card[0] for card, count in view["stacks"].items() if count} | {card[0] for card in view["board"]}
    if len(left) < 3 or view["quiet"] == 10:
        view["stage"] = "over"
        return
    view["stage"] = "select" if len(view["board"]) == 3 else "reveal"
    view["round"] += 1
    view["tokens"] = []
