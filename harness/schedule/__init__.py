"""Schedules: which matches a competition plays, as lazy sequences of plain pairings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from harness.model import Pairing
from harness.schedule import round_robin

Schedule: TypeAlias = Callable[[bytes, int, Sequence[int], int], Iterator[Pairing]]
"""(the competition's secret, the round from 1, the submissions that play, seats a match) -> the round's pairings."""

SCHEDULES: Final[dict[str, Schedule]] = {"round-robin": round_robin.pairings}
"""Every schedule by the name that `competition.toml` gives it."""
