"""An exception that nobody catches."""

from rogue import decisions

for _ in decisions():
    raise ValueError("no plan")
