"""Battles: each case of the rules page by its id, and the rulings around them."""

from __future__ import annotations

import pytest

from referee.game import IllegalAction, OutOfTurn
from referee.games.smores_wars.cards import BATTLE_CARDS
from referee.games.smores_wars.state import BATTLE, PLACE, State
from tests.games.smores_wars.positions import GAME, A, B, C, D, E, before_battle, before_selection, card, fight, select

PAIRS = [
    ("Chomp", "Toast"),
    ("Toast", "Smash"),
    ("Toast", "Splat"),
    ("Toast", "Stretch"),
    ("Smash", "Stretch"),
    ("Smash", "Chomp"),
    ("Splat", "Smash"),
    ("Splat", "Chomp"),
    ("Stretch", "Splat"),
    ("Stretch", "Chomp"),
]


def won_by(state: State, seat: int) -> bool:
    """The Battle for Graham 3 is over and this seat holds the card."""
    return state.stage == PLACE and not state.battles and (seat, card("G3")) in state.pending and not state.board[0]


def again(state: State, *seats: int) -> bool:
    """The Battle goes on among exactly these seats, and the card still lies there."""
    return state.stage == BATTLE and state.battles[0].seats == seats and state.board[0] == 3


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize(("better", "worse"), PAIRS)
def test_s_t1_every_pair_is_decided(seats: int, better: str, worse: str) -> None:
    assert won_by(fight(before_battle(seats, (A, B)), A=better, B=worse), A)
    assert won_by(fight(before_battle(seats, (A, B)), A=worse, B=better), B)


def test_s_t2_tiebreaker_settles_a_tie_of_two() -> None:
    assert won_by(fight(before_battle(3, (A, B)), A="Splat", B="Splat"), B)


def test_s_t3_tie_without_tiebreaker_is_fought_again() -> None:
    tied = fight(before_battle(4, (A, D)), A="Toast", D="Toast")
    assert again(tied, A, D)
    assert "fight with toast" not in [str(act) for act in GAME.legal(tied, A)]
    assert won_by(fight(tied, A="Chomp", D="Chomp"), D)


def test_s_t4_toast_tiebreaker() -> None:
    assert won_by(fight(before_battle(5, (A, E)), A="Toast", E="Toast"), E)


def test_s_t5_three_equal_cards_ignore_the_tiebreaker() -> None:
    assert again(fight(before_battle(3, (A, B, C)), A="Smash", B="Smash", C="Smash"), A, B, C)


def test_s_t6_a_circle_is_fought_again_with_four_cards_each() -> None:
    after = fight(before_battle(3, (A, B, C)), A="Smash", B="Splat", C="Stretch")
    assert again(after, A, B, C)
    assert [len(GAME.legal(after, seat)) for seat in (A, B, C)] == [4, 4, 4]


def test_s_t7_third_is_out_when_two_tie_above_him() -> None:
    after = fight(before_battle(3, (A, B, C)), A="Toast", B="Toast", C="Smash")
    assert again(after, A, B)
    with pytest.raises(OutOfTurn):
        GAME.legal(after, C)
    assert won_by(fight(after, A="Smash", B="Smash"), A)


def test_s_t8_tiebreaker_among_two_of_three() -> None:
    assert won_by(fight(before_battle(5, (A, C, E)), A="Toast", E="Toast", C="Smash"), E)


def test_s_t9_a_tie_below_the_top_decides_nothing() -> None:
    assert won_by(fight(before_battle(5, (A, B, E)), A="Chomp", B="Toast", E="Toast"), A)


def test_s_t10_one_of_three_different_cards_beats_both() -> None:
    assert won_by(fight(before_battle(3, (A, B, C)), A="Chomp", B="Smash", C="Splat"), C)


def test_s_t11_two_equal_cards_beat_the_third_and_the_tiebreaker_settles() -> None:
    assert won_by(fight(before_battle(3, (A, B, C)), A="Smash", B="Smash", C="Stretch"), A)


def test_s_t12_the_third_beats_a_tie_with_a_tiebreaker() -> None:
    assert won_by(fight(before_battle(3, (A, B, C)), A="Splat", B="Splat", C="Stretch"), C)


def test_s_t14_chomp_has_no_tiebreaker_with_three_players() -> None:
    assert again(fight(before_battle(3, (A, B, C)), A="Chomp", B="Chomp", C="Toast"), A, B)


def test_s_t15_all_five_cards_gone_without_a_winner() -> None:
    state = before_battle(3, (A, B, C))
    for cards in (("Smash", "Splat", "Stretch"), ("Splat", "Stretch", "Smash"), ("Stretch", "Smash", "Splat")):
        state = fight(state, **dict(zip("ABC", cards, strict=True)))
        assert again(state, A, B, C)
    state = fight(state, A="Chomp", B="Chomp", C="Toast")
    assert again(state, A, B)
    assert [str(act) for act in GAME.legal(state, A)] == ["fight with toast"]
    before = state
    state = fight(state, A="Toast", B="Toast")
    assert again(state, A, B)
    assert [len(GAME.legal(state, seat)) for seat in (A, B)] == [5, 5]
    assert GAME.view(state, A)["battles"][0]["hands"] == [list(BATTLE_CARDS), list(BATTLE_CARDS), []]
    toast = {A: GAME.legal(before, A)[0], B: GAME.legal(before, B)[0]}
    (shown, told) = GAME.events(before, toast, state, None)
    assert shown == {"type": "fight", "for": "G3", "cards": ["toast", "toast", None]}
    assert told == {"type": "again", "for": "G3", "seats": [A, B], "pick_up": True}
    assert won_by(fight(state, A="Chomp", B="Toast"), A)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_s_t17_a_card_shown_before_in_this_battle_is_illegal(seats: int) -> None:
    after = fight(before_battle(seats, (B, C)), B="Toast", C="Toast")
    assert again(after, B, C)
    with pytest.raises(IllegalAction):
        fight(after, B="Toast", C="Smash")


def test_s_r17_the_beaten_thirds_tiebreaker_helps_nobody() -> None:
    assert again(fight(before_battle(3, (A, B, C)), A="Chomp", B="Smash", C="Smash"), B, C)


def test_s_r18_an_outsiders_tiebreaker_does_not_matter() -> None:
    assert again(fight(before_battle(3, (A, C)), A="Splat", C="Splat"), A, C)


def test_s_r20_cards_return_after_the_battle_to_the_defeated_too() -> None:
    state = before_selection(5)
    state = select(state, "G", "G", "M", "M", "C")
    state = fight(state, A="Chomp", B="Toast")
    assert state.battles[0].seats == (C, D)
    assert [len(GAME.legal(state, seat)) for seat in (C, D)] == [5, 5]


def test_s_r22_twenty_reveals_without_a_winner_discard_the_card() -> None:
    state = before_battle(3, (A, B, C))
    for number in range(20):
        assert state.stage == BATTLE, number
        name = BATTLE_CARDS[number % 5].capitalize()
        before = state
        state = fight(state, A=name, B=name, C=name)
    assert state.discarded == (card("G3"),)
    assert state.board[0] == 0
    assert not state.pending
    assert state.round == before.round + 1
    acts = {seat: GAME.legal(before, seat)[0] for seat in (A, B, C)}
    assert GAME.events(before, acts, state, None)[1] == {"type": "discard", "seats": [A, B, C], "card": "G3"}


def test_the_weakest_card_comes_first() -> None:
    assert str(GAME.legal(before_battle(3, (A, B)), A)[0]) == "fight with chomp"
