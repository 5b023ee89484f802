"""What every game must keep, each as a function that fails for a game that does not.

`test_every_game.py` runs all of them over the table of games; `test_checks.py` shows that each can fail.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import Any, Final

import pytest

from referee.game import CHANCE, Game, GameError, IllegalAction, OptionError, OutOfTurn, encode, ranks
from referee.table import Step
from tests.games.cases import Options, Subject, World
from tests.games.playing import at_random, canonical, fingerprint, first, last, play

MATCHES: Final = 3
"""Random matches at each number of players."""
SAMPLE: Final = 120
"""About how many steps of a match the slower checks look at."""


@lru_cache(maxsize=64)
def _match(make: Callable[[Options], Game[Any, Any]], players: int, seed: int) -> tuple[Step[Any, Any], ...]:
    return tuple(play(make({}), players, seed, at_random(seed)))


def _matches(subject: Subject) -> Iterator[tuple[int, tuple[Step[Any, Any], ...]]]:
    for players in subject.game.seats:
        for seed in range(MATCHES):
            yield players, _match(subject.make, players, seed)


def _sampled(subject: Subject) -> Iterator[tuple[int, Step[Any, Any]]]:
    """Steps spread over all matches, the first and the last of each among them."""
    for players, steps in _matches(subject):
        stride = max(1, len(steps) * MATCHES // SAMPLE)
        for step in {step.number: step for step in (*steps[::stride], steps[-1])}.values():
            yield players, step


def _shown(game: Game[Any, Any], state: Any, seat: int) -> str:
    """Everything that reaches a seat about a state: who is asked, the view, and its legal actions if it is asked."""
    acting = game.to_act(state)
    legal = [action.to_json() for action in game.legal(state, seat)] if seat in acting else None
    return canonical([list(acting), game.view(state, seat), legal])


def apply_leaves_its_argument_alone(subject: Subject) -> None:
    """`apply` changes neither the state nor what anybody sees of it; nor does anything done to a view."""
    game = subject.game

    def everything(state: Any, players: int) -> list[str]:
        return [canonical(game.reveal(state)), repr(state), *(_shown(game, state, seat) for seat in range(players))]

    for players, step in _sampled(subject):
        kept = everything(step.before, players)
        game.apply(step.before, step.actions)
        for seat in range(players):
            _spoil(game.view(step.before, seat))
            _spoil(game.events_by_seat(step.before, step.actions, step.after, players)[seat])
        _spoil(game.reveal(step.before))
        assert everything(step.before, players) == kept, f"step {step.number} changed its argument"


def _spoil(value: Any) -> None:
    """Change everything in a JSON value that can be changed."""
    if isinstance(value, dict):
        for inner in value.values():
            _spoil(inner)
        value.clear()
    elif isinstance(value, list):
        for inner in value:
            _spoil(inner)
        value.clear()


def same_seed_same_match(subject: Subject) -> None:
    """The same seed and choices give the same states, views and events, with another object of the game too."""
    for players in subject.game.seats:
        once, again = (subject.make({}) for _ in range(2))
        kept = fingerprint(once, _match(subject.make, players, 1))
        assert kept == fingerprint(again, play(again, players, 1, at_random(1)))


def legal_actions_are_in_order(subject: Subject) -> None:
    """Whoever is asked has legal actions, all different, in a fixed order; whoever is not gets OutOfTurn."""
    game = subject.game
    for players, step in _sampled(subject):
        for state in (step.before, step.after):
            acting = game.to_act(state)
            assert acting in ((CHANCE,), ()) or set(acting) <= set(range(players)), acting
            assert len(set(acting)) == len(acting), f"a seat is asked twice: {acting}"
            for seat in range(players):
                if seat not in acting:
                    with pytest.raises(OutOfTurn):
                        game.legal(state, seat)
                    continue
                legal = [canonical(action.to_json()) for action in game.legal(state, seat)]
                assert legal, f"seat {seat} is asked and has no legal action"
                assert len(set(legal)) == len(legal), f"legal actions that look the same: {legal}"
                assert legal == [canonical(action.to_json()) for action in game.legal(state, seat)]


def actions_are_read_back(subject: Subject) -> None:
    """`read_action` is the inverse of `to_json`, spellings are one line, and what is no action is refused."""
    game = subject.game
    for _, step in _sampled(subject):
        seats = [seat for seat in game.to_act(step.before) if seat != CHANCE]
        for action in [*step.actions.values(), *(act for seat in seats for act in game.legal(step.before, seat))]:
            back = game.read_action(json.loads(canonical(action.to_json())))
            assert back == action, f"{action} is read back as {back}"
            assert hash(back) == hash(action), f"{action} is equal to what was read back but hashes differently"
            assert str(action), "an action is spelled"
            assert "\n" not in str(action), "an action is spelled in one line"
    wrong: Any
    for wrong in (None, 3, "x", [], {}, {"type": "no such action"}, {"type": None}, {"type": ["x"]}):
        with pytest.raises(IllegalAction):
            game.read_action(wrong)


def nature_is_checked(subject: Subject) -> None:
    """A seat's action in nature's place is an IllegalAction, as in an edited replay; drawing out of turn is refused."""
    game = subject.game
    for players in game.seats:
        steps = _match(subject.make, players, 0)
        moves = [next(iter(step.actions.values())) for step in steps if CHANCE not in step.actions]
        for step in steps:
            if CHANCE in step.actions:
                for move in moves[:: max(1, len(moves) // 5)]:
                    with pytest.raises(IllegalAction):
                        game.apply(step.before, {CHANCE: move})
        for state in (steps[-1].after, next(step.before for step in steps if CHANCE not in step.actions)):
            with pytest.raises(OutOfTurn):
                game.draw(state, lambda label: Random(1))


def everything_shown_is_json(subject: Subject) -> None:
    """Views, events, actions and the revealed state survive JSON unchanged, `view_json` too; events say their type."""
    game = subject.game
    for players, step in _sampled(subject):
        shown = [game.view(step.after, seat) for seat in range(players)]
        assert [game.view_json(step.after, seat) for seat in range(players)] == list(map(encode, shown))
        shown += [game.reveal(step.after), *(action.to_json() for action in step.actions.values())]
        for seat in (*range(players), None):
            events = game.events(step.before, step.actions, step.after, seat)
            assert all(isinstance(event["type"], str) for event in events)
            shown += events
        for value in shown:
            assert json.loads(canonical(value)) == value, f"JSON changes {value}"


def events_agree(subject: Subject) -> None:
    """`events_by_seat` is `events` of each seat, `tell` is one line, and every mark is a type that occurs."""
    game = subject.game
    seen = set()
    for players, step in _sampled(subject):
        by_seat = game.events_by_seat(step.before, step.actions, step.after, players)
        alone = [game.events(step.before, step.actions, step.after, seat) for seat in range(players)]
        assert list(map(canonical, by_seat)) == list(map(canonical, alone))
        text = game.tell(step.before, step.actions, step.after)
        assert text.strip(), "a step is told"
        assert "\n" not in text, "a step is told in one line"
    for players, steps in _matches(subject):
        for step in steps:
            for seat in (*range(players), None):
                seen |= {event["type"] for event in game.events(step.before, step.actions, step.after, seat)}
    assert game.marks <= seen, f"marks that never occur: {game.marks - seen}"


def matches_end(subject: Subject) -> None:
    """Every match ends within the bound: random play, only fallbacks, only the least mild actions, every variant."""
    cases = subject.cases
    plain = subject.game
    assert cases.longest <= plain.step_limit, "the referee would cut honest matches short"
    ends = [(plain, steps[-1].after, len(steps), players) for players, steps in _matches(subject)]
    for options in ({}, *cases.variants):
        game = subject.make(options)
        for players in {game.seats[0], game.seats[-1]}:
            for pick in (first, last, at_random(players)):
                steps = play(game, players, 3, pick)
                ends.append((game, steps[-1].after, len(steps), players))
    for game, state, length, players in ends:
        assert game.to_act(state) == (), f"a match of {players} was not over after {length} steps"
        assert length <= cases.longest, f"a match of {players} took {length} steps"
        assert game.reason(state).strip(), "the reason is given"
        assert "\n" not in game.reason(state), "the reason is one sentence"


def every_option_is_played(subject: Subject) -> None:
    """The variants give every option a value that is not its default; an unknown option or a bad value is refused."""
    for option in subject.game.option_table:
        values = [options[option.name] for options in subject.cases.variants if option.name in options]
        assert any(value != option.default for value in values), f"no variant changes {option.name}"
        with pytest.raises(OptionError):
            subject.make({option.name: 1.5})  # type: ignore[dict-item]
    with pytest.raises(OptionError):
        subject.make({"no-such-option": True})


def wrong_tables_are_refused(subject: Subject) -> None:
    """A number of players outside `seats` is refused in words."""
    game = subject.game
    for players in (-1, 0, game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(GameError):
            game.start(players)


def scores_hold_at_any_time(subject: Subject) -> None:
    """Every state has a finite score for each seat; chosen positions have those of the rules page, and its ranks."""
    game = subject.game
    for players, step in _sampled(subject):
        for state in (step.before, step.after):
            scores = game.scores(state)
            assert len(scores) == players
            assert all(type(score) is float and math.isfinite(score) for score in scores), scores
    assert subject.cases.finals, "no position with scores from the rules page"
    for final in subject.cases.finals:
        assert game.scores(final.state) == final.scores, final.name
        assert ranks(game.scores(final.state)) == final.ranks, final.name


def imagined_states_look_the_same(subject: Subject) -> None:
    """An imagined state shows that seat the same and asks the same seats, and can be played to the end."""
    game = subject.game
    rng = Random(5)
    for number, (players, step) in enumerate(_sampled(subject)):
        for seat in range(players):
            state = game.imagine(json.loads(canonical(game.view(step.after, seat))), seat, rng)
            assert _shown(game, state, seat) == _shown(game, step.after, seat), f"step {step.number}, seat {seat}"
        if number % 10 == 0:
            _play_on(game, state, rng, subject.cases.longest)


def _play_on(game: Game[Any, Any], state: Any, rng: Random, limit: int) -> None:
    for _ in range(limit):
        acting = game.to_act(state)
        if not acting:
            return
        if acting == (CHANCE,):
            state = game.apply(state, {CHANCE: game.draw(state, lambda label: rng)})
        else:
            state = game.apply(state, {seat: rng.choice(list(game.legal(state, seat))) for seat in acting})
    raise AssertionError("a match from an imagined state does not end")


def worlds_are_counted(subject: Subject) -> None:
    """The number of different imagined states equals the number worked out by hand."""
    cases = subject.cases
    wanted = 1 if not cases.secrets else 2
    assert sum(bool(not cases.secrets or world.count > 1) for world in cases.worlds) >= wanted, "too few positions"
    for world in cases.worlds:
        found = _worlds(subject.game, world)
        assert len(found) == world.count, f"{world.name}: {len(found)} worlds, by hand {world.count}: {world.working}"


def _worlds(game: Game[Any, Any], world: World) -> set[str]:
    """The different states imagined; a uniform draw misses one with a chance below e**-25."""
    rng = Random(9)
    view = game.view(world.state, world.seat)
    draws = 30 * world.count + 200
    return {canonical(game.reveal(game.imagine(view, world.seat, rng))) for _ in range(draws)}


def secrets_stay_secret(subject: Subject) -> None:
    """The canary: whatever a seat may not know is changed, and not one byte of what reaches that seat changes."""
    game, cases = subject.game, subject.cases
    rng = Random(11)
    changed: set[str] = set()
    for players, step in _sampled(subject):
        for seat in range(players):
            before, actions = cases.disguise(step.before, step.actions, seat, rng)
            after = game.apply(before, actions)
            for real, other in ((step.before, before), (step.after, after)):
                assert _shown(game, real, seat) == _shown(game, other, seat), f"seat {seat}, step {step.number}"
                true, false = game.reveal(real), game.reveal(other)
                changed |= {key for key in true if canonical(true[key]) != canonical(false.get(key))}
            events = (
                game.events(step.before, step.actions, step.after, seat),
                game.events(before, actions, after, seat),
            )
            assert canonical(events[0]) == canonical(events[1]), f"events of seat {seat}, step {step.number}"
            shared = game.events_by_seat(before, actions, after, players)[seat]
            assert canonical(events[0]) == canonical(shared), f"shared events of seat {seat}, step {step.number}"
            lines = (
                game.tell_seat(step.before, step.actions, step.after, seat),
                game.tell_seat(before, actions, after, seat),
            )
            assert lines[0] == lines[1], f"the account for seat {seat}, step {step.number}"
    assert changed == cases.secrets, f"secrets are {sorted(cases.secrets)}, the disguise changed {sorted(changed)}"


def secrets_are_all_named(subject: Subject) -> None:
    """Every key of `reveal` is a named secret or stands in every seat's view with the same value."""
    game, secrets = subject.game, subject.cases.secrets
    for players, step in _sampled(subject):
        whole = game.reveal(step.after)
        assert secrets <= whole.keys(), f"reveal lacks {sorted(secrets - whole.keys())}"
        for seat in range(players):
            view = game.view(step.after, seat)
            hidden = {key for key in whole.keys() - secrets if key not in view or view[key] != whole[key]}
            assert not hidden, f"reveal has {sorted(hidden)}, which is neither public nor a named secret"


CHECKS: Final[dict[str, Callable[[Subject], None]]] = {
    check.__name__: check
    for check in (
        apply_leaves_its_argument_alone,
        same_seed_same_match,
        legal_actions_are_in_order,
        actions_are_read_back,
        nature_is_checked,
        everything_shown_is_json,
        events_agree,
        matches_end,
        every_option_is_played,
        wrong_tables_are_refused,
        scores_hold_at_any_time,
        imagined_states_look_the_same,
        worlds_are_counted,
        secrets_stay_secret,
        secrets_are_all_named,
    )
}
"""Every check by its name."""
