"""What holds in every round (rules page, section 2), over random deals and choices."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.marshmallow_test import MarshmallowTest
from referee.games.marshmallow_test.actions import DECK, HAND, PLAY_OF, Move, Play
from referee.games.marshmallow_test.state import THRESHOLD, Phase, State
from referee.table import Step
from tests.games.playing import at_random, first, last, play

GAME = MarshmallowTest()
MOST_GAIN = {2: 5, 3: 7, 4: 8, 5: 9}
LENGTHS = {2: range(6, 12), 3: range(8, 12), 4: range(9, 12), 5: range(12, 13)}
LEAST_GAINS = {2: (0,), 3: (0, 4), 4: (0, 3, 6), 5: (0, 3, 0, 0)}
MOST_ROUNDS = {3: 15, 4: 9, 5: 32}

matches = st.builds(
    lambda players, seed, pick: play(GAME, players, seed, at_random(seed) if pick is None else pick),
    st.integers(2, 5),
    st.integers(0, 2**32),
    st.sampled_from([None, None, None, first, last]),
)
Steps: TypeAlias = list[Step[State, Move]]
slow = settings(max_examples=60, deadline=None)


def round_ends(steps: Steps) -> list[State]:
    """The states in which a round is over and the game is not."""
    return [step.after for step in steps if step.after.phase == Phase.DEAL and step.after.round]


@slow
@given(matches)
def test_gain_is_the_trick_number_less_the_threshold(steps: Steps) -> None:
    for step in steps:
        before, after = step.before, step.after
        for seat, (old, new) in enumerate(zip(before.points, after.points, strict=True)):
            if before.inside & ~after.inside & 1 << seat:
                others = sum(after.won) - after.won[seat]
                assert new - old == others == len(after.tricks) - THRESHOLD[len(after.points)]
                assert new - old <= MOST_GAIN[len(after.points)]
            else:
                assert new == old


@slow
@given(matches)
def test_rounds_have_the_lengths_that_arithmetic_gives(steps: Steps) -> None:
    for state in round_ends(steps):
        players = len(state.points)
        assert len(state.tricks) in LENGTHS[players]
        left = sorted(state.won, reverse=True)
        if players == 5:
            assert left in ([3, 3, 3, 3, 0], [3, 3, 3, 2, 1], [3, 3, 2, 2, 2])
        else:
            assert state.inside.bit_count() == 1
        assert state.inside >> state.dealer & 1, "the next dealer is still in"


@slow
@given(matches)
def test_later_exits_pay_at_least_their_least(steps: Steps) -> None:
    for state in round_ends(steps):
        players = len(state.points)
        counts, gains = Counter[int](), []
        for number, winner in enumerate(state.winners, 1):
            counts[winner] += 1
            if counts[winner] == THRESHOLD[players]:
                gains.append(number - THRESHOLD[players])
        assert all(gain >= least for gain, least in zip(gains, LEAST_GAINS[players], strict=False))


@slow
@given(matches)
def test_games_end_within_their_rounds(steps: Steps) -> None:
    end = steps[-1].after
    assert end.phase == Phase.OVER
    if len(end.points) > 2:
        assert end.round <= MOST_ROUNDS[len(end.points)]
        assert sum(points >= 20 for points in end.points) == 1, "M-R25: the winner is alone"


@slow
@given(matches)
def test_every_card_is_somewhere_exactly_once(steps: Steps) -> None:
    for step in steps:
        state = step.after
        whole = GAME.reveal(state)
        shown = [entry.split(":")[1] for trick in (*state.tricks, state.trick) for entry in trick.split()]
        cards = Counter([card for hand in whole["hands"] for card in hand] + shown + whole["unseen"])
        assert cards == Counter(card.card for card in DECK)


@slow
@given(matches)
def test_those_in_hold_equally_many_cards(steps: Steps) -> None:
    """M-R19."""
    for step in steps:
        state = step.after
        if state.phase == Phase.PLAY and not state.trick:
            held = {len(state.hands[seat]) for seat in range(len(state.points)) if state.inside >> seat & 1}
            assert held == {HAND - len(state.tricks)}


@slow
@given(matches, st.integers(0, 2**32))
def test_imagined_hands_could_have_made_the_play(steps: Steps, seed: int) -> None:
    """Whoever is imagined to hold a card could not have been obliged to play it earlier (M-R8)."""
    rng = Random(seed)
    for step in rng.sample(steps, min(6, len(steps))):
        state = step.after
        if not state.round:
            continue
        for seat in range(len(state.points)):
            assert _honest(GAME.imagine(GAME.view(state, seat), seat, rng))


def _honest(state: State) -> bool:
    """Play the round's tricks again from the hands before them; every card must have been legal."""
    entries = [[entry.split(":") for entry in trick.split()] for trick in (*state.tricks, state.trick)]
    tricks = [[(int(seat), PLAY_OF[card]) for seat, card in trick] for trick in entries]
    hands = [set(hand) for hand in state.hands]
    for trick in tricks:
        for seat, card in trick:
            hands[seat].add(card)
    for trick in tricks:
        trumped = False
        for seat, card in trick:
            hand, led = hands[seat], trick[0][1].suit
            if card.suit != led and _holds(hand, led) and not (trumped and card.suit == state.trump):
                return False
            trumped = trumped or (card.suit == state.trump and led != state.trump)
            hand.remove(card)
    return True


def _holds(hand: set[Play], suit: int) -> bool:
    return any(card.suit == suit for card in hand)
