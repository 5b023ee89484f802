"""The rounds of the rules page, each by its id, played through the engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game import CHANCE, IllegalAction, OutOfTurn
from referee.games.sbam.actions import DECLINE, Drawn, call
from referee.games.sbam.cards import deck
from referee.games.sbam.fights import ropes_of
from referee.games.sbam.state import COMMIT, DEAL, OVER, REFILL, WINDOW, State

from .positions import GAME, at_tick, cards, draw, spelled, step, told


def damage(state: State) -> tuple[int, ...]:
    return state.standing.damage


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        pytest.param("Sbam Sbam Oops", {"1", "2", "pass"}, id="B-T28"),
        pytest.param("R1 Sbam Oops", {"r1 left", "r1 right", "1"}, id="B-T29"),
        pytest.param("Sbam Sbam Sbam", {"1", "2", "3", "pass"}, id="B-T30"),
        pytest.param("R1 R2 =Y", {"r1 left", "r1 right", "r2 left", "r2 right", "=y left", "=y right"}, id="B-T31"),
    ],
)
def test_legal_actions(hand: str, legal: set[str]) -> None:
    assert spelled(at_tick([hand, "Y1 Y2 Y3"]), 0) == legal


def first_tick(call: str, c_hand: str = "R1 B1 Y1") -> State:
    """Three seats: A calls, B plays R2 on the rope B-C, C plays R1 there."""
    return step(at_tick(["Sbam Sbam Sbam", "R2 B2 Y2", c_hand]), call, "R2 left", "R1 right")


def test_b_t32() -> None:
    window = first_tick("Sbam 1")
    assert window.phase == WINDOW
    assert window.asked == (1, 2)
    assert damage(step(window, "decline", "decline")) == (2, 0, 1)


def test_b_t33() -> None:
    assert damage(step(first_tick("Sbam 2"), "decline", "decline")) == (0, 0, 1)


def test_b_t34() -> None:
    after = told(first_tick("Sbam 3"), "decline", "decline")
    assert after[-1]["cause"] == "triple"
    assert after[-1]["fights"] == []
    assert after[-1]["damage"] == [0, 1, 1]


def test_b_t35() -> None:
    window = first_tick("Sbam 3", "R1 B1 Oops")
    after = step(window, "decline", "oops")
    assert damage(after) == (0, 0, 0)
    assert after.phase == REFILL
    assert after.cancelled == ((0, 3),)
    assert after.oops == (2, 1)
    with pytest.raises(IllegalAction):
        draw(after, "Y3 Y3 Y3", "B3", "R3")
    after = draw(after, "Y3 Y3 Y3", "B3", "R3 R3")
    assert (after.phase, after.tick) == (COMMIT, 2)
    assert all(len(hand.cards) == 3 for hand in after.hands)
    assert after.pile.count("oops") == 0
    assert after.pile.count("sbam") == 2


def test_b_t36() -> None:
    after = step(at_tick(["Sbam R1 R2", "Sbam R1 R2"]), "Sbam 1", "Sbam 1")
    assert after.phase == DEAL  # nobody is left who could answer
    assert damage(after) == (2, 2)


def test_b_t37() -> None:
    ready = at_tick(["Sbam Sbam R2", "Sbam R2 B1"], right={0: "R1"}, left={1: "R3"})
    assert damage(step(ready, "Sbam 2", "Sbam 1")) == (0, 1)


def test_b_t39() -> None:
    ready = at_tick(["Sbam R1 R2", "Oops R1 R2", "Sbam B1 B2", "Y1 Y2 Y3"])
    window = step(ready, "Sbam 1", "R1 left", "Sbam 1", "Y1 left")
    assert window.asked == (1, 3)
    after = step(window, "oops", "decline")
    assert after.phase == REFILL
    assert after.cancelled == ((0, 1), (2, 1))
    assert damage(after) == (0, 0, 0, 0)


def test_b_t40_the_caller_holds_oops() -> None:
    window = step(at_tick(["Sbam Oops R1", "R1 R2 R3", "B1 B2 B3"]), "Sbam 1", "R1 left", "B1 left")
    assert window.asked == (1, 2)
    assert [spelled(window, seat) for seat in window.asked] == [{"decline"}, {"decline"}]
    with pytest.raises(OutOfTurn):
        GAME.legal(window, 0)


def test_b_t40_oops_would_come_with_the_refill() -> None:
    ready = at_tick(["Sbam R1 R2", "R1 R2 R3", "B1 B2 B3"])
    assert "oops" in ready.pile
    window = step(ready, "Sbam 1", "R1 left", "B1 left")
    assert [spelled(window, seat) for seat in window.asked] == [{"decline"}, {"decline"}]
    assert step(window, "decline", "decline").phase == DEAL  # the round ends before anybody draws


def test_b_t42() -> None:
    """Playable cards are drawn first, Sbam! and Oops last: 55 can be played where 28 ticks of two need 56."""
    playable = [card for card in deck(with_no3=True) if card not in ("sbam", "oops")]
    coming = [*playable, "oops", *["sbam"] * 5]
    state = GAME.start(2)
    state = GAME.apply(state, {CHANCE: Drawn((tuple(coming[:3]), tuple(coming[3:6])))})
    coming = coming[6:]
    assert len(state.pile) == 55
    for tick in range(1, 28):
        assert (state.phase, state.tick) == (COMMIT, tick)
        state = GAME.apply(state, {seat: GAME.legal(state, seat)[0] for seat in (0, 1)})
        state = GAME.apply(state, {CHANCE: Drawn(((coming[0],), (coming[1],)))})
        coming = coming[2:]
    assert len(state.pile) == 1
    first = [GAME.legal(state, seat)[0] for seat in (0, 1)]
    assert sorted(str(action) == "pass" for action in first) == [False, True]
    state = GAME.apply(state, dict(enumerate(first)))
    due = [3 - len(hand.cards) for hand in state.hands]
    refill = Drawn(tuple((coming[0],) * number for number in due))
    after = GAME.apply(state, {CHANCE: refill})
    assert (after.phase, after.standing.round) == (DEAL, 2)
    end = GAME.events(state, {CHANCE: refill}, after, None)[-1]
    assert (end["type"], end["cause"]) == ("round_end", "pile")


def two_ticks() -> State:
    """B-T43 up to the window of its second tick."""
    state = GAME.start(3)
    state = draw(state, "R3 B2 Sbam", "R1 R1 Y2", "Y3 Y3 Oops")
    state = step(state, "R3 left", "R1 right", "Y3 left")
    state = draw(state, "B3", "Y1", "=Y")
    return step(state, "Sbam 1", "Y2 left", "Y3 right")


def test_b_t43() -> None:
    end = told(two_ticks(), "decline", "decline")[-1]
    found = {(f["left_seat"], f["right_seat"]): (f["left_sum"], f["right_sum"], f["hurt"]) for f in end["fights"]}
    assert found == {(0, 1): (3, 1, [1]), (1, 2): (2, 3, [1]), (2, 0): (3, 0, [0])}
    assert end["damage"] == [1, 2, 0]


def test_b_t44() -> None:
    window = two_ticks()
    after = step(window, "decline", "oops")
    assert damage(after) == (0, 0, 0)
    assert (after.left, after.right) == (window.left, window.right)
    assert [hand.cards for hand in after.hands] == [cards("B2 B3"), cards("R1 Y1"), cards("=Y")]
    after = draw(after, "R2", "R2", "R2 Y1")
    assert (after.phase, after.tick) == (COMMIT, 3)


def test_b_t46() -> None:
    ready = at_tick(
        ["Sbam Sbam Sbam", "R1 B1 Y1", "R1 B1 Y1"],
        damage=(4, 4, 4),
        left={0: "R1", 1: "R1", 2: "R1"},
        right={0: "R2", 1: "R2", 2: "R2"},
    )
    # Every left side has 1 against 2, so A loses to B, B to C and C to A; passing all round is not open to them, and
    # a single Sbam! adds nothing where no fight is tied.
    after = step(step(ready, "Sbam 1", "B1 left", "Y1 right"), "decline", "decline")
    assert after.phase == OVER
    assert GAME.scores(after) == (0.0, 0.0, 0.0)
    assert GAME.reason(after) == "seats 0, 1 and 2 were eliminated in the same round and share the victory"


def test_b_t47() -> None:
    ready = at_tick(["R1 R2 R3", "B1 B2 B3", "Sbam Sbam Sbam"], damage=(4, 4, 3))
    after = step(step(ready, "R1 left", "B1 left", "Sbam 3"), "decline", "decline")
    assert after.phase == OVER
    assert GAME.scores(after) == (0.0, 0.0, 2.0)
    assert damage(after) == (5, 5, 3)


def test_b_t49() -> None:
    ready = at_tick(["Sbam R1 R2", "Sbam B1 B2"], damage=(4, 4), left={0: "R1", 1: "R1"}, right={0: "R2", 1: "R2"})
    after = step(ready, "Sbam 1", "Sbam 1")
    assert after.phase == OVER
    assert GAME.scores(after) == (0.0, 0.0)


def test_b_t50() -> None:
    ready = at_tick(["R1 R2 R3", "Sbam Sbam Sbam", "B1 B2 B3"], damage=(0, 0, 4))
    after = step(step(ready, "R1 left", "Sbam 3", "B1 left"), "decline", "decline")
    assert (after.phase, after.standing.alive) == (DEAL, (0, 1))
    assert ropes_of(after.standing.alive) == ((0, 1), (1, 0))


def test_everybody_passing_ends_the_round() -> None:
    """Step 5 of a tick. Two hands of only Sbam! and Oops take all six of them."""
    end = told(at_tick(["Sbam Sbam Sbam", "Sbam Sbam Oops"]), "pass", "pass")[-1]
    assert (end["type"], end["cause"], end["hurt"]) == ("round_end", "passes", [0, 0])


def test_the_last_card_ends_the_round_as_it_is_drawn() -> None:
    """B-R23, and B-R25: without a Sbam!."""
    ready = replace(at_tick(["R1 R2 R3", "B1 B2 B3"]), pile=("r1", "r2"))
    state = step(ready, "R1 left", "B1 left")
    refill = Drawn((("r1",), ("r2",)))
    after = GAME.apply(state, {CHANCE: refill})
    assert after.standing.ended == (0, 0, 1, 0)
    # B1 against nothing and R1 against nothing: each loses one.
    assert damage(after) == (1, 1)


def test_a_short_pile_goes_to_the_lowest_seat_first() -> None:
    state = step(replace(at_tick(["R1 R2 R3", "B1 B2 B3"]), pile=("r1",)), "R1 left", "B1 left")
    with pytest.raises(IllegalAction):
        GAME.apply(state, {CHANCE: Drawn(((), ("r1",)))})
    assert GAME.apply(state, {CHANCE: Drawn((("r1",), ()))}).standing.ended == (0, 0, 1, 0)


def test_a_sbam_that_stands_comes_before_the_empty_pile() -> None:
    """B-R24."""
    ready = replace(at_tick(["Sbam R2 R3", "B1 B2 B3"]), pile=("r1", "r2"))
    after = step(step(ready, "Sbam 1", "B1 left"), "decline")
    assert after.standing.ended == (1, 0, 0, 0)


def test_a_cancelled_sbam_in_the_last_tick_has_no_effect() -> None:
    """B-R20: the round ends by the pile, and the tie costs its caller nothing."""
    ready = replace(at_tick(["Sbam R2 R3", "B1 B2 Oops"]), pile=("r1", "r2"))
    state = step(step(ready, "Sbam 1", "B1 left"), "oops")
    after = GAME.apply(state, {CHANCE: Drawn((("r1",), ("r2",)))})
    assert after.standing.ended == (0, 0, 1, 0)
    assert damage(after) == (1, 0)  # A has nothing against B1; the other rope is a tie


def test_a_double_does_not_shield_from_a_triple() -> None:
    """B-R12."""
    ready = at_tick(["Sbam Sbam Sbam", "Sbam Sbam R1", "B1 B2 B3"])
    after = step(step(ready, "Sbam 3", "Sbam 2", "B1 left"), "decline")
    assert damage(after) == (0, 1, 1)


def test_a_single_loses_its_tie_to_a_double_caller() -> None:
    """B-R14."""
    assert damage(step(at_tick(["Sbam R1 R2", "Sbam Sbam R1"]), "Sbam 1", "Sbam 2")) == (2, 0)


def test_four_damage_and_two_lost_fights_eliminate() -> None:
    """B-R40 and B-R42."""
    ready = at_tick(["Sbam R1 R2", "R1 R2 R3"], damage=(4, 0), left={1: "R1"}, right={1: "R1"})
    after = step(step(ready, "Sbam 1", "R2 left"), "decline")
    assert damage(after) == (6, 0)
    assert GAME.reason(after) == "seat 1 is the only one left with fewer than 5 damage and wins"


def test_placement_follows_the_round_of_elimination() -> None:
    """B-R46 and B-R52: out earlier is below, the same round shares."""
    state = at_tick(["R1 R2 R3", "B1 B2 B3", "", "", ""])
    state = replace(state, standing=state.standing._replace(round=9, damage=(1, 3, 5, 6, 5), out=(0, 0, 3, 7, 3)))
    assert GAME.scores(state) == (4.0, 3.0, 0.0, 2.0, 0.0)


@pytest.mark.parametrize(("number", "quiet"), [(70, 49), (200, 3)])
def test_the_guard_ends_a_game_without_end(number: int, quiet: int) -> None:
    """B-R50, and its sentence says whose rule it is."""
    ready = at_tick(["Sbam Sbam Sbam", "Sbam Sbam Oops", "", ""], damage=(4, 2, 5, 5))
    standing = ready.standing._replace(round=number, quiet=quiet, out=(0, 0, 2, 5))
    after = step(replace(ready, standing=standing), "pass", "pass")
    assert after.phase == OVER
    assert after.asked == ()
    assert GAME.scores(after) == (2.0, 3.0, 0.0, 1.0)
    assert "guard, not a rule of Sbam!" in GAME.reason(after)
    before = replace(ready, standing=standing._replace(round=number - 1, quiet=quiet - 1))
    assert step(before, "pass", "pass").phase == DEAL


def test_damage_begins_the_count_of_quiet_rounds_anew() -> None:
    """B-R50: 50 rounds in a row; the 50th brings damage here."""
    ready = at_tick(["Sbam R1 R2", "B1 B2 B3"])
    ready = replace(ready, standing=ready.standing._replace(round=70, quiet=49))
    after = step(step(ready, "Sbam 1", "B1 left"), "decline")
    assert damage(after) == (2, 0)
    assert (after.phase, after.standing.quiet) == (DEAL, 0)


def test_illegal_actions_are_refused_by_name() -> None:
    ready = at_tick(["R1 R2 R3", "B1 B2 B3"])
    with pytest.raises(IllegalAction, match="seat 0 may not play Sbam! x1 now"):
        GAME.apply(ready, {0: call(1), 1: GAME.legal(ready, 1)[0]})
    with pytest.raises(IllegalAction, match="seat 1 may not decline now"):
        GAME.apply(ready, {0: GAME.legal(ready, 0)[0], 1: DECLINE})
