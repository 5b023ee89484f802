"""A starter bot in Python: plays a random legal action of any game. It needs nothing but the standard library.

The referee writes one JSON object per line to our standard input and reads one answer per line from our standard
output. Change `choose`; the rest can stay. Debug text belongs on stderr: `print(..., file=sys.stderr)`.
"""

import json
import random
import sys
from typing import Any


def choose(message: dict[str, Any], rng: random.Random) -> int:
    """The index of our action in message["legal"]; "view" is all that we may know, "events" what happened."""
    return rng.randrange(len(message["legal"]))


def send(message: dict[str, Any]) -> None:
    """Write one line at once: without the flush it would wait in a buffer while the clock runs out."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer until our input ends."""
    rng = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            rng.seed(message.get("bot_seed"))
            send({"type": "ready", "name": "python-starter"})
        elif message["type"] == "decide":
            send({"type": "choice", "id": message["id"], "choice": choose(message, rng)})
        elif message["type"] == "fault":
            print("fault:", message.get("kind"), message.get("message"), file=sys.stderr)


if __name__ == "__main__":
    main()
