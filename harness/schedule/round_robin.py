"""The round robin: every set of entrants of the match's size meets, and sits in every rotation of the seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from random import Random

from harness.model import Pairing
from referee.seeds import derive


def pairings(secret: bytes, round_number: int, entrants: Sequence[int], seats: int) -> Iterator[Pairing]:
    """The matches of one round, lazily; all rotations of a set stand together and share one seed.

    The name, the seed and the place of a match depend on the secret, the round and the set alone. So entrants who
    come later add matches and change none, and a schedule that is made anew after an interruption is the same.
    Sets come in the order of their latest entrant: whoever was there first can play at once.
    """
    for members in _sets(sorted(entrants), seats):
        yield from _rotations(secret, round_number, members)


def size(entrants: int, seats: int) -> int:
    """How many matches a round has."""
    return comb(entrants, seats) * seats


def _sets(ordered: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """All sets of this size, in the order of `set_rank`."""
    if size == 0:
        yield ()
    for last in range(size - 1, len(ordered)) if size else ():
        for rest in _sets(ordered[:last], size - 1):
            yield (*rest, ordered[last])


def _rotations(secret: bytes, round_number: int, members: tuple[int, ...]) -> Iterator[Pairing]:
    rank = set_rank(members)
    group = f"r{round_number}-s{rank}"
    seed = derive(secret, "deal", group)
    # Rotations keep neighbours together; a circle drawn anew each round gives everyone other neighbours over time.
    circle = list(members)
    Random(derive(secret, "circle", group)).shuffle(circle)  # noqa: S311
    for rotation in range(len(circle)):
        order = (*circle[rotation:], *circle[:rotation])
        yield Pairing(f"{group}-{rotation}", group, round_number, rank, rotation, order, seed)


def set_rank(members: Sequence[int]) -> int:
    """The place of a set of numbers among all sets of its size, by latest member first (the combinatorial number
    system): it never changes when more numbers come into play.
    """
    return sum(comb(number, index) for index, number in enumerate(sorted(members), 1))
