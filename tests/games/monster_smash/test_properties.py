"""What holds in every state of every match, whatever is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game import CHANCE
from referee.games.monster_smash import view
from referee.games.monster_smash.actions import Move
from referee.games.monster_smash.cards import BASES, CARDS, FACTION_DECK
from referee.games.monster_smash.game import MonsterSmash
from referee.games.monster_smash.state import State
from referee.games.monster_smash.view import on_the_way
from referee.seeds import Streams

LONGEST_LIST = 60

seeds = st.integers(0, 2**32)
tables = st.tuples(st.integers(2, 4), st.sampled_from(["draft", "random"]))
boldness = st.sampled_from([0.0, 0.5, 0.95])
"""How often a player who may stop goes on instead, beyond chance: bold players bring many cards into play."""

matches = settings(max_examples=12, deadline=None)


def steps(table: tuple[int, str], seed: int, bold: float) -> Iterator[tuple[State, Move, State]]:
    """The steps of a random match."""
    game = MonsterSmash({"setup": table[1]})
    rng, streams, before = Random(seed), Streams(seed), game.start(table[0])
    while acting := game.to_act(before):
        if acting == (CHANCE,):
            move = game.draw(before, streams)
        else:
            legal = list(game.legal(before, acting[0]))
            stops = legal[0].type in ("end", "pass", "done") and len(legal) > 1
            move = rng.choice(legal[1:] if stops and rng.random() < bold else legal)
        after = game.apply(before, {acting[0]: move})
        yield before, move, after
        before = after


@matches
@given(tables, seeds, boldness)
def test_all_forty_cards_of_each_player_are_somewhere_exactly_once(
    table: tuple[int, str], seed: int, bold: float
) -> None:
    for _, _, s in steps(table, seed, bold):
        for seat in range(s.seats):
            found = Counter(s.hands[seat] + s.rest[seat] + s.under[seat] + s.discards[seat])
            found.update(piece >> 2 & 1023 for pieces in (s.where, s.host) for piece in pieces if piece & 3 == seat)
            found.update(on_the_way(s, seat))
            whole = Counter(card for faction in s.factions[seat] for card in FACTION_DECK[faction])
            assert found == whole if s.turn else not found - whole
        bases = sorted((*s.bases, *s.base_deck, *s.out_bases))
        assert bases == list(range(len(BASES)))


@matches
@given(tables, seeds, boldness)
def test_counters_never_appear_from_nowhere_nor_vanish(table: tuple[int, str], seed: int, bold: float) -> None:
    """What events tell of counters, and of cards that leave play, accounts for every counter."""
    for before, _, after in steps(table, seed, bold):
        told = Counter(before.counters)
        for note in after.log:
            if note[0] == "counters":
                told[note[1]] += note[2]
                assert told[note[1]] == note[3]
            elif note[0] == "transfer":
                told[note[1]] -= note[3]
                told[note[2]] += note[3]
            elif note[0] in ("destroyed", "returned"):
                told.pop(note[1], None)
            elif note[0] == "cleared":
                for piece in note[2]:
                    told.pop(piece, None)
        assert +told == Counter(after.counters)
        assert all(n > 0 for n in after.counters.values())
        assert all(piece in after.where for piece in after.counters)


@matches
@given(tables, seeds, boldness)
def test_power_is_never_negative_and_adds_up(table: tuple[int, str], seed: int, bold: float) -> None:
    for _, _, s in steps(table, seed, bold):
        for base in s.bases:
            powers = [s.power(m) for m in s.minions_at[base]]
            assert powers == s.powers(base)
            assert min(powers, default=0) >= 0
            assert sum(s.totals(base)) >= sum(powers)


@matches
@given(tables, seeds, boldness)
def test_the_places_of_cards_in_play_agree(table: tuple[int, str], seed: int, bold: float) -> None:
    for _, _, s in steps(table, seed, bold):
        lying = {piece: base for at in (s.minions_at, s.actions_at) for base, row in enumerate(at) for piece in row}
        assert lying == s.where
        assert {action: host for host, row in s.attached.items() for action in row} == s.host
        assert set(s.host.values()) <= set(s.where)
        assert set(s.where.values()) <= set(s.bases)
        for by_piece in (s.strengths, s.played):
            assert by_piece.keys() <= s.where.keys()


@matches
@given(tables, seeds, boldness)
def test_victory_points_come_from_scored_bases_alone(table: tuple[int, str], seed: int, bold: float) -> None:
    for before, _, after in steps(table, seed, bold):
        gained = [0] * after.seats
        for note in after.log:
            if note[0] == "vp":
                gained[note[1]] += note[3]
        assert [new - old for old, new in zip(before.vp, after.vp, strict=True)] == gained


@matches
@given(tables, seeds, boldness)
def test_what_everybody_knows_of_a_hand_is_true(table: tuple[int, str], seed: int, bold: float) -> None:
    for _, _, s in steps(table, seed, bold):
        for seat in range(s.seats):
            hand, near = Counter(s.hands[seat]), Counter(s.hands[seat] + s.under[seat])
            assert not Counter(s.known[seat]) - hand
            assert not Counter(s.known[seat] + s.either[seat]) - near
            if s.holds_minion[seat]:
                assert any(CARDS[card].goes.value == "minion" for card in near)


@matches
@given(tables, seeds, boldness)
def test_lists_are_short_and_turns_are_few_steps(table: tuple[int, str], seed: int, bold: float) -> None:
    turn, count = 0, 0
    for before, _, after in steps(table, seed, bold):
        assert len(before.options) <= LONGEST_LIST
        turn, count = (after.turn, 0) if after.turn != turn else (turn, count + 1)
        assert count < 1_500


@matches
@given(tables, seeds, boldness)
def test_between_turns_nothing_of_the_last_one_is_left(table: tuple[int, str], seed: int, bold: float) -> None:
    for before, _, after in steps(table, seed, bold):
        if after.turn > before.turn > 0:
            assert not after.strengths
            assert not after.used
            assert not after.deaths
            assert before.turn + 1 == after.turn
            assert after.current == (before.current + 1) % after.seats
            assert len(after.hands[before.current]) <= 10


@matches
@given(tables, seeds, boldness)
def test_what_is_kept_for_views_is_never_stale(table: tuple[int, str], seed: int, bold: float) -> None:
    for _, _, s in steps(table, seed, bold):
        afresh = s.copy()
        afresh.shown, afresh.rows = [None] * len(BASES), [None] * s.seats
        assert view.write(s, 0) == view.write(afresh, 0)
