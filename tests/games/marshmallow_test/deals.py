"""Rounds that go as a case asks: deals made for a list of winners, and hands written out card by card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.game import Seat
from referee.games.marshmallow_test import MarshmallowTest
from referee.games.marshmallow_test.actions import DECK, HAND, NO_SUIT, PLAY_OF, SUITS, Deal, Play
from referee.games.marshmallow_test.state import THRESHOLD, Phase, State, in_order

GAME = MarshmallowTest({"first_dealer": 0})
A, B, C, D, E = range(5)


def seats(letters: str) -> list[Seat]:
    """`A C` -> [0, 2]."""
    return ["ABCDE".index(letter) for letter in letters.split()]


def cards(text: str) -> tuple[Play, ...]:
    """`R1 G12` -> their plays."""
    return tuple(PLAY_OF[name] for name in text.split())


def after_deal(hands: Iterable[str], trump: str = "", points: Sequence[int] = (), dealer: Seat = 0) -> State:
    """A round about to be led by the dealer; each hand lists its cards, filled up to 12 with cards nobody lists.

    With a trump it is the second round, and the trump is named.
    """
    lists = [list(cards(hand)) for hand in hands]
    spare = [play for play in DECK if all(play not in hand for hand in lists)]
    for hand in lists:
        while len(hand) < HAND:
            hand.append(spare.pop())
    state = replace(
        GAME.start(len(lists)), dealer=dealer, round=1 if trump else 0, points=tuple(points or [0] * len(lists))
    )
    state = GAME.apply(state, {-1: Deal(tuple(in_order(tuple(hand), NO_SUIT) for hand in lists))})
    if trump:
        (naming,) = (act for act in GAME.legal(state, dealer) if act.to_json()["suit"] == trump)
        state = GAME.apply(state, {dealer: naming})
    return state


def play(state: State, text: str) -> State:
    """The state after these cards, each by the seat whose turn it is; every one must be legal."""
    for play_ in cards(text):
        assert play_ in GAME.legal(state, state.turn), f"seat {state.turn} may not play {play_.card}"
        state = GAME.apply(state, {state.turn: play_})
    return state


def won_by(winners: str, players: int, points: Sequence[int] = (), dealer: Seat = 0) -> list[State]:
    """The states after each trick of a round without trump that goes to these seats in turn.

    Every trick is a run of cards of one suit, one for each seat still in, the winner's the highest: all follow suit.
    """
    runs = _runs(seats(winners), players)
    hands: list[list[str]] = [[] for _ in range(players)]
    for run in runs:
        for seat, card in run.items():
            hands[seat].append(card)
    state = after_deal([" ".join(hand) for hand in hands], points=points, dealer=dealer)
    states = []
    for run in runs:
        while True:
            number = len(state.tricks)
            state = play(state, run[state.turn])
            if len(state.tricks) > number:
                break
        states.append(state)
    return states


def _runs(winners: Sequence[Seat], players: int) -> list[dict[Seat, str]]:
    """A card for each seat that is in, by trick."""
    room = dict.fromkeys(SUITS, 12)
    count = [0] * players
    runs = []
    for winner in winners:
        others = [seat for seat in range(players) if count[seat] < THRESHOLD[players] and seat != winner]
        # The fullest suit that leaves the least waste; a run of 5, 4, 3 or 2 fits 12 in many ways.
        suit = min((s for s in SUITS if room[s] > len(others)), key=lambda s: (room[s] - len(others) - 1, s))
        run = {}
        for seat in (winner, *others):
            run[seat] = f"{suit}{room[suit]}"
            room[suit] -= 1
        runs.append(run)
        count[winner] += 1
    return runs


def over(state: State) -> bool:
    """The round or the game is over."""
    return state.phase in (Phase.DEAL, Phase.OVER)
