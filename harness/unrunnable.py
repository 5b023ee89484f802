"""Why a bot's command could not be run, as far as its files and its sandbox tell, and what to do."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from harness.sandboxes import SandboxChoice
from harness.text import visible
from referee.judge import NO_PROGRAM, START_STEP, UNRUNNABLE
from referee.match import MatchRecord
from sandbox.api import Program

_FIRST_LINE: Final = 256
_NOT_RUN: Final = re.compile(r"^(cannot run |bot: 1: exec: |\[FATAL tini)", re.MULTILINE)
"""How the sandboxes say on a bot's stderr that the command itself could not be run."""
_WHERE: Final = {
    "local": "this machine",
    "bwrap": "the system that bwrap shows to bots",
    "docker": "the container image",
}


def with_remedies(record: MatchRecord, programs: tuple[Program, ...], choice: SandboxChoice) -> MatchRecord:
    """The record with a hint more for every bot whose command could not be run."""
    seats = list(record.seats)
    for fault in record.result.faults:
        if fault.step == START_STEP and fault.exit_code in UNRUNNABLE and not fault.answer:
            seat, program = seats[fault.seat], programs[fault.seat]
            told = f"{visible(program.command[0], limit=80)} was run, and ended so itself: its stderr tells why"
            if _NOT_RUN.search(seat.stderr):
                told = remedy(program, fault.exit_code, choice)
            seats[fault.seat] = replace(seat, hints=(*seat.hints, told))
    return replace(record, seats=tuple(seats))


def remedy(program: Program, code: int, choice: SandboxChoice) -> str:
    """One sentence for the author of a program that ended with 126 or 127 before it said anything."""
    word = program.command[0]
    name, where = visible(word, limit=80), _place(choice)
    if "/" not in word:
        return f"{where} has no program {name}; see `harness doctor`"
    path = program.directory / word
    if not path.is_file():
        return f"{name} is not among the bot's files: `command` names a file that is, or that `build` makes"
    if not os.access(path, os.X_OK):
        return f"{name} may not be executed: chmod +x it"
    first = _first_line(path)
    if not first.startswith("#!"):
        missing = "needs libraries that are not there: link it statically, or have `build` make it"
        foreign = f"is no program for {platform.machine()}: have `build` make it, or begin a script with #!"
        return f"{name}, as {where} sees it, {missing if code == NO_PROGRAM else foreign}"
    if first.endswith("\r"):
        return f"the first line of {name} ends with a carriage return: save it with Unix line ends"
    return f"the first line of {name} asks for {visible(first[2:].strip(), limit=80)}, which {where} cannot run"


def _place(choice: SandboxChoice) -> str:
    image = dict(choice.settings).get("image")
    return f"the image {image}" if image else _WHERE.get(choice.name, "the sandbox")


def _first_line(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_FIRST_LINE).partition(b"\n")[0].decode("utf-8", "replace")
