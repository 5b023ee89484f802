"""Every command and option of the command line stands in `docs/commands.md`, every setting's section in the guide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from harness.cli import cli

DOCS = Path(__file__).parents[2] / "docs"


def commands(group: click.Group, prefix: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix} {name}")
        else:
            yield f"{prefix} {name}", command


@pytest.mark.parametrize(("name", "command"), [pytest.param(*each, id=each[0]) for each in commands(cli, "harness")])
def test_a_command_is_documented_with_all_its_options(name: str, command: click.Command) -> None:
    text = (DOCS / "commands.md").read_text()
    heading = f"### `{name}"
    assert heading in text
    section = text.split(heading, 1)[1].split("\n### ", 1)[0]
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert any(option in section for option in parameter.opts) or "-C DIR" in parameter.opts, parameter.opts


def test_what_the_guide_says_of_files_is_what_a_competition_has() -> None:
    text = (DOCS / "run-a-competition.md").read_text()
    for name in (
        "competition.toml",
        "competition.db",
        "submissions/",
        "replays/",
        "logs/harness.log",
        "abnormal.jsonl",
    ):
        assert f"`{name}" in text or f"logs/{name}" in text
