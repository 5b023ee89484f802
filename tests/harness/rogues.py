"""Misbehaving bots for the command line's tests: small scripts, each with one fault."""

from __future__ import annotations

from pathlib import Path

READ = "import json, sys\nfor line in sys.stdin:\n    m = json.loads(line)\n"
READY = "    if m['type'] == 'start': print('{\"type\":\"ready\"}', flush=True)\n"
ANSWER = "        print(json.dumps({'type': 'choice', 'id': m['id'], 'choice': 0}), flush=True)\n"
ASKED = "    if m['type'] == 'decide':\n"

ROGUES = {
    "honest": READ + READY + ASKED + ANSWER,
    "exits": "raise SystemExit(3)\n",
    "leaves": "",
    "garbage": "print('hello \\x1b[31m world', flush=True)\nimport sys\nsys.stdin.read()\n",
    "silent": "import sys\nsys.stdin.read()\n",
    "never_answers": READ + READY,
    "twice": READ + READY + ASKED + ANSWER + ANSWER,
    "floods": READ + READY + ASKED + "        sys.stdout.write('x' * 10_000_000); sys.stdout.flush()\n",
    "chatty": READ + READY + ASKED + "        sys.stderr.write('noise\\n' * 1_700_000); sys.stderr.flush()\n" + ANSWER,
    "raises": READ
    + READY
    + ASKED
    + "        sys.stderr.write('\\x1b[2J'); sys.stderr.flush(); raise ValueError('no plan')\n",
    "illegal": READ + READY + ASKED + ANSWER.replace("'choice': 0", "'choice': 999"),
}
"""Name -> source. `honest` is the one that does nothing wrong."""


def write(folder: Path, name: str) -> str:
    """The path of a rogue's file."""
    path = folder / f"{name}.py"
    path.write_text(ROGUES[name])
    return str(path)
