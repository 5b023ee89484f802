"""Smash Up: Monster Smash for the suite that every game passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from referee.game import CHANCE, Seat
from referee.games.monster_smash.actions import Move
from referee.games.monster_smash.cards import FACTION_DECK, IS_MINION
from referee.games.monster_smash.game import MonsterSmash, reopen
from referee.games.monster_smash.state import State, without
from tests.games.cases import Cases, Final, World
from tests.games.monster_smash.positions import GAME, Position, numbers


def disguise(before: State, actions: Mapping[Seat, Move], seat: Seat, rng: Random) -> tuple[State, Mapping[Seat, Move]]:
    """Others have another hand, another deck and other cards under it; a card that is shown now stays in its hand."""
    s = before.copy()
    ((actor, move),) = actions.items()
    buried = s.stack[-1].effect == "angry-mob" and move.type == "card"
    for other in range(s.seats):
        if other != seat:
            shown = [move.value] if other == actor and move.type in ("play", "card") and not buried else []
            _shuffle_hidden(s, other, shown, rng)
    reopen(s)
    if actor == CHANCE and move.type == "deal" and s.stack[-1].seat != seat:
        actions = {CHANCE: _another_deal(s, move, rng)}
    elif buried and actor != seat:
        actions = {actor: rng.choice([option for option in s.options if option.type == "card"])}
    return s, actions


def _shuffle_hidden(s: State, other: int, shown: Sequence[int], rng: Random) -> None:
    hand, under = s.hands[other], s.under[other]
    kept = list(s.known[other])
    kept += [card for card in shown if card in hand and card not in kept]
    pool = hand + under + s.rest[other]
    for card in (*kept, *s.either[other]):
        pool = without(pool, card)
    while True:
        hidden = list(pool)
        rng.shuffle(hidden)
        near = [*s.either[other], *(hidden.pop() for _ in range(len(hand + under) - len(kept) - len(s.either[other])))]
        rng.shuffle(near)
        s.hands[other] = tuple(sorted((*kept, *near[len(under) :])))
        s.under[other] = tuple(near[: len(under)])
        s.rest[other] = tuple(sorted(hidden))
        if not s.holds_minion[other] or any(IS_MINION[card] for card in s.hands[other] + s.under[other]):
            return


def _another_deal(s: State, real: Move, rng: Random) -> Move:
    """Another draw; an opening hand with a minion stays one with a minion, and one without is shown as it is (R-28)."""
    opening = len(s.stack) > 1 and s.stack[-2].effect == "opening" and s.stack[-2].at == 1
    if opening and not any(IS_MINION[card] for card in real.value):
        return real
    while True:
        move = GAME.draw(s, lambda label: rng)
        if not opening or any(IS_MINION[card] for card in move.value):
            return move


def hidden(cards: str, hand: int, under: int = 0, known: str = "", either: str = "", minion: bool = False) -> State:
    """A turn of seat 0. Seat 1 has discarded all but these: so many in hand, so many under its deck, the rest in it."""
    s = Position().s
    for seat, factions in enumerate(((0, 1), (2, 3))):
        s.rest[seat] = ()
        s.discards[seat] = tuple(sorted(card for faction in factions for card in FACTION_DECK[faction]))
    held = numbers(cards.split())
    for card in held:
        s.discards[1] = without(s.discards[1], card)
    s.hands[1], s.under[1], s.rest[1] = held[:hand], held[hand : hand + under], tuple(sorted(held[hand + under :]))
    s.hands[1] = tuple(sorted(s.hands[1]))
    s.known[1], s.either[1] = numbers(known.split()), numbers(either.split())
    s.holds_minion[1] = minion
    reopen(s)
    return s


def with_points(*vp: int) -> State:
    s = Position(seats=len(vp)).s
    s.vp = list(vp)
    s.stack, s.over = [], "Told elsewhere."
    return s


CASES = Cases(
    longest=MonsterSmash.step_limit,
    secrets=frozenset({"hands", "unders", "decks"}),
    disguise=disguise,
    worlds=(
        World("one of three in hand", hidden("howler howler worker", 1), 0, 2, "the hand is a Howler or a Worker"),
        World("its owner knows", hidden("howler howler worker", 1), 1, 1, "the deck is what is left of its forty"),
        World("one in hand, one under", hidden("howler worker frenzy", 1, 1), 0, 6, "three cards in three places: 3!"),
        World(
            "one in hand, known",
            hidden("frenzy worker howler", 1, 1, known="frenzy"),
            0,
            2,
            "the other two are under the deck or in it",
        ),
        World(
            "in hand or under the deck",
            hidden("frenzy worker howler", 1, 1, either="frenzy"),
            0,
            4,
            "Frenzy in hand, the others in two orders, or Frenzy under the deck, the others in two orders",
        ),
        World(
            "R-28: a kept opening hand holds a minion",
            hidden("howler frenzy chew-toy full-moon", 2, minion=True),
            0,
            3,
            "Howler with one of the three others; without the ruling there were 4 over 2 = 6",
        ),
        World(
            "R-28: the minion may be under the deck by now",
            hidden("howler frenzy chew-toy full-moon", 1, 1, minion=True),
            0,
            6,
            "Howler in hand or under the deck (2), one of three others in the other place (3)",
        ),
        World(
            "two of five in hand",
            hidden("howler howler worker worker frenzy", 2),
            0,
            5,
            "HH, HW, HF, WW, WF: each leaves one deck",
        ),
    ),
    finals=(
        Final("R-29: the most victory points win", with_points(15, 12), (15.0, 12.0), (1, 2)),
        Final("R-26, R-37: a tie is shared", with_points(9, 11, 11, 3), (9.0, 11.0, 11.0, 3.0), (3, 1, 1, 4)),
        Final("three players", with_points(16, 17, 2), (16.0, 17.0, 2.0), (2, 1, 3)),
    ),
    variants=({"setup": "random"},),
)
