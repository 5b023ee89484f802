"""What the misbehaving bots share: the honest part. It lies beside each of them when it plays."""

import json
import os
import sys


def messages():
    """Every message from the referee."""
    for line in sys.stdin.buffer:
        yield json.loads(line)


def ready():
    """Wait for `start` and answer it."""
    next(messages())
    write('{"type":"ready"}')


def decisions():
    """Be ready, then every `decide` message."""
    ready()
    for message in messages():
        if message["type"] == "decide":
            yield message


def spell(message, choice=0, **more):
    """An honest answer as a line without its end."""
    return json.dumps({"type": "choice", "id": message["id"], "choice": choice, **more})


def answer(message, choice=0, **more):
    """Give an honest answer."""
    write(spell(message, choice, **more))


def write(line, end="\n"):
    """Write text at once."""
    put((line + end).encode())


def put(data):
    """Write bytes at once, all of them."""
    while data:
        data = data[os.write(1, data) :]
