from __future__ import annotations

from pathlib import Path

import pytest

from harness import worker
from harness.intake import receive
from harness.sandboxes import SandboxChoice
from harness.unrunnable import remedy
from harness.worker import Job
from referee.result import Entrant, MatchSpec
from sandbox.api import Program
from tests.harness import rogues
from tests.sandbox.walls import IMAGE

LOCAL = SandboxChoice()
SANDBOXES = [
    pytest.param(LOCAL, "this machine", id="local"),
    pytest.param(
        SandboxChoice("bwrap"),
        "the system that bwrap shows to bots",
        marks=[pytest.mark.needs("bwrap"), pytest.mark.needs("root")],
        id="bwrap",
    ),
    pytest.param(
        SandboxChoice("docker", (("image", IMAGE),)),
        f"the image {IMAGE}",
        marks=pytest.mark.needs("docker"),
        id="docker",
    ),
]


@pytest.mark.parametrize(("choice", "where"), SANDBOXES)
def test_a_missing_command_is_named_with_what_to_do(choice: SandboxChoice, where: str, tmp_path: Path) -> None:
    bots = {
        "ghost": ('["no-such-program", "bot.js"]', "", 0),
        "plain": ('["./bot"]', "hello", 0o644),
        "caller": ('["sh", "./bot"]', "not-there-either", 0o644),
    }
    programs = []
    for name, (command, text, mode) in bots.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = {command}\n')
        (folder / "bot").write_text(text)
        (folder / "bot").chmod(mode or 0o644)
        programs.append(receive(folder, tmp_path / "store").program())
    spec = MatchSpec("m", "g", "marshmallow-test", {}, tuple(map(Entrant, bots)), 1)
    try:
        record = worker.play(Job(spec, tuple(programs), choice)).record
    finally:
        worker.leave()
    messages = {fault.seat: fault.message for fault in record.result.faults}
    assert messages == {
        0: "bot ghost: its command 'no-such-program bot.js' could not be run (exit code 127): "
        "it, or what it runs, is not there",
        1: "bot plain: its command './bot' could not be run (exit code 126): "
        "it, or what it runs, may not be executed or is no program there",
        2: "bot caller: its command 'sh ./bot' could not be run (exit code 127): it, or what it runs, is not there",
    }
    assert [seat.hints[-1] for seat in record.seats] == [
        f"{where} has no program no-such-program; see `harness doctor`",
        "./bot may not be executed: chmod +x it",
        "sh was run, and ended so itself: its stderr tells why",
    ]


def test_who_was_ready_and_ends_with_127_was_run(tmp_path: Path) -> None:
    source = tmp_path / "late.py"
    source.write_text(rogues.READ + rogues.READY + rogues.ASKED + "        raise SystemExit(127)\n")
    late = receive(source, tmp_path / "store").program()
    spec = MatchSpec("m", "g", "marshmallow-test", {}, (Entrant("a"), Entrant("b")), 1)
    try:
        record = worker.play(Job(spec, (late, late))).record
    finally:
        worker.leave()
    (fault,) = record.result.faults
    assert fault.message.endswith("it exited with code 127 before the end of the match")
    assert record.seats[fault.seat].hints == ()


def file(folder: Path, content: bytes, mode: int = 0o755) -> Program:
    (folder / "bot").write_bytes(content)
    (folder / "bot").chmod(mode)
    return Program(("./bot",), folder)


def test_the_remedy_looks_at_what_is_there(tmp_path: Path) -> None:
    assert "is not among the bot's files" in remedy(Program(("./nothing",), tmp_path), 127, LOCAL)
    assert "Unix line ends" in remedy(file(tmp_path, b"#!/usr/bin/python3\r\nprint()\r\n"), 127, LOCAL)
    assert "asks for /no/python, which this machine cannot run" in remedy(file(tmp_path, b"#!/no/python\n"), 127, LOCAL)
    assert "needs libraries that are not there" in remedy(file(tmp_path, b"\x7fELF\xff\x00"), 127, LOCAL)
    assert "is no program for" in remedy(file(tmp_path, b"\xcf\xfa\xed\xfe"), 126, LOCAL)
    hostile = remedy(file(tmp_path, b"#!/bin/\x1b[2J\xff\n"), 127, SandboxChoice("docker"))
    assert "\x1b" not in hostile
    assert "the container image cannot run" in hostile
