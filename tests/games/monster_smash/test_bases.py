"""Each base: what it does, when it does nothing, and how it meets protections and triggers."""

from __future__ import annotations

from tests.games.monster_smash.positions import GAME, Position

# Castle Blood


def test_castle_blood__feeds_a_minion_played_behind() -> None:
    p = Position("castle-blood", "moot-site").hand(0, "howler")
    p.minion(1, "pack-alpha", "castle-blood")
    p.play("howler", "castle-blood")
    piece = p.newest()
    assert p.offers("minion") == [piece]
    p.pick(piece)
    assert p.counters(piece) == 1


def test_castle_blood__may_be_declined() -> None:
    p = Position("castle-blood", "moot-site").hand(0, "howler")
    p.minion(1, "pack-alpha", "castle-blood")
    p.play("howler", "castle-blood").done()
    assert p.counters(p.newest()) == 0


def test_castle_blood__not_when_equal_or_ahead_with_the_minions_power_counted() -> None:
    p = Position("castle-blood", "moot-site").hand(0, "howler")
    p.minion(1, "loup-garou", "castle-blood")
    p.play("howler", "castle-blood")
    assert p.idle(), "the Howler is 4 this turn"
    assert not p.s.counters


def test_castle_blood__every_minion_of_a_turn_and_any_single_player() -> None:
    p = Position("castle-blood", "moot-site", seats=3).hand(0, "its-alive", "worker", "soldier")
    p.minion(2, "pack-alpha", "castle-blood", counters=4)
    p.minion(1, "worker", "castle-blood")
    p.play("worker", "castle-blood").pick(p.newest())
    assert p.counters(p.newest()) == 3
    p.play("its-alive").card("soldier").at("castle-blood").pick(p.newest())
    assert p.counters(p.newest()) == 2 + 1 + 1


def test_castle_blood__ignores_moves() -> None:
    p = Position("castle-blood", "moot-site").hand(0, "headlong")
    p.minion(0, "worker", "moot-site")
    p.minion(1, "pack-alpha", "castle-blood")
    p.play("headlong")
    assert p.idle()


def test_castle_blood__and_german_engineering_in_the_order_the_player_picks() -> None:
    """R-01: with the Engineering first the totals are equal, so the base gives nothing; the other way it does."""
    for first, counters in (("german-engineering/played", 1), ("castle-blood/played", 2)):
        p = Position("castle-blood", "moot-site").hand(0, "lab-assistant")
        p.minion(1, "killer-queen", "castle-blood")
        p.on_base(0, "german-engineering", "castle-blood")
        p.play("lab-assistant", "castle-blood").order(first)
        if p.offers("minion"):
            p.pick(p.newest())
        assert p.counters(p.newest()) == counters


# Crypt


def test_crypt__feeds_a_minion_of_the_destroyer_here() -> None:
    p = Position("crypt", "moot-site").hand(0, "big-gulp")
    mine = p.minion(0, "pack-alpha", "crypt")
    p.minion(1, "howler", "crypt")
    p.play("big-gulp").pick(mine)
    assert p.counters(mine) == 1


def test_crypt__may_be_declined() -> None:
    p = Position("crypt", "moot-site").hand(0, "big-gulp")
    mine = p.minion(0, "pack-alpha", "crypt")
    p.minion(1, "howler", "crypt")
    p.play("big-gulp").done()
    assert p.counters(mine) == 0


def test_crypt__once_for_each_effect_not_for_each_minion() -> None:
    p = Position("crypt", "moot-site").hand(0, "let-the-dog-out")
    mine = p.minion(0, "pack-alpha", "crypt")
    victims = [p.minion(1, "howler", "crypt") for _ in range(2)]
    p.play("let-the-dog-out").pick(*victims).pick(mine)
    assert p.counters(mine) == 1
    assert p.idle()


def test_crypt__destroying_ones_own_counts() -> None:
    p = Position("crypt", "moot-site").hand(0, "heavy-drinker")
    mine = p.minion(0, "igor", "crypt")
    other = p.minion(0, "pack-alpha", "crypt")
    p.play("heavy-drinker", "crypt").pick(mine)
    if p.offers("order"):
        p.order("crypt/destroyed")
    p.pick(other)
    assert p.counters(other) >= 1


def test_crypt__nothing_without_a_minion_of_the_destroyer_here() -> None:
    p = Position("crypt", "moot-site").hand(0, "big-gulp")
    p.minion(0, "pack-alpha", "moot-site")
    p.minion(1, "howler", "crypt")
    p.minion(1, "pack-alpha", "crypt")
    assert p.play("big-gulp").idle()


def test_crypt__ignores_other_bases_saved_minions_and_scoring() -> None:
    p = Position("crypt", "moot-site").hand(0, "big-gulp")
    p.minion(0, "pack-alpha", "crypt")
    p.minion(1, "howler", "moot-site")
    assert p.play("big-gulp").idle()
    p = Position("crypt", "moot-site").hand(0, "big-gulp")
    p.minion(0, "pack-alpha", "crypt")
    p.minion(1, "howler", "crypt")
    p.on_base(1, "grave-situation", "crypt")
    assert p.play("big-gulp").idle()
    p = Position("crypt", "moot-site")
    p.minion(0, "pack-alpha", "crypt", counters=15)
    p.end()
    assert p.events("cleared")
    assert not p.events("base-trigger")


def test_crypt__the_count_and_crypt_both_answer() -> None:
    p = Position("crypt", "moot-site").hand(0, "big-gulp")
    count = p.minion(0, "the-count", "crypt")
    p.minion(1, "howler", "crypt")
    p.play("big-gulp").pick(count)
    assert p.counters(count) == 2


# Golem Schloß


def test_golem_schloss__the_winner_feeds_every_minion() -> None:
    p = Position("golem-schloss", "moot-site")
    p.minion(0, "the-count", "golem-schloss", counters=17)
    away, loser = p.minion(0, "worker", "moot-site"), p.minion(1, "worker", "moot-site")
    p.end()
    assert p.counters(away) == 1
    assert p.counters(loser) == 0


def test_golem_schloss__tied_winners_all_do() -> None:
    p = Position("golem-schloss", "moot-site", seats=3)
    aways = [p.minion(seat, "worker", "moot-site") for seat in range(3)]
    for seat, counters in ((0, 6), (1, 6), (2, 3)):
        p.minion(seat, "the-count", "golem-schloss", counters=counters)
    p.end()
    assert [p.counters(m) for m in aways] == [1, 1, 0]
    assert p.s.vp == [4, 4, 2]


def test_golem_schloss__without_a_winner_does_nothing() -> None:
    p = Position("golem-schloss", "moot-site")
    p.on_base(0, "marking-territory", "golem-schloss")
    p.s.breakpoints[p.s.bases[0]] = 0
    p.minion(0, "worker", "moot-site")
    p.end()
    assert p.events("scoring")
    assert not p.events("counters")


def test_golem_schloss__is_before_the_window_so_champions_can_carry_its_counters() -> None:
    p = Position("golem-schloss", "laboratorium").hand(0, "we-are-the-champions")
    there, away = p.minion(0, "worker", "golem-schloss", counters=22), p.minion(0, "worker", "laboratorium")
    p.end().play("we-are-the-champions").pick(there).number(23)
    assert p.counters(away) == 24


# Laboratorium


def test_laboratorium__feeds_the_first_minion_played_here_each_turn() -> None:
    p = Position("laboratorium", "moot-site").hand(0, "its-alive", "worker", "soldier").hand(1, "howler")
    p.play("worker", "laboratorium")
    assert p.counters(p.newest()) == 3
    p.play("its-alive").card("soldier").at("laboratorium")
    assert p.counters(p.newest()) == 3, "its own two and one of It's Alive!"
    p.end().play("howler", "laboratorium")
    assert p.counters(p.newest(1)) == 1, "a new turn, whoever plays"


def test_laboratorium__moves_are_no_plays() -> None:
    p = Position("laboratorium", "moot-site").hand(0, "headlong", "worker")
    p.minion(0, "igor", "moot-site")
    p.play("headlong").play("worker", "laboratorium")
    assert p.counters(p.newest()) == 3


def test_laboratorium__other_bases_do_not_count() -> None:
    p = Position("laboratorium", "the-hill").hand(0, "its-alive", "lab-assistant", "igor")
    p.play("lab-assistant", "the-hill")
    assert not p.s.counters
    p.play("its-alive").card("igor").at("laboratorium")
    assert p.counters(p.newest()) == 2


def test_laboratorium__a_first_minion_that_is_gone_was_still_the_first() -> None:
    p = Position("laboratorium", "moot-site").hand(0, "its-alive", "heavy-drinker", "worker")
    p.play("heavy-drinker", "laboratorium").pick(p.newest())
    p.play("its-alive").card("worker").at("laboratorium")
    assert p.counters(p.newest()) == 3, "two of its own and one of It's Alive!"


# Moot Site


def test_moot_site__strengthens_the_first_minion_played_here() -> None:
    p = Position("moot-site", "the-hill").hand(0, "its-alive", "igor", "lab-assistant")
    p.play("lab-assistant", "moot-site")
    first = p.newest()
    assert p.power(first) == 5
    p.play("its-alive").card("igor").at("moot-site")
    assert p.power(p.newest()) == 3, "the second one only has the counter"
    p.end()
    assert p.power(first) == 3


def test_moot_site__third_place_earns_nothing() -> None:
    p = Position("moot-site", "the-hill", seats=3)
    for seat, counters in ((0, 4), (1, 2), (2, 0)):
        p.minion(seat, "the-count", "moot-site", counters=counters)
    p.end()
    assert p.s.vp == [2, 1, 0]


def test_moot_site__its_power_counts_for_the_breakpoint() -> None:
    p = Position("moot-site", "the-hill").hand(0, "lab-assistant")
    p.minion(0, "the-count", "moot-site", counters=4)
    p.play("lab-assistant", "moot-site").end()
    assert p.events("totals")[0]["totals"] == [15, 0], "5 + 4, a counter of the Assistant, 3 + 2"


def test_moot_site__moves_get_nothing() -> None:
    p = Position("moot-site", "the-hill").hand(0, "headlong")
    moved = p.minion(0, "worker", "the-hill")
    p.play("headlong")
    assert p.power(moved) == 2


# Standing Stones


def test_standing_stones__one_minion_here_may_use_its_talent_twice() -> None:
    p = Position("standing-stones", "moot-site")
    wolves = [p.minion(0, "teenage-wolf", "standing-stones") for _ in range(2)]
    p.talent(wolves[0]).talent(wolves[0])
    assert p.power(wolves[0]) == 5
    assert p.offers("talent") == [wolves[1]]
    p.talent(wolves[1])
    assert not p.offers("talent"), "only one minion a turn"


def test_standing_stones__only_here() -> None:
    p = Position("standing-stones", "moot-site")
    wolf = p.minion(0, "teenage-wolf", "moot-site")
    assert not p.talent(wolf).offers("talent")


def test_standing_stones__costs_are_paid_again() -> None:
    p = Position("standing-stones", "moot-site")
    monster = p.minion(0, "the-monster", "standing-stones", counters=2)
    p.talent(monster).talent(monster)
    assert p.counters(monster) == 0
    assert p.s.minion_plays == 3
    p = Position("standing-stones", "moot-site")
    monster = p.minion(0, "the-monster", "standing-stones", counters=1)
    assert not p.talent(monster).offers("talent")


def test_standing_stones__not_for_the_talent_of_an_attached_action() -> None:
    p = Position("standing-stones", "moot-site")
    touched = p.on_minion(0, "moontouched", p.minion(0, "howler", "standing-stones"))
    assert not p.talent(touched).offers("talent")


def test_standing_stones__counts_where_the_second_use_starts() -> None:
    p = Position("standing-stones", "moot-site").hand(0, "headlong")
    wolf = p.minion(0, "teenage-wolf", "moot-site")
    p.talent(wolf).play("headlong").talent(wolf)
    assert p.power(wolf) == 3 + 2 + 2


def test_standing_stones__anew_in_each_turn_and_each_players_own() -> None:
    p = Position("standing-stones", "moot-site")
    mine, theirs = p.minion(0, "teenage-wolf", "standing-stones"), p.minion(1, "teenage-wolf", "standing-stones")
    p.talent(mine).talent(mine).end()
    p.talent(theirs).talent(theirs)
    assert p.power(theirs) == 5


def test_standing_stones__seen_anew_in_the_next_turn_although_the_minion_that_used_it_has_left() -> None:
    p = Position("standing-stones", "moot-site").hand(0, "headlong")
    wolf = p.minion(0, "teenage-wolf", "standing-stones")
    p.talent(wolf).talent(wolf).play("headlong")
    assert p.base_of(wolf) == "moot-site"
    assert GAME.view(p.s, 0)["bases"][0]["second_talent_used"]
    p.end()
    assert not GAME.view(p.s, 0)["bases"][0]["second_talent_used"]


# Egg Chamber


def test_egg_chamber__minions_with_counters_cannot_be_destroyed() -> None:
    p = Position("egg-chamber", "moot-site").hand(0, "let-the-dog-out")
    p.minion(0, "pack-alpha", "egg-chamber")
    egg, bare = p.minion(1, "worker", "egg-chamber", counters=2), p.minion(1, "howler", "egg-chamber")
    p.play("let-the-dog-out").pick(egg, bare)
    assert p.in_play(egg)
    assert not p.in_play(bare)


def test_egg_chamber__not_even_by_their_own_player() -> None:
    p = Position("egg-chamber", "moot-site").hand(0, "heavy-drinker")
    egg = p.minion(0, "worker", "egg-chamber", counters=1)
    p.play("heavy-drinker", "moot-site").pick(egg)
    assert p.in_play(egg)
    assert p.counters(p.newest()) == 0


def test_egg_chamber__taking_the_counters_off_first_opens_the_way() -> None:
    p = Position("egg-chamber", "moot-site").hand(0, "blitzed")
    egg = p.minion(0, "worker", "egg-chamber", counters=2)
    p.play("blitzed").pick(egg).number(2)
    assert not p.in_play(egg)


def test_egg_chamber__does_nothing_elsewhere_nor_after_scoring() -> None:
    p = Position("egg-chamber", "moot-site").hand(0, "big-gulp")
    away = p.minion(1, "worker", "moot-site", counters=2)
    p.play("big-gulp")
    assert not p.in_play(away)
    p = Position("egg-chamber", "moot-site")
    egg = p.minion(0, "worker", "egg-chamber", counters=17)
    p.end()
    assert not p.in_play(egg)


def test_egg_chamber__is_judged_before_the_batch() -> None:
    """R-10: a Drone may spend the counter that shields it, and stays shielded for this batch."""
    p = Position("egg-chamber", "moot-site").hand(0, "let-the-dog-out")
    p.minion(0, "pack-alpha", "egg-chamber", counters=1)
    drone, weak = p.minion(1, "drone", "egg-chamber", counters=1), p.minion(1, "howler", "egg-chamber")
    p.play("let-the-dog-out").pick(drone, weak).pick(drone)
    assert p.in_play(drone)
    assert p.in_play(weak)
    assert p.counters(drone) == 0


# The Hill


def test_the_hill__moves_a_minion_here_as_a_turn_starts() -> None:
    p = Position("the-hill", "laboratorium")
    away, here = p.minion(0, "worker", "laboratorium", counters=1), p.minion(0, "worker", "the-hill")
    enemy = p.minion(1, "worker", "laboratorium")
    p.start_turn(0)
    assert p.offers("minion") == [away]
    p.pick(away)
    assert [p.base_of(m) for m in (away, here, enemy)] == ["the-hill", "the-hill", "laboratorium"]
    assert p.counters(away) == 1


def test_the_hill__may_be_declined_and_is_there_for_every_player() -> None:
    p = Position("the-hill", "laboratorium")
    minions = [p.minion(seat, "worker", "laboratorium") for seat in range(2)]
    p.start_turn(0).done().end()
    assert p.s.asked == 1
    assert p.offers("minion") == [minions[1]]


def test_the_hill__with_nobody_elsewhere_does_nothing() -> None:
    p = Position("the-hill", "laboratorium")
    p.minion(0, "worker", "the-hill")
    p.start_turn(0)
    assert p.idle()


def test_the_hill__moving_is_not_playing() -> None:
    p = Position("the-hill", "laboratorium")
    away = p.minion(0, "howler", "laboratorium")
    p.on_base(0, "german-engineering", "the-hill")
    p.start_turn(0).pick(away)
    assert p.power(away) == 2


def test_the_hill__can_help_marking_territory_if_it_goes_first() -> None:
    """R-30: the current player orders start-of-turn effects, and each condition is checked when it resolves."""
    for first, marked in (("the-hill/turn-start", True), ("marking-territory/turn-start", False)):
        p = Position("the-hill", "laboratorium")
        p.on_base(0, "marking-territory", "the-hill")
        mover = p.minion(0, "the-count", "laboratorium")
        p.minion(1, "howler", "the-hill")
        p.start_turn(0).order(first).pick(mover)
        assert bool(p.events("breakpoint")) is marked
