"""The card reference of `docs/games/monster-smash.md`, made from the table that the engine plays by.

`python -m tests.games.monster_smash.reference` writes it anew between its two marks.
"""

from __future__ import annotations

from pathlib import Path

from referee.games.monster_smash.cards import BASES, FACTIONS
from referee.games.monster_smash.cards.definition import Card, Goes

PAGE = Path(__file__).parent.parent.parent.parent / "docs" / "games" / "monster-smash.md"
BEGIN = "<!-- made by python -m tests.games.monster_smash.reference -->\n"
END = "<!-- end of what is made -->\n"


def kind(card: Card) -> str:
    """What a card is, for the table: a minion's power, or where an action goes."""
    return f"minion, power {card.power}" if card.goes is Goes.MINION else card.goes.value


def reference() -> str:
    """The tables of all factions and bases."""
    parts = []
    for faction in FACTIONS:
        parts.append(f"### {faction.name} (`{faction.slug}`)\n\n")
        parts.append("| card | id | copies | kind | what it does |\n|---|---|---|---|---|\n")
        parts += [
            f"| {card.name} | `{card.slug}` | {card.copies} | {kind(card)} | {card.text} |\n" for card in faction.cards
        ]
        parts.append("\n")
    parts.append("### Bases\n\n| base | id | breakpoint | 1st | 2nd | 3rd | what it does |\n")
    parts.append("|---|---|---|---|---|---|---|\n")
    for base in BASES:
        first, second, third = base.vp
        row = (base.name, f"`{base.slug}`", base.breakpoint, first, second, third, base.text)
        parts.append("| " + " | ".join(map(str, row)) + " |\n")
    return "".join(parts)


def renewed(page: str) -> str:
    """The page with its reference made anew."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{reference()}\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
