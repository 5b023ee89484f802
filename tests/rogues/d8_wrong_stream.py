"""Answers on its error output."""

import sys

from rogue import decisions, spell

for message in decisions():
    print(spell(message), file=sys.stderr, flush=True)
