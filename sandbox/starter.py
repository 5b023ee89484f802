"""The small static program that receives a bot's pipes inside its container: where it comes from."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from importlib import resources
from pathlib import Path
from typing import Final

from sandbox.api import SandboxError

FLAGS: Final = ("-std=gnu11", "-Os", "-static", "-s", "-Wall", "-Wextra", "-Werror")


def source() -> bytes:
    return (resources.files("sandbox") / "starter.c").read_bytes()


def digest() -> str:
    """What an image built with this very starter says in its label."""
    return hashlib.sha256(source()).hexdigest()[:16]


def compiled(directory: Path) -> Path | None:
    """The starter compiled for this machine and kept in `directory`, or None where there is no C compiler."""
    target = directory / f"starter-{digest()}"
    if target.is_file() and target.stat().st_uid == os.geteuid():
        return target
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        code, made = Path(scratch) / "starter.c", Path(scratch) / "starter"
        code.write_bytes(source())
        command = [compiler, *FLAGS, "-o", str(made), str(code)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603
        if done.returncode != 0:
            raise SandboxError(f"the starter does not compile here: {done.stderr.strip()[:500]}")
        made.chmod(0o555)
        made.replace(target)
    return target
