"""The rules of S'mores Wars: who acts, what is legal, what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, ClassVar, TypeAlias

from referee.game import CHANCE, Event, Game, GameError, IllegalAction, Json, OutOfTurn, Seat, Stream, View
from referee.games.smores_wars import story
from referee.games.smores_wars.actions import (
    DEALS,
    FIGHTS,
    MOVES,
    PLACES,
    REVEALS,
    SELECT_ANY,
    SELECT_INGREDIENT,
    STAY,
    Act,
    Deal,
    Move,
    Reveal,
    read,
)
from referee.games.smores_wars.battle import REVEAL_LIMIT, Battle, claims, hand, settle
from referee.games.smores_wars.cards import (
    EMPTY,
    FULL,
    INGREDIENTS,
    KINDS,
    TIEBREAKERS,
    VALUES,
    Card,
    Counts,
    spread,
    without,
)
from referee.games.smores_wars.state import (
    BATTLE,
    DEAL,
    OVER,
    PLACE,
    QUIET_LIMIT,
    REVEAL,
    SELECT,
    TO_SMORAGE,
    Area,
    State,
    bare,
    exhausted,
)
from referee.games.smores_wars.view import read_view, show, tally

Choices: TypeAlias = Mapping[Seat, Any]
"""Legal actions by seat; their kind follows from the stage."""

_NATURE = (CHANCE,)
_ASIDE = PLACES[TO_SMORAGE]
_ALL = {seats: tuple(range(seats)) for seats in (3, 4, 5)}


class SmoresWars(Game[State, Act]):
    """S'mores Wars for 3 to 5 players (S-R1)."""

    name: ClassVar[str] = "smores-wars"
    title: ClassVar[str] = "S'mores Wars"
    version: ClassVar[str] = "1"
    seats: ClassVar[range] = range(3, 6)
    step_limit: ClassVar[int] = 7_500
    """Rounds are at most 1,060: 53 use up a card of the board, 52 more move one out of S'morage, and the guard allows 9
    quiet ones before each of these and 10 at the end. With 5 placements each, 53 Battles of 20 reveals and 54 steps of
    nature that is 7,474 steps; random play takes about 120."""
    marks: ClassVar[frozenset[str]] = frozenset({"battle", "discard", "complete", "game_over"})

    @property
    def notices(self) -> tuple[str, ...]:
        copies = "; ".join(f"{name} {_by_value(FULL[kind])}" for kind, name in enumerate(INGREDIENTS))
        return (
            f"Assumed: how often each value occurs in a stack, which the rulebook does not say. Here: {copies}.",
            f"A guard of the harness, not a rule: after {REVEAL_LIMIT} reveals without a winner a Battle's card is "
            "discarded.",
            f"A guard of the harness, not a rule: after {QUIET_LIMIT} rounds in a row in which all played S'morage and "
            "nobody moved a card the game ends.",
        )

    def start(self, seats: int) -> State:
        if seats not in self.seats:
            raise GameError(f"{self.name} takes 3 to 5 players, not {seats}")
        return State(DEAL, 1, (), FULL, (0, 0, 0), (Area(),) * seats, (), (), (), (), 0, (0, 0, 0))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        stage = state.stage
        if stage == SELECT:
            return _ALL[len(state.areas)]
        if stage == BATTLE:
            return state.battles[0].seats
        if stage == PLACE:
            return (state.pending[0][0],)
        return () if stage == OVER else _NATURE

    def legal(self, state: State, seat: Seat) -> Sequence[Act]:
        stage = state.stage
        if stage == SELECT and 0 <= seat < len(state.areas):
            return SELECT_ANY if state.areas[seat].smorage else SELECT_INGREDIENT  # S-R3, S-R4
        if stage == BATTLE and seat in (battle := state.battles[0]).seats:
            return _fights(battle.played(seat)) if battle.reveals else FIGHTS
        if stage == PLACE and state.pending[0][0] == seat:
            card = state.pending[0][1]
            return _placements(state.areas[seat], card) if card else _moves(state.areas[seat])
        raise OutOfTurn(f"seat {seat} is not to act; ask `to_act` first")

    def apply(self, state: State, actions: Choices) -> State:
        """The state after these actions; seats' actions must be legal, nature's are checked (IllegalAction)."""
        stage = state.stage
        if stage == SELECT:
            return _selected(state, actions)
        if stage == PLACE:
            return _placed(state, actions)
        if stage == BATTLE:
            return _fought(state, actions)
        if stage == REVEAL:
            return _revealed(state, actions)
        if stage == DEAL:
            return _dealt(state, actions)
        raise OutOfTurn("the game is over; nobody is to act")

    def draw(self, state: State, stream: Stream) -> Act:
        if state.stage == REVEAL:
            values = [0, 0, 0]
            for kind in KINDS:
                if not state.board[kind]:
                    left = spread(state.stacks[kind])  # nobody has looked into a stack, so any card may be on top
                    values[kind] = left[int(stream(INGREDIENTS[kind]).random() * len(left))]
            return REVEALS[values[0], values[1], values[2]]
        if state.stage == DEAL:
            cards = list(TIEBREAKERS[len(state.areas)])
            stream("tiebreakers").shuffle(cards)
            return DEALS[tuple(cards)]
        raise OutOfTurn("nature is not to act; ask `to_act` first")

    def view(self, state: State, seat: Seat) -> View:  # noqa: ARG002 - all of it is public (S-R43)
        return show(state)

    def reveal(self, state: State) -> View:
        return show(state)

    def imagine(self, view: View, seat: Seat, rng: Random) -> State:  # noqa: ARG002 - nothing is left to imagine
        return read_view(view)

    def events(self, before: State, actions: Mapping[Seat, Act], after: State, seat: Seat | None) -> list[Event]:  # noqa: ARG002
        return story.events(before, actions, after)

    def events_by_seat(
        self, before: State, actions: Mapping[Seat, Act], after: State, seats: int
    ) -> Sequence[list[Event]]:
        return [story.events(before, actions, after)] * seats

    def scores(self, state: State) -> tuple[float, ...]:
        """Points as they would be now; equal ones share the rank (S-R41)."""
        return tuple([float(area.score()) for area in state.areas])

    def read_action(self, data: Json) -> Act:
        return read(data)

    def tell(self, before: State, actions: Mapping[Seat, Act], after: State) -> str:
        return story.tell(before, actions, after)

    def reason(self, state: State) -> str:
        if state.stage != OVER:
            raise OutOfTurn("the game is not over; ask `to_act` first")
        return story.reason(state)

    def tally(self, state: State) -> Mapping[str, int]:
        return tally(state)


def _by_value(counts: Counts) -> str:
    return ", ".join(f"{count} of {value}" for value, count in zip(VALUES, counts, strict=True))


@cache
def _fights(played: tuple[int, ...]) -> tuple[Act, ...]:
    return tuple(FIGHTS[card] for card in hand(played))


def _placements(area: Area, card: Card) -> list[Act]:
    """S'morage is always open (S-R23, S-R29), and all there is for a card that fits nowhere (S-R28)."""
    acts: list[Act] = [_ASIDE]
    for spot in area.spots(card >> 3):
        acts.append(PLACES[spot])  # noqa: PERF401 - for so few spots a comprehension costs more
    return acts


def _moves(area: Area) -> list[Act]:
    """None or one card (S-R5), which may be a Graham that begins a s'more (S-R30); only out of S'morage (S-R31)."""
    cards = area.smorage
    acts: list[Act] = [STAY]
    for at, card in enumerate(cards):
        if not at or cards[at - 1] != card:
            acts += [MOVES[card, spot] for spot in area.spots(card >> 3)]
    return acts


def _dealt(state: State, actions: Choices) -> State:
    deal = actions[CHANCE]
    if not isinstance(deal, Deal) or len(deal.tiebreakers) != len(state.areas):
        raise IllegalAction(f"nature deals the Tiebreakers now, it cannot {deal}")
    return replace(state, stage=REVEAL, tiebreakers=deal.tiebreakers)


def _revealed(state: State, actions: Choices) -> State:
    """Only empty places are filled; a card that nobody claimed is still there (S-R8)."""
    reveal = actions[CHANCE]
    board, stacks = state.board, state.stacks
    if not isinstance(reveal, Reveal):
        raise IllegalAction(f"nature turns up cards now, it cannot {reveal}")
    filled, rest = list(board), list(stacks)
    for kind, value in enumerate(reveal.values):
        if (value > 0) == (board[kind] > 0):
            raise IllegalAction(f"nature fills the empty places of the board, it cannot {reveal}")
        if value:
            filled[kind] = value
            rest[kind] = without(stacks[kind], value)
            if min(rest[kind]) < 0:
                raise IllegalAction(f"no such card is left, nature cannot {reveal}")
    ties, areas = state.tiebreakers, state.areas
    new = (tuple(rest), tuple(filled))
    return State(SELECT, state.round, ties, *new, areas, (), (), (), state.discarded, state.quiet, state.gains)


def _selected(state: State, actions: Choices) -> State:
    tokens = tuple([actions[seat].token for seat in range(len(state.areas))])
    served, taken, crowded, battles = claims(tokens)
    board = list(state.board)
    graham, chocolate, marshmallow = board
    cards = (graham, 8 + chocolate, 16 + marshmallow, 0)  # by token
    pending = tuple([(seat, cards[token]) for seat, token in served])
    discarded = state.discarded
    if crowded:
        discarded = tuple(sorted((*discarded, *[cards[kind] for kind in crowded])))
    for kind in (*taken, *crowded):
        board[kind] = 0
    alone, won, moved = state.gains
    gains = (alone + len(taken), won, moved)
    quiet = 0 if taken or crowded or battles else state.quiet + 1
    return _go_on(state, tuple(board), state.areas, tokens, battles, pending, discarded, quiet, gains)


def _fought(state: State, actions: Choices) -> State:
    battle = state.battles[0]
    kind = battle.kind
    cards = tuple([actions[seat].card for seat in battle.seats])
    left = settle(battle, cards, state.tiebreakers)
    battles, pending, gains, discarded, board = state.battles, state.pending, state.gains, state.discarded, state.board
    card = 8 * kind + board[kind]
    if len(left) == 1:
        battles = battles[1:]  # all cards go back to their owners (S-R20)
        pending = tuple(sorted((*pending, (left[0], card))))
        gains = (gains[0], gains[1] + 1, gains[2])
    elif len(battle.reveals) + 1 == REVEAL_LIMIT:
        battles = battles[1:]
        discarded = tuple(sorted((*discarded, card)))  # S-R22
    else:
        row = battle.row(cards, len(state.areas))
        battles = (Battle(kind, left, (*battle.reveals, row)), *battles[1:])
    if len(battles) < len(state.battles):
        board = (*board[:kind], 0, *board[kind + 1 :])
    return _go_on(state, board, state.areas, state.tokens, battles, pending, discarded, state.quiet, gains)


def _placed(state: State, actions: Choices) -> State:
    """One seat's placement or move, in the round of collecting (S-R33); a move replaces a take (S-R7)."""
    seat, card = state.pending[0]
    act = actions[seat]
    areas, quiet, gains = state.areas, state.quiet, state.gains
    if card:
        areas = (*areas[:seat], areas[seat].put(card, act.spot), *areas[seat + 1 :])
    elif isinstance(act, Move):
        areas = (*areas[:seat], areas[seat].move(act.card, act.spot), *areas[seat + 1 :])
        quiet = 0
        gains = (gains[0], gains[1], gains[2] + 1)
    return _go_on(state, state.board, areas, state.tokens, (), state.pending[1:], state.discarded, quiet, gains)


def _go_on(
    state: State,
    board: tuple[int, ...],
    areas: tuple[Area, ...],
    tokens: tuple[int, ...],
    battles: tuple[Battle, ...],
    pending: tuple[tuple[Seat, Card], ...],
    discarded: tuple[Card, ...],
    quiet: int,
    gains: tuple[int, int, int],
) -> State:
    """The state at the next decision: Battles, then placements, then the end of the round.

    The end is checked once all is resolved (S-R35, S-R38): however the last card went (S-R36), and if several stacks
    ran out together (S-R37); or the guard ends the game (S-R42).
    """
    number, stacks, shown = state.round, state.stacks, None
    if battles:
        stage = BATTLE
    elif pending:
        stage = PLACE
        if state.stage == PLACE:
            shown = state.shown
    elif quiet == QUIET_LIMIT or (EMPTY in stacks and exhausted(stacks, board)):
        stage = OVER
    else:
        stage = SELECT if all(board) else REVEAL
        number += 1
        tokens = ()
    after = bare(State)
    after.stage = stage
    after.round = number
    after.tiebreakers = state.tiebreakers
    after.stacks = stacks
    after.board = board
    after.areas = areas
    after.tokens = tokens
    after.battles = battles
    after.pending = pending
    after.discarded = discarded
    after.quiet = quiet
    after.gains = gains
    after.shown = shown
    after.stacks_shown = state.stacks_shown
    return after
