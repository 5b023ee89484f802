"""Each Vampire card: what it does, what it does without a target, and how it meets protections and triggers."""

from __future__ import annotations

from tests.games.monster_smash.positions import Position

# The Count


def test_the_count__gains_a_counter_for_each_enemy_minion_destroyed_anywhere() -> None:
    p = Position()
    count = p.minion(0, "the-count", "the-hill")
    victim = p.minion(1, "howler", "crypt")
    p.hand(0, "big-gulp").play("big-gulp")
    assert not p.in_play(victim)
    assert p.counters(count) == 1


def test_the_count__counts_each_of_several() -> None:
    p = Position("moot-site", "the-hill")
    count = p.minion(0, "the-count", "the-hill")
    doktor = p.minion(0, "herr-doktor", "moot-site", counters=1)
    victims = [p.minion(1, card, "moot-site") for card in ("howler", "soldier", "worker")]
    p.hand(0, "let-the-dog-out").play("let-the-dog-out").pick(doktor, *victims)
    assert p.counters(count) == 3


def test_the_count__ignores_its_own_players_losses() -> None:
    p = Position("moot-site", "the-hill")
    count = p.minion(0, "the-count", "the-hill")
    drinker = p.minion(0, "fledgling-vampire", "the-hill")
    p.hand(0, "heavy-drinker").play("heavy-drinker", "moot-site").pick(drinker)
    assert p.counters(count) == 0


def test_the_count__does_not_care_who_destroys() -> None:
    p = Position("moot-site", "the-hill", seats=3)
    count = p.minion(1, "the-count", "the-hill")
    p.minion(2, "howler", "moot-site")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.counters(count) == 1


def test_the_count__gains_nothing_when_destroyed_in_the_same_batch() -> None:
    p = Position("moot-site", "the-hill")
    count = p.minion(1, "the-count", "moot-site")
    other = p.minion(0, "howler", "moot-site")
    alpha = p.minion(0, "pack-alpha", "moot-site", counters=2)
    p.hand(0, "let-the-dog-out").play("let-the-dog-out").pick(alpha, count, other)
    assert not p.in_play(count)
    assert not [event for event in p.events("counters") if event["piece"]["id"] == count]


def test_the_count__ignores_prevented_and_replaced_destruction() -> None:
    p = Position()
    count = p.minion(0, "the-count", "the-hill")
    victim = p.minion(1, "howler", "crypt")
    p.on_base(1, "grave-situation", "crypt")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.hand_of(1) == ["howler"]
    assert not p.in_play(victim)
    assert p.counters(count) == 0


def test_the_count__ignores_the_discard_after_scoring() -> None:
    p = Position("moot-site", "the-hill")
    count = p.minion(0, "the-count", "the-hill")
    p.minion(1, "pack-alpha", "moot-site", counters=12)
    p.end()
    assert p.events("cleared")
    assert p.counters(count) == 0


# Nightstalker


def test_nightstalker__destroys_a_weak_minion_here_and_grows() -> None:
    p = Position("moot-site", "the-hill")
    weak = p.minion(1, "howler", "the-hill")
    p.minion(1, "soldier", "moot-site")
    p.hand(0, "nightstalker").play("nightstalker", "the-hill")
    assert not p.in_play(weak)
    assert p.counters(p.newest()) == 1


def test_nightstalker__looks_at_current_power() -> None:
    p = Position("moot-site", "the-hill")
    strong = p.minion(1, "howler", "the-hill", counters=1)
    p.hand(0, "nightstalker").play("nightstalker", "the-hill")
    assert p.in_play(strong)
    assert p.counters(p.newest()) == 0
    assert p.idle()


def test_nightstalker__must_destroy_its_own_if_only_that_is_weak() -> None:
    p = Position("moot-site", "the-hill")
    own = p.minion(0, "fledgling-vampire", "the-hill")
    p.hand(0, "nightstalker").play("nightstalker", "the-hill")
    assert not p.in_play(own)
    assert p.counters(p.newest()) == 1


def test_nightstalker__chooses_among_several() -> None:
    p = Position("moot-site", "the-hill")
    weak = [p.minion(1, "howler", "the-hill"), p.minion(1, "soldier", "the-hill")]
    p.hand(0, "nightstalker").play("nightstalker", "the-hill")
    assert p.offers("minion") == weak
    assert not p.offers("done")
    p.pick(weak[1])
    assert p.in_play(weak[0])


def test_nightstalker__gains_nothing_without_a_destruction() -> None:
    for protection in ("unstoppable", "uberserum"):
        p = Position("moot-site", "the-hill")
        p.on_minion(1, protection, p.minion(1, "howler", "the-hill"))
        p.hand(0, "nightstalker").play("nightstalker", "the-hill")
        assert p.counters(p.newest()) == 0
        assert p.events("indestructible")
    p = Position("moot-site", "the-hill")
    p.minion(1, "howler", "the-hill")
    p.on_base(1, "grave-situation", "the-hill")
    p.hand(0, "nightstalker").play("nightstalker", "the-hill")
    assert p.counters(p.newest()) == 0
    p = Position("moot-site", "the-hill")
    drone = p.minion(1, "drone", "moot-site", counters=1)
    p.minion(1, "howler", "the-hill")
    p.hand(0, "nightstalker").play("nightstalker", "the-hill").pick(drone)
    assert p.counters(p.newest()) == 0


# Heavy Drinker


def test_heavy_drinker__may_destroy_an_own_minion_of_any_power_anywhere() -> None:
    p = Position("moot-site", "the-hill")
    count = p.minion(0, "the-count", "the-hill")
    p.hand(0, "heavy-drinker").play("heavy-drinker", "moot-site").pick(count)
    assert not p.in_play(count)
    assert p.counters(p.newest()) == 1


def test_heavy_drinker__may_decline() -> None:
    p = Position("moot-site", "the-hill")
    count = p.minion(0, "the-count", "the-hill")
    p.hand(0, "heavy-drinker").play("heavy-drinker", "moot-site").done()
    assert p.in_play(count)
    assert p.counters(p.newest()) == 0
    assert p.idle()


def test_heavy_drinker__may_pick_itself_for_nothing() -> None:
    p = Position("laboratorium", "the-hill")
    p.hand(0, "heavy-drinker").play("heavy-drinker", "laboratorium")
    p.pick(p.newest())
    assert p.pile_of(0) == ["heavy-drinker"]
    assert not p.s.counters
    assert p.idle()


def test_heavy_drinker__never_offers_an_enemy() -> None:
    p = Position("moot-site", "the-hill")
    enemy = p.minion(1, "howler", "moot-site")
    p.hand(0, "heavy-drinker").play("heavy-drinker", "moot-site")
    assert enemy not in p.offers("minion")


def test_heavy_drinker__gains_nothing_from_an_indestructible_minion() -> None:
    p = Position("moot-site", "the-hill")
    count = p.minion(0, "the-count", "the-hill")
    p.on_minion(0, "unstoppable", count)
    p.hand(0, "heavy-drinker").play("heavy-drinker", "moot-site").pick(count)
    assert p.in_play(count)
    assert p.counters(p.newest()) == 0


# Fledgling Vampire


def test_fledgling_vampire__grows_when_behind_with_its_own_power_counted() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(1, "lab-assistant", "the-hill")
    p.hand(0, "fledgling-vampire").play("fledgling-vampire", "the-hill")
    assert p.counters(p.newest()) == 1


def test_fledgling_vampire__does_not_grow_on_equal_totals() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(1, "howler", "the-hill")
    p.hand(0, "fledgling-vampire").play("fledgling-vampire", "the-hill")
    assert p.counters(p.newest()) == 0


def test_fledgling_vampire__compares_with_each_opponent_not_with_their_sum() -> None:
    p = Position("moot-site", "the-hill", seats=3)
    p.minion(1, "howler", "the-hill")
    p.minion(2, "howler", "the-hill")
    p.hand(0, "fledgling-vampire").play("fledgling-vampire", "the-hill")
    assert p.counters(p.newest()) == 0


def test_fledgling_vampire__alone_gains_nothing() -> None:
    p = Position("moot-site", "the-hill")
    p.hand(0, "fledgling-vampire").play("fledgling-vampire", "the-hill")
    assert p.counters(p.newest()) == 0


def test_fledgling_vampire__resolves_before_the_base_and_german_engineering() -> None:
    p = Position("laboratorium", "the-hill")
    p.on_base(0, "german-engineering", "laboratorium")
    p.minion(1, "lab-assistant", "laboratorium")
    p.hand(0, "fledgling-vampire").play("fledgling-vampire", "laboratorium")
    totals = [event["total"] for event in p.events("counters")]
    assert totals == [1, 2, 3]
    assert p.power(p.newest()) == 5


def test_fledgling_vampire__resolves_before_the_counter_of_its_alive() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(1, "lab-assistant", "the-hill")
    p.hand(0, "fledgling-vampire", "its-alive").play("its-alive").card("fledgling-vampire").at("the-hill")
    assert p.counters(p.newest()) == 2


# Big Gulp


def test_big_gulp__destroys_power_four_or_less_anywhere() -> None:
    p = Position("moot-site", "the-hill")
    four, two = p.minion(1, "loup-garou", "the-hill"), p.minion(1, "howler", "moot-site")
    five = p.minion(1, "pack-alpha", "the-hill")
    p.hand(0, "big-gulp").play("big-gulp")
    assert sorted(p.offers("minion")) == sorted([four, two])
    p.pick(four)
    assert not p.in_play(four)
    assert p.in_play(five)
    assert p.pile_of(0) == ["big-gulp"]


def test_big_gulp__must_hit_an_own_minion_when_there_is_no_other() -> None:
    p = Position("moot-site", "the-hill")
    own = p.minion(0, "nightstalker", "the-hill")
    p.hand(0, "big-gulp").play("big-gulp")
    assert not p.in_play(own)


def test_big_gulp__without_target_is_just_discarded() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(1, "pack-alpha", "the-hill")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.pile_of(0) == ["big-gulp"]
    assert p.idle()


def test_big_gulp__counts_counters_and_fails_in_the_egg_chamber() -> None:
    p = Position("egg-chamber", "the-hill")
    egg = p.minion(1, "worker", "egg-chamber", counters=2)
    p.minion(1, "soldier", "the-hill", counters=4)
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.in_play(egg)
    assert p.events("indestructible")


# Buffet


def at_moot_site(*specials: str) -> tuple[Position, int, int]:
    """Seat 0 wins Moot Site with 15 and has another minion at The Hill; it holds these cards."""
    p = Position("moot-site", "the-hill")
    there = p.minion(0, "pack-alpha", "moot-site", counters=10)
    away = p.minion(0, "the-count", "the-hill")
    p.hand(0, *specials)
    return p, there, away


def test_buffet__gives_the_winner_a_counter_on_every_minion() -> None:
    p, there, away = at_moot_site("buffet")
    p.end().play("buffet")
    assert p.counters(away) == 1
    assert [event["total"] for event in p.events("counters")] == [11, 1]
    assert p.pile_of(0) == ["buffet", "pack-alpha"]
    assert not p.in_play(there)


def test_buffet__a_tied_player_is_a_winner() -> None:
    p, _, away = at_moot_site("buffet")
    p.minion(1, "herr-doktor", "moot-site", counters=11)
    p.end().play("buffet")
    assert [event["rank"] for event in p.events("vp")] == [1, 1]
    assert p.counters(away) == 1


def test_buffet__does_nothing_for_a_loser() -> None:
    p, _, away = at_moot_site("buffet")
    p.minion(1, "herr-doktor", "moot-site", counters=12)
    p.end().play("buffet")
    assert "buffet" in p.pile_of(0)
    assert p.counters(away) == 0


def test_buffet__is_no_normal_action_and_uses_none() -> None:
    p, *_ = at_moot_site("buffet", "jolt")
    assert p.cards_offered("play") == ["jolt"]
    p.play("jolt").end().play("buffet")
    assert "buffet" in p.pile_of(0)


def test_buffet__counters_on_the_scored_base_can_be_carried_away() -> None:
    p, there, away = at_moot_site("buffet", "we-are-the-champions")
    p.end().play("buffet").play("we-are-the-champions").pick(there).number(11)
    assert p.counters(away) == 12
    assert not p.in_play(there)


# Crack of Dusk


def test_crack_of_dusk__plays_a_weak_minion_from_the_pile_and_feeds_it() -> None:
    p = Position("moot-site", "the-hill").discards(0, "igor", "herr-doktor", "jolt")
    p.hand(0, "crack-of-dusk", "igor").play("crack-of-dusk", "the-hill")
    assert p.counters(p.newest()) == 1
    assert p.pile_of(0) == ["herr-doktor", "jolt", "crack-of-dusk"]
    assert p.cards_offered("play") == ["igor"], "the normal minion play is still there"


def test_crack_of_dusk__looks_at_printed_power() -> None:
    p = Position("moot-site", "the-hill").discards(0, "worker", "soldier", "drone", "fledgling-vampire")
    p.hand(0, "crack-of-dusk").play("crack-of-dusk")
    assert sorted(p.cards_offered()) == ["fledgling-vampire", "soldier", "worker"]
    assert not p.offers("done"), "it is part of the effect, so it must be done"


def test_crack_of_dusk__without_such_a_minion_does_nothing() -> None:
    p = Position("moot-site", "the-hill").discards(0, "herr-doktor")
    p.hand(0, "crack-of-dusk").play("crack-of-dusk")
    assert p.pile_of(0) == ["herr-doktor", "crack-of-dusk"]
    assert p.idle()


def test_crack_of_dusk__is_a_real_play_with_abilities_and_triggers() -> None:
    p = Position("laboratorium", "the-hill").discards(0, "worker")
    p.on_base(0, "german-engineering", "laboratorium")
    p.hand(0, "crack-of-dusk").play("crack-of-dusk", "laboratorium")
    assert p.counters(p.newest()) == 2 + 1 + 1 + 1
    amounts = [event["n"] for event in p.events("counters")]
    assert amounts == [2, 1, 1, 1], "its own ability first, the counter of Crack of Dusk last"


# Cull the Weak


def test_cull_the_weak__a_counter_for_each_minion_card_discarded() -> None:
    p = Position("moot-site", "the-hill")
    fed = p.minion(0, "the-count", "the-hill")
    p.hand(0, "cull-the-weak", "igor", "igor", "nightstalker", "jolt").play("cull-the-weak")
    assert p.cards_offered() == ["nightstalker", "igor"], "minions only"
    p.card("igor", "nightstalker").done()
    assert p.counters(fed) == 2
    assert p.hand_of(0) == ["igor", "jolt"]
    assert p.pile_of(0) == ["igor", "nightstalker", "cull-the-weak"]


def test_cull_the_weak__zero_is_allowed() -> None:
    p = Position("moot-site", "the-hill")
    fed = p.minion(0, "the-count", "the-hill")
    p.hand(0, "cull-the-weak", "igor").play("cull-the-weak").done()
    assert p.counters(fed) == 0
    assert p.hand_of(0) == ["igor"]


def test_cull_the_weak__is_asked_even_without_minions_in_hand() -> None:
    """Else everybody would learn that there is none."""
    p = Position("moot-site", "the-hill")
    p.minion(0, "the-count", "the-hill")
    p.hand(0, "cull-the-weak", "jolt").play("cull-the-weak")
    assert [move.type for move in p.s.options] == ["done"]


def test_cull_the_weak__without_a_minion_in_play_discards_nothing() -> None:
    p = Position("moot-site", "the-hill").hand(0, "cull-the-weak", "igor").play("cull-the-weak")
    assert p.hand_of(0) == ["igor"]
    assert p.idle()


def test_cull_the_weak__igor_does_not_react() -> None:
    p = Position("moot-site", "the-hill")
    fed = p.minion(0, "the-count", "the-hill")
    p.hand(0, "cull-the-weak", "igor", "igor").play("cull-the-weak").card("igor").done()
    assert p.counters(fed) == 1
    assert not p.events("trigger")


def test_cull_the_weak__what_is_discarded_is_public() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "the-count", "the-hill")
    p.hand(0, "cull-the-weak", "igor").play("cull-the-weak").card("igor")
    assert p.events("discard") == [{"type": "discard", "seat": 0, "card": "igor"}]


# Dinner Date


def test_dinner_date__feeds_one_and_destroys_a_weak_one_beside_it() -> None:
    p = Position("moot-site", "the-hill")
    fed = p.minion(0, "the-count", "the-hill")
    weak = p.minion(0, "fledgling-vampire", "moot-site")
    other = p.minion(1, "howler", "the-hill")
    p.hand(0, "dinner-date").play("dinner-date").pick(fed)
    assert not p.in_play(other)
    assert p.in_play(weak)
    assert p.counters(fed) == 1 + 1, "its own counter, and one for the Count"


def test_dinner_date__places_the_counter_with_nothing_to_destroy() -> None:
    p = Position("moot-site", "the-hill")
    fed = p.minion(0, "nightstalker", "the-hill")
    p.minion(1, "pack-alpha", "the-hill")
    p.hand(0, "dinner-date").play("dinner-date")
    assert p.counters(fed) == 1
    assert p.idle()


def test_dinner_date__may_have_to_destroy_the_fed_minion() -> None:
    p = Position("moot-site", "the-hill")
    fed = p.minion(0, "worker", "the-hill")
    p.hand(0, "dinner-date").play("dinner-date")
    assert not p.in_play(fed)
    assert p.pile_of(0) == ["worker", "dinner-date"]


def test_dinner_date__without_own_minions_does_nothing() -> None:
    p = Position("moot-site", "the-hill")
    other = p.minion(1, "howler", "the-hill")
    p.hand(0, "dinner-date").play("dinner-date")
    assert p.in_play(other)
    assert p.idle()


def test_dinner_date__the_second_part_can_fail() -> None:
    p = Position("egg-chamber", "the-hill")
    fed = p.minion(0, "nightstalker", "egg-chamber")
    egg = p.minion(1, "soldier", "egg-chamber", counters=1)
    p.hand(0, "dinner-date").play("dinner-date")
    assert p.in_play(egg)
    assert p.counters(fed) == 1


# Mad Monster Party


def test_mad_monster_party__feeds_own_minions_without_counters() -> None:
    p = Position("moot-site", "the-hill")
    bare = [p.minion(0, "the-count", "the-hill"), p.minion(0, "worker", "moot-site")]
    fed = p.minion(0, "worker", "moot-site", counters=2)
    enemy = p.minion(1, "howler", "moot-site")
    p.hand(0, "mad-monster-party").play("mad-monster-party")
    assert [p.counters(m) for m in (*bare, fed, enemy)] == [1, 1, 2, 0]


def test_mad_monster_party__without_minions_does_nothing() -> None:
    p = Position("moot-site", "the-hill").hand(0, "mad-monster-party").play("mad-monster-party")
    assert p.pile_of(0) == ["mad-monster-party"]
    assert p.idle()


def test_mad_monster_party__is_not_stopped_by_protections() -> None:
    p = Position("moot-site", "the-hill")
    bare = p.minion(0, "the-count", "the-hill")
    p.on_minion(0, "unstoppable", bare)
    p.hand(0, "mad-monster-party").play("mad-monster-party")
    assert p.counters(bare) == 1


# Opportunist


def test_opportunist__feeds_its_host_for_each_minion_of_others_destroyed() -> None:
    p = Position("moot-site", "the-hill")
    host = p.minion(0, "nightstalker", "the-hill")
    p.minion(1, "howler", "moot-site")
    p.hand(0, "opportunist", "nightstalker").play("opportunist").pick(host)
    p.play("nightstalker", "moot-site")
    assert p.counters(host) == 1


def test_opportunist__measures_others_from_who_played_it() -> None:
    p = Position("moot-site", "the-hill")
    host = p.minion(1, "pack-alpha", "the-hill")
    p.on_minion(0, "opportunist", host)
    p.minion(1, "howler", "moot-site")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.counters(host) == 1, "the host's own player lost a minion, but the Opportunist's did not"


def test_opportunist__ignores_its_players_own_losses() -> None:
    p = Position("moot-site", "the-hill")
    host = p.minion(1, "pack-alpha", "the-hill")
    p.on_minion(0, "opportunist", host)
    p.minion(0, "igor", "moot-site")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.counters(host) == 0


def test_opportunist__gains_nothing_when_its_host_falls_in_the_same_batch() -> None:
    p = Position("moot-site", "the-hill")
    host = p.minion(1, "howler", "moot-site")
    on = p.on_minion(0, "opportunist", host)
    other = p.minion(1, "soldier", "moot-site")
    p.minion(0, "pack-alpha", "moot-site")
    p.hand(0, "let-the-dog-out").play("let-the-dog-out").pick(host, other)
    assert not p.in_play(on)
    assert "opportunist" in p.pile_of(0)
    assert not p.s.counters


def test_opportunist__without_a_minion_in_play_is_discarded() -> None:
    p = Position("moot-site", "the-hill").hand(0, "opportunist").play("opportunist")
    assert p.pile_of(0) == ["opportunist"]
    assert p.events("no-target")


# Summon Wolves


def test_summon_wolves__gains_a_counter_each_turn_and_adds_to_the_total() -> None:
    p = Position("laboratorium", "the-hill")
    wolves = p.on_base(0, "summon-wolves", "laboratorium", counters=2)
    count = p.minion(0, "the-count", "laboratorium")
    p.start_turn(0)
    p.done()  # The Hill
    assert p.counters(wolves) == 3
    assert p.total(0, "laboratorium") == 8
    assert p.power(count) == 5, "it belongs to the total, not to a minion"


def test_summon_wolves__grows_without_a_minion_but_then_adds_nothing() -> None:
    p = Position("laboratorium", "moot-site")
    wolves = p.on_base(0, "summon-wolves", "laboratorium")
    p.minion(1, "howler", "laboratorium")
    p.start_turn(0)
    assert p.counters(wolves) == 1
    assert p.total(0, "laboratorium") == 0


def test_summon_wolves__stays_still_in_another_players_turn() -> None:
    p = Position("laboratorium", "moot-site")
    wolves = p.on_base(0, "summon-wolves", "laboratorium")
    p.start_turn(1)
    assert p.counters(wolves) == 0


def test_summon_wolves__is_played_on_a_base() -> None:
    p = Position("laboratorium", "moot-site").hand(0, "summon-wolves").play("summon-wolves", "moot-site")
    assert p.base_of(p.newest()) == "moot-site"
    assert p.pile_of(0) == []


def test_summon_wolves__loses_its_counters_with_the_base() -> None:
    p = Position("moot-site", "laboratorium")
    wolves = p.on_base(0, "summon-wolves", "moot-site", counters=10)
    p.minion(0, "the-count", "moot-site")
    p.end()
    assert p.events("totals")[0]["totals"] == [15, 0]
    assert "summon-wolves" in p.pile_of(0)
    assert p.counters(wolves) == 0
