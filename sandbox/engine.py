"""The container engine as we use it: one client a thread, errors as sentences, containers made, watched and swept."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import docker
import requests.exceptions
from docker.errors import DockerException, NotFound
from docker.utils import kwargs_from_env

from sandbox import premises
from sandbox.api import Exit, SandboxError, exit_of
from sandbox.container import LABEL_INSTANCE, LABEL_OWNER, LABEL_STARTER, Wall, settings

REMEDIES: Final = (
    "start it (as root: `dockerd`, or `systemctl start docker`), give this user the right to it (group `docker`), "
    "or set DOCKER_HOST; `harness doctor` checks; without an engine choose `--sandbox bwrap` for strangers' bots, "
    "or `--sandbox local` for bots that you trust"
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the engine says of itself and of its machine."""

    version: str
    api_version: str
    cgroup_version: int
    machine: str
    runtimes: tuple[str, ...]
    default_runtime: str
    security: tuple[str, ...]
    limits: Mapping[str, bool]
    storage: str
    components: Mapping[str, str]


@contextmanager
def _sentences(doing: str) -> Iterator[None]:
    try:
        yield
    except (DockerException, requests.exceptions.RequestException, OSError) as error:
        text = getattr(error, "explanation", None) or str(error)
        raise SandboxError(f"the container engine failed to {doing}: {text}") from error


def _knock() -> None:
    """See that somebody listens on a local engine's socket; where nobody does, the client would leak its own."""
    where = os.environ.get("DOCKER_HOST", "") or "unix:///var/run/docker.sock"
    if where.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(where.removeprefix("unix://"))


def _connect() -> Any:
    """A low-level client. Left alone, it keeps a connection open for every container that it was ever asked about."""
    client = docker.APIClient(version="auto", timeout=60, **kwargs_from_env())
    client.headers["Connection"] = "close"
    return client


class Engine:
    """The engine that the environment names. Raises SandboxError, with the remedies, when none answers."""

    def __init__(self) -> None:
        self._clients = threading.local()
        self._all: list[Any] = []
        try:
            _knock()
            info, version = self.api.info(), self.api.version()
        except (DockerException, requests.exceptions.RequestException, OSError) as error:
            self.close()
            raise SandboxError(f"no container engine answers: {REMEDIES}") from error
        self.facts = Facts(
            version=str(version.get("Version", "")),
            api_version=str(version.get("ApiVersion", "")),
            cgroup_version=int(info.get("CgroupVersion") or 1),
            machine={"amd64": "x86_64", "arm64": "aarch64"}.get(version.get("Arch", ""), str(version.get("Arch", ""))),
            runtimes=tuple(sorted(info.get("Runtimes") or {})),
            default_runtime=str(info.get("DefaultRuntime", "")),
            security=tuple(info.get("SecurityOptions") or ()),
            limits={
                name: bool(info.get(key))
                for name, key in {
                    "memory": "MemoryLimit",
                    "swap": "SwapLimit",
                    "pids": "PidsLimit",
                    "cpu quota": "CpuCfsQuota",
                    "cpu set": "CPUSet",
                }.items()
            },
            storage=str(info.get("Driver", "")),
            components={part["Name"]: part.get("Version", "") for part in version.get("Components") or ()},
        )

    @property
    def api(self) -> Any:
        """The low-level client of the calling thread."""
        client = getattr(self._clients, "client", None)
        if client is None:
            client = self._clients.client = _connect()
            self._all.append(client)
        return client

    @property
    def local(self) -> bool:
        """Whether the engine is reached over a Unix socket, so that directories and sockets of ours can be mounted."""
        return str(getattr(self.api, "base_url", "")).startswith("http+docker://")

    def starter_of(self, image: str) -> str:
        """The digest of the starter's source that an image was built with, empty for none. Raises SandboxError."""
        try:
            found = self.api.inspect_image(image)
        except NotFound as error:
            raise SandboxError(f"there is no image {image}; make it with `harness image build`") from error
        except (DockerException, requests.exceptions.RequestException) as error:
            raise SandboxError(f"the container engine cannot be asked for {image}: {error}") from error
        return str((found["Config"].get("Labels") or {}).get(LABEL_STARTER, ""))

    def create(self, wall: Wall) -> str:
        """A container that has not been started, by its id."""
        with _sentences("make a container"):
            return str(self.api.create_container(**settings(self.api, wall))["Id"])

    def start(self, container: str) -> None:
        with _sentences("start a container"):
            self.api.start(container)

    def attach(self, container: str) -> tuple[Any, Any]:
        """The raw stream of a container that has not been started, and the object that keeps it open."""
        with _sentences("attach to a container"):
            options = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            held = self.api.attach_socket(container, params=options)
        raw = getattr(held, "_sock", held)
        raw.settimeout(None)
        return raw, held

    def state(self, container: str) -> tuple[bool, Exit]:
        """Whether a container runs, and how it ended if it does not. Raises SandboxError when somebody took it away."""
        with _sentences("look at a container"):
            state = self.api.inspect_container(container)["State"]
        if state["Status"] in {"removing", "dead"}:
            raise SandboxError(f"the container {container[:12]} is being removed by somebody else")
        return bool(state["Running"]), exit_of(int(state["ExitCode"]), bool(state["OOMKilled"]))

    def pid(self, container: str) -> int:
        with _sentences("look at a container"):
            return int(self.api.inspect_container(container)["State"]["Pid"])

    def kill(self, container: str) -> None:
        """Kill whatever runs in a container; nothing to do when it has ended."""
        try:
            self.api.kill(container)
        except (DockerException, requests.exceptions.RequestException):
            return

    def freeze(self, container: str, frozen: bool) -> None:
        with _sentences("pause a container"):
            (self.api.pause if frozen else self.api.unpause)(container)

    def remove(self, container: str) -> None:
        """End a container and take it away; one that is gone already is well."""
        last: Exception | None = None
        for _ in range(3):
            try:
                self.api.remove_container(container, force=True, v=True)
            except NotFound:
                return
            except DockerException as error:
                if "already in progress" in str(error):
                    return
                last = error
            except requests.exceptions.RequestException as error:
                last = error
            else:
                return
        raise SandboxError(f"the container engine failed to remove {container[:12]}: {last}")

    def boxes(self, instance: str | None = None) -> dict[str, str]:
        """Our containers (of one instance, or of all) as id to the mark of the process that made it."""
        label = LABEL_INSTANCE if instance is None else f"{LABEL_INSTANCE}={instance}"
        with _sentences("list containers"):
            found = self.api.containers(all=True, filters={"label": label})
        return {str(entry["Id"]): str((entry.get("Labels") or {}).get(LABEL_OWNER, "")) for entry in found}

    def sweep(self, instance: str, mine: str = "") -> int:
        """Remove what dead processes of this instance left, and what the owner `mine` made; gives their number.

        Another instance's containers are never touched, nor those of this instance's other live owners.
        """
        swept = 0
        for container, owner in self.boxes(instance).items():
            if owner == mine or not premises.alive(owner):
                self.remove(container)
                swept += 1
        return swept

    def close(self) -> None:
        for client in self._all:
            client.close()
        self._all.clear()
        self._clients = threading.local()
