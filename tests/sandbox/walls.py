"""The walled sandboxes, as parameters of tests: each with what it needs of the machine."""

from __future__ import annotations

import pytest

from sandbox.api import Sandbox

IMAGE = "botpit-bots:small"
WALLS = (
    pytest.param("docker", marks=pytest.mark.needs("docker")),
    pytest.param("docker-attached", marks=pytest.mark.needs("docker")),
    pytest.param("bwrap", marks=pytest.mark.needs("bwrap", "root")),
)


def wall(name: str, instance: str) -> Sandbox:
    """A sandbox by its parameter's name, with labels of its own."""
    if name == "bwrap":
        from sandbox.bwrap import BwrapSandbox, BwrapSettings

        return BwrapSandbox(BwrapSettings(instance=f"test-{instance}"))
    from sandbox.docker import DockerSandbox, DockerSettings, Transport

    transport: Transport = "attach_socket" if name == "docker-attached" else "pipe"
    return DockerSandbox(DockerSettings(IMAGE, f"test-{instance}", transport))
