"""Rounds and the end of the game: each case of the rules page by its id, and the rulings around them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game import CHANCE, GameError, IllegalAction, ranks
from referee.games.marshmallow_test import MarshmallowTest
from referee.games.marshmallow_test.actions import HAND, NO_SUIT
from referee.games.marshmallow_test.state import ROUND_LIMIT, THRESHOLD, Phase, State
from referee.seeds import Streams
from tests.games.marshmallow_test.deals import GAME, A, B, C, D, E, over, won_by


def gains(states: list[State]) -> dict[int, tuple[int, int]]:
    """Seat -> the trick with which it went out, and what it was paid for it."""
    found = {}
    before = replace(won_by("A", len(states[0].points))[0], points=(0,) * len(states[0].points))
    for number, state in enumerate(states, 1):
        for seat in range(len(state.points)):
            if before.inside >> seat & 1 and not state.inside >> seat & 1:
                found[seat] = (number, state.points[seat] - before.points[seat])
        before = state
    return found


def test_m_t15_the_rulebook_example() -> None:
    states = won_by("A B C A D B A", 4)
    assert gains(states) == {A: (7, 4)}
    assert states[-1].won == (3, 2, 1, 1)
    assert states[-1].turn == B


def test_m_t16_a_whole_round_of_four() -> None:
    states = won_by("A B C A D B A B D C C", 4)
    assert gains(states) == {A: (7, 4), B: (8, 5), C: (11, 8)}
    assert (states[6].turn, states[7].turn) == (B, C)
    end = states[-1]
    assert end.won == (3, 3, 3, 2)
    assert end.points == (4, 5, 8, 0)
    assert (end.phase, end.dealer) == (Phase.DEAL, D)


def test_m_r5_the_last_one_in_names_the_next_trump() -> None:
    state = won_by("A B C A D B A B D C C", 4)[-1]
    state = GAME.apply(state, {CHANCE: GAME.draw(state, Streams(1))})
    assert (state.phase, state.round, state.turn) == (Phase.TRUMP, 2, D)


def test_m_t17_out_for_nothing() -> None:
    states = won_by("A A A", 4)
    assert gains(states) == {A: (3, 0)}
    assert states[-1].turn == B


def test_m_t18_three_players() -> None:
    states = won_by("A B C A B C A B A C B", 3)
    assert gains(states) == {A: (9, 5), B: (11, 7)}
    assert (states[-1].points[C], states[-1].dealer) == (0, C)
    assert over(states[-1])


def test_m_t20_two_players() -> None:
    states = won_by("A A A A A A", 2)
    assert gains(states) == {A: (6, 0)}
    assert (states[-1].phase, states[-1].dealer) == (Phase.DEAL, B)


def test_m_t21_five_players_run_out_of_cards() -> None:
    states = won_by("A B A C A B B D C E D C", 5)
    assert gains(states) == {A: (5, 2), B: (7, 4), C: (12, 9)}
    end = states[-1]
    assert (end.won[D], end.won[E]) == (2, 1)
    assert (end.points[D], end.points[E]) == (0, 0)
    assert (end.phase, end.dealer) == (Phase.DEAL, D)


def test_m_r22_the_last_winner_deals_if_he_is_still_in() -> None:
    end = won_by("A B C A B C A B C D E E", 5)[-1]
    assert end.won == (3, 3, 3, 1, 2)
    assert (end.phase, end.dealer, end.points[E]) == (Phase.DEAL, E, 0)


def test_m_t23_five_players_end_in_the_ordinary_way() -> None:
    states = won_by("A A A B B B C C C D D D", 5)
    assert gains(states) == {A: (3, 0), B: (6, 3), C: (9, 6), D: (12, 9)}
    assert (states[-1].phase, states[-1].dealer) == (Phase.DEAL, E)


def test_m_t25_the_game_ends_at_once() -> None:
    states = won_by("A B C A D B A", 4, points=(16, 19, 3, 10))
    end = states[-1]
    assert GAME.to_act(end) == ()
    assert end.points == (20, 19, 3, 10)
    assert ranks(GAME.scores(end)) == (1, 2, 4, 3)
    assert end.inside.bit_count() == 3, "M-R24: the round is not finished"
    assert GAME.reason(end) == "seat 0 reached 20 points in round 1"


def test_m_t26_nothing_more_is_no_win() -> None:
    end = won_by("B B B", 4, points=(0, 19, 0, 0))[-1]
    assert end.points[B] == 19
    assert GAME.to_act(end) == (C,)


def test_m_t27_two_players_win() -> None:
    end = won_by("A B A B A B A A A", 2, points=(17, 0))[-1]
    assert end.points == (20, 0)
    assert GAME.to_act(end) == ()


def test_m_t29_points_are_plain_numbers() -> None:
    """M-R26: tokens are a display (21 is four large and a small one); more than the box holds is no error."""
    end = won_by("A B C A D B A", 4, points=(17, 19, 19, 19))[-1]
    assert end.points[A] == 21
    assert divmod(end.points[A], 5) == (4, 1)
    crowded = won_by("A A A B B B C C C D D D", 5, points=(19, 16, 13, 10, 19))[-1]
    assert crowded.points == (19, 19, 19, 19, 19)
    assert sum(crowded.points) == 95
    assert sum(won_by("A A A B B B C C C D D D", 5, points=(19, 16, 13, 19, 19))[-1].points) == 104


def test_m_r1_two_to_five_players() -> None:
    for seats in (1, 6):
        with pytest.raises(GameError, match="2 to 5 players"):
            GAME.start(seats)


def test_m_r2_first_dealer() -> None:
    game = MarshmallowTest()
    state = game.start(4)
    assert game.to_act(state) == (CHANCE,)
    drawn = {game.apply(state, {CHANCE: game.draw(state, Streams(seed))}).dealer for seed in range(40)}
    assert drawn == {0, 1, 2, 3}
    fixed = MarshmallowTest({"first_dealer": 2}).start(3)
    assert (fixed.phase, fixed.dealer) == (Phase.DEAL, 2)
    with pytest.raises(GameError, match="only 2 seats"):
        MarshmallowTest({"first_dealer": 2}).start(2)


def test_m_r3_every_round_deals_from_all_sixty_cards() -> None:
    state = GAME.start(2)
    seen = set()
    for seed in range(60):
        deal = GAME.draw(state, Streams(seed)).to_json()
        assert [len(hand) for hand in deal["hands"]] == [HAND, HAND]
        seen |= {card for hand in deal["hands"] for card in hand}
    assert len(seen) == 60


def test_deals_of_a_round_do_not_depend_on_the_play_before() -> None:
    """Matches that share a seed share the deal of each round."""
    early = won_by("A A A A A A", 2)[-1]
    late = won_by("A B A B A B A B A B B", 2)[-1]
    assert GAME.draw(early, Streams(4)).to_json() == GAME.draw(late, Streams(4)).to_json()


def test_m_r18_m_r27_what_is_laid_aside_is_its_owners_alone() -> None:
    state = won_by("A A A", 4)[-1]
    aside = [play.card for play in state.hands[A]]
    assert len(aside) == 9
    assert (GAME.view(state, A)["hand"], GAME.view(state, A)["laid_aside"]) == ([], aside)
    assert not any(f'"{card}"' in str(GAME.view(state, B)).replace("'", '"') for card in aside)


def test_m_r30_every_card_of_the_round_is_shown() -> None:
    states = won_by("A B C A D B A", 4)
    view = GAME.view(states[-1], D)
    assert len(view["tricks"]) == 7
    assert view["winners"] == [0, 1, 2, 0, 3, 1, 0]
    assert sum(len(trick.split()) for trick in view["tricks"]) == 28


def test_m_r29_guard_against_endless_games() -> None:
    states = won_by("A A A A A A", 2, points=(3, 5))
    last = replace(states[-2], round=ROUND_LIMIT)
    end = GAME.apply(last, {last.turn: GAME.legal(last, last.turn)[-1]})
    while end.phase == Phase.PLAY:
        end = GAME.apply(end, {end.turn: GAME.legal(end, end.turn)[-1]})
    assert GAME.to_act(end) == ()
    assert GAME.scores(end) == (3.0, 5.0)
    assert "guard" in GAME.reason(end)
    assert any("guard" in notice for notice in GAME.notices)


@pytest.mark.parametrize(("seats", "threshold"), THRESHOLD.items())
def test_threshold_table_by_arithmetic(seats: int, threshold: int) -> None:
    """Two can be left in after trick 12 just when seats x threshold >= 14, which the rulebook has for five alone."""
    if seats == 5:
        assert 5 * threshold >= 14 > 5 * (threshold - 1)
    else:
        assert seats * threshold < 14 <= seats * (threshold + 1)


def test_state_before_the_first_deal_is_public() -> None:
    view = MarshmallowTest().view(MarshmallowTest().start(2), A)
    assert (view["dealer"], view["turn"], view["phase"]) == (None, None, "first_dealer")
    assert MarshmallowTest().start(2).trump == NO_SUIT


def test_nature_must_fit_the_table() -> None:
    """What an edited replay could hold."""
    deal = GAME.draw(GAME.start(3), Streams(1))
    with pytest.raises(IllegalAction):
        GAME.apply(GAME.start(2), {CHANCE: deal})
    with pytest.raises(IllegalAction):
        GAME.apply(MarshmallowTest().start(2), {CHANCE: GAME.read_action({"type": "dealer", "seat": 2})})
    with pytest.raises(IllegalAction):
        GAME.apply(GAME.start(3), {CHANCE: GAME.read_action({"type": "dealer", "seat": 0})})
