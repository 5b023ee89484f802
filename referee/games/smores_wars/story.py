"""What a step was: events for bots, and the same events as one line for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from referee.game import CHANCE, Event, Seat
from referee.games.smores_wars.actions import Act, Move, spot_json
from referee.games.smores_wars.battle import settle
from referee.games.smores_wars.cards import BATTLE_CARDS, CARD_NAMES, INGREDIENTS, KINDS, LONG_NAMES, TOKENS
from referee.games.smores_wars.state import (
    BATTLE,
    DEAL,
    OVER,
    QUIET_LIMIT,
    REVEAL,
    SELECT,
    TO_NEW,
    State,
    exhausted,
)
from referee.games.smores_wars.view import row_json


def events(before: State, actions: Mapping[Seat, Act], after: State) -> list[Event]:
    """What every seat saw of a step, in order."""
    stage = before.stage
    if stage == SELECT:
        seen = _selected(before, actions)
    elif stage == BATTLE:
        seen = _fought(before, actions, after)
    elif stage == DEAL:
        seen = [{"type": "tiebreakers", "cards": row_json(after.tiebreakers)}]
    elif stage == REVEAL:
        seen = [{"type": "board", "round": after.round, "cards": actions[CHANCE].to_json()["cards"]}]
    else:
        seen = _placed(before, actions, after)
    if after.stage == OVER:
        seen.append({"type": "game_over", "reason": reason(after), "scores": [area.score() for area in after.areas]})
    return seen


def _selected(before: State, actions: Mapping[Seat, Any]) -> list[Event]:
    tokens = [actions[seat].token for seat in range(len(before.areas))]
    seen: list[Event] = [{"type": "tokens", "round": before.round, "tokens": [TOKENS[token] for token in tokens]}]
    for kind in KINDS:
        rivals = tokens.count(kind)
        if not rivals:
            continue
        card = CARD_NAMES[8 * kind + before.board[kind]]
        if rivals == 1:
            seen.append({"type": "take", "seat": tokens.index(kind), "card": card})
        else:
            seats = [seat for seat, token in enumerate(tokens) if token == kind]
            seen.append({"type": "battle" if rivals <= 3 else "discard", "seats": seats, "card": card})
    return seen


def _fought(before: State, actions: Mapping[Seat, Any], after: State) -> list[Event]:
    battle = before.battles[0]
    cards = tuple([actions[seat].card for seat in battle.seats])
    row = battle.row(cards, len(before.areas))
    left = settle(battle, cards, before.tiebreakers)
    card = CARD_NAMES[8 * battle.kind + before.board[battle.kind]]
    seen: list[Event] = [{"type": "fight", "for": card, "cards": row_json(row)}]
    if len(left) == 1:
        by = "tiebreaker" if cards.count(row[left[0]]) > 1 else "card"
        seen.append({"type": "win", "seat": left[0], "card": card, "by": by})
    elif len(after.battles) < len(before.battles):
        seen.append({"type": "discard", "seats": list(left), "card": card})
    else:
        pick_up = not after.battles[0].played(left[0])
        seen.append({"type": "again", "for": card, "seats": list(left), "pick_up": pick_up})
    return seen


def _placed(before: State, actions: Mapping[Seat, Any], after: State) -> list[Event]:
    seat, card = before.pending[0]
    act = actions[seat]
    if not card:
        if not isinstance(act, Move):
            return [{"type": "stay", "seat": seat}]
        card = act.card
    new = len(before.areas[seat].smores)
    where = {"to": "new", "smore": new} if act.spot == TO_NEW else spot_json(act.spot)
    what = {"seat": seat, "card": CARD_NAMES[card], **where}
    seen: list[Event] = [{"type": "move" if isinstance(act, Move) else "place", **what}]
    if act.spot >= 0 and (smore := after.areas[seat].smores[act.spot])[3]:
        seen.append({"type": "complete", "seat": seat, "smore": act.spot, "points": sum(smore)})
    return seen


def reason(state: State) -> str:
    """Why a game is over; valid when it is."""
    gone = [INGREDIENTS[kind] for kind in exhausted(state.stacks, state.board)]
    if gone:
        return f"the last {_both(gone)} card{'s are' if len(gone) > 1 else ' is'} gone"
    return f"{QUIET_LIMIT} rounds in a row brought nothing but idle S'morage tokens, the harness's guard"


def tell(before: State, actions: Mapping[Seat, Act], after: State) -> str:
    """The events of a step as one line of text."""
    return "; ".join([_say(event) for event in events(before, actions, after)])


def _both(names: Iterable[object]) -> str:
    *some, last = [str(name) for name in names]
    return f"{', '.join(some)} and {last}" if some else last


def _seats(seats: list[Seat]) -> str:
    return f"seats {_both(seats)}"


def _card(event: Event) -> str:
    return LONG_NAMES[event["card"]]


_NAMES: Final = {name: name.capitalize() for name in (*INGREDIENTS, *BATTLE_CARDS)} | {"smorage": "S'morage"}


def _by_seat(names: list[str | None]) -> str:
    return ", ".join([f"seat {seat} {_NAMES[name]}" for seat, name in enumerate(names) if name])


def _spot(event: Event) -> str:
    if event["to"] == "smorage":
        return f"puts {_card(event)} into S'morage"
    source = " from S'morage" if event["type"] == "move" else ""
    if event["to"] == "new":
        return f"begins s'more {event['smore']} with {_card(event)}{source}"
    return f"puts {_card(event)}{source} on s'more {event['smore']}"


def _say(event: Event) -> str:  # noqa: C901 - one phrase for each type
    match event["type"]:
        case "place" | "move":
            return f"seat {event['seat']} {_spot(event)}"
        case "tokens":
            return f"Tokens of round {event['round']}: {_by_seat(event['tokens'])}"
        case "take":
            return f"seat {event['seat']} takes {_card(event)}"
        case "battle":
            return f"{_seats(event['seats'])} battle for {_card(event)}"
        case "board":
            new = ", ".join([LONG_NAMES[card] for card in event["cards"]])
            return f"Round {event['round']}: {new} turned up"
        case "fight":
            return f"Battle for {LONG_NAMES[event['for']]}: {_by_seat(event['cards'])}"
        case "win":
            by = " by the Tiebreaker" if event["by"] == "tiebreaker" else ""
            return f"seat {event['seat']} wins {_card(event)}{by}"
        case "stay":
            return f"seat {event['seat']} leaves its S'morage as it is"
        case "again":
            cards = " with all five cards" if event["pick_up"] else ""
            return f"{_seats(event['seats'])} battle again{cards}"
        case "complete":
            return f"that completes it: {event['points']} points"
        case "discard":
            return f"{_card(event)} is discarded, claimed by {_seats(event['seats'])}"
        case "tiebreakers":
            return f"Tiebreakers: {_by_seat(event['cards'])}"
        case _:
            scores = ", ".join([f"seat {seat} {score}" for seat, score in enumerate(event["scores"])])
            return f"over, for {event['reason']}; points: {scores}"
