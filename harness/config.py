"""`competition.toml`: every setting of a competition, with its default, its help and its check."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from harness.errors import Refusal
from harness.sandboxes import SANDBOXES, SandboxChoice
from harness.schedule import SCHEDULES
from referee.game import Game, OptionError
from referee.games import GAMES, load
from referee.result import LONGEST_MS, MOST_STRIKES, Limits, Policy
from sandbox.api import Caps

FILE: Final = "competition.toml"
MOST_ROUNDS: Final = 100_000
MOST_JOBS: Final = 1_024


@dataclass(frozen=True, slots=True)
class Container:
    """What an organiser may choose of the sandboxes for strangers' bots."""

    image: str = "botpit-bots:full"
    transport: str = "auto"
    series: int = 1
    ahead: bool = False
    file_locks: bool = False
    runtime: str = ""
    root: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """A competition's settings, checked. `folder` is where its file lies; all paths are below it."""

    folder: Path
    game: str
    players: int
    title: str = ""
    organiser: str = ""
    contact: str = ""
    about: str = ""
    address: str = ""
    rounds: int = 1
    schedule: str = "round-robin"
    jobs: int = 0
    sandbox: str = "docker"
    database: str = "sqlite:///competition.db"
    record: str = "full"
    policy: Policy = Policy.STRIKES
    placement: str = "packed"
    idle: str = "billed"
    grace_ms: int = 500
    check_matches: int = 1
    watchable: int = 2_000
    limits: Limits = field(default_factory=Limits)
    caps: Caps = field(default_factory=Caps)
    container: Container = field(default_factory=Container)
    options: Mapping[str, bool | int | str] = field(default_factory=dict)

    @property
    def choice(self) -> SandboxChoice:
        """The sandbox with its settings; containers are labelled by the competition's folder, and swept by it alone."""
        settings = {key: value for key, value in asdict(self.container).items() if key in _TAKEN.get(self.sandbox, ())}
        if settings:
            settings["instance"] = sha256(str(self.folder.absolute()).encode()).hexdigest()[:12]
        return SandboxChoice(self.sandbox, tuple(sorted(settings.items())))

    @property
    def submissions(self) -> Path:
        """The stored submissions, a folder a digest."""
        return self.folder / "submissions"

    @property
    def replays(self) -> Path:
        """The replays, a folder a round."""
        return self.folder / "replays"

    @property
    def logs(self) -> Path:
        """The harness's own log, and each bot's stderr by match and seat."""
        return self.folder / "logs"

    @property
    def site(self) -> Path:
        """Where the site goes unless said otherwise."""
        return self.folder / "site"

    @property
    def database_url(self) -> str:
        """The database's address; a relative path of SQLite counts from the competition's folder."""
        path = self.database.removeprefix("sqlite:///")
        if path == self.database or path.startswith("/") or not path:
            return self.database
        return f"sqlite:///{(self.folder / path).absolute()}"


@dataclass(frozen=True, slots=True)
class _Key:
    """A setting: its default, what it takes, and how people are told of it."""

    name: str
    default: Any
    help: str
    takes: str
    good: Callable[[Any], bool]

    def accepts(self, value: Any) -> bool:
        """Whether the value has the right kind and range; `true` is no number."""
        wanted = (int, float) if isinstance(self.default, float) else type(self.default)
        return isinstance(value, wanted) and not (isinstance(value, bool) and wanted is not bool) and self.good(value)


def _number(name: str, default: int, low: int, high: int, text: str) -> _Key:
    takes = f"a whole number from {low} to {high}"
    return _Key(name, default, text, takes, lambda value: low <= value <= high)


def _time(name: str, default: int, low: int, text: str) -> _Key:
    takes = f"whole milliseconds from {low} to {LONGEST_MS}"
    return _Key(name, default, text, takes, lambda value: low <= value <= LONGEST_MS)


def _choice(name: str, default: str, choices: Mapping[str, Any] | tuple[str, ...], text: str) -> _Key:
    return _Key(name, default, text, f"one of {', '.join(choices)}", lambda value: value in choices)


def _text(name: str, default: str, text: str, most: int = 500) -> _Key:
    return _Key(name, default, text, f"a text in quotes, up to {most} characters", lambda value: len(value) <= most)


_WEB: Final = r"https?://[^\s/?#@<>\"\\]+(?:/[^\s?#<>\"\\]*)?"
"""The address of a page without a query or a fragment; `@` would hide the true host behind another."""
_MAIL: Final = r"(?:mailto:)?[^\s@<>\"\\?#%&:/]+@[^\s@<>\"\\?#%&:/]+"


def _contact(value: str) -> bool:
    page = re.fullmatch(rf"{_WEB}(?:[?#][^\s<>\"\\]*)?", value)
    return not value or (len(value) <= 500 and value.isprintable() and bool(page or re.fullmatch(_MAIL, value)))


def _address(value: str) -> bool:
    good = re.fullmatch(_WEB, value) and not value.endswith((".html", ".xml"))
    return not value or (len(value) <= 500 and value.isprintable() and bool(good))


_TOP: Final = (
    _choice("game", "", GAMES, "The game; `harness games` lists them."),
    _number("players", 2, 2, 100, "Seats a match."),
    _text("title", "", "What the site is called; empty names it after the game."),
    _text("organiser", "", "Who holds it, for the site; may stay empty."),
    _Key(
        "contact",
        "",
        "Where to reach the organiser, for the site; may stay empty.",
        "an e-mail address or a web address (http or https), up to 500 characters",
        _contact,
    ),
    _text(
        "about",
        "",
        'A few lines about it for the site, plain text; write """ before and after to use more than one line.',
        1_000,
    ),
    _Key(
        "address",
        "",
        "Where the site will be read, such as https://example.org/cup; empty while unknown. The feed needs it.",
        "the web address (http or https) of the folder that the site is put into, up to 500 characters",
        _address,
    ),
    _number(
        "rounds", 1, 1, MOST_ROUNDS, "Rounds in all. A round is every set of bots once, in every rotation of the seats."
    ),
    _choice("schedule", "round-robin", SCHEDULES, "Who meets whom."),
    _number("jobs", 0, 0, MOST_JOBS, "Matches at once, up to 16 a core of the machine; 0 is the number of cores."),
    _choice(
        "sandbox", "docker", SANDBOXES, "How bots are confined: docker or bwrap for strangers', local for trusted ones."
    ),
    _text("database", "sqlite:///competition.db", "Where results are stored; a relative path counts from this folder."),
    _choice("record", "full", ("result", "full"), "What is kept of a match: its result, or its replay too."),
    _choice(
        "policy", "strikes", tuple(Policy), "What faults lead to: strict (out at the first), strikes, lenient (never)."
    ),
    _choice("placement", "packed", ("packed", "spread"), "All bots of a match on one core, or a core each."),
    _choice(
        "idle",
        "billed",
        ("billed", "frozen", "free"),
        "Bots that are not asked: their CPU time is billed, or they are stopped, or they may think on for free.",
    ),
    _time("grace_ms", 500, 0, "How long a bot may take to go after the end of a match."),
    _number(
        "watchable",
        2_000,
        0,
        1_000_000,
        "Pages to watch matches on that the site offers, the newest; each takes about 50 KB.",
    ),
    _number(
        "check_matches", 1, 1, 1_000, "Matches that a submission must finish without a fault before it is accepted."
    ),
)
_MOST_MIB: Final = 1_048_576
"""A tebibyte."""
_LIMITS: Final = (
    _time("start_ms", 10_000, 1, "Time to get ready."),
    _time("move_ms", 1_000, 1, "Time a decision."),
    _time("bank_ms", 10_000, 0, "Time beyond the allowance of moves, for the whole match."),
    _number("strikes", 3, 1, MOST_STRIKES, "Strikes that put a bot out."),
)
_CAPS: Final = (
    _number("memory_mib", 256, 16, _MOST_MIB, "Memory of a bot, with everything it starts."),
    _number("processes", 64, 1, 32_768, "Processes and threads."),
    _number("files", 256, 16, 1_048_576, "Open files of a process."),
    _number("scratch_mib", 16, 0, _MOST_MIB, "Room for temporary files."),
    _number("scratch_files", 1_024, 0, 1_000_000_000, "How many temporary files."),
    _Key(
        "cores",
        1.0,
        "Cores that a bot may keep busy.",
        "a number above 0, up to 1024",
        lambda value: 0 < value <= 1_024,
    ),
)
_CONTAINER: Final = (
    _text("image", "botpit-bots:full", "The image that bots run in; `harness image build` makes it."),
    _choice("transport", "auto", ("auto", "pipe", "attach_socket"), "How bytes travel to and from the container."),
    _number(
        "series",
        1,
        1,
        1_000_000,
        "Matches that one container may serve, for one submission; 1 is a fresh one for each.",
    ),
    _Key(
        "ahead",
        False,
        "Whether the next match's containers are made while one is played; helps where the same bots play on.",
        "true or false",
        lambda _: True,
    ),
    _Key(
        "file_locks",
        False,
        "Whether bots may lock files; two bots could talk through locks.",
        "true or false",
        lambda _: True,
    ),
    _text("runtime", "", "The engine's runtime, such as runsc; empty for its default."),
    _text("root", "", "For bwrap: a directory that holds the system to run bots in; empty for this machine's /usr."),
)
_TAKEN: Final = {
    "docker": ("image", "transport", "series", "file_locks", "runtime"),
    "bwrap": ("root", "file_locks"),
}
"""Which of them a sandbox takes."""
_SECTIONS: Final = {"limits": _LIMITS, "caps": _CAPS, "container": _CONTAINER}


class ConfigError(Refusal):
    """A `competition.toml` that cannot be used; names the key and the line."""


def read(folder: Path) -> Config:
    """The settings of the competition in a folder. Raises ConfigError."""
    path = folder / FILE
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise ConfigError(
            f"{folder.absolute()} holds no competition ({FILE} is not there); "
            "name its folder with -C, or make one with `harness init`"
        ) from None
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        reason = f"byte 0x{error.object[error.start]:02x} is not UTF-8; save the file as UTF-8 (at line {number})"
        raise ConfigError(_syntax(path, error.object.decode("utf-8", "replace"), reason)) from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_syntax(path, text, str(error))) from error
    except RecursionError as error:
        depths = [line.count("[") + line.count("{") for line in text.split("\n")]
        number = depths.index(max(depths)) + 1
        raise ConfigError(_syntax(path, text, f"a value nests too deep (at line {number})")) from error
    return _Reader(path, text).config(folder, data)


class _Reader:
    """Turns parsed TOML into settings; knows the text, so that it can name lines."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = _without_long_texts(text).split("\n")

    def config(self, folder: Path, data: dict[str, Any]) -> Config:
        top = self.section("", _TOP, data, (*_SECTIONS, "options"))
        for key in ("game", "players"):
            if key not in data:
                raise ConfigError(f"{self._path}: the key `{key}` is missing")
        limits = self.section("limits", _LIMITS, self.table(data, "limits"))
        caps = self.section("caps", _CAPS, self.table(data, "caps"))
        game = load(top["game"])
        if top["players"] not in game.seats:
            self.refuse("", "players", f"{game.name} takes {game.seats[0]} to {game.seats[-1]}, not {top['players']}")
        options = self.options(game, self.table(data, "options"))
        return Config(
            folder=folder,
            **{**top, "policy": Policy(top["policy"])},
            limits=Limits(**limits),
            caps=_caps(caps),
            container=Container(**self.section("container", _CONTAINER, self.table(data, "container"))),
            options=options,
        )

    def section(
        self, section: str, keys: tuple[_Key, ...], data: Mapping[str, Any], others: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        known = {key.name: key for key in keys}
        for name, value in data.items():
            if name in others:
                continue
            if name not in known:
                self.unknown(section, name, (*known, *others))
            if not known[name].accepts(value):
                self.refuse(section, name, f"it takes {known[name].takes}, not {_cut(repr(value))}")
        return {name: data.get(name, key.default) for name, key in known.items()}

    def table(self, data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        value = data.get(name, {})
        if not isinstance(value, dict):
            self.refuse("", name, f"it is a section; write [{name}] on a line of its own")
        table: Mapping[str, Any] = value
        return table

    def options(self, game: type[Game[Any, Any]], data: Mapping[str, Any]) -> dict[str, bool | int | str]:
        for name in data:
            if name not in {option.name for option in game.option_table}:
                self.unknown("options", name, tuple(option.name for option in game.option_table))
            try:
                game({name: data[name]})
            except OptionError as error:
                self.refuse("options", name, str(error))
        return dict(game(data).options)

    def unknown(self, section: str, name: str, known: tuple[str, ...]) -> None:
        close = get_close_matches(name, known, 1)
        hint = f"did you mean `{close[0]}`?" if close else f"there are {', '.join(known) or 'none'}"
        self.refuse(section, name, f"there is no such key; {hint}")

    def refuse(self, section: str, name: str, why: str) -> None:
        line = self.line(section, name)
        where = f"line {line}, " if line else ""
        shown = f"{section}.{name}" if section else name
        raise ConfigError(f"{self._path}: {where}key `{shown}`: {why}")

    def line(self, section: str, name: str) -> int:
        """The line of a key, from 1; 0 when it is written in some unusual way."""
        word = re.escape(name)
        quoted = rf"(?:{word}|\"{word}\"|'{word}')"
        current = ""
        for number, line in enumerate(self._lines, 1):
            header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line)
            if header:
                current = header[1]
                if not section and re.fullmatch(quoted, current):
                    return number
            elif (current == section and re.match(rf"\s*{quoted}\s*[.=]", line)) or (
                section
                and not current
                and re.match(rf"\s*{re.escape(section)}\s*(?:\.\s*{quoted}\s*=|=.*{quoted})", line)
            ):
                return number
        return 0


def _caps(values: Mapping[str, Any]) -> Caps:
    return Caps(
        memory_bytes=values["memory_mib"] * 2**20,
        processes=values["processes"],
        files=values["files"],
        scratch_bytes=values["scratch_mib"] * 2**20,
        scratch_files=values["scratch_files"],
        cores=float(values["cores"]),
    )


_STRINGS: Final = re.compile(
    r"""#[^\n]*|"{3}(?:\\.|[^\\])*?(?:"{3}|\Z)|'{3}.*?(?:'{3}|\Z)|"(?:\\.|[^"\\\n])*"|'[^'\n]*'""", re.DOTALL
)


def _without_long_texts(text: str) -> str:
    """The text with nothing between triple quotes but its line ends: what stands there is neither key nor section."""

    def emptied(found: re.Match[str]) -> str:
        return '""' + "\n" * found[0].count("\n") if found[0].startswith(('"""', "'''")) else found[0]

    return _STRINGS.sub(emptied, text)


def _cut(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:99]}…"


def _syntax(path: Path, text: str, error: str) -> str:
    """The sentence for a file that is not TOML, with the key of the line where reading stopped."""
    found = re.search(r"at line (\d+)", error)
    text = _without_long_texts(text)
    lines = text.split("\n")
    number = int(found[1]) if found else len(lines)
    key = ""
    for place, line in reversed(list(enumerate(lines[:number], 1))):
        named = re.match(r"\s*([A-Za-z0-9_.\"'-]+)\s*(?:=|$)", line)
        if place == len(lines[:number]):
            named = named or re.match(r"\s*\[+\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\]", line)
        if named:
            key = f", key `{named[1]}`"
            number = number if found else place
            break
    reason = re.sub(r" \(at .*\)", "", error)
    return f"{path}: line {number}{key}: this is not TOML: {reason}"


def write(game: type[Game[Any, Any]], players: int, options: Mapping[str, bool | int | str], **given: Any) -> str:
    """The text of a commented `competition.toml` with every setting; `given` replaces defaults of the top section."""
    chosen = {"game": game.name, "players": players, **given}
    lines = [
        f"# A competition of {game.title}",
        "# Every setting is here, with its default unless you said otherwise.",
        "",
    ]
    for key in _TOP:
        lines += _lines(key.name, chosen.get(key.name, key.default), key.help, key.takes)
    for section, keys in _SECTIONS.items():
        lines += [f"[{section}]", ""]
        for key in keys:
            lines += _lines(key.name, key.default, key.help, key.takes)
    lines += ["# The options of the game.", "[options]", ""]
    for option in game.option_table:
        takes = f"one of {', '.join(map(_toml, option.choices))}" if option.choices else f"like {_toml(option.default)}"
        lines += _lines(option.name, options.get(option.name, option.default), option.help, takes)
    return "\n".join(lines).rstrip() + "\n"


def _lines(name: str, value: Any, text: str, takes: str) -> list[str]:
    return [f"# {text} Takes {takes}.".replace("\n", " "), f"{name} = {_toml(value)}", ""]


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)
