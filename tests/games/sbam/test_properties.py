"""What must hold in every match of Sbam!, whatever is played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game import CHANCE
from referee.games.sbam.cards import OOPS, SBAM, VALUE, deck
from referee.games.sbam.game import Sbam
from referee.games.sbam.state import COMMIT, DEAL, OVER, WINDOW, State
from referee.seeds import Streams
from referee.table import Step, Table

MATCHES = st.tuples(st.integers(2, 6), st.booleans(), st.integers(0, 2**32), st.sampled_from([0.0, 0.5, 0.95]))


def played(seats: int, with_no3: bool, seed: int, patience: float) -> Iterator[tuple[Sbam, Step]]:  # type: ignore[type-arg]
    """The steps of a match of random choices; with `patience` a Sbam! is often held back, so rounds get long."""
    game = Sbam({"reconstructed_card": with_no3})
    table = Table(game, seats, Streams(seed))
    rng = Random(seed)
    while acting := table.to_act():
        if acting == (CHANCE,):
            yield game, table.chance()
            continue
        actions = {}
        for seat in acting:
            legal = list(table.legal(seat))
            calm = [action for action in legal if action.to_json()["type"] != "sbam"]
            actions[seat] = rng.choice(calm if calm and rng.random() < patience else legal)
        yield game, table.play(actions)


def everywhere(state: State) -> Counter[str]:
    """All cards of a position, wherever they are."""
    found = Counter(state.pile)
    for hand in state.hands:
        found.update(hand.cards)
    for side in state.left + state.right:
        found.update(side.split())
    found[SBAM] += sum(count for _, count in state.calls + state.cancelled)
    found[OOPS] += state.oops is not None
    return +found


@settings(max_examples=25, deadline=None)
@given(MATCHES)
def test_laws_of_a_match(match: tuple[int, bool, int, float]) -> None:
    cards = Counter(deck(match[1]))
    steps = 0
    for _, step in played(*match):
        before, after = step.before, step.after
        steps += 1
        assert everywhere(after) == cards
        assert all(old <= new for old, new in zip(before.standing.damage, after.standing.damage, strict=True))
        assert set(after.standing.alive) <= set(before.standing.alive)
        for seat, taken in enumerate(after.standing.damage):
            assert (taken >= 5) == (seat not in after.standing.alive) == (after.standing.out[seat] > 0)
        if after.phase == COMMIT:
            assert [len(hand.cards) for hand in after.hands] == [
                3 * (seat in after.standing.alive) for seat in range(match[0])
            ]
            assert after.asked == after.standing.alive
        for seat, number in enumerate(after.bound):
            kinds = (SBAM,) if after.oops else (SBAM, OOPS)
            assert sum(card in kinds for card in after.hands[seat].cards) >= number
        if after.phase == WINDOW:
            holder = [seat for seat, hand in enumerate(after.hands) if OOPS in hand.cards]
            assert set(holder) <= set(after.asked) | {seat for seat, _ in after.calls}
    assert after.phase == OVER
    assert steps <= Sbam.step_limit
    assert len(after.standing.alive) < 2 or after.standing.quiet >= 50 or after.standing.round >= 200


@settings(max_examples=15, deadline=None)
@given(MATCHES)
def test_views_of_a_match(match: tuple[int, bool, int, float]) -> None:
    """Every view is plain JSON, and what it lets a seat imagine looks the same to that seat and asks the same."""
    seen: list[State] = []
    for game, step in played(*match):
        state = step.after
        if step.number % 5 == 0 or state.phase == WINDOW:
            seen.append(state)
            for seat in range(match[0]):
                view = game.view(state, seat)
                assert json.loads(json.dumps(view)) == view
                world = game.imagine(json.loads(json.dumps(view)), seat, Random(step.number))
                assert Sbam(game.options).view(world, seat) == view
                assert world.asked == state.asked
                assert everywhere(world) == everywhere(state)
                if state.phase == WINDOW and seat in state.asked:
                    assert game.legal(world, seat) == game.legal(state, seat)
    assert seen


@settings(max_examples=15, deadline=None)
@given(MATCHES)
def test_a_record_rebuilds_the_match(match: tuple[int, bool, int, float]) -> None:
    """A match written down as JSON and read back by another game object passes through the same states."""
    other = Sbam({"reconstructed_card": match[1]})
    state = other.start(match[0])
    for game, step in played(*match):
        assert state == step.before
        record = {seat: json.loads(json.dumps(action.to_json())) for seat, action in step.actions.items()}
        actions = {seat: other.read_action(data) for seat, data in record.items()}
        assert actions == dict(step.actions)
        after = other.apply(state, actions)
        assert after == step.after
        for seat in (*range(match[0]), None):
            assert other.events(state, actions, after, seat) == game.events(step.before, step.actions, step.after, seat)
        told = other.tell(state, actions, after)
        assert told == game.tell(step.before, step.actions, step.after)
        assert told
        assert "\n" not in told
        state = after


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6))
def test_a_seed_fixes_the_cards_of_a_round_whoever_draws_them(seed: int, seats: int) -> None:
    """Two matches of one seed draw the same cards in the same order, as far as both draw in that round."""
    orders: list[dict[int, list[str]]] = []
    for patience in (0.0, 0.95):
        order: dict[int, list[str]] = {}
        for _, step in played(seats, True, seed, patience):
            if CHANCE in step.actions and len(step.before.standing.alive) == seats:
                drawn = step.actions[CHANCE].to_json()["cards"]
                order.setdefault(step.before.standing.round, []).extend(card for cards in drawn for card in cards)
        orders.append(order)
    one, two = orders
    for number in one.keys() & two.keys():
        assert all(a == b for a, b in zip(one[number], two[number], strict=False))
    assert one[1]


@settings(max_examples=10, deadline=None)
@given(MATCHES)
def test_the_first_legal_action_is_the_mildest(match: tuple[int, bool, int, float]) -> None:
    for game, step in played(*match):
        if CHANCE in step.actions:
            continue
        for seat in step.before.asked:
            first = game.legal(step.before, seat)[0].to_json()
            hand = step.before.hands[seat].cards
            if step.before.phase == WINDOW:
                assert first["type"] == "decline"
            elif any(card in VALUE for card in hand):
                assert first["card"] in VALUE
            else:
                assert first["type"] == "pass" or not set(hand) <= {SBAM, OOPS}


def test_rounds_follow_each_other() -> None:
    numbers = [step.after.standing.round for _, step in played(4, True, 11, 0.5) if step.after.phase == DEAL]
    assert all(b - a == 1 for a, b in pairwise(numbers))
    assert numbers[0] == 2
