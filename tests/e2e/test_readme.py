"""A113: what the README tells a newcomer to type works as it is written there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language, in order."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands() -> Iterator[str]:
    """Every `harness` line of the README's shell blocks."""
    for block in blocks("sh"):
        yield from (line for line in block.splitlines() if line.startswith("harness "))


@pytest.mark.timeout(300)
def test_the_readme_works_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "harness"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m harness "$@"\n')
    command.chmod(0o755)
    (bot,) = blocks("python")
    (tmp_path / "mybot.py").write_text(bot)
    paths = {"PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **paths, "BROWSER": "true"}
    typed = list(commands())
    assert len(typed) >= 8
    for line in typed:
        done = subprocess.run(
            line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    assert "mybot" in (tmp_path / "club" / "site" / "index.html").read_text(encoding="utf-8")


def test_every_path_that_the_readme_names_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    folders = re.findall(r"^\| `([a-z]+/)`", README, re.MULTILINE)
    assert links
    assert folders
    missing = [name for name in links + folders if not name.startswith("http") and not (ROOT / name).exists()]
    assert not missing
