"""Makers of plain values for the shell's tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from harness.model import Pairing, Played, Status, Submission
from harness.store import Store
from harness.store.store import NewSubmission, Recorded
from referee.match import MatchRecord
from referee.result import Ending, Entrant, Fault, MatchResult, MatchSpec

NOW = "2030-01-01T00:00:00Z"


_opened: list[Store] = []


def store_at(folder: Path) -> Store:
    """A new store; it is closed after the test."""
    store = Store.create(f"sqlite:///{folder / 'competition.db'}")
    _opened.append(store)
    return store


@pytest.fixture
def stores_closed() -> Iterator[None]:
    """Closes what `store_at` has opened."""
    yield
    while _opened:
        _opened.pop().close()


def accepted(store: Store, *names: str) -> list[Submission]:
    """Submissions of these names, accepted, in this order."""
    added = [store.add(NewSubmission(name, "ann", "c", "d" * 64, ("./bot",), (), NOW)) for name in names]
    for submission in added:
        store.settle(submission.number, Status.ACCEPTED, "", "")
    return added


def played(
    pairing: Pairing, ranks: Sequence[int], faults: tuple[Fault, ...] = (), ending: Ending = Ending.FINISHED
) -> Recorded:
    """A pairing as if it had been played and come out with these ranks."""
    count = len(ranks)
    spec = MatchSpec(
        match=pairing.match,
        group=pairing.group,
        game="tiny",
        options={"long": True},
        seats=tuple(Entrant(bot=f"bot{number}") for number in pairing.seats),
        seed=pairing.seed,
    )
    result = MatchResult(
        match=pairing.match,
        ending=ending,
        reason="the deck ran out",
        ranks=tuple(ranks),
        scores=tuple(float(-rank) for rank in ranks),
        faults=faults,
        steps=9,
        decisions=(4,) * count,
        think_ms=(1.5,) * count,
        replay_digest="e" * 64,
    )
    record = Played(spec, MatchRecord(result, ()), "1", 12.5)
    return Recorded(pairing, record, f"replays/{pairing.match}.jsonl.gz", NOW)
