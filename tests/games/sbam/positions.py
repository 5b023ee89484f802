"""Positions of Sbam! put down by hand, and games played on from them with the cards chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.game import CHANCE, Event, Seat
from referee.games.sbam.actions import DECLINE, OOPS, PASS, Action, Drawn, Move, call, play
from referee.games.sbam.cards import Card, deck
from referee.games.sbam.game import Sbam
from referee.games.sbam.hands import hand_of
from referee.games.sbam.state import COMMIT, State

GAME = Sbam()


def cards(text: str) -> tuple[Card, ...]:
    """Cards by the rules page's short hand: `R1 =B +Y xR Sbam Oops no3`."""
    return tuple(word.lower() for word in text.split())


def move(text: str) -> Move:
    """`R1 left`, `Sbam 2`, `pass`, `oops` or `decline`."""
    word, _, rest = text.lower().partition(" ")
    if word == "sbam":
        return call(int(rest))
    return {"pass": PASS, "oops": OOPS, "decline": DECLINE}.get(word) or play(word, rest)


def at_tick(
    hands: Sequence[str],
    left: Mapping[Seat, str] | None = None,
    right: Mapping[Seat, str] | None = None,
    damage: Sequence[int] = (),
    game: Sbam = GAME,
) -> State:
    """A first tick with these hands, an empty hand for a seat that is out, and cards that already lie at the ropes."""
    start = game.start(len(hands))
    held = [cards(hand) for hand in hands]
    alive = tuple(seat for seat, hand in enumerate(held) if hand)
    sides = [tuple((side or {}).get(seat, "").lower() for seat in range(len(hands))) for side in (left, right)]
    gone = Counter(card for pile in (*held, *map(cards, sides[0] + sides[1])) for card in pile)
    pile = tuple((Counter(deck(with_no3=bool(game.options["reconstructed_card"]))) - gone).elements())
    standing = start.standing._replace(
        alive=alive,
        damage=tuple(damage) or (0,) * len(hands),
        out=tuple(int(not hand) for hand in held),
        round=1 if len(alive) == len(hands) else 2,
    )
    return replace(
        start,
        asked=alive,
        phase=COMMIT,
        standing=standing,
        tick=1,
        hands=tuple(map(hand_of, held)),
        left=sides[0],
        right=sides[1],
        pile=pile,
    )


def step(state: State, *moves: str) -> State:
    """The position after these moves of the seats asked, in order."""
    return GAME.apply(state, taken(state, *moves))


def taken(state: State, *moves: str) -> dict[Seat, Action]:
    """The moves of the seats asked, in order; each must be legal."""
    made = dict(zip(state.asked, map(move, moves), strict=True))
    for seat, action in made.items():
        assert action in GAME.legal(state, seat), f"seat {seat} may not play {action}"
    return dict(made)


def draw(state: State, *hands: str) -> State:
    """The position after nature dealt these cards, by seat."""
    assert state.asked == (CHANCE,)
    return GAME.apply(state, {CHANCE: Drawn(tuple(map(cards, hands)))})


def told(state: State, *moves: str) -> list[Event]:
    """What everybody saw of a step."""
    actions = taken(state, *moves)
    return GAME.events(state, actions, GAME.apply(state, actions), None)


def spelled(state: State, seat: Seat) -> set[str]:
    """The legal moves of a seat in the words of `move`."""
    words = set()
    for action in GAME.legal(state, seat):
        assert isinstance(action, Move)
        data = action.to_json()
        words.add(" ".join(str(data[key]) for key in ("card", "side", "count") if key in data) or action.kind)
    return words
