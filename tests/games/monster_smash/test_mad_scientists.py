"""Each Mad Scientist card: what it does, what it does without a target, and how it meets protections and triggers."""

from __future__ import annotations

from tests.games.monster_smash.positions import Position

# Herr Doktor


def test_herr_doktor__feeds_another_own_minion_anywhere() -> None:
    p = Position("moot-site", "the-hill")
    doktor, igor = p.minion(0, "herr-doktor", "the-hill"), p.minion(0, "igor", "moot-site")
    count = p.minion(0, "the-count", "the-hill")
    p.talent(doktor)
    assert sorted(p.offers("minion")) == sorted([igor, count]), "never itself"
    p.pick(igor)
    assert p.counters(igor) == 1
    assert not p.offers("talent"), "once a turn"


def test_herr_doktor__alone_has_no_talent() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "herr-doktor", "the-hill")
    p.minion(1, "howler", "the-hill")
    assert not p.offers("talent")


def test_herr_doktor__can_be_used_in_the_turn_it_is_played() -> None:
    p = Position("moot-site", "the-hill")
    igor = p.minion(0, "igor", "moot-site")
    p.hand(0, "herr-doktor").play("herr-doktor", "the-hill").talent(p.newest())
    assert p.counters(igor) == 1


# The Monster


def test_the_monster__trades_a_counter_for_an_extra_minion() -> None:
    p = Position("moot-site", "the-hill").hand(0, "igor", "lab-assistant", "jolt")
    monster = p.minion(0, "the-monster", "the-hill", counters=1)
    p.play("igor", "the-hill")
    assert p.cards_offered("play") == ["jolt"]
    p.talent(monster)
    assert p.counters(monster) == 0
    assert p.cards_offered("play") == ["lab-assistant", "jolt"]


def test_the_monster__the_extra_play_is_banked_and_ends_with_the_step() -> None:
    p = Position("moot-site", "the-hill").hand(0, "igor", "igor", "jolt")
    monster = p.minion(0, "the-monster", "the-hill", counters=1)
    p.talent(monster).play("jolt").play("igor", "the-hill").play("igor", "moot-site")
    assert p.s.minion_plays == 0
    p = Position("moot-site", "the-hill").hand(0, "igor")
    monster = p.minion(0, "the-monster", "the-hill", counters=1)
    p.talent(monster).end().end()
    assert p.s.minion_plays == 1, "in the next turn there is one play again"


def test_the_monster__needs_a_counter_of_its_own() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "the-monster", "the-hill")
    p.minion(0, "igor", "the-hill", counters=2)
    assert not p.offers("talent")


def test_the_monster__each_has_its_own_talent() -> None:
    p = Position("moot-site", "the-hill")
    both = [p.minion(0, "the-monster", "the-hill", counters=1) for _ in range(2)]
    p.talent(both[0]).talent(both[1])
    assert p.s.minion_plays == 3


# Lab Assistant


def test_lab_assistant__feeds_another_own_minion() -> None:
    p = Position("moot-site", "the-hill")
    count, igor = p.minion(0, "the-count", "the-hill"), p.minion(0, "igor", "moot-site")
    p.minion(1, "howler", "moot-site")
    p.hand(0, "lab-assistant").play("lab-assistant", "moot-site")
    assert sorted(p.offers("minion")) == sorted([count, igor])
    assert not p.offers("done")
    p.pick(count)
    assert p.counters(count) == 1


def test_lab_assistant__alone_does_nothing() -> None:
    p = Position("moot-site", "the-hill").hand(0, "lab-assistant").play("lab-assistant", "the-hill")
    assert not p.s.counters
    assert p.idle()


def test_lab_assistant__acts_before_the_base() -> None:
    p = Position("laboratorium", "the-hill")
    igor = p.minion(0, "igor", "the-hill")
    p.hand(0, "lab-assistant").play("lab-assistant", "laboratorium")
    assert [event["piece"]["id"] for event in p.events("counters")] == [igor, p.newest()]


# Igor


def test_igor__destroyed_feeds_a_minion_of_his_controller() -> None:
    p = Position("moot-site", "the-hill")
    igor, count = p.minion(1, "igor", "moot-site"), p.minion(1, "pack-alpha", "the-hill")
    p.minion(0, "nightstalker", "the-hill", counters=1)
    p.hand(0, "big-gulp").play("big-gulp")
    assert not p.in_play(igor)
    assert p.counters(count) == 1


def test_igor__his_controller_chooses() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(1, "igor", "moot-site")
    count, alpha = p.minion(1, "the-count", "the-hill"), p.minion(1, "pack-alpha", "the-hill")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.s.asked == 1
    assert p.offers("minion") == [count, alpha]
    p.pick(alpha)
    assert p.counters(alpha) == 1


def test_igor__without_another_minion_does_nothing() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(1, "igor", "moot-site")
    p.hand(0, "big-gulp").play("big-gulp")
    assert not p.s.counters
    assert p.idle()


def test_igor__discarded_after_scoring_feeds_a_minion_elsewhere() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "igor", "moot-site", counters=13)
    p.minion(0, "the-count", "moot-site")
    away = p.minion(0, "nightstalker", "the-hill")
    p.end()
    assert p.counters(away) == 1


def test_igor__two_leaving_together_give_two_counters() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "igor", "moot-site", counters=13)
    p.minion(0, "igor", "moot-site")
    away = p.minion(0, "nightstalker", "the-hill")
    p.end()
    assert p.counters(away) == 2


def test_igor__two_in_one_batch_feed_only_what_is_left() -> None:
    p = Position("moot-site", "the-hill")
    igors = [p.minion(1, "igor", "moot-site") for _ in range(2)]
    away = p.minion(1, "pack-alpha", "the-hill")
    p.minion(0, "herr-doktor", "moot-site")
    p.hand(0, "let-the-dog-out").play("let-the-dog-out").pick(*igors)
    assert p.counters(away) == 2


def test_igor__saved_or_called_back_he_stays_quiet() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(1, "igor", "moot-site")
    away = p.minion(1, "pack-alpha", "the-hill")
    p.on_base(1, "grave-situation", "moot-site")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.hand_of(1) == ["igor"]
    assert p.counters(away) == 0
    p = Position("moot-site", "the-hill")
    p.minion(1, "igor", "moot-site")
    drone = p.minion(1, "drone", "the-hill", counters=2)
    p.hand(0, "chew-toy")
    p.minion(0, "herr-doktor", "moot-site")
    p.play("chew-toy").pick(drone)
    assert p.counters(drone) == 1


# Angry Mob


def test_angry_mob__puts_hand_cards_under_the_deck_in_the_chosen_order() -> None:
    p = Position("moot-site", "the-hill", deck=0)
    fed = p.minion(0, "the-count", "the-hill")
    p.hand(0, "angry-mob", "jolt", "igor", "igor").play("angry-mob").card("jolt", "igor").done()
    assert p.counters(fed) == 2
    assert p.hand_of(0) == ["igor"]
    p.end()
    assert p.events("draw")[0]["cards"] == ["jolt", "igor"], "first put under, first drawn; an empty deck is formed so"


def test_angry_mob__cards_under_the_deck_come_after_the_rest() -> None:
    p = Position("moot-site", "the-hill").deck(0, "howler")
    p.minion(0, "the-count", "the-hill")
    p.hand(0, "angry-mob", "jolt").play("angry-mob").card("jolt").done().end()
    assert p.events("draw")[0]["cards"] == ["howler", "jolt"]


def test_angry_mob__hides_the_cards_but_not_their_number() -> None:
    from tests.games.monster_smash.positions import GAME

    p = Position("moot-site", "the-hill")
    p.minion(0, "the-count", "the-hill")
    p.hand(0, "angry-mob", "jolt", "igor").play("angry-mob")
    before = p.s
    p.card("jolt")
    (event,) = [e for e in GAME.events(before, {}, p.s, 1) if e["type"] == "under"]
    assert event == {"type": "under", "seat": 0}
    assert "under" not in GAME.view(p.s, 1) or GAME.view(p.s, 1)["under"] == []
    assert GAME.view(p.s, 1)["players"][0]["under"] == 1
    assert GAME.view(p.s, 0)["under"] == ["jolt"]


def test_angry_mob__zero_is_allowed_and_no_minion_moves_nothing() -> None:
    p = Position("moot-site", "the-hill")
    fed = p.minion(0, "the-count", "the-hill")
    p.hand(0, "angry-mob", "jolt").play("angry-mob").done()
    assert p.counters(fed) == 0
    p = Position("moot-site", "the-hill").hand(0, "angry-mob", "jolt").play("angry-mob")
    assert p.hand_of(0) == ["jolt"]
    assert p.idle()


# Blitzed


def test_blitzed__destroys_by_the_number_of_counters_removed() -> None:
    p = Position("moot-site", "the-hill")
    one, two = p.minion(0, "nightstalker", "the-hill", counters=2), p.minion(0, "herr-doktor", "the-hill", counters=3)
    four, five = p.minion(1, "loup-garou", "moot-site"), p.minion(1, "pack-alpha", "moot-site")
    p.hand(0, "blitzed").play("blitzed").pick(one).number(2).pick(two).number(2)
    assert sorted(p.offers("minion")) == sorted([four, one]), "own minions count too, with what they have now"
    assert five not in p.offers("minion")
    p.pick(four)
    assert not p.in_play(four)
    assert (p.counters(one), p.counters(two)) == (0, 1)


def test_blitzed__zero_can_kill_power_zero() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "nightstalker", "the-hill", counters=2)
    bare = p.minion(1, "worker", "moot-site")
    p.hand(0, "blitzed").play("blitzed").done()
    assert not p.in_play(bare)


def test_blitzed__own_minions_weakened_by_it_may_have_to_go() -> None:
    p = Position("moot-site", "the-hill")
    worker = p.minion(0, "worker", "the-hill", counters=2)
    p.hand(0, "blitzed").play("blitzed").pick(worker).number(2)
    assert not p.in_play(worker)


def test_blitzed__without_a_target_still_takes_the_counters() -> None:
    p = Position("moot-site", "the-hill")
    fed = p.minion(0, "herr-doktor", "the-hill", counters=2)
    p.hand(0, "blitzed").play("blitzed").pick(fed).number(1)
    assert p.counters(fed) == 1
    assert p.pile_of(0) == ["blitzed"]
    p = Position("moot-site", "the-hill").hand(0, "blitzed").play("blitzed")
    assert p.idle()


def test_blitzed__meets_a_drone() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "herr-doktor", "the-hill", counters=2)
    victim, drone = p.minion(1, "howler", "moot-site"), p.minion(1, "drone", "the-hill", counters=1)
    p.hand(0, "blitzed").play("blitzed").pick(p.offers("minion")[0]).number(2).pick(drone)
    assert p.in_play(victim)
    assert p.counters(drone) == 0


# Body Shop


def test_body_shop__spreads_the_power_of_the_destroyed_minion() -> None:
    p = Position("laboratorium", "the-hill")
    parts = p.minion(0, "the-monster", "laboratorium", counters=2)
    p.on_base(0, "full-moon", "laboratorium")
    one, two = p.minion(0, "the-count", "the-hill"), p.minion(0, "nightstalker", "the-hill")
    p.hand(0, "body-shop").play("body-shop").pick(parts)
    assert not p.in_play(parts)
    assert p.offers("minion") == [one, two]
    p.pick(one).number(3)
    assert (p.counters(one), p.counters(two)) == (3, 4), "7 in all: printed, counters and Full Moon"


def test_body_shop__all_may_go_to_one() -> None:
    p = Position("moot-site", "the-hill")
    parts = p.minion(0, "lab-assistant", "moot-site")
    one, two = p.minion(0, "the-count", "the-hill"), p.minion(0, "nightstalker", "the-hill")
    p.hand(0, "body-shop").play("body-shop").pick(parts).pick(two).number(3)
    assert (p.counters(one), p.counters(two)) == (0, 3)
    assert p.idle()


def test_body_shop__with_no_other_minion_the_counters_are_lost() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "lab-assistant", "moot-site")
    p.hand(0, "body-shop").play("body-shop")
    assert not p.s.counters
    assert p.pile_of(0) == ["lab-assistant", "body-shop"]


def test_body_shop__without_a_minion_does_nothing() -> None:
    p = Position("moot-site", "the-hill").hand(0, "body-shop").play("body-shop")
    assert p.pile_of(0) == ["body-shop"]


def test_body_shop__on_a_minion_that_survives_still_hands_out() -> None:
    p = Position("moot-site", "the-hill")
    parts = p.minion(0, "lab-assistant", "moot-site")
    p.on_minion(0, "uberserum", parts)
    p.hand(0, "body-shop").play("body-shop")
    assert p.in_play(parts)
    assert p.counters(parts) == 3, "the only minion takes them all"


# German Engineering


def test_german_engineering__feeds_each_own_minion_played_here() -> None:
    p = Position("the-hill", "moot-site").hand(0, "german-engineering", "worker")
    p.play("german-engineering", "the-hill").play("worker", "the-hill")
    assert p.counters(p.newest()) == 3
    assert [event["n"] for event in p.events("counters")] == [2, 1], "after the minion's own ability"


def test_german_engineering__ignores_others_and_other_bases() -> None:
    p = Position("the-hill", "moot-site").hand(0, "lab-assistant")
    p.on_base(1, "german-engineering", "the-hill")
    p.on_base(0, "german-engineering", "moot-site")
    p.play("lab-assistant", "the-hill")
    assert not p.s.counters


def test_german_engineering__ignores_moves() -> None:
    p = Position("the-hill", "moot-site")
    moved = p.minion(0, "the-count", "moot-site")
    p.on_base(0, "german-engineering", "the-hill")
    p.hand(0, "headlong").play("headlong")
    assert p.base_of(moved) == "the-hill"
    assert p.counters(moved) == 2


def test_german_engineering__needs_no_target() -> None:
    p = Position("the-hill", "moot-site").hand(0, "german-engineering").play("german-engineering", "the-hill")
    assert p.in_play(p.newest())
    assert p.idle()


# Grave Situation


def test_grave_situation__sends_own_minions_here_to_hand_instead() -> None:
    p = Position("the-hill", "moot-site")
    victim = p.minion(1, "howler", "the-hill")
    p.on_base(1, "grave-situation", "the-hill")
    p.hand(0, "big-gulp").play("big-gulp")
    assert not p.in_play(victim)
    assert p.hand_of(1) == ["howler"]
    assert p.pile_of(1) == []
    assert p.events("returned")
    assert not p.events("destroyed")


def test_grave_situation__loses_counters_and_attached_actions() -> None:
    p = Position("the-hill", "moot-site")
    victim = p.minion(1, "worker", "the-hill", counters=2)
    p.on_minion(0, "opportunist", victim)
    p.on_base(1, "grave-situation", "the-hill")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.hand_of(1) == ["worker"]
    assert sorted(p.pile_of(0)) == ["big-gulp", "opportunist"]
    assert not p.s.counters


def test_grave_situation__triggers_nothing() -> None:
    p = Position("crypt", "moot-site")
    count = p.minion(0, "the-count", "crypt")
    p.minion(1, "igor", "crypt")
    p.on_base(1, "grave-situation", "crypt")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.counters(count) == 0
    assert p.idle()


def test_grave_situation__helps_only_its_controller_and_only_here() -> None:
    p = Position("the-hill", "moot-site")
    p.minion(1, "howler", "moot-site")
    p.on_base(1, "grave-situation", "the-hill")
    p.on_base(0, "grave-situation", "moot-site")
    p.hand(0, "big-gulp").play("big-gulp")
    assert p.pile_of(1) == ["howler"]


def test_grave_situation__does_nothing_after_scoring() -> None:
    p = Position("moot-site", "the-hill")
    p.minion(0, "the-count", "moot-site", counters=10)
    p.on_base(0, "grave-situation", "moot-site")
    p.end()
    assert sorted(p.pile_of(0)) == ["grave-situation", "the-count"]


def test_grave_situation__comes_after_the_drone() -> None:
    p = Position("the-hill", "moot-site")
    victim, drone = p.minion(1, "howler", "the-hill"), p.minion(1, "drone", "moot-site", counters=3)
    p.on_base(1, "grave-situation", "the-hill")
    p.hand(0, "big-gulp").play("big-gulp").pick(drone)
    assert p.in_play(victim)
    p = Position("the-hill", "moot-site")
    victim, drone = p.minion(1, "howler", "the-hill"), p.minion(1, "drone", "moot-site", counters=3)
    p.on_base(1, "grave-situation", "the-hill")
    p.hand(0, "big-gulp").play("big-gulp").done()
    assert p.hand_of(1) == ["howler"]
    assert p.counters(drone) == 3


# It's Alive!


def test_its_alive__plays_an_extra_minion_at_once_and_feeds_it() -> None:
    p = Position("the-hill", "moot-site").hand(0, "its-alive", "worker", "igor", "jolt")
    p.play("its-alive")
    assert p.cards_offered() == ["igor", "worker"]
    p.card("worker").at("the-hill")
    assert p.counters(p.newest()) == 3
    assert [event["n"] for event in p.events("counters")] == [2, 1]
    assert p.cards_offered("play") == ["igor"], "the normal play is still there"


def test_its_alive__may_be_declined_and_nothing_is_saved() -> None:
    p = Position("the-hill", "moot-site").hand(0, "its-alive", "worker").play("its-alive").done()
    assert p.s.minion_plays == 1
    assert p.hand_of(0) == ["worker"]
    assert p.pile_of(0) == ["its-alive"]


def test_its_alive__without_a_minion_in_hand_asks_all_the_same() -> None:
    p = Position("the-hill", "moot-site").hand(0, "its-alive", "jolt").play("its-alive")
    assert [move.type for move in p.s.options] == ["done"]


def test_its_alive__the_play_resolves_completely_first() -> None:
    p = Position("laboratorium", "moot-site").hand(0, "its-alive", "heavy-drinker")
    p.minion(0, "igor", "moot-site")
    p.play("its-alive").card("heavy-drinker").at("laboratorium").pick(p.newest())
    assert not [event for event in p.events("counters") if event["piece"]["card"] == "heavy-drinker"], "it is gone"
    assert p.pile_of(0) == ["heavy-drinker", "its-alive"]


# Jolt


def test_jolt__feeds_all_own_minions() -> None:
    p = Position("the-hill", "moot-site").hand(0, "jolt")
    mine = [p.minion(0, "the-count", "the-hill", counters=1), p.minion(0, "igor", "moot-site")]
    enemy = p.minion(1, "howler", "moot-site")
    p.play("jolt")
    assert [p.counters(m) for m in (*mine, enemy)] == [2, 1, 0]


def test_jolt__without_minions_does_nothing() -> None:
    p = Position("the-hill", "moot-site").hand(0, "jolt").play("jolt")
    assert p.pile_of(0) == ["jolt"]


def test_jolt__leaves_summon_wolves_alone() -> None:
    p = Position("the-hill", "moot-site").hand(0, "jolt")
    wolves = p.on_base(0, "summon-wolves", "the-hill", counters=1)
    p.play("jolt")
    assert p.counters(wolves) == 1


# Überserum


def test_uberserum__feeds_its_host_each_turn_of_its_player() -> None:
    p = Position("moot-site", "laboratorium")
    host = p.minion(1, "howler", "moot-site")
    p.on_minion(0, "uberserum", host)
    p.start_turn(1)
    assert p.counters(host) == 0
    p = Position("moot-site", "laboratorium")
    host = p.minion(1, "howler", "moot-site")
    p.on_minion(0, "uberserum", host)
    p.start_turn(0)
    assert p.counters(host) == 1


def test_uberserum__its_host_cannot_be_destroyed() -> None:
    p = Position("moot-site", "laboratorium").hand(0, "big-gulp")
    host = p.minion(1, "howler", "moot-site")
    p.on_minion(1, "uberserum", host)
    p.play("big-gulp")
    assert p.in_play(host)
    assert p.pile_of(0) == ["big-gulp"]


def test_uberserum__does_not_save_from_scoring() -> None:
    p = Position("moot-site", "laboratorium")
    host = p.minion(0, "the-count", "moot-site", counters=10)
    p.on_minion(0, "uberserum", host)
    p.end()
    assert sorted(p.pile_of(0)) == ["the-count", "uberserum"]


def test_uberserum__goes_on_any_minion_and_finds_none() -> None:
    p = Position("moot-site", "laboratorium").hand(0, "uberserum")
    both = [p.minion(0, "igor", "moot-site"), p.minion(1, "howler", "laboratorium")]
    p.play("uberserum")
    assert p.offers("minion") == both
    p = Position("moot-site", "laboratorium").hand(0, "uberserum").play("uberserum")
    assert p.pile_of(0) == ["uberserum"]
