"""Every card, every base and every ruling has its tests: a new one without any fails here."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import pytest

from referee.games.monster_smash import game
from referee.games.monster_smash.cards import BASE_SLUGS, CARD_SLUGS, EFFECTS, FACTIONS
from referee.games.monster_smash.cards.definition import Faction
from referee.games.monster_smash.nature import NATURE
from referee.games.monster_smash.plays import PLAYS
from referee.games.monster_smash.scoring import SCORING
from referee.games.monster_smash.setup import SETUP
from referee.games.monster_smash.stages import PROGRAMS
from referee.games.monster_smash.turn import TURN
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
ENGINE = Path(game.__file__).parent
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


def test_the_names_of_effects_are_all_different() -> None:
    assert len(PROGRAMS) == sum(map(len, (EFFECTS, PLAYS, NATURE, SETUP, TURN, SCORING)))
    assert not set(CARD_SLUGS) & set(BASE_SLUGS)


@pytest.mark.parametrize("module", sorted(ENGINE.glob("*.py")), ids=lambda path: path.stem)
def test_the_engine_names_no_card_and_no_base(module: Path) -> None:
    assert not named_in(module) & {*CARD_SLUGS, *BASE_SLUGS}


@pytest.mark.parametrize("faction", FACTIONS, ids=lambda faction: faction.slug)
def test_the_file_of_a_faction_names_its_own_cards_alone(faction: Faction) -> None:
    named = named_in(ENGINE / "cards" / f"{faction.slug.replace('-', '_')}.py")
    assert named & {*CARD_SLUGS, *BASE_SLUGS} == {card.slug for card in faction.cards}


def named_in(module: Path) -> set[object]:
    """All strings in a file of code, docstrings apart from what they hold within."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@pytest.mark.parametrize("ruling", range(1, RULINGS + 1))
def test_every_ruling_is_tested(ruling: int) -> None:
    assert named(test_rulings, f"test_r{ruling:02d}_")
