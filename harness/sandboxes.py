"""The table of sandboxes: a name for each, and where it is; nothing is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final

from harness.errors import Refusal
from sandbox.api import Sandbox

SANDBOXES: Final[dict[str, str]] = {
    "docker": "sandbox.docker:from_settings",
    "bwrap": "sandbox.bwrap:from_settings",
    "local": "sandbox.local:LocalSandbox",
}
"""Name -> `module:what makes it of its settings`."""

WARNINGS: Final[dict[str, str]] = {
    "local": "bots run unconfined, with your rights, on this machine: sandbox `local` is for bots that you trust"
}
"""What people are told when a run starts with this sandbox."""


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """Which sandbox, with its settings; a plain value, so that a worker can make its own."""

    name: str = "local"
    settings: tuple[tuple[str, Any], ...] = ()


def create(choice: SandboxChoice) -> Sandbox:
    """A sandbox of this process. Raises Refusal for an unknown name, SandboxError when it cannot work here."""
    made: Sandbox = load(choice.name)(**dict(choice.settings))
    return made


def load(name: str) -> Any:
    """The class of a sandbox by its name. Raises Refusal."""
    if name not in SANDBOXES:
        raise Refusal(unknown("sandbox", name, SANDBOXES))
    module, _, attribute = SANDBOXES[name].partition(":")
    return getattr(import_module(module), attribute)


def unknown(kind: str, name: str, table: Mapping[str, Any]) -> str:
    """The sentence for a name that is not in a table, with the nearest one that is."""
    close = get_close_matches(name, table, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(table)}"
    return f"there is no {kind} {name!r}; {hint}"


def isolation(sandbox: Sandbox) -> str:
    """The sandbox with its controls in force, as records and replays name it."""
    controls = ", ".join(sandbox.controls())
    return f"{sandbox.name}: {controls}" if controls else sandbox.name
