"""The images that bots are built and run in: made by the engine from our recipes, with the starter inside."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import requests.exceptions
from docker.errors import DockerException

from sandbox import starter
from sandbox.api import SandboxError
from sandbox.container import LABEL_STARTER
from sandbox.engine import Engine

RECIPES: Final = {"full": "Dockerfile", "small": "sandbox/images/small/Dockerfile"}
"""Kind -> the recipe's place in the source tree."""
REPOSITORY: Final = "botpit-bots"
TARGETS: Final = {"run": "", "build": "-build"}
"""Stage of a recipe -> what its tag ends in."""


def recipe(kind: str) -> bytes:
    """The Dockerfile of a kind. Raises SandboxError when this installation does not carry it."""
    package = Path(__file__).parent
    for place in (package.parent / RECIPES[kind], package / "images" / kind / "Dockerfile"):
        if place.is_file():
            return place.read_bytes()
    raise SandboxError(f"the recipe of the {kind} image is not installed; run this from the source tree")


def make(engine: Engine, kind: str, base: str, say: Callable[[str], None], network: str = "host") -> tuple[str, ...]:
    """Build both stages of an image; gives their tags. `say` gets the builder's lines. Raises SandboxError."""
    tags = []
    for target, ending in TARGETS.items():
        tag = f"{REPOSITORY}:{kind}{ending}"
        try:
            lines = engine.api.build(
                fileobj=_context(kind),
                custom_context=True,
                tag=tag,
                target=target,
                buildargs={"BASE": base} if base else {},
                labels={LABEL_STARTER: starter.digest()},
                network_mode=network,
                rm=True,
                decode=True,
                timeout=3600,
            )
            for line in lines:
                if "error" in line:
                    raise SandboxError(f"the image {tag} was not made: {line['error'].strip()}")
                for text in str(line.get("stream", "")).splitlines():
                    say(text)
        except (DockerException, requests.exceptions.RequestException) as error:
            raise SandboxError(f"the image {tag} was not made: {error}") from error
        tags.append(tag)
    return tuple(tags)


def _context(kind: str) -> io.BytesIO:
    """All that a build sees: the recipe and the starter's source, always alike so that the engine's cache holds."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in (("Dockerfile", recipe(kind)), ("starter.c", starter.source())):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    packed.seek(0)
    return packed
