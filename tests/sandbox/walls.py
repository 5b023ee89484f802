"""The walled sandboxes, as parameters of tests: each with what it needs of the machine."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from sandbox.api import Sandbox

IMAGE = "botpit-bots:small"
WALLS = (
    pytest.param("docker", marks=pytest.mark.needs("docker")),
    pytest.param("docker-attached", marks=pytest.mark.needs("docker")),
    pytest.param("bwrap", marks=pytest.mark.needs("bwrap", "root")),
)


def named(what: str) -> str:
    """An instance's name that neither another worker of this run nor another clone on this machine has."""
    worker = f"{Path.cwd()} {os.environ.get('PYTEST_XDIST_WORKER', '')}"
    return f"test-{what}-{sha256(worker.encode()).hexdigest()[:6]}"


def wall(name: str, instance: str) -> Sandbox:
    """A sandbox by its parameter's name, with labels of its own."""
    if name == "bwrap":
        from sandbox.bwrap import BwrapSandbox, BwrapSettings

        return BwrapSandbox(BwrapSettings(instance=named(instance)))
    from sandbox.docker import DockerSandbox, DockerSettings, Transport

    transport: Transport = "attach_socket" if name == "docker-attached" else "pipe"
    return DockerSandbox(DockerSettings(IMAGE, named(instance), transport))
