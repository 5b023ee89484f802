"""Random streams by label, so that the k-th card of a pile is the same however the play interleaves."""

from __future__ import annotations

from hashlib import blake2b
from random import Random


class Streams:
    """The generators of one match: one for each label, made on first use from the match seed and the label."""

    __slots__ = ("_keyed", "_made", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._keyed = _keyed(str(seed).encode())
        self._made: dict[str, Random] = {}

    def __call__(self, label: str) -> Random:
        """The generator of this label; the same label gives the same object."""
        made = self._made.get(label)
        if made is None:
            made = self._made[label] = Random(_number(self._keyed, (label,)))  # noqa: S311
        return made


def derive(secret: bytes, *names: str) -> int:
    """A 128-bit number from a secret and names; without the secret it says nothing about its neighbours."""
    return _number(_keyed(secret), names)


def _keyed(secret: bytes) -> blake2b:
    """A hash that knows the secret and no names yet."""
    return blake2b(digest_size=16, key=blake2b(secret, digest_size=32).digest())


def _number(keyed: blake2b, names: tuple[str, ...]) -> int:
    digest = keyed.copy()
    for name in names:
        encoded = name.encode()
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return int.from_bytes(digest.digest(), "big")
