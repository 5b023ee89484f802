"""Sbam!: cards raced to the two ropes beside each player, for 2 to 6. Its rules stand in `docs/rules/sbam.md`."""
