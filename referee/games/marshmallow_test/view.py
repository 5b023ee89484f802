"""What seats see of The Marshmallow Test, and how a step is told to people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.game import Event, Seat, View
from referee.games.marshmallow_test.actions import DECK, NO_SUIT, SUITS, Deal, FirstDealer, Move, Play, Trump
from referee.games.marshmallow_test.state import SEATS_IN, TARGET, THRESHOLD, Phase, State

PHASES: Final = tuple(phase.name.lower() for phase in Phase)
"""`Phase` -> its name in views."""


def public(state: State) -> View:
    """What everybody at the table knows; the played cards of this round are all in it (M-R27, M-R30)."""
    dealer, points, trump, turn = state.dealer, state.points, state.trump, state.turn
    seats = len(points)
    return {
        "players": seats,
        "phase": PHASES[state.phase],
        "round": state.round,
        "dealer": dealer if dealer >= 0 else None,
        "trump": None if trump == NO_SUIT else SUITS[trump],
        "tricks_to_go_out": THRESHOLD[seats],
        "points_to_win": TARGET,
        "points": list(points),
        "tricks_won": list(state.won),
        "in": list(SEATS_IN[state.inside]),
        "turn": turn if turn >= 0 else None,
        "trick": state.trick,
        "tricks": list(state.tricks),
        "winners": list(state.winners),
    }


def seen(state: State, seat: Seat) -> View:
    """What one seat knows: the public part, its own hand, and the cards that it laid aside itself."""
    view = public(state)
    cards = [play.card for play in state.hands[seat]]
    is_in = state.inside >> seat & 1
    view["seat"] = seat
    view["hand"] = cards if is_in else []
    view["laid_aside"] = [] if is_in else cards
    return view


def revealed(state: State) -> View:
    """The whole state: the public part, every hand (of a seat that is out, what it laid aside) and the unseen rest."""
    view = public(state)
    view["hands"] = [[play.card for play in hand] for hand in state.hands]
    gone = {play for hand in state.hands for play in hand}
    names = {entry.split(":")[1] for trick in (*state.tricks, state.trick) for entry in trick.split()}
    view["unseen"] = [play.card for play in DECK if play not in gone and play.card not in names]
    return view


def shared_events(before: State, actions: Mapping[Seat, Move], after: State) -> list[Event]:
    """The events of a step that are the same for every seat; a deal is none of them."""
    (move,) = actions.values()
    if isinstance(move, Play):
        seat = before.turn
        event = {"type": "play", "seat": seat, "card": move.card}
        return [event] if before.left > 1 else [event, *_trick_events(after)]
    if isinstance(move, Trump):
        return [{"type": "trump", "seat": before.turn, "suit": SUITS[move.suit]}]
    if isinstance(move, FirstDealer):
        return [{"type": "dealer", "seat": move.seat}]
    return []


def _trick_events(after: State) -> list[Event]:
    winner = after.winners[-1]
    events: list[Event] = [{"type": "trick", "winner": winner, "tricks_won": after.won[winner]}]
    if not after.inside >> winner & 1:
        gain = len(after.tricks) - after.won[winner]
        events.append({"type": "out", "seat": winner, "gain": gain, "points": after.points[winner]})
    if after.phase == Phase.DEAL:
        nothing = list(SEATS_IN[after.inside])
        events.append({"type": "round_over", "round": after.round, "nothing": nothing, "next_dealer": after.dealer})
    elif after.phase == Phase.OVER:
        events.append({"type": "game_over", "points": list(after.points)})
    return events


def deal_event(after: State, seat: Seat | None, deal: Deal) -> Event:
    """A deal as one seat sees it: its own hand; as None sees it: all hands."""
    event: Event = {"type": "deal", "round": after.round, "dealer": after.dealer}
    if seat is None:
        event["hands"] = [[play.card for play in hand] for hand in deal.hands]
    else:
        event["hand"] = [play.card for play in deal.hands[seat]]
    return event


def told(before: State, actions: Mapping[Seat, Move], after: State, seat: Seat | None = None) -> str:
    """One line about a step; of a deal only the hand of `seat`, or all hands where it is None."""
    (move,) = actions.values()
    if isinstance(move, Play):
        verb = "plays" if before.trick else "leads"
        line = f"seat {before.turn} {verb} {move.card}"
        return line if before.left > 1 else line + _trick_told(after)
    if isinstance(move, Trump):
        return f"seat {before.turn} names {SUITS[move.suit]} trump for round {before.round}"
    if isinstance(move, Deal):
        shown = range(len(move.hands)) if seat is None else (seat,)
        hands = "; ".join(f"seat {s}: {' '.join(p.card for p in move.hands[s])}" for s in shown)
        return f"round {after.round}, seat {after.dealer} deals. {hands}"
    return f"seat {move.seat} deals the first round"


def _trick_told(after: State) -> str:
    winner = after.winners[-1]
    line = f"; trick {len(after.tricks)} goes to seat {winner}, its {_ordinal(after.won[winner])}"
    if not after.inside >> winner & 1:
        gain = len(after.tricks) - after.won[winner]
        line += f": out with {gain} point{'' if gain == 1 else 's'}, {after.points[winner]} in all"
    if after.phase == Phase.DEAL:
        nothing = " and ".join(f"seat {seat}" for seat in SEATS_IN[after.inside])
        line += f"; the round is over, nothing for {nothing}; seat {after.dealer} deals next"
    elif after.phase == Phase.OVER:
        line += "; the game is over"
    return line


def _ordinal(count: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(count, f"{count}th")
