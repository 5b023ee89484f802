"""The small parts of the sandboxes: frames, excerpts, seat users, marks, the private directory, orders."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox import premises
from sandbox.api import Box, Caps, Exit, Order, Program, SandboxError, exit_of, open_all
from sandbox.building import Excerpt
from sandbox.handover import Door
from sandbox.pipes import Pipes, close_all
from sandbox.premises import SeatUsers
from sandbox.relay import Deframer, Relay


def framed(stream: int, data: bytes) -> bytes:
    return bytes([stream, 0, 0, 0]) + len(data).to_bytes(4, "big") + data


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=40)), max_size=8), st.integers(1, 9))
def test_frames_are_cut_wherever_they_are_split(frames: list[tuple[int, bytes]], step: int) -> None:
    wire = b"".join(framed(stream, data) for stream, data in frames)
    deframer, got = Deframer(), {1: b"", 2: b""}
    for at in range(0, len(wire), step):
        for stream, piece in deframer.feed(wire[at : at + step]):
            got[stream] += piece
    for stream in got:
        assert got[stream] == b"".join(data for which, data in frames if which == stream)


def test_a_frame_that_claims_gigabytes_costs_nothing() -> None:
    deframer = Deframer()
    assert deframer.feed(b"\x01\0\0\0\xff\xff\xff\xff" + b"abc") == [(1, b"abc")]


def test_a_relay_carries_both_ways_and_holds_back() -> None:
    ours, engines = socket.socketpair()
    pipes = Pipes.make()
    relay = Relay(ours, ours, *pipes.theirs)
    os.write(pipes.ours[0], b"in")
    engines.settimeout(5)
    assert engines.recv(10) == b"in"
    engines.sendall(framed(1, b"out") + framed(2, b"err") + framed(3, b"other"))
    for descriptor, expected in ((pipes.ours[1], b"out"), (pipes.ours[2], b"err")):
        os.set_blocking(descriptor, True)
        assert os.read(descriptor, 10) == expected
    # Nobody reads: the relay must stop reading too, and the sender must come to a halt.
    engines.settimeout(0.3)
    with pytest.raises(TimeoutError):
        for _ in range(1000):
            engines.sendall(framed(1, b"x" * 65_536))
    relay.close()
    close_all(*pipes.ours)
    engines.close()


@given(st.lists(st.binary(max_size=50), max_size=20))
def test_an_excerpt_keeps_both_ends(pieces: list[bytes]) -> None:
    excerpt = Excerpt(head_bytes=20, tail_bytes=30)
    for piece in pieces:
        excerpt.add(piece)
    whole = b"".join(pieces)
    text = excerpt.text()
    assert excerpt.total == len(whole)
    if len(whole) <= 50:
        assert text == whole.decode("utf-8", "replace")
    else:
        assert f"{len(whole) - 50:,} bytes left out" in text
        assert text.startswith(whole[:20].decode("utf-8", "replace")[:10])


def test_seat_users_differ_and_come_back(tmp_path: Path) -> None:
    here, there = SeatUsers(tmp_path / "users"), SeatUsers(tmp_path / "users")
    first, second, third = here.take(), there.take(), here.take()
    assert len({first, second, third}) == 3
    here.give_back(first)
    assert there.take() == first
    here.close()
    there.close()


def test_seat_users_run_out_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(premises, "USERS", 2)
    users = SeatUsers(tmp_path / "users")
    users.take()
    users.take()
    with pytest.raises(SandboxError, match="lower --jobs"):
        users.take()
    users.close()


def test_marks_tell_processes_apart() -> None:
    assert premises.alive(premises.owner())
    assert premises.alive(premises.mark(1) + "-0")
    for gone in ("1-1-0", "999999999-5-0", "", "x-y-z", f"{os.getpid()}-1-0"):
        assert not premises.alive(gone)
    assert premises.owner() != premises.owner()


@pytest.mark.parametrize("trick", ["link", "writable"])
def test_a_directory_that_is_not_ours_alone_is_refused(
    trick: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    place = tmp_path / f"botpit-{os.geteuid()}"
    if trick == "link":
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to(tmp_path / "elsewhere")
    else:
        place.mkdir()
        place.chmod(0o777)
    with pytest.raises(SandboxError, match="not a private directory"):
        premises.runtime_directory()


def test_only_plain_files_are_copied_in(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "link").symlink_to("/etc/passwd")
    with pytest.raises(SandboxError, match="link"):
        premises.copy_in(source, tmp_path / "copy")
    (source / "link").unlink()
    os.mkfifo(source / "pipe")
    with pytest.raises(SandboxError, match="pipe"):
        premises.copy_in(source, tmp_path / "copy2")


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        (0, Exit(0)),
        (3, Exit(3)),
        (128, Exit(128)),
        (137, Exit(signal=9)),
        (139, Exit(signal=11)),
        (193, Exit(193)),
        (255, Exit(255)),
    ],
)
def test_exits_as_shells_spell_them(code: int, ended: Exit) -> None:
    assert exit_of(code) == ended
    assert exit_of(code, out_of_memory=True).out_of_memory == (code != 0)


def test_a_door_opens_once_and_leaves_no_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    door = Door(deep / "io")
    assert (deep / "io" / "s").is_socket()
    assert door.answer(0.05) is None
    door.close()
    assert list((deep / "io").iterdir()) == []


class _Half:
    """A sandbox that opens one box and then fails."""

    name = "half"

    def __init__(self) -> None:
        self.ended = 0
        self.opened = 0

    def open(self, program: Program, caps: Caps, seat: int, label: str) -> Any:
        if self.opened:
            raise SandboxError("no more")
        self.opened += 1
        return self

    def end(self) -> None:
        self.ended += 1


def test_boxes_of_a_match_are_ended_when_one_cannot_be_opened(tmp_path: Path) -> None:
    half = _Half()
    orders = [Order(Program(("x",), tmp_path), Caps(), seat, "m") for seat in range(2)]
    with pytest.raises(SandboxError):
        open_all(half, orders)  # type: ignore[arg-type]
    assert half.ended == 1


def test_a_box_is_what_the_interface_says() -> None:
    from sandbox.bwrap import BwrapBox
    from sandbox.docker_box import AttachedBox, PipeBox

    kinds: tuple[type[Box], ...] = (BwrapBox, PipeBox, AttachedBox)
    assert [kind.transport for kind in kinds] == ["pipe", "pipe", "attach_socket"]
