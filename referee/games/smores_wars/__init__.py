"""S'mores Wars, 3 to 5 players: hidden selections, battles over ingredients, s'mores built in order.

Rulings are quoted by their numbers (S-R1 ...), which `docs/rules/smores-wars.md` explains. The only secret of the
game is a choice of the current moment, and no state holds one; the order of the stacks is nobody's to know. Seats have
no channel to each other (S-R44).
"""

from referee.games.smores_wars.game import SmoresWars

__all__ = ["SmoresWars"]
