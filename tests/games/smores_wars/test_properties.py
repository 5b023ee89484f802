"""What must hold in every match: cards are conserved, scores add up, states survive the view, matches end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game import CHANCE
from referee.games.smores_wars.actions import Act
from referee.games.smores_wars.cards import FULL
from referee.games.smores_wars.state import BATTLE, PLACE, SELECT, State
from referee.seeds import Streams
from referee.table import Step, Table
from tests.games.smores_wars.positions import GAME, all_cards

SEATS = st.integers(3, 5)
SEEDS = st.integers(0, 2**32)


def match(seats: int, seed: int) -> list[Step[State, Act]]:
    """The steps of a match; by seed the seats play at random, mostly mildly, idly once they can, or all alike."""
    rng = Random(seed)

    def pick(acts: Sequence[Act]) -> Act:
        style = seed % 4
        idle = str(acts[0]) in ("select smorage", "place in s'morage", "stay")
        if style == 3 or (style == 2 and idle) or (style == 1 and rng.random() < 0.8):
            return acts[0]
        return rng.choice(acts)

    table: Table[State, Act] = Table(GAME, seats, Streams(seed))
    steps = []
    while acting := table.to_act():
        if acting == (CHANCE,):
            steps.append(table.chance())
        else:
            steps.append(table.play({seat: pick(table.legal(seat)) for seat in acting}))
    return steps


def test_the_styles_of_play_meet_both_guards() -> None:
    assert match(3, 2)[-1].after.quiet == 10
    alike = match(3, 3)
    assert max(len(step.before.battles[0].reveals) for step in alike if step.before.stage == BATTLE) == 19
    assert alike[-1].after.discarded


@settings(max_examples=40, deadline=None)
@given(SEATS, SEEDS)
def test_cards_are_conserved_and_states_survive_their_view(seats: int, seed: int) -> None:
    whole = [list(counts) for counts in FULL]
    for step in match(seats, seed):
        state = step.after
        assert all_cards(state) == whole
        assert min(count for stack in state.stacks for count in stack) >= 0
        view = GAME.view(state, 0)
        assert GAME.imagine(json.loads(json.dumps(view)), 0, Random(0)) == state
        assert GAME.view(state, seats - 1) == view


@settings(max_examples=40, deadline=None)
@given(SEATS, SEEDS)
def test_scores_add_up_from_the_events_alone(seats: int, seed: int) -> None:
    built: list[list[list[str]]] = [[] for _ in range(seats)]
    stored: list[list[str]] = [[] for _ in range(seats)]
    steps = match(seats, seed)
    for step in steps:
        for event in GAME.events(step.before, step.actions, step.after, None):
            if event["type"] not in ("place", "move"):
                continue
            seat, card = event["seat"], event["card"]
            if event["type"] == "move":
                stored[seat].remove(card)
            if event["to"] == "smorage":
                stored[seat].append(card)
            elif event["to"] == "new":
                assert event["smore"] == len(built[seat])
                built[seat].append([card])
            else:
                built[seat][event["smore"]].append(card)
    points = [
        sum(sum(int(card[1]) for card in smore) if len(smore) == 4 else len(smore) - 4 for smore in smores)
        for smores in built
    ]
    last = steps[-1].after
    assert GAME.scores(last) == tuple(map(float, points))
    for player, smores, cards in zip(GAME.view(last, 0)["players"], built, stored, strict=True):
        assert sorted(player["smorage"]) == sorted(cards)
        assert [sorted(name.split()) for name in player["smores"]] == [sorted(smore) for smore in smores]
    for smores in built:
        for smore in smores:
            assert "".join(card[0] for card in smore) in ("G", "GC", "GM", "GCM", "GMC", "GCMG", "GMCG")


@settings(max_examples=40, deadline=None)
@given(SEATS, SEEDS)
def test_matches_end_for_a_reason_and_each_step_can_be_told(seats: int, seed: int) -> None:
    steps = match(seats, seed)
    assert len(steps) <= GAME.step_limit
    for step in steps:
        text = GAME.tell(step.before, step.actions, step.after)
        assert text
        assert "\n" not in text
        for act in step.actions.values():
            assert GAME.read_action(json.loads(json.dumps(act.to_json()))) is act
    end = steps[-1].after
    assert GAME.events(steps[-1].before, steps[-1].actions, end, None)[-1]["type"] == "game_over"
    emptied = [not value and not any(stack) for value, stack in zip(end.board, end.stacks, strict=True)]
    assert any(emptied) or end.quiet == 10
    tally = GAME.tally(end)
    gained = sum(tally[f"points of {what}"] for what in ("graham crackers", "chocolate", "marshmallows"))
    assert gained - tally["points lost to incomplete s'mores"] == sum(GAME.scores(end))


@settings(max_examples=40, deadline=None)
@given(SEATS, SEEDS)
def test_nobody_acts_out_of_the_round_s_order(seats: int, seed: int) -> None:
    for step in match(seats, seed):
        state = step.before
        if state.stage == SELECT:
            assert not state.tokens
            assert not state.battles
            assert not state.pending
        if state.stage == BATTLE:
            assert 2 <= len(state.battles[0].seats) <= 3
            assert len({len(GAME.legal(state, seat)) for seat in state.battles[0].seats}) == 1
        if state.stage == PLACE:
            assert not state.battles
            assert sorted(state.pending) == list(state.pending)


@settings(max_examples=20, deadline=None)
@given(SEATS, SEEDS)
def test_what_a_state_keeps_for_views_is_what_a_fresh_one_shows(seats: int, seed: int) -> None:
    """Each state is viewed before the next one is made, so that all is handed on that can be."""
    state = GAME.start(seats)
    for step in match(seats, seed):
        shown, fresh = GAME.view(state, 0), replace(state)
        assert shown == GAME.view(fresh, 0) == GAME.view(state, 0)
        assert (state, hash(state)) == (fresh, hash(fresh))
        assert GAME.view(replace(state, board=(0, 0, 0)), 0)["board"] == []
        state = GAME.apply(state, step.actions)
