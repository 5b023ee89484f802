"""Taking in a bot: its files are copied under the digest of their content, then built.

What is stored never changes, so a match that names a digest names the very bytes that played.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from harness import sandboxes
from harness.bots import Source
from harness.errors import Refusal
from harness.sandboxes import SandboxChoice
from harness.text import visible
from sandbox.api import BuildFailed, Program, Sandbox
from sandbox.recipes import Recipe

BYTES: Final = 100 * 2**20
FILES: Final = 2_000
_PATH_BYTES: Final = 200
_SKIPPED: Final = frozenset({"__pycache__", ".git"})


@dataclass(frozen=True, slots=True)
class Stored:
    """A bot's files in the store: `folder` is named by the digest and holds `files` and, once built, `built`."""

    folder: Path
    digest: str
    recipe: Recipe

    @property
    def files(self) -> Path:
        """The files as they were handed in."""
        return self.folder / "files"

    @property
    def built(self) -> Path:
        """What the build made of them; the same as `files` when there is no build."""
        return self.folder / "built" if self.recipe.build else self.files

    def program(self) -> Program:
        """What to run, valid once `build` is done."""
        return program(self.folder, self.recipe)


def program(folder: Path, recipe: Recipe) -> Program:
    """What to run of a stored bot."""
    directory = (folder / "built" if recipe.build else folder / "files").absolute()
    return Program(recipe.command, directory, recipe.language)


def receive(source: Source, store: Path) -> Stored:
    """The bot's files copied into the store. Raises Refusal for files that are not plain, too many or too large."""
    store.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".incoming-", dir=store) as incoming:
        files = Path(incoming) / "files"
        files.mkdir()
        try:
            digest = _copy(source, files)
        except OSError as error:
            raise Refusal(f"bot {source.name}: {error.strerror}: {visible(str(error.filename))}") from error
        stored = Stored(store / digest, digest, source.recipe)
        if not stored.files.is_dir():
            stored.folder.mkdir(exist_ok=True)
            files.rename(stored.files)
    return stored


def build(stored: Stored, sandbox: Sandbox) -> str:
    """The log of the bot's build, empty when there is none to do. Raises BuildFailed or SandboxError."""
    if not stored.recipe.build or stored.built.is_dir():
        return ""
    with tempfile.TemporaryDirectory(prefix=".build-", dir=stored.folder) as working:
        output = Path(working) / "built"
        output.mkdir()
        log = sandbox.build(stored.files, stored.recipe.build, output, stored.recipe.language)
        output.rename(stored.built)
    return log


def build_all(stored: Iterable[Stored], choice: SandboxChoice) -> str:
    """Build whatever needs it; the name of the isolation. Raises Refusal for a failed build, or SandboxError."""
    sandbox = sandboxes.create(choice)
    try:
        for bot in stored:
            try:
                build(bot, sandbox)
            except BuildFailed as error:
                log = visible(error.log, lines=True)
                raise Refusal(f"bot {bot.recipe.name}: {error}\n{log}".rstrip()) from error
        return sandboxes.isolation(sandbox)
    finally:
        sandbox.close()


def _copy(source: Source, target: Path) -> str:
    """The digest of the files, in order of their paths: path, whether it may be executed, length, content."""
    digest = sha256()
    size = 0
    for count, (relative, path) in enumerate(_entries(source.path)):
        executable = bool(path.stat().st_mode & stat.S_IXUSR)
        data = path.read_bytes()
        size += len(data)
        if count >= FILES or size > BYTES:
            raise Refusal(f"bot {source.name}: more than {FILES} files or {BYTES // 2**20} MiB")
        name = relative.encode("utf-8", "surrogateescape")
        digest.update(b"%d %d %d " % (len(name), executable, len(data)) + name + sha256(data).digest())
        copy = target / relative
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(data)
        copy.chmod(0o555 if executable else 0o444)
    return digest.hexdigest()


def _entries(path: Path) -> Iterator[tuple[str, Path]]:
    if not path.is_dir():
        yield path.name, path
        return
    found = []
    for root, folders, names in os.walk(path):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        for name in [*names, *(folder for folder in folders if (Path(root) / folder).is_symlink())]:
            entry = Path(root) / name
            relative = entry.relative_to(path).as_posix()
            if not stat.S_ISREG(entry.lstat().st_mode):
                raise Refusal(f"{visible(str(entry))} is neither a regular file nor a directory; a bot has only these")
            if len(relative.encode("utf-8", "surrogateescape")) > _PATH_BYTES:
                raise Refusal(f"{visible(relative, limit=80)}: a path in a bot has at most {_PATH_BYTES} bytes")
            found.append((relative, entry))
            if len(found) > FILES:
                raise Refusal(f"{visible(str(path))} has more than {FILES} files")
    yield from sorted(found)


def discard(folder: Path) -> None:
    """Remove a folder of ours, whatever modes its entries have."""
    for root, _, _ in os.walk(folder):
        Path(root).chmod(0o755)
    shutil.rmtree(folder, ignore_errors=True)
