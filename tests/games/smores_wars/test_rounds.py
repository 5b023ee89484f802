"""Selections, placements, scoring and the end: each case of the rules page by its id."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game import CHANCE, GameError, IllegalAction, OutOfTurn, ranks
from referee.games.smores_wars.state import BATTLE, OVER, PLACE, REVEAL, SELECT, Area, State
from referee.seeds import Streams
from tests.games.smores_wars.positions import (
    GAME,
    A,
    B,
    C,
    D,
    E,
    area,
    before_selection,
    card,
    fight,
    move,
    offered,
    place,
    reveal,
    select,
    stacks,
    tokens_open,
)

SMORAGE = {"to": "smorage"}
NEW = {"to": "new"}


def on(number: int) -> dict[str, object]:
    return {"to": "smore", "smore": number}


def test_s_t18_three_different_tokens_take_without_a_battle() -> None:
    after = select(before_selection(3), "G", "C", "M")
    assert after.stage == PLACE
    assert after.pending == ((A, card("G3")), (B, card("C2")), (C, card("M5")))
    assert after.board == (0, 0, 0)


def test_s_t19_unclaimed_cards_stay() -> None:
    state = select(before_selection(3), "G", "G", "G")
    assert state.battles[0].seats == (A, B, C)
    state = place(fight(state, A="Chomp", B="Smash", C="Splat"), C, "new")
    assert state.stage == REVEAL
    assert state.board == (0, 2, 5)
    assert reveal(state, "G1").board == (1, 2, 5)
    with pytest.raises(IllegalAction):
        reveal(state, "G1", "C1")


def test_s_t21_four_of_a_kind_discard_the_card() -> None:
    before = before_selection(4)
    after = select(before, "G", "G", "G", "G")
    assert after.stage == REVEAL
    assert after.discarded == (card("G3"),)
    assert after.board == (0, 2, 5)
    assert reveal(after, "G5").board == (5, 2, 5)


def test_s_r11_five_of_a_kind_discard_the_card() -> None:
    after = select(before_selection(5), "M", "M", "M", "M", "M")
    assert after.discarded == (card("M5"),)
    assert after.stage == REVEAL


def test_s_t22_two_battles_in_one_round() -> None:
    state = select(before_selection(5), "G", "G", "M", "M", "M")
    assert [(battle.kind, battle.seats) for battle in state.battles] == [(0, (A, B)), (2, (C, D, E))]
    assert GAME.to_act(state) == (A, B)
    state = fight(state, A="Toast", B="Smash")
    assert GAME.to_act(state) == (C, D, E)
    state = fight(state, C="Chomp", D="Smash", E="Smash")
    assert GAME.to_act(state) == (D, E)
    state = fight(state, D="Toast", E="Stretch")
    assert state.pending == ((A, card("G3")), (D, card("M5")))


def test_s_t23_discard_for_four_and_take_for_the_fifth() -> None:
    after = select(before_selection(5), "C", "C", "C", "C", "G")
    assert after.discarded == (card("C2"),)
    assert after.pending == ((E, card("G3")),)


def test_s_t25_smorage_token_needs_a_stored_card() -> None:
    state = before_selection(3, areas={B: area(smorage="M1")})
    assert tokens_open(state, A) == {"graham", "chocolate", "marshmallow"}
    assert tokens_open(state, B) == {"graham", "chocolate", "marshmallow", "smorage"}
    with pytest.raises(IllegalAction):
        select(state, "S", "G", "C")
    assert select(state, "G", "S", "C").stage == PLACE


def placing(laid: Area, text: str) -> State:
    """Seat A has just taken this card."""
    state = before_selection(3, areas={A: laid})
    return replace(state, stage=PLACE, pending=((A, card(text)),), tokens=(0, 1, 2))


OPEN = ("G1", "G1 C1", "G1 M1", "G1 C1 M1")


def test_s_t26_chocolate_without_a_smore() -> None:
    assert offered(placing(area(), "C2"), A) == [SMORAGE]


def test_s_t27_graham_begins_a_smore() -> None:
    assert offered(placing(area(), "G2"), A) == [SMORAGE, NEW]


def test_s_t28_chocolate_goes_where_none_lies() -> None:
    assert offered(placing(area(*OPEN), "C2"), A) == [SMORAGE, on(0), on(2)]


def test_s_t29_marshmallow_goes_where_none_lies() -> None:
    assert offered(placing(area(*OPEN), "M2"), A) == [SMORAGE, on(0), on(1)]


def test_s_t30_graham_tops_or_begins() -> None:
    assert offered(placing(area(*OPEN), "G2"), A) == [SMORAGE, NEW, on(3)]
    assert place(placing(area(*OPEN), "G2"), A, 3).areas[A].smores[3] == (1, 1, 1, 2)
    assert place(placing(area(*OPEN), "G2"), A, "new").areas[A].smores[4] == (2, 0, 0, 0)


def test_s_t31_a_complete_smore_is_closed() -> None:
    assert offered(placing(area("G2 C5 M3 G1"), "M1"), A) == [SMORAGE]
    assert offered(placing(area("G2 C5 M3 G1"), "G1"), A) == [SMORAGE, NEW]


def test_of_equal_smores_only_the_first_is_offered() -> None:
    assert offered(placing(area("G1", "G2", "G1"), "M1"), A) == [SMORAGE, on(0), on(1)]


def test_s_r5_a_smorage_player_may_move_one_card_or_none() -> None:
    state = before_selection(3, areas={A: area("G1", smorage="G2 M3 M3")})
    state = select(state, "S", "C", "M")
    assert [str(act) for act in GAME.legal(state, A)] == [
        "stay",
        "move G2 as a new s'more",
        "move M3 on s'more 0",
    ]
    after = move(state, A, "M3", 0)
    assert after.areas[A] == area("G1 M3", smorage="G2 M3")
    assert GAME.to_act(after) == (B,)
    assert step_stay(state).areas[A] == area("G1", smorage="G2 M3 M3")


def step_stay(state: State) -> State:
    seat = state.pending[0][0]
    return GAME.apply(state, {seat: GAME.legal(state, seat)[0]})


def test_s_r6_smorage_tokens_never_clash() -> None:
    laid = {seat: area(smorage="M1") for seat in range(5)}
    state = select(before_selection(5, areas=laid), "S", "S", "S", "S", "S")
    assert state.stage == PLACE
    assert [seat for seat, held in state.pending if not held] == [A, B, C, D, E]
    assert state.board == (3, 2, 5)


def test_s_r30_a_stored_graham_may_begin_a_smore() -> None:
    state = select(before_selection(3, areas={C: area(smorage="G5")}), "G", "C", "S")
    state = place(place(state, A, "new"), B, "smorage")
    assert move(state, C, "G5", "new").areas[C] == area("G5")


def test_s_t32_two_rounds() -> None:
    state = select(before_selection(3), "G", "G", "M")
    state = fight(state, A="Toast", B="Smash")
    state = place(state, A, "new")
    assert offered(state, C) == [SMORAGE]
    state = place(state, C, "smorage")
    assert state.board == (0, 2, 0)
    state = reveal(state, "G1", "M1")
    assert (state.stage, state.round, state.board) == (SELECT, 2, (1, 2, 1))
    state = select(state, "C", "G", "S")
    state = place(place(state, A, 0), B, "new")
    assert [str(act) for act in GAME.legal(state, C)] == ["stay"]
    state = step_stay(state)
    assert state.areas == (area("G3 C2"), area("G1"), area(smorage="M5"))
    assert GAME.scores(state) == (-2.0, -3.0, 0.0)


@pytest.mark.parametrize(
    ("case", "laid", "points"),
    [
        ("S-T33", area("G2 C5 M3 G1"), 11),
        ("S-T34", area("G2 C5 M3 G1", "G5 C5"), 9),
        ("S-T35", area("G5"), -3),
        ("S-T36", area("G5 M5 C5"), -1),
        ("S-R40", area(smorage="G5 M5 C5"), 0),
    ],
)
def test_s_t33_to_s_t36_points(case: str, laid: Area, points: int) -> None:
    assert laid.score() == points, case


def test_s_t38_nothing_beats_a_lonely_graham() -> None:
    scores = GAME.scores(before_selection(3, areas={A: area("G2 C5 M3 G1"), C: area("G1")}))
    assert scores == (11.0, 0.0, -3.0)
    assert ranks(scores) == (1, 2, 3)


def test_s_t39_shared_victory() -> None:
    top = {A: area("G5 C5 M5 G1"), C: area("G1 C5 M5 G5"), B: area("G5 C5 M3 G1")}
    scores = GAME.scores(before_selection(3, areas=top))
    assert scores == (16.0, 14.0, 16.0)
    assert ranks(scores) == (1, 3, 1)


def test_s_t40_the_last_chocolate_ends_the_game_after_all_is_resolved() -> None:
    state = before_selection(4, left=stacks(chocolate=0), areas={A: area("G1"), D: area("G1 C1")})
    state = select(state, "C", "G", "M", "M")
    assert state.stage == BATTLE
    state = fight(state, C="Smash", D="Splat")
    state = place(state, A, 0)
    assert GAME.to_act(state) == (B,)
    state = place(state, B, "new")
    state = place(state, D, 0)
    assert state.stage == OVER
    assert GAME.to_act(state) == ()
    assert state.areas == (area("G1 C2"), area("G3"), area(), area("G1 C1 M5"))
    assert GAME.reason(state) == "the last chocolate card is gone"


def test_s_t41_an_unclaimed_last_card_does_not_end_the_game() -> None:
    state = before_selection(3, left=stacks(chocolate=0))
    state = select(state, "G", "M", "M")
    state = place(fight(state, B="Smash", C="Splat"), A, "new")
    state = place(state, C, "smorage")
    assert state.stage == REVEAL
    assert reveal(state, "G1", "M2").board == (1, 2, 2)


def test_s_t43_the_last_chocolate_into_smorage_ends_the_game() -> None:
    state = before_selection(3, left=stacks(chocolate=0))
    state = select(state, "C", "G", "M")
    state = place(place(place(state, A, "smorage"), B, "smorage"), C, "smorage")
    assert state.stage == OVER
    assert GAME.scores(state) == (0.0, 0.0, 0.0)


def test_s_r36_a_discarded_last_card_ends_the_game() -> None:
    after = select(before_selection(4, left=stacks(marshmallow=0)), "M", "M", "M", "M")
    assert after.stage == OVER
    assert GAME.reason(after) == "the last marshmallow card is gone"


def test_s_r37_two_stacks_in_one_round() -> None:
    state = select(before_selection(3, left=stacks(graham=0, marshmallow=0)), "G", "M", "C")
    state = place(place(place(state, A, "smorage"), B, "smorage"), C, "smorage")
    assert state.stage == OVER
    assert GAME.reason(state) == "the last graham and marshmallow cards are gone"


def idle_round(state: State) -> State:
    state = select(state, "S", "S", "S")
    while state.stage == PLACE:
        state = step_stay(state)
    return state


def test_s_r42_ten_idle_rounds_end_the_game() -> None:
    laid = {seat: area("G1", smorage="M1") for seat in range(3)}
    state = before_selection(3, areas=laid)
    for number in range(9):
        state = idle_round(state)
        assert (state.stage, state.quiet) == (SELECT, number + 1)
    last = idle_round(state)
    assert last.stage == OVER
    assert GAME.reason(last).endswith("the harness's guard")


def test_s_r42_any_move_begins_the_count_anew() -> None:
    laid = {seat: area("G1", smorage="M1") for seat in range(3)}
    state = select(before_selection(3, areas=laid, quiet=9), "S", "S", "S")
    state = step_stay(move(step_stay(state), B, "M1", 0))
    assert (state.stage, state.quiet) == (SELECT, 0)
    state = select(before_selection(3, areas=laid, quiet=9), "S", "S", "G")
    assert state.quiet == 0


def test_s_r1_three_to_five_players() -> None:
    for seats in (2, 6):
        with pytest.raises(GameError, match="3 to 5 players"):
            GAME.start(seats)


def nature(state: State, **action: object) -> State:
    return GAME.apply(state, {CHANCE: GAME.read_action(action)})


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_s_r2_tiebreakers_by_player_count(seats: int) -> None:
    names = ["toast", "chomp", "stretch", "splat", "smash"]
    start = GAME.start(seats)
    assert GAME.view(nature(start, type="deal", tiebreakers=names[-seats:]), 0)["tiebreakers"] == names[-seats:]
    for other in {3, 4, 5} - {seats}:
        with pytest.raises(IllegalAction):
            nature(start, type="deal", tiebreakers=names[-other:])
    with pytest.raises(IllegalAction):
        nature(start, type="deal", tiebreakers=["smash", "splat", "chomp"])


def test_nature_cannot_turn_up_what_is_not_there() -> None:
    state = replace(before_selection(3, board=(0, 2, 5), left=stacks(graham=4)), stage=REVEAL)
    assert reveal(state, "G1").stacks[0] == (3, 0, 0, 0)
    for wrong in (["G5"], ["G1", "C1"], ["C1"]):
        with pytest.raises(IllegalAction):
            reveal(state, *wrong)
    with pytest.raises(IllegalAction):
        nature(state, type="deal", tiebreakers=["smash", "splat", "stretch"])
    with pytest.raises(IllegalAction):
        nature(GAME.start(3), type="reveal", cards=["G1", "C1", "M1"])


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"type": "select"},
        {"type": "select", "token": "toast"},
        {"type": "select", "token": "graham", "more": 1},
        {"type": "fight", "card": ["toast"]},
        {"type": "place", "to": "smore"},
        {"type": "place", "to": "smore", "smore": 99},
        {"type": "place", "to": "smore", "smore": -1},
        {"type": "place", "to": "new", "smore": 0},
        {"type": "move", "card": "G4", "to": "new"},
        {"type": "move", "card": "G3", "to": "smorage"},
        {"type": "deal", "tiebreakers": "smash"},
        {"type": "reveal", "cards": []},
        {"type": "reveal", "cards": ["G1", "G2"]},
        {"type": "reveal", "cards": ["C1", "G1"]},
        {"type": "reveal", "cards": ["toast"]},
    ],
)
def test_what_is_not_an_action_is_refused(data: object) -> None:
    with pytest.raises(IllegalAction):
        GAME.read_action(data)


def test_calls_out_of_turn_say_so() -> None:
    state = before_selection(3)
    for seat in (-1, 3):
        with pytest.raises(OutOfTurn):
            GAME.legal(state, seat)
    with pytest.raises(OutOfTurn):
        GAME.draw(state, Streams(0))
    with pytest.raises(OutOfTurn):
        GAME.reason(state)
    with pytest.raises(OutOfTurn):
        GAME.apply(replace(state, stage=OVER), {})


def test_assumption_and_guards_are_noticed() -> None:
    assumed, *guards = GAME.notices
    assert assumed.startswith("Assumed")
    assert "graham 9 of 1, 8 of 2, 5 of 3, 3 of 5" in assumed
    assert [notice.startswith("A guard of the harness") for notice in guards] == [True, True]


def test_stacks_have_the_sizes_of_the_rulebook() -> None:
    assert [sum(stack) for stack in GAME.start(3).stacks] == [25, 15, 15]
