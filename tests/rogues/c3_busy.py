"""Ready, then a busy loop."""

from rogue import decisions

for _ in decisions():
    while True:
        pass
