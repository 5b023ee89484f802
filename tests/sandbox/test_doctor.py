"""What the doctor says of the sandboxes."""

from __future__ import annotations

import pytest

from sandbox import bwrap, doctor
from sandbox.container import LABEL_INSTANCE, LABEL_OWNER
from sandbox.engine import Engine
from tests.sandbox.walls import IMAGE, named


def test_no_engine_is_told_with_remedies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent")
    (note,) = doctor.docker(IMAGE)
    assert (note.name, note.good) == ("docker", False)
    assert "systemctl start docker" in note.remedy


@pytest.mark.needs("docker")
def test_a_working_engine_runs_a_trial_box() -> None:
    notes = {note.name: note for note in doctor.docker(IMAGE)}
    assert notes["docker"].good
    assert notes["docker trial"].good
    assert "syscall-allow-list" in notes["docker trial"].text


@pytest.mark.needs("docker")
def test_what_dead_harnesses_left_is_named_one_by_one() -> None:
    """A remedy by label alone would take the containers of others that are at work."""
    engine = Engine()
    labels = {LABEL_INSTANCE: named("doctor"), LABEL_OWNER: "1-1-0"}
    left = str(engine.api.create_container(IMAGE, ["sleep", "60"], labels=labels)["Id"])
    try:
        (note,) = [note for note in doctor.docker(IMAGE) if note.name == "docker leftovers"]
        assert left[:12] in note.remedy
    finally:
        engine.remove(left)
        engine.close()


@pytest.mark.needs("docker")
def test_a_missing_image_is_told_with_its_remedy() -> None:
    *_, last = doctor.docker("botpit-bots:nosuch", "botpit-bots:neither")
    assert (last.name, last.good) == ("docker image", False)
    assert "harness image build" in last.remedy


def test_what_bubblewrap_lacks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bwrap, "obstacles", lambda: iter(["it must be started by root", "no groups"]))
    (note,) = doctor.bubblewrap()
    assert (note.good, note.text) == (False, "it must be started by root; no groups")


@pytest.mark.needs("bwrap", "root")
def test_bubblewrap_runs_a_trial_box() -> None:
    assert [note.good for note in doctor.bubblewrap()] == [True, True]


@pytest.mark.parametrize(
    ("version", "holes"), [("1.1.5+ds1", 2), ("1.1.12", 1), ("1.2.8", 0), ("1.3.3", 0), ("", 0), ("unknown", 0)]
)
def test_versions_with_known_holes_are_named(version: str, holes: int) -> None:
    assert len(list(doctor._holes({"runc": version}))) == holes
