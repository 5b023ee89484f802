"""What each walled sandbox finds on this machine: engine, image, versions with known holes, and a trial box."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox import bwrap, cgroups, premises, starter
from sandbox.api import Caps, Program, Sandbox, SandboxError


@dataclass(frozen=True, slots=True)
class Note:
    """One thing looked at: whether it is as it should be, what was found, and what to do if not."""

    name: str
    good: bool
    text: str
    remedy: str = ""


HOLES: Final = (
    ("runc", (1, 1, 12), "CVE-2024-21626, a way to the host's files through a leaked descriptor"),
    ("runc", (1, 2, 8), "CVE-2025-31133, a race that undoes masked files"),
    ("containerd", (1, 6, 18), "CVE-2023-25173, groups that a container should not have"),
)
"""Component, the first version without a hole, and what the hole is. Distributions often mend an older version."""


def docker(image: str, small: str = "botpit-bots:small") -> Iterator[Note]:
    """The container sandbox, down to a box that is really started. Nothing is changed but for that box."""
    try:
        from sandbox.docker import DockerSandbox, DockerSettings
        from sandbox.engine import Engine
    except ImportError:
        yield Note("docker", False, "its Python package is not installed", "pip install docker")
        return
    try:
        engine = Engine()
    except SandboxError as error:
        yield Note("docker", False, "no engine answers", str(error).partition(": ")[2])
        return
    try:
        facts = engine.facts
        text = f"engine {facts.version}, runtime {facts.default_runtime}, control groups version {facts.cgroup_version}"
        yield Note("docker", True, text)
        yield from _holes(facts.components)
        if not facts.limits["swap"] and cgroups.swap_in_use():
            yield Note("docker swap", False, "the engine cannot limit swap", "turn swap off or boot with swapaccount=1")
        stale = [container[:12] for container, owner in engine.boxes().items() if not premises.alive(owner)]
        if stale:
            text = f"{len(stale)} containers of harnesses that are gone"
            # Others of the same label may be at work, so these are named one by one.
            named = " ".join(stale)
            remedy = f"the next run of the same competition sweeps them; if it is no more: `docker rm -f {named}`"
            yield Note("docker leftovers", False, text, remedy)
        found = None
        for name in (image, small):
            with contextlib.suppress(SandboxError):
                age = "" if engine.starter_of(name) == starter.digest() else ", of another version of the harness"
                yield Note("docker image", not age, f"{name}{age}", "run `harness image build` again")
                found = found or name
        if found is None:
            yield Note("docker image", False, f"there is no {image}", "make it with `harness image build`")
            return
    finally:
        engine.close()
    try:
        yield from _trial("docker", DockerSandbox(DockerSettings(found, "doctor")))
    except SandboxError as error:
        yield Note("docker trial", False, str(error))


def bubblewrap() -> Iterator[Note]:
    """The sandbox without an engine: everything that it would refuse to start for, and a box that is really started."""
    lacking = list(bwrap.obstacles())
    if lacking:
        yield Note("bwrap", False, "; ".join(lacking), "a container engine serves as well")
        return
    yield Note("bwrap", True, f"bubblewrap {'.'.join(map(str, bwrap.version()))}")
    try:
        yield from _trial("bwrap", bwrap.BwrapSandbox(bwrap.BwrapSettings(instance="doctor")))
    except SandboxError as error:
        yield Note("bwrap trial", False, str(error))


def _trial(name: str, sandbox: Sandbox) -> Iterator[Note]:
    """Start one box and name the controls that are in force."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "bot").mkdir()
            box = sandbox.open(Program(("/bin/true",), Path(folder) / "bot"), Caps(), 0, "doctor")
            ended = box.exit(20.0)
            usage = box.usage()
            box.end()
        good = ended is not None and ended.code == 0
        yield Note(
            f"{name} trial", good, f"a box ran: {', '.join(sandbox.controls())}" if good else f"it ended: {ended}"
        )
        if usage.cpu_s is None:
            text = (
                "control groups cannot be read here: bots are not billed for CPU, and freezing goes through the engine"
            )
            yield Note(f"{name} counters", False, text, "run the harness on the engine's own machine")
    finally:
        sandbox.close()


def _holes(components: Mapping[str, str]) -> Iterator[Note]:
    for name, fixed, what in HOLES:
        version = components.get(name, "")
        numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
        if numbers and numbers < fixed:
            closed = ".".join(map(str, fixed))
            text = f"{version} is older than {closed}, which closes {what}; your distribution may have mended it"
            yield Note(f"docker {name}", False, text, "see your distribution's security tracker, or update")
