"""Taking in a bot: its files are copied under the digest of their content, then built.

What is stored never changes, so a match that names a digest names the very bytes that played.
"""

from __future__ import annotations

import stat
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from harness import sandboxes
from harness.errors import Refusal
from harness.sandboxes import SandboxChoice
from harness.text import visible
from sandbox import recipes, unpack
from sandbox.api import BuildFailed, Program, Sandbox
from sandbox.recipes import Recipe


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


def receive(source: Path, store: Path) -> Stored:
    """The bot in a file, a directory or an archive, copied into the store.

    Raises Refusal when its files are not plain, too many or too large, or do not say how to run them.
    """
    name = visible(source.absolute().name)
    store.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".incoming-", dir=store) as incoming:
        taken = Path(incoming) / "files"
        try:
            if source.is_dir():
                recipes.read(source)  # before anything is copied: it may be any directory at all
            unpack.take(source, taken)
            files = _top(taken)
            recipe = recipes.read(files if source.is_dir() or files != taken else _only(files))
            digest = digest_of(files)
        except (unpack.Refused, recipes.RecipeError) as error:
            raise Refusal(f"bot {name}: {error}") from error
        except OSError as error:
            raise Refusal(f"bot {name}: {error.strerror}: {visible(str(error.filename))}") from error
        stored = Stored(store / digest, digest, recipe)
        if not stored.files.is_dir():
            stored.folder.mkdir(exist_ok=True)
            files.rename(stored.files)
    return stored


def _top(taken: Path) -> Path:
    """Where the bot's files begin: archives often hold one directory with everything in it."""
    entries = list(taken.iterdir())
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else taken


def _only(files: Path) -> Path:
    """The one file there is, or the directory when there are more."""
    entries = list(files.iterdir())
    return entries[0] if len(entries) == 1 and entries[0].name != recipes.MANIFEST else files


def digest_of(files: Path) -> str:
    """SHA-256 of a bot's content: in order of their paths each file's path, whether it may be executed, its bytes."""
    digest = sha256()
    for path in sorted(entry for entry in files.rglob("*") if entry.is_file()):
        name = path.relative_to(files).as_posix().encode("utf-8", "surrogateescape")
        executable = bool(path.stat().st_mode & stat.S_IXUSR)
        digest.update(b"%d %d " % (len(name), executable) + name + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def build(stored: Stored, sandbox: Sandbox) -> str:
    """The log of the bot's build, empty when there is none to do. Raises BuildFailed or SandboxError."""
    if not stored.recipe.build or stored.built.is_dir():
        return ""
    with tempfile.TemporaryDirectory(prefix=".build-", dir=stored.folder) as working:
        output = Path(working) / "built"
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
