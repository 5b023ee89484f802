"""Every ruling of the rules page by its number, and its worked cases."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.game import CHANCE, GameError, IllegalAction, OutOfTurn
from referee.games.monster_smash.actions import Move
from referee.games.monster_smash.cards import (
    BASE_NO,
    BASES,
    CARD_NO,
    CARDS,
    FACTION_DECK,
    FACTIONS,
    IS_MINION,
)
from referee.games.monster_smash.cards.definition import Frame, Goes
from referee.games.monster_smash.game import MonsterSmash, ask
from referee.games.monster_smash.scoring import may_hold
from referee.games.monster_smash.state import State, new_state
from referee.games.monster_smash.turn import TURN_CAP, ending
from referee.seeds import Streams
from tests.games.monster_smash.positions import GAME, Position, numbers


def nature(s: State, game: MonsterSmash = GAME, seed: int = 0) -> State:
    """On until a seat is asked or the game is over."""
    streams = Streams(seed)
    while game.to_act(s) == (CHANCE,):
        s = game.apply(s, {CHANCE: game.draw(s, streams)})
    return s


def deal(seats: int, hands: dict[int, str], bases: str = "crypt the-hill moot-site") -> State:
    """After the draft: seat 0 first, with bases in play and hands drawn as given, and the first turn begun."""
    s = new_state(seats)
    s.stack = [Frame("draft", 1, 0, 0, (0,) * (2 * seats))]
    s.first = s.current = 0
    s.factions = [(0, 1), (2, 3)]
    ask(s)
    s = GAME.apply(s, {CHANCE: Move("bases", tuple(BASE_NO[base] for base in bases.split()))})
    for seat in range(seats):
        s = GAME.apply(s, {CHANCE: Move("deal", numbers(hands[seat].split()))})
    return s


# order, windows, scoring


def test_r01_the_current_player_orders_triggers_of_different_players() -> None:
    p = Position("crypt", "moot-site").hand(0, "big-gulp")
    p.minion(0, "pack-alpha", "crypt")
    p.minion(1, "igor", "crypt")
    p.minion(1, "herr-doktor", "moot-site")
    p.play("big-gulp")
    assert p.s.asked == 0
    assert len(p.offers("order")) == 2
    p.order("igor/gone")
    assert p.s.asked == 0, "Igor's player had one minion; now Crypt asks its own player"
    assert p.offers("done")


def test_r01_nobody_is_asked_when_the_order_makes_no_difference() -> None:
    p = Position("moot-site", "the-hill").hand(0, "big-gulp")
    counts = [p.minion(0, "the-count", "the-hill"), p.minion(0, "nightstalker", "the-hill", counters=3)]
    p.on_minion(0, "opportunist", counts[1])
    p.minion(1, "howler", "moot-site")
    p.play("big-gulp")
    assert p.idle()
    assert [p.counters(m) for m in counts] == [1, 4]


def test_r01_the_current_player_orders_even_where_both_are_anothers() -> None:
    """Seat 1's Überserum and Marking Territory in seat 1's own turn: seat 1 orders."""
    p = Position("laboratorium", "moot-site")
    host = p.minion(1, "loup-garou", "laboratorium")
    p.minion(0, "nightstalker", "laboratorium")
    p.on_minion(1, "uberserum", host)
    p.on_base(1, "marking-territory", "laboratorium")
    p.start_turn(1)
    assert p.s.asked == 1
    p.order("uberserum/turn-start")
    assert p.events("breakpoint")


def test_r02_a_card_resolves_before_what_it_triggers_and_an_action_is_discarded_last() -> None:
    p = Position("moot-site", "the-hill").hand(0, "dinner-date")
    count = p.minion(0, "the-count", "the-hill")
    p.minion(1, "howler", "the-hill")
    p.play("dinner-date")
    kinds = [event["type"] for event in p.told if event["type"] in ("play", "counters", "destroyed")]
    assert kinds == ["play", "counters", "destroyed", "counters"]
    assert p.pile_of(0) == ["dinner-date"]
    assert p.counters(count) == 2


def test_r02_a_minion_stands_under_continuous_effects_when_its_ability_resolves() -> None:
    p = Position("moot-site", "the-hill").hand(0, "fledgling-vampire")
    p.on_base(0, "full-moon", "the-hill")
    p.minion(1, "drone", "the-hill")
    p.play("fledgling-vampire", "the-hill")
    assert not p.s.counters, "2 + 1 of Full Moon against 3"


def test_r03_a_pass_is_not_final_and_all_passing_in_a_row_closes() -> None:
    p = Position("moot-site", "the-hill").hand(0, "under-pressure").hand(1, "under-pressure")
    p.minion(0, "pack-alpha", "moot-site", counters=10)
    p.minion(1, "worker", "the-hill", counters=3)
    p.end()
    assert p.s.asked == 0
    p.do("pass")
    assert p.s.asked == 1
    p.play("under-pressure").done()
    assert p.s.asked == 0, "after a Special, those who passed are asked again"
    p.play("under-pressure").done()
    assert p.events("totals")


def test_r03_clockwise_from_the_current_player() -> None:
    p = Position("moot-site", "the-hill", seats=3)
    for seat in range(3):
        p.hand(seat, "buffet")
    p.minion(0, "pack-alpha", "moot-site", counters=10)
    p.start_turn(2)
    if p.offers("done"):
        p.done()
    p.end()
    asked = []
    for _ in range(3):
        asked.append(p.s.asked)
        p.do("pass")
    assert asked == [2, 0, 1]


def test_r04_specials_only_in_their_window_never_in_the_play_cards_step() -> None:
    specials = [card.slug for card in CARDS if card.goes in (Goes.BEFORE, Goes.AFTER)]
    assert sorted(specials) == ["buffet", "under-pressure", "we-are-the-champions"]
    p = Position("moot-site", "the-hill").hand(0, *specials)
    assert p.cards_offered("play") == []
    p.minion(0, "pack-alpha", "moot-site", counters=10)
    p.end()
    assert p.cards_offered("play") == ["under-pressure"]
    p.do("pass")
    assert sorted(p.cards_offered("play")) == ["buffet", "we-are-the-champions"]


def test_r04_who_is_asked_depends_on_public_facts_alone() -> None:
    p = Position("moot-site", "the-hill")
    s = p.s
    s.factions = [(0, 1), (1, 2)]
    s.hands = [numbers(["jolt"]), numbers(["jolt"])]
    assert may_hold(s, 0, Goes.AFTER), "Vampires have Buffet, and nobody knows that it is not in hand"
    assert not may_hold(s, 0, Goes.BEFORE)
    assert not may_hold(s, 1, Goes.AFTER)
    s.discards[0] = numbers(["buffet"])
    assert not may_hold(s, 0, Goes.AFTER), "it lies in the discard pile"
    s.discards[0], s.hands[0] = (), ()
    assert not may_hold(s, 0, Goes.AFTER), "an empty hand holds nothing"


def test_r05_pack_alpha_and_loup_garou_are_automatic() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "pack-alpha", "moot-site", counters=6)
    p.minion(1, "loup-garou", "moot-site")
    p.end()
    assert p.events("totals")[0]["totals"] == [12, 6]
    assert p.s.asked == 1, "nobody was asked until the next turn"


def test_r06_the_current_player_picks_which_base_scores_and_chained_ones_follow() -> None:
    p = Position("moot-site", "crypt", "the-hill")
    p.minion(0, "the-count", "moot-site", counters=10)
    p.minion(1, "the-count", "crypt", counters=15)
    p.end()
    assert p.bases_offered() == ["moot-site", "crypt"]
    p.at("crypt")
    assert [event["base"] for event in p.events("scoring")] == ["crypt", "moot-site"]
    assert p.s.vp == [2, 4]


def test_r06_a_scoring_can_make_another_base_ready() -> None:
    p = Position("golem-schloss", "moot-site")
    p.minion(0, "the-count", "golem-schloss", counters=17)
    for _ in range(2):
        p.minion(0, "igor", "moot-site", counters=5)
    p.end()
    assert [event["base"] for event in p.events("scoring")] == ["golem-schloss", "moot-site"]


def test_r06_the_base_is_replaced_after_igor_has_acted() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "igor", "moot-site", counters=13)
    away = p.minion(0, "worker", "the-hill")
    p.end()
    kinds = [event["type"] for event in p.told]
    assert kinds.index("cleared") < kinds.index("trigger") < kinds.index("base")
    assert p.counters(away) == 1
    assert p.s.out_bases == (BASE_NO["moot-site"],)
    assert len(p.s.bases) == 2


def test_r06_the_scored_base_scores_whatever_happens_next() -> None:
    p = Position("moot-site", "the-hill").hand(0, "under-pressure")
    there = p.minion(0, "worker", "moot-site", counters=15)
    p.minion(0, "worker", "the-hill")
    p.end().play("under-pressure").pick(there).number(15)
    assert p.events("totals")[0]["totals"] == [0, 0]
    assert p.s.vp == [2, 0]


# counters, destruction, plays


def test_r07_counters_travel_stay_and_are_lost_on_leaving() -> None:
    p = Position("egg-chamber", "the-hill").hand(0, "headlong")
    moved = p.minion(0, "worker", "egg-chamber", counters=2)
    p.play("headlong").end().end()
    assert p.counters(moved) == 4, "they do not end with the turn"
    p = Position("egg-chamber", "the-hill").hand(0, "big-gulp")
    victim = p.minion(1, "worker", "the-hill", counters=2)
    p.play("big-gulp")
    assert victim not in p.s.counters


def test_r08_protection_then_drone_then_grave_situation() -> None:
    def attacked(*, immune: bool, save: bool) -> Position:
        p = Position("the-hill", "moot-site").hand(0, "big-gulp")
        victim = p.minion(1, "howler", "the-hill")
        p.on_base(1, "grave-situation", "the-hill")
        if immune:
            p.on_minion(1, "unstoppable", victim)
        drone = p.minion(1, "drone", "moot-site", counters=3)
        p.play("big-gulp")
        if p.s.asked == 1:
            p.pick(drone) if save else p.done()
        return p

    assert not attacked(immune=True, save=True).events("saved"), "nobody is asked for what cannot be destroyed"
    assert attacked(immune=False, save=True).events("saved")
    assert attacked(immune=False, save=False).events("returned")


def test_r09_called_back_is_not_destroyed() -> None:
    p = Position("crypt", "moot-site").hand(0, "nightstalker")
    p.minion(1, "howler", "crypt")
    p.on_base(1, "grave-situation", "crypt")
    p.play("nightstalker", "crypt")
    assert p.counters(p.newest()) == 0
    assert not p.events("destroyed")


def test_r10_a_batch_falls_together() -> None:
    p = Position("moot-site", "the-hill").hand(0, "let-the-dog-out")
    p.minion(0, "pack-alpha", "moot-site", counters=2)
    count, igor = p.minion(1, "the-count", "moot-site"), p.minion(1, "igor", "moot-site")
    left = p.minion(1, "worker", "the-hill")
    p.play("let-the-dog-out").pick(count, igor)
    assert not p.in_play(count)
    assert p.counters(left) == 1, "Igor's own trigger still works"


def test_r11_unaffected_means_destroy_move_return_attach() -> None:
    p = Position("the-hill", "moot-site").hand(0, "nightstalker", "moontouched")
    counted = p.minion(1, "worker", "the-hill", counters=1)
    p.on_base(1, "the-show-must-go-on", "the-hill")
    p.play("nightstalker", "the-hill")
    assert p.in_play(counted)
    p.play("moontouched").pick(counted)
    assert p.pile_of(0) == ["moontouched"]
    assert len(p.events("unaffected")) == 2


def test_r12_linked_and_independent_parts() -> None:
    p = Position("the-hill", "moot-site").hand(0, "body-shop")
    safe = p.minion(0, "igor", "the-hill")
    p.on_minion(0, "unstoppable", safe)
    p.play("body-shop")
    assert p.counters(safe) == 2, "Body Shop's parts are not linked"
    p = Position("the-hill", "moot-site").hand(0, "nightstalker")
    p.on_minion(0, "unstoppable", p.minion(0, "igor", "the-hill"))
    p.play("nightstalker", "the-hill")
    assert p.counters(p.newest()) == 0, "Nightstalker's are"


@pytest.mark.parametrize("card", [card.slug for card in CARDS if card.goes is Goes.TABLE])
def test_r13_every_action_may_be_played_without_a_target(card: str) -> None:
    p = Position("the-hill", "moot-site").hand(0, card).play(card)
    if p.offers("done"):
        p.done()
    assert p.pile_of(0) == [card]
    assert p.idle()


@pytest.mark.parametrize("card", [card.slug for card in CARDS if card.goes is Goes.ON_MINION])
def test_r13_an_attach_action_without_a_host_is_discarded(card: str) -> None:
    assert Position("the-hill", "moot-site").hand(0, card).play(card).pile_of(0) == [card]


def test_r13_a_protected_minion_may_be_chosen() -> None:
    p = Position("the-hill", "moot-site").hand(0, "big-gulp")
    safe, other = p.minion(1, "howler", "the-hill"), p.minion(1, "soldier", "the-hill")
    p.on_minion(1, "unstoppable", safe)
    p.play("big-gulp").pick(safe)
    assert p.in_play(safe)
    assert p.in_play(other)


def test_r14_without_may_it_must_be_done_but_nothing_has_to_be_played() -> None:
    p = Position("the-hill", "moot-site").hand(0, "nightstalker")
    p.minion(0, "igor", "the-hill")
    p.minion(0, "worker", "the-hill")
    assert p.offers("end")
    p.play("nightstalker", "the-hill")
    assert not p.offers("done")


def test_r15_power_in_play_and_printed_power_elsewhere() -> None:
    p = Position("the-hill", "moot-site").discards(0, "worker", "lab-assistant").hand(0, "crack-of-dusk")
    m = p.minion(0, "worker", "the-hill", counters=1)
    p.on_base(0, "full-moon", "the-hill")
    p.on_base(0, "summon-wolves", "the-hill", counters=2)
    p.s.strengths[m] = 3
    assert p.power(m) == 0 + 1 + 3 + 1
    assert p.total(0, "the-hill") == 7
    p.play("crack-of-dusk")
    assert p.bases_offered(), "the Lab Assistant has printed power 3, so the Worker was the only choice"


def test_r16_banked_and_immediate_plays() -> None:
    p = Position("the-hill", "moot-site").hand(0, "its-alive", "igor", "worker")
    monster = p.minion(0, "the-monster", "the-hill", counters=1)
    p.talent(monster).play("its-alive").done()
    assert p.s.minion_plays == 2
    p.play("igor", "the-hill").play("worker", "the-hill")
    assert p.s.minion_plays == 0


# durations, talents, ranking


def test_r17_until_end_of_turn_ends_after_scoring_and_drawing() -> None:
    p = Position("moot-site", "the-hill").hand(0, "howler")
    p.minion(0, "the-count", "moot-site", counters=4)
    p.play("howler", "moot-site").end()
    assert p.events("totals")[0]["totals"] == [15, 0], "9, and 2 + 2 + 2 of Moot Site"
    assert not p.s.strengths
    assert not p.s.breakpoints


def test_r18_counters_may_go_to_any_minion_but_magic_keeps_them() -> None:
    p = Position("the-hill", "moot-site").hand(0, "a-kind-of-magic")
    soldier, mine = p.minion(0, "soldier", "the-hill", counters=2), p.minion(0, "worker", "moot-site")
    enemy = p.minion(1, "worker", "moot-site")
    p.talent(soldier)
    assert p.offers("minion") == [mine, enemy]
    p.pick(enemy).play("a-kind-of-magic").pick(soldier)
    assert p.counters(mine) == 1, "the only target of one's own"


def test_r19_killer_queen_needs_a_minion_played_here_that_is_still_here() -> None:
    p = Position("the-hill", "moot-site").hand(0, "worker", "headlong")
    queen = p.minion(0, "killer-queen", "moot-site")
    p.play("worker", "the-hill")
    assert not p.offers("talent")
    p.play("headlong").pick(queen)
    assert p.offers("talent") == [queen], "Killer Queen came to the base where it was played"


def test_r20_the_zero_breakpoint_lasts_until_end_of_turn() -> None:
    p = Position("laboratorium", "moot-site")
    p.s.breakpoints[BASE_NO["laboratorium"]] = 0
    assert p.s.breakpoint(BASE_NO["laboratorium"]) == 0
    p.end()
    assert not p.s.breakpoints


def test_r21_talents_once_a_turn_in_ones_own_play_cards_step() -> None:
    p = Position("the-hill", "moot-site").hand(0, "teenage-wolf").play("teenage-wolf", "the-hill")
    wolf = p.newest()
    p.talent(wolf)
    assert not p.offers("talent")
    p.end()
    assert not p.offers("talent"), "not in another player's turn"
    p.end()
    if p.offers("done"):
        p.done()
    assert p.offers("talent") == [wolf]


def test_r22_wolves_count_toward_the_breakpoint() -> None:
    p = Position("moot-site", "the-hill")
    p.on_base(0, "summon-wolves", "moot-site", counters=10)
    p.minion(0, "the-count", "moot-site")
    p.end()
    assert p.events("scoring")


def test_r23_nothing_touches_the_counters_on_wolves() -> None:
    for card in ("a-kind-of-magic", "who-wants-to-live-forever", "blitzed"):
        p = Position("the-hill", "moot-site").hand(0, card)
        wolves = p.on_base(0, "summon-wolves", "the-hill", counters=3)
        p.minion(0, "the-count", "the-hill")
        p.minion(0, "pack-alpha", "the-hill")
        p.play(card)
        assert p.idle()
        assert p.counters(wolves) == 3


@pytest.mark.parametrize(
    ("totals", "gains"),
    [((10, 10, 5), (4, 4, 2)), ((10, 7, 7, 5), (4, 2, 2, 0)), ((0, 19), (2, 4)), ((5, 5, 5, 5), (4, 4, 4, 4))],
)
def test_r24_ties_are_paid_for_the_best_place(totals: tuple[int, ...], gains: tuple[int, ...]) -> None:
    """Worked cases at Crypt (4/2/2); a Worker without counters is ranked with 0."""
    p = Position("crypt", "laboratorium", seats=len(totals))
    for seat, total in enumerate(totals):
        p.minion(seat, "worker", "crypt", counters=total)
    p.s.breakpoints[BASE_NO["crypt"]] = 0
    p.end()
    assert tuple(p.s.vp) == gains


def test_r24_without_a_minion_there_is_no_rank() -> None:
    p = Position("crypt", "laboratorium", seats=3)
    p.minion(0, "worker", "crypt", counters=20)
    p.on_base(1, "summon-wolves", "crypt", counters=9)
    p.end()
    assert p.s.vp == [4, 0, 0]
    assert len(p.events("vp")) == 1


def test_r25_a_base_can_score_for_nobody() -> None:
    p = Position("golem-schloss", "laboratorium").hand(0, "buffet")
    p.s.breakpoints[BASE_NO["golem-schloss"]] = 0
    away = p.minion(0, "worker", "laboratorium")
    p.end().play("buffet")
    assert p.s.vp == [0, 0]
    assert p.counters(away) == 0
    assert BASE_NO["golem-schloss"] in p.s.out_bases


# decks, the end, the table


def test_r26_an_empty_base_deck_replaces_nothing() -> None:
    p = Position("crypt", "laboratorium")
    p.s.base_deck = ()
    p.minion(0, "worker", "crypt", counters=20)
    p.end()
    assert p.s.bases == [BASE_NO["laboratorium"]]
    assert not p.s.over


def test_r26_without_a_base_the_game_ends_with_that_turn_and_ties_are_shared() -> None:
    p = Position("crypt")
    p.s.base_deck = ()
    p.s.vp = [0, 4]
    p.minion(0, "worker", "crypt", counters=20)
    p.end()
    assert p.s.over == "No base is left in play: seats 0 and 1 share with 4 victory points."
    assert GAME.to_act(p.s) == ()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r26_players_plus_one_bases(seats: int) -> None:
    s = GAME.start(seats)
    rng = Random(1)
    while not s.turn:
        s = nature(s)
        if not s.turn:
            s = GAME.apply(s, {s.asked: rng.choice(GAME.legal(s, s.asked))})
    assert (len(s.bases), len(s.base_deck)) == (seats + 1, 7 - seats)


def test_r27_the_discard_pile_becomes_the_deck_and_both_empty_draws_what_there_is() -> None:
    p = Position("the-hill", "moot-site").deck(0, "jolt").discards(0, "igor", "worker")
    p.end()
    assert len(p.hand_of(0)) == 2
    assert "jolt" in p.hand_of(0)
    assert p.events("shuffle") == [{"type": "shuffle", "seat": 0}]
    assert p.pile_of(0) == []
    p = Position("the-hill", "moot-site").deck(0, "jolt")
    p.end()
    assert p.hand_of(0) == ["jolt"]


def test_r27_a_reshuffle_makes_the_hand_public_knowledge() -> None:
    """All other cards of that player are in sight at that moment."""
    p = Position("the-hill", "moot-site").deck(0).discards(0, "igor", "worker", "worker").hand(0, "jolt")
    p.end()
    assert p.s.known[0] == numbers(["jolt"])
    assert len(p.s.hands[0]) == 3


def test_r28_a_hand_without_minions_is_shown_discarded_and_replaced_once() -> None:
    actions = "jolt big-gulp opportunist blitzed dinner-date"
    s = new_state(2)
    s.stack = [Frame("draft", 1, 0, 0, (0,) * 4)]
    s.first = 0
    s.factions = [(0, 1), (2, 3)]
    ask(s)
    s = GAME.apply(s, {CHANCE: Move("bases", (0, 1, 2))})
    s = GAME.apply(s, {CHANCE: Move("deal", numbers(actions.split()))})
    assert s.log[-1][0] == "redraw"
    assert s.hands[0] == ()
    assert sorted(s.discards[0]) == sorted(numbers(actions.split()))
    again = "crack-of-dusk crack-of-dusk its-alive its-alive dinner-date"
    s = GAME.apply(s, {CHANCE: Move("deal", numbers(again.split()))})
    assert len(s.hands[0]) == 5, "the second hand is kept"
    assert not s.holds_minion[0]
    assert GAME.to_act(s) == (CHANCE,)
    s = GAME.apply(s, {CHANCE: Move("deal", numbers(["howler", "howler", "howler", "worker", "frenzy"]))})
    assert s.holds_minion[1]
    assert s.turn == 1


def test_r29_the_game_ends_at_the_end_of_a_turn_with_fifteen() -> None:
    p = Position("crypt", "laboratorium")
    p.s.vp = [11, 0]
    p.minion(0, "worker", "crypt", counters=20)
    p.end()
    assert p.s.vp == [15, 0]
    assert p.s.over == "Seat 0 has 15 victory points."
    assert GAME.scores(p.s) == (15.0, 0.0)


def test_r29_a_tie_for_the_most_is_played_on() -> None:
    p = Position("crypt", "laboratorium")
    p.s.vp = [15, 15]
    p.end()
    assert not p.s.over
    p.s.vp = [15, 16]
    assert ending(p.s) == "Seat 1 has 16 victory points."


def test_r30_start_of_turn_effects_are_checked_when_they_resolve() -> None:
    p = Position("laboratorium", "moot-site")
    p.on_base(0, "marking-territory", "laboratorium")
    p.on_base(0, "summon-wolves", "laboratorium")
    p.minion(0, "worker", "laboratorium", counters=3)
    p.minion(1, "worker", "laboratorium", counters=3)
    p.start_turn(0).order("summon-wolves/turn-start")
    assert p.events("breakpoint")


def test_r31_every_card_goes_to_its_owners_zones() -> None:
    p = Position("moot-site", "the-hill").hand(0, "big-gulp")
    victim = p.minion(1, "howler", "the-hill")
    p.on_minion(0, "moontouched", victim)
    p.play("big-gulp")
    assert p.pile_of(1) == ["howler"]
    assert sorted(p.pile_of(0)) == ["big-gulp", "moontouched"]


def test_r32_attachments_have_no_limit_and_move_with_their_host() -> None:
    p = Position("moot-site", "the-hill").hand(0, "uberserum", "uberserum", "headlong")
    host = p.minion(0, "worker", "the-hill")
    p.s.action_plays = 3
    p.play("uberserum").play("uberserum").play("headlong")
    assert len(p.s.attached[host]) == 2
    p.s.counters[host] = 20
    p.end()
    assert p.pile_of(0).count("uberserum") == 2


def test_r33_the_credit_goes_to_the_controller_of_the_card_that_destroys() -> None:
    p = Position("crypt", "moot-site", seats=3).hand(0, "big-gulp")
    p.minion(1, "pack-alpha", "crypt")
    p.minion(2, "howler", "crypt")
    assert p.play("big-gulp").idle(), "seat 0 has no minion at Crypt, seat 1 did not destroy"


def test_r34_a_base_that_enters_later_in_the_turn_starts_at_zero() -> None:
    p = Position("moot-site", "the-hill").hand(0, "worker")
    p.play("worker", "moot-site")
    assert p.s.played_at == {BASE_NO["moot-site"]}
    p.end()
    assert p.s.played_at == frozenset()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r35_snake_draft_leaves_everybody_two_different_factions(seats: int) -> None:
    for seed in range(40):
        rng = Random(seed)
        s = nature(GAME.start(seats), seed=seed)
        order = []
        while not s.turn and GAME.to_act(s) != (CHANCE,):
            s = GAME.apply(s, {s.asked: rng.choice(GAME.legal(s, s.asked))})
            order += [note[1] for note in s.log if note[0] == "draft"]
        taken = Counter(faction for factions in s.factions for faction in factions)
        assert all(len(set(factions)) == 2 for factions in s.factions)
        assert max(taken.values()) <= (1 if seats == 2 else 2)
        clockwise = [(s.first + i) % seats for i in range(seats)]
        assert order == clockwise + clockwise[::-1]


def test_r35_a_pick_that_would_strand_a_later_picker_is_not_offered() -> None:
    """Four players, 0 and 1 hold Vampires, 2 and 3 Mad Scientists: as they pick again from behind, all of the first
    two factions is taken; what is left is two of each of the others, and everybody still needs one it does not hold."""
    s = new_state(4)
    s.first = 0
    s.factions = [(0,), (0,), (1,), (2,)]
    s.stack = [Frame("draft", 1, 0, 0, (0, 0, 1, 2))]
    ask(s)
    assert s.asked == 3
    assert [move.value for move in GAME.legal(s, 3)] == [1, 3], "it holds 2, and 0 is gone"
    for pick in (1, 2):
        s = GAME.apply(s, {s.asked: Move("draft", pick)})
    # left: one Werewolves' place is taken, two Giant Ants remain for seats 1 and 0
    assert sorted(faction for factions in s.factions for faction in factions) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_r35_dealt_at_random_instead() -> None:
    game = MonsterSmash({"setup": "random"})
    for seats in (2, 3, 4):
        for seed in range(20):
            s = nature(game.start(seats), game, seed)
            assert s.turn == 1
            assert all(len(set(factions)) == 2 for factions in s.factions)
    with pytest.raises(GameError):
        GAME.start(5)


@pytest.mark.parametrize(
    "dealt",
    [
        ((0, 1), (1, 2)),  # two players share one box
        ((0, 0), (1, 2)),
        ((0, 1),),
        ((0, 1), (2,)),
    ],
)
def test_r35_a_recorded_deal_against_the_box_is_refused(dealt: tuple[tuple[int, ...], ...]) -> None:
    game = MonsterSmash({"setup": "random"})
    s = game.apply(game.start(2), {CHANCE: Move("first", 0)})
    with pytest.raises(IllegalAction):
        game.apply(s, {CHANCE: Move("factions", dealt)})


def test_outcomes_that_cannot_happen_are_refused() -> None:
    s = deal(2, {0: "igor igor jolt blitzed buffet", 1: "howler worker frenzy drone soldier"})
    s = GAME.apply(s, {0: Move("end", -1)})
    for move in (
        Move("deal", numbers(["igor"])),
        Move("deal", numbers(["igor", "igor", "igor"])),
        Move("deal", numbers(["howler", "igor"])),
        Move("deal", numbers(["jolt", "igor"])),
        Move("bases", (0,)),
        Move("end", -1),
    ):
        with pytest.raises(IllegalAction):
            GAME.apply(s, {CHANCE: move})
    with pytest.raises(OutOfTurn):
        GAME.apply(s, {0: Move("end", -1)})


def test_r36_the_hand_limit_is_checked_after_drawing_only() -> None:
    p = Position("the-hill", "moot-site").hand(0, *["jolt"] * 11)
    assert len(p.hand_of(0)) == 11
    p.end()
    assert p.s.asked == 0
    p.card("jolt", "jolt", "howler")
    assert len(p.hand_of(0)) == 10
    assert p.s.asked == 1


def test_r37_the_turn_cap_ends_a_stalled_match() -> None:
    p = Position("the-hill", "moot-site")
    p.s.turn = TURN_CAP
    p.s.vp = [3, 3]
    p.end()
    assert p.s.over == "The cap of 200 turns is reached: seats 0 and 1 share with 3 victory points."
    assert GAME.scores(p.s) == (3.0, 3.0)


def test_r38_hidden_are_hands_deck_order_and_what_was_put_under() -> None:
    s = deal(2, {0: "igor igor jolt blitzed buffet", 1: "howler worker frenzy drone soldier"})
    view = GAME.view(s, 0)
    assert view["hand"] == [CARDS[card].slug for card in s.hands[0]]
    assert "hands" not in view
    assert view["players"][1]["hand"] == 5
    assert view["players"][1]["deck"] == 35
    assert "frenzy" not in str(view)
    assert view["base_deck"] == [base.slug for number, base in enumerate(BASES) if number not in s.bases]


# Worked cases of the rules page


def test_worked_fledgling_at_castle_blood() -> None:
    p = Position("castle-blood", "moot-site").hand(0, "fledgling-vampire")
    p.minion(0, "worker", "castle-blood", counters=1)
    p.minion(1, "loup-garou", "castle-blood")
    p.play("fledgling-vampire", "castle-blood")
    assert p.counters(p.newest()) == 1, "3 against 4; Castle Blood then compares 4 with 4"
    assert p.idle()
    p = Position("castle-blood", "moot-site").hand(0, "fledgling-vampire")
    p.minion(0, "worker", "castle-blood", counters=1)
    p.minion(1, "loup-garou", "castle-blood", counters=2)
    p.play("fledgling-vampire", "castle-blood").pick(p.newest())
    assert p.counters(p.newest()) == 2


def test_worked_let_the_dog_out_with_the_count_and_crypt() -> None:
    p = Position("crypt", "moot-site").hand(0, "let-the-dog-out")
    mine, count = p.minion(0, "pack-alpha", "crypt"), p.minion(0, "the-count", "moot-site")
    three, two, _ = (p.minion(1, card, "crypt") for card in ("drone", "howler", "soldier"))
    p.play("let-the-dog-out").pick(mine, three, two).pick(mine)
    assert p.counters(count) == 2
    assert p.counters(mine) == 1
    assert p.idle()


def test_worked_let_the_dog_out_takes_any_set_that_fits() -> None:
    def sets(picked: tuple[str, ...]) -> set[frozenset[str]]:
        """The sets of other players' minions that can be picked on top of these."""
        p = Position("crypt", "moot-site").hand(0, "let-the-dog-out")
        p.minion(0, "pack-alpha", "crypt")
        pieces = {card: p.minion(1, card, "crypt") for card in ("lab-assistant", "howler", "soldier")}
        p.play("let-the-dog-out").pick(*(pieces[card] for card in picked))
        more = [card for card in pieces if card not in picked and pieces[card] in p.offers("minion")]
        return {frozenset(picked)}.union(*(sets((*picked, card)) for card in more))

    three, two, one = "lab-assistant", "howler", "soldier"
    assert sets(()) == {
        frozenset(cards) for cards in ((), (three,), (two,), (one,), (three, two), (three, one), (two, one))
    }


def test_worked_marking_territory_at_the_hill() -> None:
    p = Position("the-hill", "moot-site")
    p.on_base(0, "marking-territory", "the-hill")
    p.minion(0, "worker", "the-hill", counters=6)
    p.minion(1, "worker", "the-hill", counters=5)
    p.start_turn(0)
    assert p.s.breakpoint(BASE_NO["the-hill"]) == 0
    p.end()
    assert p.s.vp == [4, 2]


def test_worked_we_will_rock_you() -> None:
    p = Position("the-hill", "moot-site").hand(0, "we-will-rock-you")
    two, three = p.minion(0, "soldier", "the-hill", counters=2), p.minion(0, "worker", "moot-site", counters=3)
    p.play("we-will-rock-you")
    assert (p.power(two), p.power(three)) == (5, 6)
    p.talent(two)
    assert (p.power(two), p.power(three)) == (4, 7)


# The facts of the box


def test_the_box_holds_eighty_cards_and_eight_bases() -> None:
    assert len(CARDS) == 48
    assert len(BASES) == 8
    for faction, deck in zip(FACTIONS, FACTION_DECK, strict=True):
        assert len(deck) == 20, faction.slug
        assert sum(IS_MINION[card] for card in deck) == 10, faction.slug
    sums = [sum(CARDS[card].power for card in deck) for deck in FACTION_DECK]
    assert sums == [30, 30, 30, 13]
    assert [sum(base.vp[place] for base in BASES) for place in range(3)] == [29, 15, 11]
    assert len(CARD_NO) == 48, "slugs are different"
