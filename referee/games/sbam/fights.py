"""Who loses at a rope, and what a whole round costs each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from referee.game import Seat
from referee.games.sbam.cards import COLOURS, NO3, VALUE, Card


class Fight(NamedTuple):
    """What counting the cards at one rope gave; pairs are the left side, then the right side."""

    counts: tuple[int, int, int]
    """Coloured cards left of red, blue and yellow, both sides together (B-R34)."""
    colours: tuple[str, ...]
    """The colours that were calculated; those without a card are left out, they change nothing (B-R30)."""
    sums: tuple[int, int]


class Rope(NamedTuple):
    """A fight with the seats that had it: the rope is to the left of the first and to the right of the second."""

    left_seat: Seat
    right_seat: Seat
    fight: Fight
    hurt: tuple[Seat, ...]
    """Who took a token here."""


class Check(NamedTuple):
    """The reckoning at the end of a round."""

    cause: str
    """`sbam`, `triple`, `pile` or `passes`."""
    ropes: tuple[Rope, ...]
    """Empty when a triple Sbam! left the fights unchecked (B-R12)."""
    hurt: tuple[int, ...]
    """Tokens by seat."""


def fight(left: Sequence[Card], right: Sequence[Card]) -> Fight:
    """Counts the two sides of a rope, in the rulebook's order of steps (section 5 of the rules page)."""
    sides = (left, right)
    specials = {card for side in sides for card in side if card not in VALUE}
    kept = [_kept(side, specials) for side in sides]
    counts = [0, 0, 0]
    for side in kept:
        for colour, _, copies in side:
            counts[COLOURS.index(colour)] += copies
    most = max(counts)
    # Tied colours are calculated together (B-R35); every plus adds its colour, never twice (B-R31, B-R32).
    colours = tuple(
        colour
        for colour, count in zip(COLOURS, counts, strict=True)
        if count and (count == most or f"+{colour}" in specials)
    )
    # Nothing left to count is 0, on one side (B-R37) or on both (B-R36).
    first, second = (sum(strength * copies for c, strength, copies in side if c in colours) for side in kept)
    return Fight((counts[0], counts[1], counts[2]), colours, (first, second))


def _kept(side: Sequence[Card], specials: set[Card]) -> list[tuple[str, int, int]]:
    """Colour, strength and number of the cards of one player that stay, given the specials of both."""
    kept = []
    for card, copies in Counter(side).items():
        if card not in VALUE:  # a special has no colour, whatever it names (B-R33)
            continue
        colour, strength = VALUE[card]
        # An X takes the colour of both players and leaves bars nothing to protect (B-R28, B-R29).
        if f"x{colour}" in specials or (strength == 3 and NO3 in specials):
            continue
        # Pairs go, for each player alone (B-R26), unless either's bars protects the colour here (B-R27).
        left = copies if f"={colour}" in specials else copies % 2
        if left:
            kept.append((colour, strength, left))
    return kept


def check(
    alive: Sequence[Seat],
    left: Sequence[Sequence[Card]],
    right: Sequence[Sequence[Card]],
    calls: Sequence[tuple[Seat, int]],
    cause: str,
) -> Check:
    """The tokens of a round; `left` and `right` hold each seat's cards by seat, `calls` the Sbam! plays that stand."""
    hurt = [0] * len(left)
    count = dict(calls)  # each call is its own player's alone (B-R11)
    if 3 in count.values():
        # A triple decides the round: a double is no shield against it, a single is moot (B-R12).
        for seat in alive:
            hurt[seat] = int(count.get(seat) != 3)
        return Check("triple", (), tuple(hurt))
    ropes = []
    for here, seat in enumerate(alive):
        # One formula for all: three players all meet (B-R43), two have two ropes, two fights (B-R41, B-R42).
        other = alive[(here + 1) % len(alive)]
        found = fight(left[seat], right[other])
        losers = _losers(found, seat, other, count)
        for loser in losers:
            hurt[loser] += 1
        ropes.append(Rope(seat, other, found, losers))
    return Check(cause, tuple(ropes), tuple(hurt))


def _losers(found: Fight, seat: Seat, other: Seat, count: dict[Seat, int]) -> tuple[Seat, ...]:
    first, second = found.sums
    if first == second:
        # A single Sbam! loses each of its ties (B-R9), against another single (B-R13) or a double (B-R14) as well.
        return tuple(who for who in (seat, other) if count.get(who) == 1)
    # One token and no more, single Sbam! or not (B-R15), and none for who called a double (B-R16).
    loser = seat if first < second else other
    return () if count.get(loser) == 2 else (loser,)
