"""Many matches with attackers drawn at random: nothing of the house may grow.

`python -m benchmarks.soak_sandbox [--sandbox docker] [--matches 500] [--seed 1]` prints what stood after a tenth of the
matches and at the end, and exits with 1 when descriptors, memory, threads, control groups, or what is left over
(containers, processes, mounts, directories and sockets of its instance) have grown.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random

from referee.result import Ending, Policy
from sandbox import cgroups
from sandbox.api import Program, SandboxError
from tests.rogues.sandbox import rogue
from tests.rogues.sandbox.arena import HONEST, leftovers, play
from tests.rogues.sandbox.attacks import ATTACKS, Attack
from tests.rogues.sandbox.close_kinds import CLOSE_KINDS
from tests.sandbox.bots import python
from tests.sandbox.walls import named, wall

SETTLE_S = 2.0
ALLOWED = {"resident KiB": 8 * 1024, "descriptors": 2, "threads": 0, "engine KiB": 32 * 1024}
"""How much each may grow from a tenth of the way to the end; what is not named may not grow at all."""


def standing(instance: str) -> dict[str, int]:
    """What the house holds now, once it has had its time to clear up."""
    deadline = time.monotonic() + SETTLE_S
    while (left := leftovers(instance)) and time.monotonic() < deadline:
        time.sleep(0.05)
    status = Path("/proc/self/status").read_text()
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    roots = {path for _, path in cgroups.mounts().values()}
    return {
        "resident KiB": resident,
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "threads": threading.active_count(),
        "left over": len(left),
        "control groups": sum(1 for root in roots for _ in root.rglob("botpit-*")),
        "engine KiB": _engine_kib(),
    }


def _engine_kib() -> int:
    """The engine's resident memory, 0 where there is none of this machine."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "comm").read_text().strip() == "dockerd":
                status = (entry / "status").read_text()
                return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        except OSError:
            continue
    return 0


def soak(name: str, count: int, seed: int) -> int:
    """Play the matches; gives the exit code."""
    random = Random(seed)
    sandbox = wall(name, "soak")
    attacks = [attack for attack in (*ATTACKS, *CLOSE_KINDS) if name in attack.walls]
    verdicts: Counter[str] = Counter()
    before: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        honest = python(Path(folder) / "honest", HONEST)
        programs = {attack.name: _program(attack, Path(folder) / f"rogue-{at}") for at, attack in enumerate(attacks)}
        for number in range(count):
            attack = random.choice(attacks)
            replay = Path(folder) / "match.jsonl.gz"
            played = play(
                sandbox,
                (programs[attack.name], honest),
                replay,
                seed=number,
                limits=attack.limits,
                policy=Policy.STRICT,
                caps=attack.caps,
            )
            replay.unlink(missing_ok=True)
            verdict = (played.kinds or ("ok",))[0]
            verdicts[verdict] += 1
            if played.record.result.ending is Ending.VOID or verdict not in attack.verdicts:
                print(f"match {number}, {attack.name}: {verdict}: {played.record.result.reason}", flush=True)
                return 1
            if number == count // 10:
                before = standing(named("soak"))
                print(f"after {number + 1} matches: {before}", flush=True)
        after = standing(named("soak"))
    sandbox.close()
    print(f"after {count} matches: {after}\nverdicts: {dict(verdicts)}")
    grown = {what: after[what] - before[what] for what in after if after[what] - before[what] > ALLOWED.get(what, 0)}
    print(f"GREW: {grown}" if grown else "nothing grew")
    return 1 if grown else 0


def _program(attack: Attack, folder: Path) -> Program:
    program = python(folder, attack.source, **attack.environment)
    (folder / "rogue.py").write_bytes(Path(rogue.__file__).read_bytes())
    return program


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak_sandbox", description="Matches with random attackers."
    )
    parser.add_argument("--sandbox", default="docker", choices=["docker", "docker-attached", "bwrap"])
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        return soak(arguments.sandbox, arguments.matches, arguments.seed)
    except SandboxError as error:
        print(f"not run: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
