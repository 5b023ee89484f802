"""What seats may know in Sbam!: the worlds that a view allows, who is asked for Oops, and what events hide."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee.game import CHANCE
from referee.games.sbam.actions import Drawn
from referee.games.sbam.cards import OOPS, SBAM
from referee.games.sbam.game import Sbam
from referee.games.sbam.hands import Hand
from referee.games.sbam.state import COMMIT, DEAL, WINDOW, State

from .positions import GAME, at_tick, draw, spelled, step, told


@pytest.mark.parametrize(
    ("hands", "moves", "asked"),
    [
        pytest.param(
            ("Sbam Sbam Sbam", "Sbam Sbam Oops", "R1 R2 R3", ""), ("Sbam 3", "pass", "R1 left"), (1,), id="proved"
        ),
        pytest.param(
            ("Sbam Sbam R1", "Sbam Sbam Oops", "R1 R2 R3", ""), ("Sbam 2", "pass", "R1 left"), (1, 2), id="open"
        ),
        pytest.param(
            ("Sbam Sbam R1", "Sbam Sbam Sbam", "R1 Oops R3", ""), ("Sbam 2", "pass", "R1 left"), (1, 2), id="no"
        ),
        pytest.param(
            ("Sbam R2 R1", "R1 R2 R3", "R1 Oops R3", ""), ("Sbam 1", "R1 left", "R1 left"), (1, 2), id="usual"
        ),
        pytest.param(("Sbam R2 R1", "Sbam R2 R3", "Sbam Y1 Y2", ""), ("Sbam 1", "Sbam 1", "Sbam 1"), (), id="all call"),
    ],
)
def test_the_window_asks_whoever_could_hold_oops(
    hands: tuple[str, ...], moves: tuple[str, ...], asked: tuple[int, ...]
) -> None:
    """An onlooker who knows what all know (the seat that is out) finds Oops just in the hands that are asked."""
    after = step(at_tick(hands), *moves)
    assert (after.asked if after.phase == WINDOW else ()) == asked
    if asked:
        callers = {seat for seat, _ in after.calls}
        view, rng = GAME.view(after, 3), Random(7)
        imagined = [GAME.imagine(view, 3, rng).hands for _ in range(4000)]
        holders = {seat for world in imagined for seat, hand in enumerate(world) if OOPS in hand.cards} - callers
        assert holders == set(asked)


def two_passers(*moves: str) -> State:
    """Seats 0 and 1 pass for a tick, so that the table knows one of them to hold Oops; then these moves."""
    state = step(at_tick(["Sbam Sbam Sbam", "Sbam Sbam Oops", "R1 R2 R3", ""]), "pass", "pass", "R1 left")
    return step(draw(state, "", "", "B1", ""), *moves)


def test_two_passes_prove_that_one_of_them_holds_oops() -> None:
    called_two = two_passers("Sbam 2", "pass", "R2 left")
    assert called_two.asked == (1,)
    called_three = two_passers("Sbam 3", "pass", "R2 left")
    assert called_three.asked == (1,)
    both = two_passers("Sbam 1", "Sbam 1", "R2 left")
    # Both have called, Oops must be in one of their hands, and they may not play it: the window does not open.
    assert both.phase == DEAL


def test_after_oops_the_table_still_knows_the_sbam_cards_of_who_passed() -> None:
    state = step(two_passers("Sbam 1", "pass", "R2 left"), "oops")
    assert state.bound == (2, 2, 0, 0)  # seat 0 kept two of three, seat 1 gave Oops out of three
    for number in range(50):
        world = GAME.imagine(GAME.view(state, 3), 3, Random(number))
        assert all(world.hands[seat].cards == (SBAM, SBAM) for seat in (0, 1))
    state = draw(state, "B1", "B1", "B1", "")
    after = step(state, "Sbam 1", "B1 left", "B1 right")
    assert after.phase == DEAL  # Oops is gone, no window opens


def test_a_view_holds_no_card_of_others() -> None:
    """The same public facts give the same view of everything but one's own hand, whatever others hold."""
    one = at_tick(["R1 R2 R3", "B1 B2 Oops", "Y1 Y2 Y3"])
    two = replace(
        one, hands=(one.hands[0], Hand(("HIDDEN",) * 3), Hand(("HIDDEN",) * 3)), pile=("HIDDEN",) * len(one.pile)
    )
    assert Sbam().view(one, 0) == Sbam().view(two, 0)
    assert "HIDDEN" not in repr(Sbam().view(two, 0))
    assert "HIDDEN" in repr(Sbam().reveal(two))


def test_draws_show_each_seat_its_own_cards() -> None:
    state = step(at_tick(["R1 R2 R3", "B1 B2 B3", "Y1 Y2 Y3"]), "R1 left", "B1 left", "Y1 left")
    actions = {CHANCE: Drawn((("xr",), ("sbam",), ("oops",)))}
    after = GAME.apply(state, actions)
    assert GAME.events(state, actions, after, 1) == [{"type": "draw", "round": 1, "tick": 1, "cards": ["sbam"]}]
    assert GAME.events(state, actions, after, None)[0]["hands"] == [["xr"], ["sbam"], ["oops"]]
    shared = GAME.events_by_seat(state, actions, after, 3)
    assert [GAME.events(state, actions, after, seat) for seat in range(3)] == list(shared)


def test_a_seat_that_may_answer_is_not_named_by_the_events() -> None:
    """With or without Oops in the hand, the same events reach the others until it is played."""
    seen = []
    for hand in ("R1 Oops B1", "R1 B2 B1"):
        ready = at_tick(["Sbam R1 R2", hand, "Y1 Y2 Y3"])
        window = step(ready, "Sbam 1", "R1 left", "Y1 left")
        seen.append((told(ready, "Sbam 1", "R1 left", "Y1 left"), told(window, "decline", "decline"), window.asked))
        assert ("oops" in spelled(window, 1)) == ("Oops" in hand)
    assert seen[0] == seen[1]


def test_without_the_reconstructed_card() -> None:
    game = Sbam({"reconstructed_card": False})
    start = game.start(2)
    assert len(start.pile) == 60
    assert "no3" not in start.pile
    assert any("60 cards" in notice for notice in game.notices)
    assert not any("no3" in notice for notice in game.notices)
    world = game.imagine(game.view(start, 0), 0, Random(1))
    assert world == start
    assert len(GAME.start(2).pile) == 61
    assert any("`no3`" in notice and "reconstruction" in notice for notice in GAME.notices)
    assert any("guard of the harness" in notice for notice in GAME.notices)


def test_pile_sizes_after_the_deal() -> None:
    """Section 2.2: what lies in the pile when the first tick begins, with the 61st card and without it."""
    for with_card, sizes in ((True, (55, 52, 49, 46, 43)), (False, (54, 51, 48, 45, 42))):
        game = Sbam({"reconstructed_card": with_card})
        for seats, size in zip(range(2, 7), sizes, strict=True):
            state = game.start(seats)
            state = game.apply(state, {CHANCE: game.draw(state, lambda label: Random(label))})
            assert (state.phase, len(state.pile)) == (COMMIT, size)
