"""`harness doctor`."""

from __future__ import annotations

import dataclasses
import json

import click

from harness.text import columns


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
            click.echo(line)
        for each in findings:
            if each.state is not State.GOOD:
                click.echo(f"{each.name}: {each.remedy}")
    missing = [each.name for each in findings if each.state is State.MISSING]
    if missing:
        click.echo(f"harness: {', '.join(missing)} missing, the harness cannot work without", err=True)
    return 1 if missing else 0
