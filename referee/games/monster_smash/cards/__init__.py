"""The table of all cards and bases, and what the engine looks up in it; a faction is its file and its line here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.games.monster_smash.cards import bases, giant_ants, mad_scientists, vampires, werewolves
from referee.games.monster_smash.cards.definition import Base, Card, Faction, Goes, On, Steps, Trigger

FACTIONS: Final[tuple[Faction, ...]] = (
    vampires.FACTION,
    mad_scientists.FACTION,
    werewolves.FACTION,
    giant_ants.FACTION,
)

CARDS: Final[tuple[Card, ...]] = tuple(card for faction in FACTIONS for card in faction.cards)
"""By card number."""

BASES: Final[tuple[Base, ...]] = bases.BASES
"""By base number."""

CARD_SLUGS: Final = tuple(card.slug for card in CARDS)
BASE_SLUGS: Final = tuple(base.slug for base in BASES)
FACTION_SLUGS: Final = tuple(faction.slug for faction in FACTIONS)
CARD_NO: Final = {slug: number for number, slug in enumerate(CARD_SLUGS)}
BASE_NO: Final = {slug: number for number, slug in enumerate(BASE_SLUGS)}
FACTION_NO: Final = {slug: number for number, slug in enumerate(FACTION_SLUGS)}

FACTION_DECK: Final = tuple(
    tuple(number for number, card in enumerate(CARDS) if card in faction.cards for _ in range(card.copies))
    for faction in FACTIONS
)
"""By faction: the numbers of its twenty cards, sorted."""

BREAKPOINTS: Final = tuple(base.breakpoint for base in BASES)
"""By base number: as printed."""

# What the engine asks most, by card number, so that a look-up is one index.
POWER: Final = tuple(card.power for card in CARDS)
IS_MINION: Final = tuple(card.goes is Goes.MINION for card in CARDS)
GOES: Final = tuple(card.goes for card in CARDS)
TALENT: Final = tuple(card.talent for card in CARDS)
ADDS_POWER: Final = tuple(card.adds_power for card in CARDS)
ADDS_TOTAL: Final = tuple(card.adds_total for card in CARDS)
SHIELDS: Final = tuple(card.shields for card in CARDS)
WARDS: Final = tuple(card.wards for card in CARDS)
RESCUES: Final = tuple(card.rescues for card in CARDS)
RECALLS: Final = tuple(card.recalls for card in CARDS)


Rows = tuple[tuple[tuple[str, Trigger], ...], ...]
"""By card or base number: triggers with the names of their effects."""


def _triggers(rows: Sequence[Card | Base]) -> dict[On, Rows]:
    """By event, by number: the triggers of cards or bases, each with the name of its effect."""
    return {
        on: tuple(
            tuple((f"{row.slug}/{trigger.on.value}", trigger) for trigger in row.triggers if trigger.on is on)
            for row in rows
        )
        for on in On
    }


CARD_TRIGGERS: Final = _triggers(CARDS)
BASE_TRIGGERS: Final = _triggers(BASES)

TRIGGER: Final[dict[str, Trigger]] = {
    name: trigger
    for table in (CARD_TRIGGERS, BASE_TRIGGERS)
    for by_number in table.values()
    for rows in by_number
    for name, trigger in rows
}
"""By the name of its effect."""

EFFECTS: Final[dict[str, Steps]] = {
    **{card.slug: card.on_play for card in CARDS if card.on_play},
    **{f"{card.slug}/talent": card.talent.steps for card in CARDS if card.talent},
    **{name: trigger.steps for name, trigger in TRIGGER.items()},
}
"""By name: the steps of every effect of a card or base; the name begins with the slug of its card or base."""

BASE_EFFECTS: Final = frozenset(name for rows in BASE_TRIGGERS.values() for row in rows for name, _ in row)
"""The effects whose source is a base."""
