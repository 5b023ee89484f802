"""Every card, every base and every ruling has its tests: a new one without any fails here."""

from __future__ import annotations

from types import ModuleType

import pytest

from referee.games.monster_smash.cards import BASE_SLUGS, FACTIONS
from tests.games.monster_smash import (
    test_bases,
    test_giant_ants,
    test_mad_scientists,
    test_rulings,
    test_vampires,
    test_werewolves,
)

MODULES = {
    "vampires": test_vampires,
    "mad-scientists": test_mad_scientists,
    "werewolves": test_werewolves,
    "giant-ants": test_giant_ants,
}
RULINGS = 38
LEAST = 3
"""A normal effect, a case without a target, and a meeting with a protection or a trigger."""


def named(module: ModuleType, start: str) -> list[str]:
    return [name for name in vars(module) if name.startswith(start)]


@pytest.mark.parametrize(
    ("faction", "card"), [(faction.slug, card.slug) for faction in FACTIONS for card in faction.cards]
)
def test_every_card_is_tested(faction: str, card: str) -> None:
    assert len(named(MODULES[faction], f"test_{card.replace('-', '_')}__")) >= LEAST


@pytest.mark.parametrize("base", BASE_SLUGS)
def test_every_base_is_tested(base: str) -> None:
    assert len(named(test_bases, f"test_{base.replace('-', '_')}__")) >= LEAST


@pytest.mark.parametrize("ruling", range(1, RULINGS + 1))
def test_every_ruling_is_tested(ruling: int) -> None:
    assert named(test_rulings, f"test_r{ruling:02d}_")
