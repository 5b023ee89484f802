"""Who loses at a rope, and what a whole round costs each seat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from referee.game import Seat
from referee.games.sbam.cards import COLOURS, NO3, PLAYABLE, STRENGTHS, VALUE, Card


class Fight(NamedTuple):
    """What counting the cards at one rope gave; pairs are the left side, then the right side."""

    counts: tuple[int, ...]
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
    calls: tuple[tuple[Seat, int], ...]
    """The Sbam! plays that stood: seat and number."""
    ropes: tuple[Rope, ...]
    """Empty when a triple Sbam! left the fights unchecked (B-R12)."""
    hurt: tuple[int, ...]
    """Tokens by seat."""


_new = tuple.__new__  # much cheaper than calling Fight and Rope

# A side is counted as one number with a digit of four bits for each coloured kind (at most five copies), red first,
# strength 1 first, and above them one bit for each special: bars, plus and X of each colour, then No-3.
_DIGIT: Final = 4
_SPECIALS_AT: Final = _DIGIT * len(VALUE)
_SPECIALS: Final = tuple(card for card in PLAYABLE if card not in VALUE)
_WEIGHT: Final = {
    **{card: 1 << (_DIGIT * at) for at, card in enumerate(VALUE)},
    **{card: 1 << (_SPECIALS_AT + at) for at, card in enumerate(_SPECIALS)},
}


def fight(left: Sequence[Card], right: Sequence[Card]) -> Fight:
    """Counts the two sides of a rope, in the rulebook's order of steps."""
    first = second = 0
    for card in left:
        first += _WEIGHT[card]
    for card in right:
        second += _WEIGHT[card]
    red, blue, yellow, plus = _kept((first | second) >> _SPECIALS_AT)
    # What is most is counted after the discards, both sides together (B-R34).
    r, one_r, two_r = _both(first & red, second & red)
    b, one_b, two_b = _both(first & blue, second & blue)
    y, one_y, two_y = _both(first & yellow, second & yellow)
    most = max(r, b, y)
    # Tied colours are calculated together (B-R35); every plus adds its colour, never twice (B-R31, B-R32). Nothing
    # left to count is 0, on one side (B-R37) or on both (B-R36).
    colours: tuple[str, ...] = ()
    one = two = 0
    if r and (r == most or "r" in plus):
        colours, one, two = ("r",), one_r, two_r
    if b and (b == most or "b" in plus):
        colours, one, two = (*colours, "b"), one + one_b, two + two_b
    if y and (y == most or "y" in plus):
        colours, one, two = (*colours, "y"), one + one_y, two + two_y
    return _new(Fight, ((r, b, y), colours, (one, two)))


@cache
def _kept(specials: int) -> tuple[int, int, int, tuple[str, ...]]:
    """The bits of red, blue and yellow in a side's number that stay, and the colours with a plus.

    `specials` are those that lie at the rope, on either side, as bits.
    """
    here = {card for at, card in enumerate(_SPECIALS) if specials >> at & 1}
    kept = dict.fromkeys(COLOURS, 0)
    for card, (colour, strength) in VALUE.items():
        # An X takes the colour of both players and leaves bars nothing to protect (B-R28, B-R29); No-3 takes the 3s.
        if f"x{colour}" in here or (strength == max(STRENGTHS) and NO3 in here):
            continue
        # Pairs go, for each player alone (B-R26): the lowest bit stays. Either player's bars keeps all (B-R27).
        kept[colour] |= _WEIGHT[card] * (2**_DIGIT - 1 if f"={colour}" in here else 1)
    return kept["r"], kept["b"], kept["y"], tuple(colour for colour in COLOURS if f"+{colour}" in here)


@cache
def _both(first: int, second: int) -> tuple[int, int, int]:
    """How many cards of a colour both sides have left together, and the sum of strengths of each side."""
    count, sums = 0, []
    for side in (first, second):
        copies = [side >> (_DIGIT * at) & (2**_DIGIT - 1) for at in range(len(VALUE))]
        count += sum(copies)
        sums.append(sum(number * strength for number, (_, strength) in zip(copies, VALUE.values(), strict=True)))
    return count, sums[0], sums[1]


def check(
    alive: tuple[Seat, ...], left: Sequence[str], right: Sequence[str], calls: tuple[tuple[Seat, int], ...], cause: str
) -> Check:
    """The reckoning of a round.

    `left` and `right` are each seat's cards with blanks between, `calls` the Sbam! plays that stand.
    """
    hurt = [0] * len(left)
    count = dict(calls)  # each call is its own player's alone (B-R11)
    if 3 in count.values():
        # A triple decides the round: a double is no shield against it, a single is moot (B-R12).
        for seat in alive:
            hurt[seat] = int(count.get(seat) != 3)
        return Check("triple", calls, (), tuple(hurt))
    ropes = []
    for seat, other in ropes_of(alive):
        found = fight(left[seat].split(), right[other].split())
        one, two = found.sums
        losers: tuple[Seat, ...] = ()
        if one == two:
            # A single Sbam! loses each of its ties (B-R9), against another single (B-R13) or a double (B-R14) too.
            if count:
                losers = tuple([who for who in (seat, other) if count.get(who) == 1])
        else:
            # One token and no more, single Sbam! or not (B-R15), and none for who called a double (B-R16).
            loser = seat if one < two else other
            if count.get(loser) != 2:
                losers = (loser,)
        for loser in losers:
            hurt[loser] += 1
        ropes.append(_new(Rope, (seat, other, found, losers)))
    return _new(Check, (cause, calls, tuple(ropes), tuple(hurt)))


@cache
def ropes_of(alive: tuple[Seat, ...]) -> tuple[tuple[Seat, Seat], ...]:
    """The ropes by the seat that has each to its left and the one that has it to its right.

    A rope lies between each seat and the next one clockwise. One formula for all: three players all meet (B-R43), two
    have two ropes and two fights (B-R41, B-R42); a seat alone has none.
    """
    return tuple(zip(alive, alive[1:] + alive[:1], strict=True)) if len(alive) > 1 else ()
