"""`harness doctor`."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from harness.text import columns

if TYPE_CHECKING:
    from harness.doctor import Finding


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a finding.")
def doctor(as_json: bool) -> int:
    """Say what this machine has and what it lacks, with the remedy. Exit code 1 when something needed is missing."""
    from harness.doctor import State, examine

    findings = list(examine())
    if as_json:
        for finding in findings:
            click.echo(json.dumps(dataclasses.asdict(finding)))
    else:
        for line in columns([(each.area, each.name, each.state.value, each.text) for each in findings]):
            click.echo(_folded(line, sum(map(len, _widest(findings))) + 3 * len("  ")))
        lacking = (f"{each.name}: {each.remedy}" for each in findings if each.state is not State.GOOD)
        for remedy in dict.fromkeys(lacking):
            click.echo(remedy)
    missing = [each.name for each in findings if each.state is State.MISSING]
    if missing:
        click.echo(f"harness: {', '.join(missing)} missing, the harness cannot work without", err=True)
    return 1 if missing else 0


def _widest(findings: Sequence[Finding]) -> tuple[str, str, str]:
    """The longest word of each column before the text."""
    rows = zip(*((each.area, each.name, each.state.value) for each in findings), strict=True)
    area, name, state = (max(column, key=len) for column in rows)
    return area, name, state


def _on_a_terminal() -> bool:
    return sys.stdout.isatty()


def _folded(line: str, indent: int) -> str:
    """The line as a terminal shows it well: what is too long goes on below the text."""
    if not _on_a_terminal():
        return line
    columns = max(shutil.get_terminal_size().columns, indent + 20)
    return textwrap.fill(line, columns, subsequent_indent=" " * indent, break_long_words=False)
