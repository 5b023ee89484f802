"""Each Giant Ant card: what it does, what it does without a target, and how it meets protections and triggers."""

from __future__ import annotations

from tests.games.monster_smash.positions import Position

# Killer Queen


def test_killer_queen__feeds_itself_and_another_played_here_this_turn() -> None:
    p = Position("the-hill", "moot-site").hand(0, "howler")
    queen = p.minion(0, "killer-queen", "the-hill")
    p.play("howler", "the-hill").talent(queen)
    assert p.counters(queen) == 1
    assert p.counters(p.newest()) == 1


def test_killer_queen__need_not_have_been_in_play_first() -> None:
    p = Position("the-hill", "moot-site").hand(0, "killer-queen", "its-alive", "howler")
    p.play("its-alive").card("howler").at("the-hill")
    howler = p.newest()
    p.play("killer-queen", "the-hill").talent(p.newest())
    assert p.counters(howler) == 2
    assert p.counters(p.newest()) == 1


def test_killer_queen__without_such_a_minion_has_no_talent() -> None:
    p = Position("the-hill", "moot-site").hand(0, "howler")
    p.minion(0, "killer-queen", "the-hill")
    p.minion(0, "howler", "the-hill")
    assert not p.offers("talent"), "played in an earlier turn"
    p.play("howler", "moot-site")
    assert not p.offers("talent"), "played at another base"


def test_killer_queen__the_other_must_still_be_here() -> None:
    p = Position("the-hill", "moot-site").hand(0, "howler", "headlong")
    queen = p.minion(0, "killer-queen", "the-hill")
    p.play("howler", "the-hill")
    howler = p.newest()
    assert p.offers("talent") == [queen]
    p.play("headlong").pick(howler)
    assert not p.offers("talent")


def test_killer_queen__chooses_among_several() -> None:
    p = Position("the-hill", "moot-site").hand(0, "its-alive", "howler", "worker")
    queen = p.minion(0, "killer-queen", "the-hill")
    p.play("howler", "the-hill")
    howler = p.newest()
    p.play("its-alive").card("worker").at("the-hill").talent(queen)
    assert p.offers("minion") == [howler, p.newest()]
    p.pick(howler)
    assert (p.counters(queen), p.counters(howler)) == (1, 1)


# Drone


def test_drone__enters_with_a_counter() -> None:
    p = Position("the-hill", "moot-site").hand(0, "drone").play("drone", "the-hill")
    assert p.counters(p.newest()) == 1


def test_drone__may_save_any_own_minion() -> None:
    p = Position("the-hill", "moot-site").hand(0, "big-gulp")
    victim, drone = p.minion(1, "howler", "moot-site"), p.minion(1, "drone", "the-hill", counters=2)
    p.play("big-gulp")
    assert p.s.asked == 1
    p.pick(drone)
    assert p.in_play(victim)
    assert p.counters(drone) == 1
    assert not p.events("destroyed")


def test_drone__may_let_it_happen() -> None:
    p = Position("the-hill", "moot-site").hand(0, "big-gulp")
    victim, drone = p.minion(1, "howler", "moot-site"), p.minion(1, "drone", "the-hill", counters=2)
    p.play("big-gulp").done()
    assert not p.in_play(victim)
    assert p.counters(drone) == 2


def test_drone__saves_itself() -> None:
    p = Position("the-hill", "moot-site").hand(0, "big-gulp")
    drone = p.minion(1, "drone", "the-hill", counters=1)
    p.play("big-gulp").pick(drone)
    assert p.in_play(drone)
    assert p.counters(drone) == 0


def test_drone__without_counters_saves_nobody() -> None:
    p = Position("the-hill", "moot-site").hand(0, "nightstalker")
    victim = p.minion(1, "howler", "moot-site")
    p.minion(1, "drone", "the-hill")
    p.minion(0, "drone", "the-hill", counters=1)
    p.play("nightstalker", "moot-site")
    assert not p.in_play(victim), "an empty Drone, and another player's"


def test_drone__one_counter_saves_one_minion_of_a_batch() -> None:
    p = Position("the-hill", "moot-site").hand(0, "let-the-dog-out")
    p.minion(0, "pack-alpha", "moot-site")
    victims = [p.minion(1, "howler", "moot-site") for _ in range(2)]
    drone = p.minion(1, "drone", "the-hill", counters=1)
    p.play("let-the-dog-out").pick(*victims).pick(drone)
    assert [p.in_play(m) for m in victims] == [True, False], "the counter is spent"


def test_drone__two_drones_offer_a_choice() -> None:
    p = Position("the-hill", "moot-site").hand(0, "nightstalker")
    p.minion(1, "howler", "moot-site")
    drones = [p.minion(1, "drone", "the-hill", counters=1) for _ in range(2)]
    p.play("nightstalker", "moot-site")
    assert p.offers("minion") == drones


def test_drone__does_not_save_from_the_discard_after_scoring() -> None:
    p = Position("the-hill", "moot-site")
    gone = p.minion(0, "the-count", "moot-site", counters=10)
    drone = p.minion(0, "drone", "the-hill", counters=1)
    p.end()
    assert not p.in_play(gone)
    assert p.counters(drone) == 1


def test_drone__is_not_asked_for_a_minion_that_cannot_be_destroyed() -> None:
    p = Position("the-hill", "moot-site").hand(0, "nightstalker")
    victim = p.minion(1, "howler", "moot-site")
    p.on_minion(1, "unstoppable", victim)
    drone = p.minion(1, "drone", "the-hill", counters=1)
    p.play("nightstalker", "moot-site")
    assert p.idle()
    assert p.counters(drone) == 1


# Soldier


def test_soldier__enters_with_two_counters() -> None:
    p = Position("the-hill", "moot-site").hand(0, "soldier").play("soldier", "the-hill")
    assert p.counters(p.newest()) == 2
    assert p.power(p.newest()) == 3


def test_soldier__talent_moves_a_counter_to_any_other_minion() -> None:
    p = Position("the-hill", "moot-site")
    soldier, mine = p.minion(0, "soldier", "the-hill", counters=2), p.minion(0, "worker", "moot-site")
    enemy = p.minion(1, "howler", "moot-site")
    p.talent(soldier)
    assert sorted(p.offers("minion")) == sorted([mine, enemy])
    p.pick(enemy)
    assert (p.counters(soldier), p.counters(enemy)) == (1, 1)
    assert p.events("transfer")
    assert not p.events("counters"), "a transfer is neither placing nor removing"


def test_soldier__needs_a_counter_and_another_minion() -> None:
    p = Position("the-hill", "moot-site")
    p.minion(0, "soldier", "the-hill", counters=2)
    assert not p.offers("talent")
    p = Position("the-hill", "moot-site")
    p.minion(0, "soldier", "the-hill")
    p.minion(0, "worker", "the-hill")
    assert not p.offers("talent")


def test_soldier__moving_the_last_counter_away_opens_it_in_the_egg_chamber() -> None:
    p = Position("egg-chamber", "moot-site").hand(0, "nightstalker")
    soldier = p.minion(0, "soldier", "egg-chamber", counters=1)
    other = p.minion(0, "the-count", "moot-site")
    p.talent(soldier).play("nightstalker", "egg-chamber")
    assert not p.in_play(soldier)
    assert p.counters(other) == 1


# Worker


def test_worker__enters_with_two_counters() -> None:
    p = Position("the-hill", "moot-site").hand(0, "worker").play("worker", "the-hill")
    assert p.power(p.newest()) == 2


def test_worker__without_counters_is_a_minion_of_power_zero() -> None:
    p = Position("crypt", "moot-site")
    p.minion(0, "worker", "crypt")
    p.minion(1, "the-count", "crypt", counters=15)
    p.end()
    assert [(event["rank"], event["n"]) for event in p.events("vp")] == [(2, 2), (1, 4)]


def test_worker__loses_its_counters_when_it_leaves() -> None:
    p = Position("the-hill", "moot-site").hand(0, "big-gulp")
    worker = p.minion(1, "worker", "the-hill", counters=3)
    p.play("big-gulp")
    assert p.counters(worker) == 0
    assert p.pile_of(1) == ["worker"]


# A Kind of Magic


def test_a_kind_of_magic__spreads_counters_anew() -> None:
    p = Position("the-hill", "moot-site").hand(0, "a-kind-of-magic")
    one, two = p.minion(0, "worker", "the-hill", counters=3), p.minion(0, "soldier", "moot-site", counters=1)
    three = p.minion(0, "the-count", "moot-site")
    enemy = p.minion(1, "worker", "moot-site", counters=2)
    p.play("a-kind-of-magic")
    assert p.offers("minion") == [one, two]
    p.pick(one, three).number(2).pick(two, three).pick(one)
    assert [p.counters(m) for m in (one, two, three, enemy)] == [0, 1, 3, 2]


def test_a_kind_of_magic__a_counter_moves_only_once() -> None:
    p = Position("the-hill", "moot-site").hand(0, "a-kind-of-magic")
    one, two = p.minion(0, "worker", "the-hill", counters=2), p.minion(0, "soldier", "moot-site")
    p.play("a-kind-of-magic").pick(one).number(2)
    assert p.idle(), "those that arrived at the Soldier may not go on"
    assert [p.counters(m) for m in (one, two)] == [0, 2]


def test_a_kind_of_magic__zero_is_allowed_and_one_minion_is_not_enough() -> None:
    p = Position("the-hill", "moot-site").hand(0, "a-kind-of-magic")
    one = p.minion(0, "worker", "the-hill", counters=2)
    p.minion(0, "soldier", "moot-site")
    p.play("a-kind-of-magic").done()
    assert p.counters(one) == 2
    p = Position("the-hill", "moot-site").hand(0, "a-kind-of-magic")
    p.minion(0, "worker", "the-hill", counters=2)
    assert p.play("a-kind-of-magic").idle()


def test_a_kind_of_magic__leaves_summon_wolves_alone() -> None:
    p = Position("the-hill", "moot-site").hand(0, "a-kind-of-magic")
    p.minion(0, "worker", "the-hill")
    p.minion(0, "soldier", "moot-site")
    wolves = p.on_base(0, "summon-wolves", "the-hill", counters=3)
    assert p.play("a-kind-of-magic").idle()
    assert p.counters(wolves) == 3


# Gimme the Prize


def test_gimme_the_prize__feeds_up_to_three_different_minions() -> None:
    p = Position("the-hill", "moot-site").hand(0, "gimme-the-prize")
    mine = [p.minion(0, "worker", "the-hill") for _ in range(4)]
    p.play("gimme-the-prize").pick(mine[0], mine[2])
    assert p.offers("minion") == [mine[1], mine[3]]
    p.pick(mine[3])
    assert [p.counters(m) for m in mine] == [1, 0, 1, 1]
    assert p.idle()


def test_gimme_the_prize__fewer_or_none_will_do() -> None:
    p = Position("the-hill", "moot-site").hand(0, "gimme-the-prize")
    mine = p.minion(0, "worker", "the-hill")
    p.play("gimme-the-prize").done()
    assert p.counters(mine) == 0
    p = Position("the-hill", "moot-site").hand(0, "gimme-the-prize").play("gimme-the-prize")
    assert p.pile_of(0) == ["gimme-the-prize"]


def test_gimme_the_prize__never_an_enemy() -> None:
    p = Position("the-hill", "moot-site").hand(0, "gimme-the-prize")
    p.minion(1, "worker", "the-hill")
    assert p.play("gimme-the-prize").idle()


# Headlong


def test_headlong__moves_a_minion_and_feeds_it() -> None:
    p = Position("the-hill", "moot-site", "crypt").hand(0, "headlong")
    moved = p.minion(0, "worker", "the-hill", counters=1)
    on = p.on_minion(0, "unstoppable", moved)
    p.play("headlong")
    assert p.bases_offered() == ["moot-site", "crypt"], "a different base"
    p.at("crypt")
    assert p.base_of(moved) == "crypt"
    assert p.counters(moved) == 3, "what it carried came along"
    assert p.s.host[on] == moved


def test_headlong__moving_is_not_playing() -> None:
    p = Position("the-hill", "laboratorium").hand(0, "headlong")
    moved = p.minion(0, "worker", "the-hill")
    p.on_base(0, "german-engineering", "laboratorium")
    p.play("headlong")
    assert p.counters(moved) == 2
    assert not p.s.played_at


def test_headlong__without_a_minion_does_nothing() -> None:
    p = Position("the-hill", "moot-site").hand(0, "headlong").play("headlong")
    assert p.pile_of(0) == ["headlong"]


def test_headlong__with_no_other_base_still_feeds() -> None:
    p = Position("the-hill").hand(0, "headlong")
    mine = p.minion(0, "worker", "the-hill")
    p.play("headlong")
    assert p.base_of(mine) == "the-hill"
    assert p.counters(mine) == 2


def test_headlong__works_on_an_own_minion_that_others_do_not_affect() -> None:
    p = Position("the-hill", "moot-site").hand(0, "headlong")
    mine = p.minion(0, "worker", "the-hill", counters=1)
    p.on_base(0, "the-show-must-go-on", "the-hill")
    p.play("headlong")
    assert p.base_of(mine) == "moot-site"


# The Show Must Go On


def test_the_show_must_go_on__others_cannot_destroy_own_minions_with_counters_here() -> None:
    p = Position("the-hill", "moot-site").hand(0, "let-the-dog-out")
    p.minion(0, "pack-alpha", "the-hill")
    counted, bare = p.minion(1, "soldier", "the-hill", counters=1), p.minion(1, "soldier", "the-hill")
    p.on_base(1, "the-show-must-go-on", "the-hill")
    p.play("let-the-dog-out").pick(counted, bare)
    assert p.in_play(counted)
    assert not p.in_play(bare)


def test_the_show_must_go_on__others_cannot_attach_an_action() -> None:
    p = Position("the-hill", "moot-site").hand(0, "moontouched")
    counted = p.minion(1, "soldier", "the-hill", counters=1)
    p.on_base(1, "the-show-must-go-on", "the-hill")
    p.play("moontouched")
    assert p.pile_of(0) == ["moontouched"]
    assert counted not in p.s.attached


def test_the_show_must_go_on__own_cards_still_work() -> None:
    p = Position("the-hill", "moot-site").hand(0, "heavy-drinker", "moontouched")
    counted = p.minion(0, "soldier", "the-hill", counters=1)
    p.on_base(0, "the-show-must-go-on", "the-hill")
    p.play("moontouched")
    assert counted in p.s.attached
    p.play("heavy-drinker", "moot-site").pick(counted)
    assert not p.in_play(counted)


def test_the_show_must_go_on__counters_may_still_be_transferred_onto_it() -> None:
    p = Position("the-hill", "moot-site")
    mine = p.minion(0, "soldier", "moot-site", counters=1)
    counted = p.minion(1, "soldier", "the-hill", counters=1)
    p.on_base(1, "the-show-must-go-on", "the-hill")
    p.talent(mine)
    assert p.counters(counted) == 2


def test_the_show_must_go_on__actions_attached_before_stay() -> None:
    p = Position("the-hill", "moot-site").hand(1, "the-show-must-go-on")
    counted = p.minion(1, "soldier", "the-hill", counters=1)
    on = p.on_minion(0, "moontouched", counted)
    p.start_turn(1)
    if p.offers("done"):
        p.done()
    p.play("the-show-must-go-on", "the-hill")
    assert p.in_play(on)


def test_the_show_must_go_on__is_no_help_against_its_own_bases() -> None:
    """Bases are not players' cards: The Hill still moves, and scoring still clears."""
    p = Position("moot-site", "the-hill")
    counted = p.minion(0, "soldier", "moot-site", counters=14)
    p.on_base(0, "the-show-must-go-on", "moot-site")
    p.end()
    assert not p.in_play(counted)
    assert "the-show-must-go-on" in p.pile_of(0)


# Under Pressure


def pressed() -> tuple[Position, int, int]:
    """Moot Site scores with 15 of seat 1; seat 0 has a Worker there and one away with three counters."""
    p = Position("moot-site", "the-hill").hand(0, "under-pressure")
    there, away = p.minion(0, "worker", "moot-site"), p.minion(0, "worker", "the-hill", counters=3)
    p.minion(1, "howler", "moot-site", counters=13)
    return p, there, away


def test_under_pressure__moves_counters_before_the_base_scores() -> None:
    p, there, away = pressed()
    p.end().play("under-pressure").pick(away, there).number(2)
    assert p.events("totals")[0]["totals"] == [2, 15]
    assert p.counters(away) == 1
    assert "under-pressure" in p.pile_of(0)


def test_under_pressure__to_any_other_minion_or_none() -> None:
    p, _, away = pressed()
    p.end().play("under-pressure")
    p.pick(away)
    assert len(p.offers("minion")) == 2, "the Worker there and the Howler of seat 1"
    p, _, away = pressed()
    p.end().play("under-pressure").done()
    assert p.counters(away) == 3


def test_under_pressure__the_base_scores_even_if_the_total_drops() -> None:
    p = Position("moot-site", "the-hill").hand(0, "under-pressure")
    there, away = p.minion(0, "worker", "moot-site", counters=15), p.minion(0, "worker", "the-hill")
    p.end().play("under-pressure").pick(there).number(10)
    assert p.events("totals")[0]["totals"] == [5, 0]
    assert p.counters(away) == 10
    assert p.s.vp == [2, 0]


def test_under_pressure__without_counters_is_just_discarded() -> None:
    p = Position("moot-site", "the-hill").hand(0, "under-pressure")
    p.minion(1, "howler", "moot-site", counters=13)
    p.end().play("under-pressure")
    assert p.pile_of(0) == ["under-pressure"]


def test_under_pressure__only_in_its_window() -> None:
    p, *_ = pressed()
    assert p.cards_offered("play") == []


def test_under_pressure__may_be_played_in_another_players_turn() -> None:
    p, there, away = pressed()
    p.start_turn(1)
    if p.offers("done"):
        p.done()
    p.end().play("under-pressure").pick(away, there).number(3)
    assert p.events("totals")[0]["totals"] == [3, 15]


# We Are the Champions


def test_we_are_the_champions__rescues_counters_from_the_scored_base() -> None:
    p = Position("moot-site", "the-hill").hand(0, "we-are-the-champions")
    there, away = p.minion(0, "worker", "moot-site", counters=15), p.minion(0, "worker", "the-hill")
    p.end().play("we-are-the-champions").pick(there).number(15)
    assert p.counters(away) == 15
    assert not p.in_play(there)


def test_we_are_the_champions__only_from_own_minions_at_that_base() -> None:
    p = Position("moot-site", "the-hill").hand(0, "we-are-the-champions")
    p.minion(1, "worker", "moot-site", counters=15)
    away = p.minion(0, "worker", "the-hill", counters=2)
    p.end().play("we-are-the-champions")
    assert p.counters(away) == 2
    assert "we-are-the-champions" in p.pile_of(0)


def test_we_are_the_champions__counters_sent_within_the_base_are_lost() -> None:
    p = Position("moot-site", "the-hill").hand(0, "we-are-the-champions")
    there, beside = p.minion(0, "worker", "moot-site", counters=15), p.minion(0, "worker", "moot-site")
    p.end().play("we-are-the-champions").pick(there).number(15)
    assert not p.in_play(beside)
    assert not p.s.counters


def test_we_are_the_champions__zero_is_allowed() -> None:
    p = Position("moot-site", "the-hill").hand(0, "we-are-the-champions")
    p.minion(0, "worker", "moot-site", counters=15)
    away = p.minion(0, "worker", "the-hill")
    p.end().play("we-are-the-champions").done()
    assert p.counters(away) == 0


def test_we_are_the_champions__not_before_the_base_is_ranked() -> None:
    p = Position("moot-site", "the-hill").hand(0, "we-are-the-champions")
    p.minion(0, "worker", "moot-site", counters=15)
    p.end()
    assert p.s.vp == [2, 0]
    assert p.cards_offered("play") == ["we-are-the-champions"]


# We Will Rock You


def test_we_will_rock_you__adds_as_much_as_each_carries() -> None:
    p = Position("the-hill", "moot-site").hand(0, "we-will-rock-you")
    two, three = p.minion(0, "worker", "the-hill", counters=2), p.minion(0, "soldier", "moot-site", counters=3)
    bare, enemy = p.minion(0, "drone", "the-hill"), p.minion(1, "worker", "the-hill", counters=4)
    p.play("we-will-rock-you")
    assert [p.power(m) for m in (two, three, bare, enemy)] == [4, 7, 3, 4]
    p.end()
    assert p.power(two) == 2


def test_we_will_rock_you__is_fixed_when_it_resolves() -> None:
    p = Position("the-hill", "moot-site").hand(0, "we-will-rock-you")
    soldier, worker = p.minion(0, "soldier", "the-hill", counters=3), p.minion(0, "worker", "the-hill", counters=2)
    p.play("we-will-rock-you").talent(soldier)
    assert p.power(soldier) == 1 + 2 + 3, "the bonus stays with the Soldier"
    assert p.power(worker) == 3 + 2


def test_we_will_rock_you__two_in_a_turn_add_up() -> None:
    p = Position("the-hill", "moot-site").hand(0, "we-will-rock-you", "we-will-rock-you")
    worker = p.minion(0, "worker", "the-hill", counters=2)
    p.s.action_plays = 2
    p.play("we-will-rock-you").play("we-will-rock-you")
    assert p.power(worker) == 6


def test_we_will_rock_you__without_counters_does_nothing() -> None:
    p = Position("the-hill", "moot-site").hand(0, "we-will-rock-you").play("we-will-rock-you")
    assert p.pile_of(0) == ["we-will-rock-you"]


# Who Wants to Live Forever?


def test_who_wants_to_live_forever__draws_as_many_as_are_taken_off() -> None:
    p = Position("the-hill", "moot-site").hand(0, "who-wants-to-live-forever")
    one, two = p.minion(0, "worker", "the-hill", counters=3), p.minion(0, "soldier", "moot-site", counters=1)
    p.play("who-wants-to-live-forever").pick(one).number(2).pick(two)
    assert (p.counters(one), p.counters(two)) == (1, 0)
    assert p.hand_of(0) == ["howler"] * 3


def test_who_wants_to_live_forever__zero_is_allowed() -> None:
    p = Position("the-hill", "moot-site").hand(0, "who-wants-to-live-forever")
    p.minion(0, "worker", "the-hill", counters=3)
    p.play("who-wants-to-live-forever").done()
    assert p.hand_of(0) == []
    p = Position("the-hill", "moot-site").hand(0, "who-wants-to-live-forever").play("who-wants-to-live-forever")
    assert p.idle()


def test_who_wants_to_live_forever__shuffles_the_discards_and_draws_on() -> None:
    p = Position("the-hill", "moot-site").hand(0, "who-wants-to-live-forever").deck(0, "jolt").discards(0, "igor")
    p.minion(0, "worker", "the-hill", counters=3)
    p.play("who-wants-to-live-forever").pick(p.offers("minion")[0]).number(3)
    assert p.hand_of(0) == ["igor", "jolt"], "the card itself is not in its pile yet"
    assert p.events("shuffle")


def test_who_wants_to_live_forever__leaves_others_and_summon_wolves_alone() -> None:
    p = Position("the-hill", "moot-site").hand(0, "who-wants-to-live-forever")
    p.minion(1, "worker", "the-hill", counters=3)
    p.on_base(0, "summon-wolves", "the-hill", counters=3)
    assert p.play("who-wants-to-live-forever").idle()
