from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from harness import intake, sandboxes
from harness.bots import bundled, find
from harness.errors import Refusal
from harness.sandboxes import SandboxChoice
from sandbox.api import BuildFailed


def bot(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text('name = "red"\ncommand = ["python3", "main.py"]\n')
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def received(source: Path, store: Path) -> intake.Stored:
    return intake.receive(source, store)


def test_the_same_content_has_the_same_digest_wherever_it_lies(tmp_path: Path) -> None:
    one = received(bot(tmp_path / "one", main="1", more="2"), tmp_path / "store")
    two = received(bot(tmp_path / "two", main="1", more="2"), tmp_path / "store")
    assert one == two
    assert sorted(entry.name for entry in (tmp_path / "store").iterdir()) == [one.digest]
    assert (one.files / "main.py").read_text() == "1"


@pytest.mark.parametrize("change", ["content", "name", "mode", "more", "border"])
def test_any_change_of_content_changes_the_digest(tmp_path: Path, change: str) -> None:
    folder = bot(tmp_path / "bot", main="1", more="23")
    before = received(folder, tmp_path / "store")
    main = folder / "main.py"
    match change:
        case "content":
            main.write_text("2")
        case "name":
            main.rename(folder / "nain.py")
        case "mode":
            main.chmod(0o755)
        case "more":
            (folder / "empty").write_text("")
        case _:
            main.write_text("12")
            (folder / "more.py").write_text("3")
    assert received(folder, tmp_path / "store").digest != before.digest
    assert (before.files / "main.py").read_text() == "1"


def test_leftovers_of_tools_are_not_part_of_a_bot(tmp_path: Path) -> None:
    folder = bot(tmp_path / "bot", main="1")
    before = received(folder, tmp_path / "store").digest
    for leftover in ("__pycache__", ".git"):
        (folder / leftover).mkdir()
        (folder / leftover / "x").write_text("x")
    assert received(folder, tmp_path / "store").digest == before


def test_links_and_special_files_are_refused_and_nothing_stays(tmp_path: Path) -> None:
    for number, make in enumerate(
        (
            lambda path: path.symlink_to("/etc/passwd"),
            lambda path: path.symlink_to("/", target_is_directory=True),
            lambda path: os.mkfifo(path),
        )
    ):
        folder = bot(tmp_path / f"bot{number}", main="1")
        make(folder / "odd")  # type: ignore[no-untyped-call]
        with pytest.raises(Refusal, match="odd"):
            received(folder, tmp_path / "store")
    assert list((tmp_path / "store").iterdir()) == []


def test_an_archive_is_the_same_bot_as_its_directory(tmp_path: Path) -> None:
    folder = bot(tmp_path / "bot", main="1", more="2")
    plain = received(folder, tmp_path / "store")
    for kind in ("zip", "gztar", "tar"):
        packed = Path(shutil.make_archive(str(tmp_path / f"packed-{kind}"), kind, folder))
        assert received(packed, tmp_path / "store") == plain
        nested = Path(shutil.make_archive(str(tmp_path / f"nested-{kind}"), kind, tmp_path, "bot"))
        assert received(nested, tmp_path / "store") == plain


def test_a_single_file_in_an_archive_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "red.py").write_text("1")
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "red.py"))
    assert received(packed, tmp_path / "store") == received(tmp_path / "red.py", tmp_path / "store")


@pytest.mark.needs("gcc")
def test_a_build_is_done_once_and_its_program_is_what_runs(tmp_path: Path) -> None:
    source = tmp_path / "red.c"
    source.write_text("int main(void){return 0;}")
    stored = received(source, tmp_path / "store")
    sandbox = sandboxes.create(SandboxChoice("local"))
    try:
        intake.build(stored, sandbox)
        assert os.access(stored.program().directory / "bot", os.X_OK)
        before = (stored.built / "bot").stat().st_mtime_ns
        assert intake.build(stored, sandbox) == ""
        assert (stored.built / "bot").stat().st_mtime_ns == before
    finally:
        sandbox.close()


@pytest.mark.needs("gcc")
def test_a_failed_build_leaves_its_log_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "red.c"
    source.write_text("int main(void){return nothing;}")
    stored = received(source, tmp_path / "store")
    sandbox = sandboxes.create(SandboxChoice("local"))
    try:
        with pytest.raises(BuildFailed) as caught:
            intake.build(stored, sandbox)
    finally:
        sandbox.close()
    assert "nothing" in caught.value.log
    assert [entry.name for entry in stored.folder.iterdir()] == ["files"]


def test_bundled_bots_are_found_by_name() -> None:
    assert {"uniform", "greedy"} <= set(bundled())
    assert find("uniform") == bundled()["uniform"]


def test_a_mistyped_bot_gets_a_suggestion() -> None:
    with pytest.raises(Refusal, match="did you mean 'greedy'"):
        find("greddy")
    with pytest.raises(Refusal, match="no such file or directory"):
        find("./greedy")
