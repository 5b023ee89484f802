"""A player of S'mores Wars that weighs each card by what it adds to its s'mores and by who else will want it.

An area is worth the points of its complete s'mores, and for each open one its likely points or its penalty, by the
rounds that are left to finish it. A token is worth what its card adds, times the chance to get the card when the others
choose partly at random and partly as this player would.
"""

from __future__ import annotations

from itertools import product
from math import exp, prod

TYPE_CHECKING = False  # spares the import of typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    Choices: TypeAlias = Sequence[Mapping[str, Any]]

INGREDIENTS = ("graham", "chocolate", "marshmallow")
MIDDLE = 2.2
"""Points that a card still to come is expected to bring."""
COLLECT = 1.7
"""Rounds that it takes to collect a card that one needs, and 1 to move it out of S'morage."""
BEATS = {
    "chomp": {"toast"},
    "toast": {"smash", "splat", "stretch"},
    "smash": {"stretch", "chomp"},
    "splat": {"smash", "chomp"},
    "stretch": {"splat", "chomp"},
}
STANDING = {
    cards: [at for at, card in enumerate(cards) if all(card not in BEATS[other] for other in cards)]
    for cards in (*product(BEATS, repeat=2), *product(BEATS, repeat=3))
}
"""For two or three cards revealed together, the places of those that none beats."""


def choose(start: Mapping[str, Any], view: Mapping[str, Any], legal: Choices) -> int:
    """The index of the action to take."""
    seat = start["seat"]
    moment = (start.get("bot_seed", 0), seat, view["round"], sum(len(one["reveals"]) for one in view["battles"]))
    if view["stage"] == "select":
        return _token(seat, view, legal, moment)
    if view["stage"] == "battle":
        return _fight(seat, view, legal, moment)
    smores, stored = _area(view["players"][seat])
    left = rounds_left(view)
    card = view["pending"][0]["card"]
    worths = [worth(*_after(smores, stored, act, card), left) for act in legal]
    return worths.index(max(worths))


def _area(player: Mapping[str, Any]) -> tuple[list[list[int]], list[str]]:
    """A player's s'mores as values of bottom, Chocolate, Marshmallow and top, 0 for a missing card, and S'morage."""
    smores = []
    for name in player["smores"]:
        values = [0, 0, 0, 0]
        for card in name.split():
            values[_place(card) if values[0] else 0] = int(card[1])
        smores.append(values)
    return smores, player["smorage"]


def _place(card: str) -> int:
    """Where a card lies on a s'more that has its bottom."""
    return {"C": 1, "M": 2, "G": 3}[card[0]]


def rounds_left(view: Mapping[str, Any]) -> float:
    """About how many rounds are still to come: the stack that runs out first, used two rounds of three."""
    cards = {letter: sum(card[0] == letter for card in view["board"]) for letter in "GCM"}
    for card, count in view["stacks"].items():
        cards[card[0]] += count
    return float(min(cards.values()) / 0.65)


def worth(smores: Sequence[list[int]], stored: Sequence[str], left: float) -> float:
    """The points that an area is likely to come to when about `left` rounds are still to be played."""
    rest: dict[str, list[int]] = {"G": [], "C": [], "M": []}
    for card in sorted(stored):
        rest[card[0]].append(int(card[1]))
    total = needed = 0.0
    for smore in sorted(smores, key=lambda smore: (smore.count(0), -sum(smore))):
        points = float(sum(smore))
        if smore[3]:
            total += points
            continue
        for letter, value in zip("GCMG", smore, strict=True):
            if value:
                continue
            if rest[letter]:
                points += rest[letter].pop()
                needed += 1.0
            else:
                points += MIDDLE
                needed += COLLECT
        chance = 1 / (1 + exp((needed - left) / 1.5))
        total += chance * points - (1 - chance) * smore.count(0)
    return total + 0.05 * min(left, 6) * sum(map(sum, rest.values()))


def _after(
    smores: Sequence[list[int]], stored: Sequence[str], act: Mapping[str, Any], card: str
) -> tuple[list[list[int]], list[str]]:
    """The s'mores and S'morage after placing a card or moving one."""
    built, kept = [list(smore) for smore in smores], list(stored)
    if act["type"] == "stay":
        return built, kept
    if act["type"] == "move":
        card = act["card"]
        kept.remove(card)
    if act["to"] == "smorage":
        kept.append(card)
    elif act["to"] == "new":
        built.append([int(card[1]), 0, 0, 0])
    else:
        built[act["smore"]][_place(card)] = int(card[1])
    return built, kept


def _spots(smores: Sequence[list[int]], card: str) -> Iterable[dict[str, Any]]:
    """Where a card may go besides S'morage, as the game's actions say it."""
    place = _place(card)
    if place == 3:
        yield {"to": "new"}
    for number, smore in enumerate(smores):
        if not smore[place] and (place != 3 or (smore[1] and smore[2])):
            yield {"to": "smore", "smore": number}


def _gains(player: Mapping[str, Any], board: Sequence[str], left: float) -> dict[str, float]:
    """What each token's card would add to a player's area."""
    smores, stored = _area(player)
    now = worth(smores, stored, left)

    def best(kind: str, card: str, spots: Iterable[dict[str, Any]]) -> float:
        acts = [{"type": kind, "card": card, **spot} for spot in spots]
        return max([worth(*_after(smores, stored, act, card), left) - now for act in acts], default=0.0)

    gains = {
        name: best("place", card, [{"to": "smorage"}, *_spots(smores, card)])
        for name, card in zip(INGREDIENTS, board, strict=True)
    }
    if stored:
        gains["smorage"] = max(0.0, *[best("move", card, _spots(smores, card)) for card in set(stored)])
    return gains


def _likely(gains: Mapping[str, float]) -> dict[str, float]:
    """How likely somebody with these gains lays each token: a third at random, the rest by gain."""
    top = max(gains.values())
    weights = {token: exp((gain - top) * 0.8) for token, gain in gains.items()}
    whole = sum(weights.values())
    return {token: 1 / 3 / len(gains) + 2 / 3 * weight / whole for token, weight in weights.items()}


def _chance(rivals: Sequence[float]) -> float:
    """The chance to get a card that each rival wants with the given probability: alone, or by winning a Battle."""
    spread = [1.0]
    for wanted in rivals:
        spread = [
            (spread[count] if count < len(spread) else 0) * (1 - wanted) + (spread[count - 1] if count else 0) * wanted
            for count in range(len(spread) + 1)
        ]
    return sum(part * odds for part, odds in zip(spread, (1, 1 / 2, 1 / 3), strict=False))


def _token(seat: int, view: Mapping[str, Any], legal: Choices, moment: tuple[int, ...]) -> int:
    left = rounds_left(view)
    gains = [_gains(player, view["board"], left) for player in view["players"]]
    likely = [_likely(wants) for other, wants in enumerate(gains) if other != seat]
    worths = []
    for index, act in enumerate(legal):
        name = act["token"]
        odds = _chance([wants[name] for wants in likely]) if name in INGREDIENTS else 1.0
        worths.append(odds * gains[seat][name] + 0.2 * _noise(*moment, index))
    return worths.index(max(worths))


def _fight(seat: int, view: Mapping[str, Any], legal: Choices, moment: tuple[int, ...]) -> int:
    battle = view["battles"][0]
    ties = view["tiebreakers"]
    hands = {other: battle["hands"][other] for other in battle["seats"]}
    flat = {other: [1 / len(hand)] * len(hand) for other, hand in hands.items()}
    guess = {other: _lean(_odds(other, hands, flat, ties), 4.0) for other in hands if other != seat}
    mixed = {other: [(a + b) / 2 for a, b in zip(flat[other], guess[other], strict=True)] for other in guess}
    odds = _odds(seat, hands, {**mixed, seat: flat[seat]}, ties)
    weights = dict(zip(hands[seat], _lean(odds, 12.0), strict=True))
    mark = _noise(*moment)
    for index, act in enumerate(legal):
        mark -= weights[act["card"]]
        if mark < 0:
            return index
    return 0


def _noise(*numbers: int) -> float:
    """A number from 0 to 1 that these decide; Python hashes numbers the same way in every process."""
    return hash(numbers) % 1_000_003 / 1_000_003


def _lean(odds: Sequence[float], strength: float) -> list[float]:
    weights = [exp(strength * chance) for chance in odds]
    return [weight / sum(weights) for weight in weights]


def _odds(
    seat: int, hands: Mapping[int, Sequence[str]], mixes: Mapping[int, Sequence[float]], ties: Sequence[str]
) -> list[float]:
    """For each card of a seat the chance to win the Battle with it, when the others play by their mixes."""
    others = [other for other in hands if other != seat]
    whose = (ties[seat], *[ties[other] for other in others])
    cases = [
        (tuple([card for card, _ in case]), prod([chance for _, chance in case]))
        for case in product(*[list(zip(hands[other], mixes[other], strict=True)) for other in others])
    ]
    return [sum(chance * _share((card, *shown), whose) for shown, chance in cases) for card in hands[seat]]


def _share(cards: tuple[str, ...], ties: tuple[str, ...]) -> float:
    """What a reveal is worth to the owner of the first card: 1 won, 0 out, a fair share of what is fought again."""
    standing = STANDING[cards]
    if len(standing) in (0, 3):
        return 1 / len(cards)
    if standing[0]:
        return 0.0
    if len(standing) == 1 or ties[0] == cards[0]:
        return 1.0
    return 0.0 if ties[standing[1]] == cards[0] else 0.5
