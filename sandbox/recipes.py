"""Languages as data, and how a bot's files say what to run.

A bot is a single file with a known ending, an executable, or a directory with `bot.toml`. A build runs in a writable
copy of the files; what that directory holds afterwards is what plays.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

MANIFEST: Final = "bot.toml"
_MANIFEST_BYTES: Final = 64 * 1024
_NAME_LENGTH: Final = 64
_ARGUMENTS: Final = 64
_ARGUMENT_LENGTH: Final = 1_000


class RecipeError(Exception):
    """The files do not say how to run the bot; one sentence on what is missing or wrong, and what to do."""


@dataclass(frozen=True, slots=True)
class Language:
    """How a single source file of a language is built and run; `{file}` stands for its name."""

    name: str
    endings: tuple[str, ...]
    run: tuple[str, ...]
    build: tuple[str, ...] = ()

    @property
    def needs(self) -> tuple[str, ...]:
        """The executables that building and running take."""
        return tuple(words[0] for words in (self.build, self.run) if words and "/" not in words[0])


LANGUAGES: Final[tuple[Language, ...]] = (
    Language("python", (".py",), ("python3", "{file}")),
    Language("javascript", (".js", ".mjs", ".cjs"), ("node", "{file}")),
    Language("c", (".c",), ("./bot",), ("gcc", "-std=gnu17", "-O2", "-o", "bot", "{file}", "-lm")),
    Language("c++", (".cpp", ".cc", ".cxx"), ("./bot",), ("g++", "-std=gnu++20", "-O2", "-o", "bot", "{file}")),
    Language("rust", (".rs",), ("./bot",), ("rustc", "-O", "-o", "bot", "{file}")),
    Language("go", (".go",), ("./bot",), ("go", "build", "-o", "bot", "{file}")),
    Language("java", (".java",), ("java", "{file}")),
    Language("ruby", (".rb",), ("ruby", "{file}")),
    Language("perl", (".pl",), ("perl", "{file}")),
    Language("lua", (".lua",), ("lua", "{file}")),
    Language("shell", (".sh",), ("sh", "{file}")),
)
"""Every language whose single files run without a manifest. A directory with `bot.toml` may use any other."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to build and run a bot inside the directory that holds its files; an empty build is none."""

    name: str
    """What the bot calls itself; whoever submits it may choose another name."""
    command: tuple[str, ...]
    build: tuple[str, ...] = ()
    language: str = ""


def read(source: Path) -> Recipe:
    """The recipe of a bot's file or directory. Raises RecipeError."""
    if source.is_dir():
        return _read_directory(source)
    if not source.is_file():
        raise RecipeError(f"{source} is not there, or is neither a file nor a directory")
    for language in LANGUAGES:
        if source.suffix.lower() in language.endings:
            return _fill(language, source)
    if os.access(source, os.X_OK):
        return Recipe(source.stem or source.name, (f"./{source.name}",), (), "executable")
    endings = " ".join(ending for language in LANGUAGES for ending in language.endings)
    raise RecipeError(
        f"{source.name} is not executable and has no known ending ({endings}); "
        f"make it executable (chmod +x) or give a directory with {MANIFEST}"
    )


def _fill(language: Language, source: Path) -> Recipe:
    def put(words: tuple[str, ...]) -> tuple[str, ...]:
        # A name that begins with a dash must not be read as a flag.
        return tuple(word.replace("{file}", f"./{source.name}") for word in words)

    return Recipe(source.stem, put(language.run), put(language.build), language.name)


def _read_directory(source: Path) -> Recipe:
    manifest = source / MANIFEST
    if not manifest.is_file():
        raise RecipeError(f"the directory {source} has no {MANIFEST}; it needs one with `name` and `command`")
    if manifest.stat().st_size > _MANIFEST_BYTES:
        raise RecipeError(f"{manifest} is larger than {_MANIFEST_BYTES} bytes")
    try:
        data = tomllib.loads(manifest.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecipeError(f"{manifest} is not TOML: {error}") from error
    return _from_manifest(data, manifest)


def _from_manifest(data: dict[str, Any], manifest: Path) -> Recipe:
    known = ("name", "command", "build", "language")
    for key in data:
        if key not in known:
            close = get_close_matches(key, known, 1)
            hint = f"did you mean `{close[0]}`?" if close else f"it takes {', '.join(known)}"
            raise RecipeError(f"{manifest}: unknown key `{key}`; {hint}")
    for key in ("name", "command"):
        if key not in data:
            raise RecipeError(f"{manifest}: the key `{key}` is missing")
    name, language = data["name"], data.get("language", "")
    if not isinstance(name, str) or not isinstance(language, str):
        raise RecipeError(f"{manifest}: `name` and `language` are texts in quotes")
    if not name.isprintable() or not 0 < len(name) <= _NAME_LENGTH:
        raise RecipeError(f"{manifest}: `name` has 1 to {_NAME_LENGTH} printable characters")
    if not re.fullmatch(r"[A-Za-z0-9+#._-]{0,32}", language):
        raise RecipeError(f'{manifest}: `language` is a short name such as "python" or "c++"')
    command = _words(data["command"], "command", manifest)
    build = _words(data["build"], "build", manifest) if "build" in data else ()
    return Recipe(name, command, build, language)


def _words(value: Any, key: str, manifest: Path) -> tuple[str, ...]:
    if isinstance(value, str):
        raise RecipeError(f'{manifest}: `{key}` is a list of words, such as ["python3", "bot.py"]; no shell reads it')
    if not isinstance(value, list) or not value or not all(isinstance(word, str) for word in value):
        raise RecipeError(f'{manifest}: `{key}` is a list of words, such as ["python3", "bot.py"]')
    if len(value) > _ARGUMENTS or any(len(word) > _ARGUMENT_LENGTH for word in value):
        raise RecipeError(
            f"{manifest}: `{key}` has more than {_ARGUMENTS} words or one over {_ARGUMENT_LENGTH} letters"
        )
    _check_program(value, key, manifest)
    return tuple(value)


def _check_program(words: Sequence[str], key: str, manifest: Path) -> None:
    program = words[0]
    if not program or any(not character.isprintable() for word in words for character in word):
        raise RecipeError(f"{manifest}: `{key}` has an empty program or a control character")
    if program.startswith("/") or ".." in program.split("/"):
        raise RecipeError(
            f"{manifest}: `{key}` starts {program!r}, which lies outside the bot; "
            'name a file of the bot ("./bot") or a program on PATH ("python3")'
        )
    if not re.fullmatch(r"[A-Za-z0-9_+./-]+", program):
        raise RecipeError(f"{manifest}: `{key}` starts {program!r}; a program's name has letters, digits and _ + . / -")
