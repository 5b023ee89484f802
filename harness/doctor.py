"""What this machine has and lacks for the harness, each with the remedy."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import Final

from harness.config import Container
from sandbox.recipes import LANGUAGES

_ROOM: Final = 500 * 2**20


class State(StrEnum):
    """How a thing stands. Only `MISSING` keeps the harness from working."""

    GOOD = "ok"
    CAUTION = "caution"
    ABSENT = "absent"
    MISSING = "MISSING"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    area: str
    name: str
    state: State
    text: str
    """What is there, or what its absence costs."""
    remedy: str = ""


def python() -> Iterator[Finding]:
    """The interpreter and the packages that the harness needs."""
    version = platform.python_version()
    good = sys.version_info >= (3, 11)
    yield Finding(
        "python", "Python", State.GOOD if good else State.MISSING, f"{version}, {sys.executable}", "install Python 3.11"
    )
    for name in _requirements():
        try:
            yield Finding("python", name, State.GOOD, metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Finding("python", name, State.MISSING, "not installed", f"pip install {name}")


def machine() -> Iterator[Finding]:
    """Kernel, cores, memory and room for temporary files."""
    linux = sys.platform == "linux"
    system = f"{platform.system()} {platform.release()}"
    yield Finding("machine", "system", State.GOOD if linux else State.MISSING, system, "run it on Linux")
    yield Finding("machine", "cores", State.GOOD, f"{len(os.sched_getaffinity(0))}, as many matches at once by default")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    yield Finding("machine", "memory", State.GOOD, f"{memory / 2**30:.1f} GiB")
    folder = Path(tempfile.gettempdir())
    free = shutil.disk_usage(folder).free
    state = State.GOOD if free > _ROOM else State.MISSING
    text = f"{free / 2**30:.1f} GiB free in {folder}"
    yield Finding("machine", "temporary files", state, text, f"make room, or set TMPDIR; {_ROOM >> 20} MiB are needed")


def sandboxes() -> Iterator[Finding]:
    """What can confine bots."""
    yield Finding("sandbox", "local", State.GOOD, "no wall at all, for bots that you trust")
    from sandbox import doctor

    for note in (*doctor.docker(Container().image), *doctor.bubblewrap()):
        lacking = State.CAUTION if " " in note.name else State.ABSENT
        yield Finding("sandbox", note.name, State.GOOD if note.good else lacking, note.text, note.remedy)


def languages() -> Iterator[Finding]:
    """What local bots can be written in; inside a container the image's languages count."""
    for language in LANGUAGES:
        lacking = [need for need in language.needs if shutil.which(need) is None]
        found = ", ".join(filter(None, map(shutil.which, language.needs)))
        state = State.ABSENT if lacking else State.GOOD
        remedy = f"install {' and '.join(lacking)} to run such bots here"
        yield Finding(
            "language", language.name, state, found if not lacking else f"{', '.join(lacking)} not found", remedy
        )


def tests() -> Iterator[Finding]:
    """What some tests need beside."""
    for name, what in (("chromium", "the pages are looked at in it"), ("git", ""), ("make", "")):
        path = shutil.which(name)
        text = path or f"not found{f'; {what}' if what else ''}"
        yield Finding(
            "development", name, State.GOOD if path else State.ABSENT, text, f"install {name} to run all tests"
        )


CHECKS: Final[tuple[Callable[[], Iterator[Finding]], ...]] = (python, machine, sandboxes, languages, tests)


def examine() -> Iterator[Finding]:
    """Every finding, in order."""
    for check in CHECKS:
        yield from check()


def _requirements() -> list[str]:
    """The packages that the installed harness names; those of the source tree when it is not installed."""
    try:
        named = metadata.requires("botpit") or []
    except metadata.PackageNotFoundError:
        import tomllib

        project = Path(__file__).parent.parent / "pyproject.toml"
        named = tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"]
    return [re.split(r"[^A-Za-z0-9_-]", each, maxsplit=1)[0] for each in named if "extra ==" not in each]
