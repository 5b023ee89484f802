"""Each Werewolf card: what it does, what it does without a target, and how it meets protections and triggers."""

from __future__ import annotations

import pytest

from tests.games.monster_smash.positions import Position

# Pack Alpha


def test_pack_alpha__strengthens_own_minions_before_its_base_scores() -> None:
    p = Position("the-hill", "moot-site")
    p.minion(0, "pack-alpha", "the-hill", counters=6)
    p.minion(0, "howler", "the-hill", counters=4)
    p.minion(1, "loup-garou", "the-hill", counters=2)
    away = p.minion(0, "the-count", "moot-site")
    p.end()
    assert p.events("totals")[0]["totals"] == [19, 8], "11 + 1, 6 + 1; the other's Loup-Garou 6 + 2"
    assert p.power(away) == 5


def test_pack_alpha__only_for_its_own_base() -> None:
    p = Position("the-hill", "moot-site")
    p.minion(0, "pack-alpha", "the-hill")
    p.minion(0, "the-count", "moot-site", counters=10)
    p.end()
    assert p.events("totals")[0]["totals"] == [15, 0]


def test_pack_alpha__happens_once_a_scoring_and_before_cards_from_hand() -> None:
    p = Position("the-hill", "moot-site")
    p.minion(0, "pack-alpha", "the-hill", counters=17)
    worker = p.minion(0, "worker", "the-hill", counters=2)
    p.hand(0, "under-pressure").end()
    assert p.power(worker) == 3, "when the window opens it has happened already"
    p.do("pass")
    assert p.events("totals")[0]["totals"] == [26, 0]


# Loup-Garou


def test_loup_garou__gains_two_before_its_base_scores() -> None:
    p = Position("the-hill", "moot-site")
    p.minion(0, "loup-garou", "moot-site")
    p.minion(1, "the-count", "moot-site", counters=6)
    p.end()
    assert p.events("totals")[0]["totals"] == [6, 11]


def test_loup_garou__the_bonus_does_not_help_to_reach_the_breakpoint() -> None:
    p = Position("the-hill", "moot-site")
    p.minion(0, "loup-garou", "moot-site", counters=10)
    p.end()
    assert not p.events("scoring")


def test_loup_garou__elsewhere_is_quiet() -> None:
    p = Position("the-hill", "moot-site")
    away = p.minion(0, "loup-garou", "the-hill")
    p.minion(1, "the-count", "moot-site", counters=10)
    p.end()
    assert p.power(away) == 4


# Teenage Wolf


def test_teenage_wolf__talent_lasts_until_end_of_turn() -> None:
    p = Position("the-hill", "moot-site")
    wolf = p.minion(0, "teenage-wolf", "the-hill")
    p.talent(wolf)
    assert p.power(wolf) == 4
    assert not p.offers("talent")
    p.end()
    assert p.power(wolf) == 3


def test_teenage_wolf__needs_no_target_and_helps_frenzy() -> None:
    p = Position("the-hill", "moot-site").hand(0, "frenzy")
    wolf = p.minion(0, "teenage-wolf", "the-hill")
    p.talent(wolf).play("frenzy")
    assert p.power(wolf) == 5


def test_teenage_wolf__only_in_its_controllers_turn() -> None:
    p = Position("the-hill", "moot-site")
    p.minion(1, "teenage-wolf", "the-hill")
    assert not p.offers("talent")


# Howler


def test_howler__is_four_strong_in_the_turn_it_is_played() -> None:
    p = Position("the-hill", "moot-site").hand(0, "howler", "frenzy").play("howler", "the-hill")
    howler = p.newest()
    assert p.power(howler) == 4
    p.play("frenzy")
    assert p.power(howler) == 5
    p.end()
    assert p.power(howler) == 2


def test_howler__gains_nothing_by_moving() -> None:
    p = Position("the-hill", "moot-site").hand(0, "headlong")
    howler = p.minion(0, "howler", "the-hill")
    p.play("headlong")
    assert p.power(howler) == 4
    assert p.counters(howler) == 2, "from Headlong; nothing of its own"
    assert not p.events("power")


def test_howler__adds_up_with_moot_site() -> None:
    p = Position("the-hill", "moot-site").hand(0, "howler").play("howler", "moot-site")
    assert p.power(p.newest()) == 6


# Chew Toy


def test_chew_toy__destroys_a_weaker_minion_beside_the_picked_one() -> None:
    p = Position("the-hill", "moot-site").hand(0, "chew-toy")
    mine, other = p.minion(0, "loup-garou", "the-hill"), p.minion(0, "howler", "moot-site")
    weaker, equal = p.minion(1, "drone", "the-hill"), p.minion(1, "killer-queen", "the-hill")
    away = p.minion(1, "soldier", "moot-site")
    p.play("chew-toy").pick(mine)
    assert [p.in_play(m) for m in (weaker, equal, away, other)] == [False, True, True, True]


def test_chew_toy__an_own_weaker_minion_must_go_if_it_is_the_only_one() -> None:
    p = Position("the-hill", "moot-site").hand(0, "chew-toy")
    strong, weak = p.minion(0, "loup-garou", "the-hill"), p.minion(0, "howler", "the-hill")
    p.play("chew-toy").pick(strong)
    assert not p.in_play(weak)


def test_chew_toy__a_pick_without_a_weaker_one_beside_it_destroys_nothing() -> None:
    p = Position("the-hill", "moot-site").hand(0, "chew-toy")
    strong, weak = p.minion(0, "loup-garou", "the-hill"), p.minion(0, "howler", "the-hill")
    p.play("chew-toy").pick(weak)
    assert p.in_play(strong)
    assert p.in_play(weak)
    assert p.pile_of(0) == ["chew-toy"]


def test_chew_toy__without_a_minion_does_nothing() -> None:
    p = Position("the-hill", "moot-site").hand(0, "chew-toy")
    p.minion(1, "howler", "the-hill")
    p.play("chew-toy")
    assert p.pile_of(0) == ["chew-toy"]
    assert p.idle()


def test_chew_toy__may_pick_a_protected_minion_in_vain() -> None:
    p = Position("the-hill", "moot-site").hand(0, "chew-toy")
    p.minion(0, "loup-garou", "the-hill")
    shown = p.minion(1, "soldier", "the-hill", counters=2)
    p.on_base(1, "the-show-must-go-on", "the-hill")
    p.play("chew-toy")
    assert p.in_play(shown)
    assert p.events("unaffected")


# Frenzy


def test_frenzy__strengthens_own_minions_of_four_or_more() -> None:
    p = Position("the-hill", "moot-site").hand(0, "frenzy")
    strong = [p.minion(0, "loup-garou", "the-hill"), p.minion(0, "howler", "moot-site", counters=2)]
    rest = [p.minion(0, "teenage-wolf", "the-hill"), p.minion(1, "pack-alpha", "the-hill")]
    p.play("frenzy")
    assert [p.power(m) for m in (*strong, *rest)] == [5, 5, 3, 5]
    p.end()
    assert p.power(strong[0]) == 4


def test_frenzy__does_not_cover_later_plays_and_stays_on_the_weakened() -> None:
    p = Position("the-hill", "moot-site").hand(0, "frenzy", "loup-garou", "blitzed")
    strong = p.minion(0, "drone", "the-hill", counters=1)
    p.play("frenzy").play("loup-garou", "the-hill")
    assert p.power(p.newest()) == 4
    p.s.counters.pop(strong)
    assert p.power(strong) == 4


def test_frenzy__does_not_feed_on_itself_within_one_play() -> None:
    p = Position("the-hill", "moot-site").hand(0, "frenzy")
    three = p.minion(0, "teenage-wolf", "the-hill")
    p.play("frenzy")
    assert p.power(three) == 3
    assert p.pile_of(0) == ["frenzy"]


def test_frenzy__counts_full_moon() -> None:
    p = Position("the-hill", "moot-site").hand(0, "frenzy")
    three = p.minion(0, "teenage-wolf", "the-hill")
    p.on_base(0, "full-moon", "the-hill")
    p.play("frenzy")
    assert p.power(three) == 5


# Full Moon


def test_full_moon__strengthens_own_minions_here_now_and_later() -> None:
    p = Position("the-hill", "laboratorium").hand(0, "full-moon", "teenage-wolf")
    here, away = p.minion(0, "howler", "the-hill"), p.minion(0, "howler", "laboratorium")
    enemy = p.minion(1, "soldier", "the-hill")
    p.play("full-moon", "the-hill")
    assert [p.power(m) for m in (here, away, enemy)] == [3, 2, 1]
    p.play("teenage-wolf", "the-hill")
    assert p.power(p.newest()) == 4


def test_full_moon__stops_for_those_who_leave() -> None:
    p = Position("the-hill", "laboratorium").hand(0, "headlong")
    here = p.minion(0, "howler", "the-hill")
    p.on_base(0, "full-moon", "the-hill")
    assert p.power(here) == 3
    p.play("headlong")
    assert p.power(here) == 4


def test_full_moon__two_of_them_add_up_and_count_for_breakpoints() -> None:
    p = Position("moot-site", "laboratorium")
    p.on_base(0, "full-moon", "moot-site")
    p.on_base(0, "full-moon", "moot-site")
    p.minion(0, "the-count", "moot-site", counters=8)
    assert p.total(0, "moot-site") == 15


# Leader of the Pack


def test_leader_of_the_pack__gives_an_extra_action_while_its_host_leads() -> None:
    p = Position("the-hill", "moot-site").hand(0, "leader-of-the-pack", "frenzy")
    host = p.minion(0, "loup-garou", "the-hill")
    p.minion(1, "killer-queen", "the-hill")
    p.play("leader-of-the-pack").pick(host)
    assert p.cards_offered("play") == []
    p.talent(p.newest())
    assert p.cards_offered("play") == ["frenzy"], "a tie for the highest power is enough"
    assert not p.offers("talent")


def test_leader_of_the_pack__not_when_another_is_stronger() -> None:
    p = Position("the-hill", "moot-site")
    p.on_minion(0, "leader-of-the-pack", p.minion(0, "loup-garou", "the-hill"))
    p.minion(1, "pack-alpha", "the-hill")
    assert not p.offers("talent")


def test_leader_of_the_pack__works_on_an_opponents_minion_for_its_player() -> None:
    p = Position("the-hill", "moot-site")
    leader = p.on_minion(0, "leader-of-the-pack", p.minion(1, "pack-alpha", "the-hill"))
    p.talent(leader)
    assert p.s.action_plays == 2


def test_leader_of_the_pack__without_a_minion_is_discarded() -> None:
    p = Position("the-hill", "moot-site").hand(0, "leader-of-the-pack").play("leader-of-the-pack")
    assert p.pile_of(0) == ["leader-of-the-pack"]


def test_leader_of_the_pack__the_extra_play_ends_with_the_step() -> None:
    p = Position("the-hill", "moot-site")
    leader = p.on_minion(0, "leader-of-the-pack", p.minion(0, "pack-alpha", "the-hill"))
    p.talent(leader).end()
    assert p.s.action_plays == 1


# Let the Dog Out


def dogs() -> tuple[Position, int, dict[str, int]]:
    """A 5-power minion at Moot Site against 3, 2 and 1."""
    p = Position("moot-site", "the-hill").hand(0, "let-the-dog-out")
    mine = p.minion(0, "pack-alpha", "moot-site")
    enemies = {card: p.minion(1, card, "moot-site") for card in ("drone", "howler", "soldier")}
    return p, mine, enemies


@pytest.mark.parametrize(
    "names", [("drone", "howler"), ("drone", "soldier"), ("howler", "soldier"), ("drone",), ("howler",), ()]
)
def test_let_the_dog_out__any_set_that_fits(names: tuple[str, ...]) -> None:
    p, _, enemies = dogs()
    p.play("let-the-dog-out").pick(*(enemies[name] for name in names))
    if not p.idle():
        p.done()
    assert [name for name, piece in enemies.items() if not p.in_play(piece)] == list(names)


def test_let_the_dog_out__never_more_than_its_power() -> None:
    p, _, enemies = dogs()
    p.play("let-the-dog-out").pick(enemies["drone"])
    assert p.offers("minion") == [enemies["howler"], enemies["soldier"]]
    p.pick(enemies["soldier"])
    assert p.idle(), "1 is left and the Howler has 2: nothing fits any more"


def test_let_the_dog_out__the_picked_minion_itself_fits() -> None:
    p, mine, _ = dogs()
    p.play("let-the-dog-out").pick(mine)
    assert not p.in_play(mine)


def test_let_the_dog_out__power_zero_costs_nothing() -> None:
    p, _, enemies = dogs()
    bare = p.minion(1, "worker", "moot-site")
    p.play("let-the-dog-out").pick(enemies["drone"], enemies["howler"])
    assert p.offers("minion") == [bare]
    p.pick(bare)
    assert not p.in_play(bare)


def test_let_the_dog_out__without_a_minion_does_nothing() -> None:
    p = Position("moot-site", "the-hill").hand(0, "let-the-dog-out").play("let-the-dog-out")
    assert p.pile_of(0) == ["let-the-dog-out"]


def test_let_the_dog_out__a_drone_decides_minion_by_minion() -> None:
    p, _, enemies = dogs()
    drone = p.minion(1, "drone", "the-hill", counters=1)
    p.play("let-the-dog-out").pick(enemies["howler"], enemies["soldier"])
    assert p.s.asked == 1
    p.done().pick(drone)
    assert not p.in_play(enemies["howler"])
    assert p.in_play(enemies["soldier"])


# Marking Territory


def test_marking_territory__zeroes_the_breakpoint_while_leading() -> None:
    p = Position("laboratorium", "moot-site", seats=3)
    p.on_base(0, "marking-territory", "laboratorium")
    p.minion(0, "loup-garou", "laboratorium")
    p.minion(1, "drone", "laboratorium")
    p.minion(2, "drone", "laboratorium")
    p.start_turn(0)
    assert p.events("breakpoint") == [{"type": "breakpoint", "base": "laboratorium", "n": 0}]
    p.end()
    assert p.s.vp == [5, 3, 3]


def test_marking_territory__needs_strictly_more_than_every_other() -> None:
    for mine in (0, 1):
        p = Position("laboratorium", "moot-site")
        p.on_base(0, "marking-territory", "laboratorium")
        if mine:
            p.minion(0, "loup-garou", "laboratorium")
            p.minion(1, "killer-queen", "laboratorium")
        p.start_turn(0)
        assert not p.events("breakpoint")


def test_marking_territory__waits_for_its_controllers_turn() -> None:
    p = Position("laboratorium", "moot-site")
    p.on_base(0, "marking-territory", "laboratorium")
    p.minion(0, "loup-garou", "laboratorium")
    p.start_turn(1)
    assert not p.events("breakpoint")


def test_marking_territory__scores_even_if_nobody_is_left() -> None:
    p = Position("laboratorium", "moot-site").hand(0, "heavy-drinker")
    p.on_base(0, "marking-territory", "laboratorium")
    mine = p.minion(0, "loup-garou", "laboratorium")
    p.start_turn(0)
    p.play("heavy-drinker", "moot-site").pick(mine).end()
    assert p.events("totals")[0]["totals"] == [0, 0]
    assert p.s.vp == [0, 0]
    assert "laboratorium" not in p.bases_offered()
    assert [event["base"] for event in p.events("cleared")] == ["laboratorium"]


def test_marking_territory__losing_the_lead_later_does_not_restore_it() -> None:
    p = Position("laboratorium", "moot-site").hand(0, "headlong")
    p.on_base(0, "marking-territory", "laboratorium")
    p.minion(0, "loup-garou", "laboratorium")
    p.minion(1, "drone", "laboratorium")
    p.start_turn(0)
    p.play("headlong").end()
    assert p.s.vp == [0, 5]


# Moontouched


def test_moontouched__draws_a_card_while_its_host_leads() -> None:
    p = Position("the-hill", "moot-site")
    touched = p.on_minion(0, "moontouched", p.minion(1, "pack-alpha", "the-hill"))
    p.minion(0, "the-count", "the-hill")
    p.talent(touched)
    assert p.hand_of(0) == ["howler"]
    assert not p.offers("talent")


def test_moontouched__not_when_another_is_stronger() -> None:
    p = Position("the-hill", "moot-site")
    p.on_minion(0, "moontouched", p.minion(0, "howler", "the-hill"))
    p.minion(1, "pack-alpha", "the-hill")
    assert not p.offers("talent")


def test_moontouched__with_no_card_left_draws_none() -> None:
    p = Position("the-hill", "moot-site", deck=0)
    touched = p.on_minion(0, "moontouched", p.minion(0, "howler", "the-hill"))
    p.talent(touched)
    assert p.hand_of(0) == []
    assert p.idle()


def test_moontouched__is_attached_or_discarded() -> None:
    p = Position("the-hill", "moot-site").hand(0, "moontouched").play("moontouched")
    assert p.pile_of(0) == ["moontouched"]


# Unstoppable


def test_unstoppable__its_host_cannot_be_destroyed() -> None:
    p = Position("the-hill", "moot-site").hand(0, "big-gulp")
    host = p.minion(1, "howler", "the-hill")
    p.on_minion(1, "unstoppable", host)
    p.play("big-gulp")
    assert p.in_play(host)
    assert not p.events("destroyed")


def test_unstoppable__not_by_its_own_controller_either() -> None:
    p = Position("the-hill", "moot-site").hand(0, "heavy-drinker")
    host = p.minion(0, "igor", "the-hill")
    p.on_minion(0, "unstoppable", host)
    p.play("heavy-drinker", "moot-site").pick(host)
    assert p.in_play(host)
    assert p.counters(p.newest()) == 0


def test_unstoppable__moves_with_its_host_and_is_no_shield_from_scoring() -> None:
    p = Position("the-hill", "moot-site").hand(0, "headlong")
    host = p.minion(0, "the-count", "the-hill", counters=8)
    p.on_minion(0, "unstoppable", host)
    p.play("headlong").end()
    assert sorted(p.pile_of(0)) == ["headlong", "the-count", "unstoppable"]


def test_unstoppable__without_a_minion_is_discarded() -> None:
    p = Position("the-hill", "moot-site").hand(0, "unstoppable").play("unstoppable")
    assert p.pile_of(0) == ["unstoppable"]
