"""Following suit and winning tricks: each case of the rules page by its id, and the rulings around them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game import IllegalAction, OutOfTurn
from referee.games.marshmallow_test.actions import NO_SUIT, SUITS
from referee.games.marshmallow_test.state import Phase, State, in_order
from referee.seeds import Streams
from referee.table import Table
from tests.games.marshmallow_test.deals import GAME, A, D, E, after_deal, cards, play


def facing(trump: str, trick: str, hand: str) -> State:
    """Five players; the seat whose turn it is holds `hand`, after these cards of a trick led by A."""
    played = cards(trick)
    state = after_deal([play_.card for play_ in played] + [""] * (5 - len(played)))
    for card in played:  # laid down whatever the rest of those hands would oblige to
        state = GAME.apply(replace(state, trump=SUITS.index(trump) if trump else NO_SUIT), {state.turn: card})
    hands = list(state.hands)
    hands[state.turn] = in_order(cards(hand), state.trump)
    return replace(state, hands=tuple(hands), trump=SUITS.index(trump) if trump else NO_SUIT)


def legal(state: State) -> set[str]:
    return {act.to_json()["card"] for act in GAME.legal(state, state.turn)}


@pytest.mark.parametrize(
    ("trump", "trick", "hand", "expected"),
    [
        pytest.param("", "P3", "P6 G7 Y12", "P6", id="M-T1"),
        pytest.param("", "P3", "G7 Y12", "G7 Y12", id="M-T2"),
        pytest.param("G", "P3", "P6 G9 Y1", "P6", id="M-T3"),
        pytest.param("G", "P3 G7", "P12 G9 Y1", "P12 G9", id="M-T4"),
        pytest.param("G", "P3 G7", "G2 Y1", "G2 Y1", id="M-T5"),
        pytest.param("G", "G5", "G2 P12", "G2", id="M-T7"),
        pytest.param("G", "G5 P12", "G1 Y3", "G1", id="M-T8"),
        pytest.param("G", "", "G2 P12 Y1", "G2 P12 Y1", id="M-T9"),
        pytest.param("G", "P3 G7 P4", "P12 G9 Y1", "P12 G9", id="M-R12: also after a card that followed"),
        pytest.param("G", "P3 G7", "P12 Y1", "P12", id="M-R11: no third suit"),
        pytest.param("G", "P3 Y7", "P12 G9", "P12", id="M-R8: a stray card that is no trump opens nothing"),
        pytest.param("G", "G5 P12", "Y1 R2", "Y1 R2", id="M-R10: trump led, no trump held"),
    ],
)
def test_legal_cards(trump: str, trick: str, hand: str, expected: str) -> None:
    assert legal(facing(trump, trick, hand)) == set(expected.split())


def test_m_r12_exception_ends_with_its_trick() -> None:
    state = after_deal([""] * 5, trump="G")
    state = replace(state, hands=(cards("R1 P3"), cards("R2 G7"), cards("R3 P12 G9"), cards("P4 R4"), cards("P6 R5")))
    state = play(state, "P3 G7")
    assert legal(state) == {"P12", "G9"}
    state = play(state, "P12 P4 P6 R2")
    assert legal(state) == {"R3"}


@pytest.mark.parametrize(
    ("trump", "trick", "winner"),
    [
        pytest.param("", "P3 P6 P4 P12 G7", D, id="M-T10"),
        pytest.param("G", "P3 P6 P4 P12 G7", E, id="M-T11"),
        pytest.param("G", "G2 P12 Y12 U12 R12", A, id="M-T14"),
        pytest.param("G", "P12 G2 P11 G9 G5", D, id="M-R14: the highest of several trumps"),
        pytest.param("", "P1 G12 Y12 U12 R12", A, id="M-R14: off-suit cards never win"),
    ],
)
def test_trick_winner(trump: str, trick: str, winner: int) -> None:
    *before, last = trick.split()
    state = facing(trump, " ".join(before), last)
    state = GAME.apply(state, {state.turn: cards(last)[0]})
    assert state.winners == (winner,)
    assert state.won[winner] == 1
    assert state.turn == winner


def test_m_r4_m_r7_first_round_has_no_trump_and_any_card_may_be_led() -> None:
    state = after_deal(["", ""])
    assert state.phase == Phase.PLAY
    assert state.trump == NO_SUIT
    assert tuple(GAME.legal(state, A)) == state.hands[A]


def test_m_r5_m_r6_dealer_names_any_suit_before_the_lead() -> None:
    hand = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"
    state = replace(GAME.start(3), round=1, dealer=2)
    table = Table(GAME, 3, Streams(1))
    table.state = state
    table.chance()
    state = replace(table.state, hands=(table.state.hands[0], table.state.hands[1], cards(hand)))
    assert GAME.to_act(state) == (2,)
    assert sorted(act.to_json()["suit"] for act in GAME.legal(state, 2)) == sorted(SUITS)
    assert str(GAME.legal(state, 2)[-1]) == "name R trump", "the suit that serves the dealer best comes last"
    with pytest.raises(OutOfTurn):
        GAME.legal(state, 0)
    after = GAME.apply(state, {2: GAME.read_action({"type": "trump", "suit": "G"})})
    assert GAME.to_act(after) == (2,)
    assert [GAME.view(after, seat)["trump"] for seat in range(3)] == ["G", "G", "G"]


def test_mildest_card_comes_first() -> None:
    state = after_deal(["R1 R12 G1 G12 U3", ""], trump="G")
    state = replace(state, hands=(in_order(cards("G1 R12 G12 U3 R1"), state.trump), state.hands[1]))
    assert [act.to_json()["card"] for act in GAME.legal(state, A)] == ["R1", "U3", "R12", "G1", "G12"]


@pytest.mark.parametrize(
    "data",
    [
        {"type": "play", "card": "R13"},
        {"type": "play", "card": ["R1"]},
        {"type": "play"},
        {"type": "trump", "suit": "X"},
        {"type": "trump", "suit": 1},
        {"type": "dealer", "seat": True},
        {"type": "dealer", "seat": 5},
        {"type": "deal", "hands": [["R1"]]},
        {"type": "deal", "hands": [["R1"] * 12] * 2},
        {"type": "deal", "hands": 5},
    ],
)
def test_what_is_no_action_is_refused(data: object) -> None:
    with pytest.raises(IllegalAction):
        GAME.read_action(data)
