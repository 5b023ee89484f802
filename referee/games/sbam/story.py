"""What a step looked like: as events for a seat, and as a line for people."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from referee.game import CHANCE, Event, Seat
from referee.games.sbam.actions import Action, Drawn, Move
from referee.games.sbam.cards import COLOUR_NAMES, COLOURS, spell
from referee.games.sbam.fights import Check, Rope
from referee.games.sbam.state import (
    COMMIT,
    DEAL,
    OVER,
    QUIET_LIMIT,
    ROUND_LIMIT,
    WINDOW,
    State,
)
from referee.games.sbam.view import calls_json

_CALLS: Final = {1: "calls Sbam!", 2: "calls Sbabam! (two)", 3: "calls Sbababam! (three)"}
_CAUSES: Final = {
    "sbam": "ends by Sbam!",
    "triple": "ends by a triple Sbam!, no fight is checked",
    "pile": "ends because the pile is empty",
    "passes": "ends because everybody passed",
}


def seen_by_all(before: State, actions: Mapping[Seat, Action], after: State, found: Check | None) -> list[Event]:
    """The events of a step that every seat sees alike, in order; all but what each seat drew.

    `found` is the reckoning of the round if the step ended it.
    """
    events: list[Event]
    if before.phase == COMMIT:
        moves = [""] * len(before.hands)
        for seat, move in actions.items():
            if isinstance(move, Move):
                moves[seat] = move.short
        events = [{"type": "tick", "round": before.standing.round, "tick": before.tick, "moves": moves}]
        if after.calls:
            events.append({"type": "sbam", "calls": calls_json(after.calls), "window": list(after.asked)})
        elif found is not None and found.calls:
            events.append({"type": "sbam", "calls": calls_json(found.calls), "window": []})
    elif before.phase == WINDOW:
        calls = calls_json(before.calls)
        if after.oops is None:
            events = [{"type": "stands", "calls": calls}]
        else:
            events = [{"type": "oops", "seat": after.oops[0], "cancelled": calls}]
    else:
        events = []
    if found is not None:
        events += _end_events(before, found, after)
    return events


def _end_events(before: State, found: Check, after: State) -> list[Event]:
    end: Event = {
        "type": "round_end",
        "round": before.standing.round,
        "cause": found.cause,
        "fights": [_fight_json(rope) for rope in found.ropes],
        "hurt": list(found.hurt),
        "damage": list(after.standing.damage),
    }
    events = [end]
    gone = eliminated(before, after)
    if gone:
        events.append({"type": "eliminated", "round": before.standing.round, "seats": gone})
    if after.phase == OVER:
        events.append({"type": "over", "reason": reason(after)})
    return events


def _fight_json(rope: Rope) -> Event:
    found = rope.fight
    return {
        "left_seat": rope.left_seat,
        "right_seat": rope.right_seat,
        "counts": dict(zip(COLOURS, found.counts, strict=True)),
        "colours": list(found.colours),
        "left_sum": found.sums[0],
        "right_sum": found.sums[1],
        "hurt": list(rope.hurt),
    }


def draw_events(before: State, drawn: Drawn) -> list[Event]:
    """By seat, what each sees of a deal or refill: its own cards."""
    number, tick = before.standing.round, before.tick
    return [{"type": "draw", "round": number, "tick": tick, "cards": list(cards)} for cards in drawn.cards]


def draw_event_of_all(before: State, drawn: Drawn) -> Event:
    """What a deal or refill was in full, for replays: each seat's cards."""
    hands = [list(cards) for cards in drawn.cards]
    return {"type": "draw", "round": before.standing.round, "tick": before.tick, "hands": hands}


def eliminated(before: State, after: State) -> list[Seat]:
    """The seats that this step put out."""
    return [seat for seat in before.standing.alive if seat not in after.standing.alive]


def reason(state: State) -> str:
    """Why the game is over, in one sentence."""
    standing = state.standing
    if len(standing.alive) == 1:
        return f"seat {standing.alive[0]} is the only one left with fewer than 5 damage and wins"  # B-R44
    if not standing.alive:
        last = [seat for seat, number in enumerate(standing.out) if number == standing.round]
        return f"{_seats(last)} were eliminated in the same round and share the victory"  # B-R45
    if standing.quiet >= QUIET_LIMIT:
        why = f"{QUIET_LIMIT} rounds in a row brought no damage"
    else:
        why = f"{ROUND_LIMIT} rounds are over"
    return f"{why}: the harness ends the game there (its guard, not a rule of Sbam!), less damage is better"


def tell(
    before: State, actions: Mapping[Seat, Action], after: State, found: Check | None, to: Seat | None = None
) -> str:
    """One line for people; of what was drawn all, or only what the seat `to` saw."""
    drawn = actions.get(CHANCE)
    if isinstance(drawn, Drawn):
        what = f"Round {before.standing.round} is dealt" if before.phase == DEAL else "Refill"
        line = f"{what}: {drawn.told(to)}"
    elif before.phase == COMMIT:
        across = _neighbours(before.standing.alive)
        moves = [_tell_move(seat, move, *across[seat]) for seat, move in actions.items() if isinstance(move, Move)]
        line = f"Tick {before.tick}: " + "; ".join(moves)
    elif after.oops is not None:
        line = f"Oops: seat {after.oops[0]} cancels the Sbam! of {_seats([seat for seat, _ in before.calls])}"
    else:
        line = f"No Oops: the Sbam! of {_seats([seat for seat, _ in before.calls])} stands"
    return line if found is None else f"{line}. {_tell_end(before, found, after)}"


@cache
def _tell_move(seat: Seat, move: Move, left: Seat, right: Seat) -> str:
    """What a seat did in a tick, given who is across its ropes; remembered, since there are few."""
    if move.kind == "play":
        other = left if move.side == "left" else right
        return f"seat {seat} plays {spell(move.card)} {move.side} against seat {other}"
    if move.kind == "sbam":
        return f"seat {seat} {_CALLS[len(move.cards)]}"
    return f"seat {seat} passes"


@cache
def _neighbours(alive: tuple[Seat, ...]) -> dict[Seat, tuple[Seat, Seat]]:
    """For each seat, who is across its left rope and who across its right."""
    return {seat: (alive[(at + 1) % len(alive)], alive[at - 1]) for at, seat in enumerate(alive)}


def _tell_end(before: State, found: Check, after: State) -> str:
    fights = "; ".join(_tell_fight(rope) for rope in found.ropes)
    parts = [f"Round {before.standing.round} {_CAUSES[found.cause]}" + (f": {fights}" if fights else "")]
    parts.append("Damage now " + ", ".join(f"seat {s} {after.standing.damage[s]}" for s in before.standing.alive))
    gone = eliminated(before, after)
    if gone:
        parts.append(f"Eliminated: {_seats(gone)}")
    if after.phase == OVER:
        parts.append(f"The game is over: {reason(after)}")
    return ". ".join(parts)


def _tell_fight(rope: Rope) -> str:
    left, right = rope.fight.sums
    colours = " and ".join(COLOUR_NAMES[colour] for colour in rope.fight.colours) or "no colour"
    verdict = f"{_seats(rope.hurt)} hurt" if rope.hurt else "nobody hurt"
    return f"seat {rope.left_seat} against seat {rope.right_seat} {left}:{right} in {colours}, {verdict}"


def _seats(seats: list[Seat] | tuple[Seat, ...]) -> str:
    names = [str(seat) for seat in seats]
    if len(names) == 1:
        return f"seat {names[0]}"
    return f"seats {', '.join(names[:-1])} and {names[-1]}"
