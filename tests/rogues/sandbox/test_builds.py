"""Builds that attack: a build is confined as its bot is, and what it leaves is held to the rules of archives."""

# ruff: noqa: E501 (sources of builds, as a table)

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.rogues.sandbox.rogue
from sandbox.api import BuildFailed, BuildLimits, Sandbox
from tests.rogues.sandbox.arena import unharmed
from tests.rogues.sandbox.attacks import ATTACKS
from tests.sandbox.walls import WALLS, named, wall

pytestmark = pytest.mark.timeout(180)
ROGUE = Path(tests.rogues.sandbox.rogue.__file__).read_text("utf-8")
LIMITS = BuildLimits(20.0, 256 << 20, 64, 256, 64 << 20, 4096, 16 << 20, 500)
PROBES = [
    attack
    for attack in ATTACKS
    if attack.note == "^denied$"
    and attack.name.split()[0] in {"G2", "G3", "G5", "G8", "G9", "G12", "H4", "H5", "H8", "H10"}
]


@pytest.fixture(params=[param for param in WALLS if param.values != ("docker-attached",)], scope="module")
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    made = wall(request.param, "builds")
    yield made
    made.close()


def source(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("attack", PROBES, ids=lambda attack: attack.name.replace(" ", "-"))
def test_a_build_reaches_no_further_than_a_bot(attack: object, sandbox: Sandbox, tmp_path: Path) -> None:
    text = attack.source.replace("play(lambda: denied(probes))", "print(denied(probes))")  # type: ignore[attr-defined]
    files = source(tmp_path / "source", probe_py=text, rogue_py=ROGUE, Makefile="all:\n\tpython3 probe.py\n")
    with unharmed(named("builds")):
        log = sandbox.build(files, ("python3", "probe.py"), tmp_path / "out", "", LIMITS)
    assert log.strip() == "denied"


MACROS = "#define A0 x x x x x x x x\n" + "".join(
    f"#define A{n} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1} A{n - 1}\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    ("name", "files", "command", "says"),
    [
        ("J1 include cycle", {"bot_c": '#include "bot.c"\n'}, ("gcc", "bot.c"), "code 1"),
        ("J1 macro bomb", {"bot_c": MACROS + "int A11;\n"}, ("gcc", "-E", "bot.c"), "longer than|memory|code|log"),
        (
            "J1 huge object",
            {"bot_c": "char x[1UL << 34] = {1}; int main(void) { return x[5]; }"},
            ("gcc", "bot.c"),
            "code|MiB|signal",
        ),
        (
            "J2 endless warnings",
            {"b_py": "import os\nwhile True: os.write(2, b'w' * 65536)"},
            ("python3", "b.py"),
            "MiB of log",
        ),
        (
            "J3 memory",
            {"b_py": "x = [bytearray(b'x') * (1 << 20) for _ in range(4096)]"},
            ("python3", "b.py"),
            "MiB of memory|code 1",
        ),
        ("J3 time", {"b_py": "while True: pass"}, ("python3", "b.py"), "longer than"),
        ("J7 link", {"b_py": "import os; os.symlink('/etc/passwd', 'bot')"}, ("python3", "b.py"), "'./bot'"),
        ("J7 hard link", {"b_py": "import os; os.link('b.py', 'bot')"}, ("python3", "b.py"), "neither a plain file"),
        ("J7 pipe", {"b_py": "import os; os.mkfifo('pipe')"}, ("python3", "b.py"), "'./pipe'"),
        ("J7 bad name", {"b_py": "open('a\\nb', 'w')"}, ("python3", "b.py"), "a name may have"),
        (
            "J7 many files",
            {"b_py": "[open(f'f{n}', 'w').close() for n in range(600)]"},
            ("python3", "b.py"),
            "500 entries",
        ),
        ("J7 large", {"b_py": "open('big', 'wb').write(b'x' * (20 << 20))"}, ("python3", "b.py"), "16 MiB"),
        ("J7 hole", {"b_py": "open('big', 'wb').truncate(1 << 40)"}, ("python3", "b.py"), "code 1|MiB"),
        ("J9 not there", {"b_py": ""}, ("no-such-compiler",), "code 127"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_a_build_that_attacks_fails_and_leaves_nothing(
    name: str, files: dict[str, str], command: tuple[str, ...], says: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    # Three seconds are too few for a compiler on a busy machine, and enough for what never ends.
    limits = LIMITS if "time" not in name else BuildLimits(3.0, 256 << 20)
    with unharmed(named("builds")), pytest.raises(BuildFailed) as failed:
        sandbox.build(source(tmp_path / "source", **files), command, tmp_path / "out", "", limits)
    assert re.search(says, str(failed.value)), (str(failed.value), failed.value.log[-300:])
    assert len(failed.value.log) < 80_000
    assert not (tmp_path / "out").exists()


def test_a_daemon_of_a_build_is_gone_with_it(sandbox: Sandbox, tmp_path: Path) -> None:
    text = "import os, time\nif os.fork() == 0:\n os.setsid()\n for n in range(3): os.close(n)\n time.sleep(600)\nopen('bot', 'w')"
    with unharmed(named("builds")):
        sandbox.build(source(tmp_path / "source", b_py=text), ("python3", "b.py"), tmp_path / "out", "", LIMITS)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"b.py", "bot"}


def test_modes_of_a_build_are_reduced(sandbox: Sandbox, tmp_path: Path) -> None:
    text = "import os\nopen('bot', 'w')\nos.chmod('bot', 0o6777)\nopen('data', 'w')\nos.chmod('data', 0o600)"
    sandbox.build(source(tmp_path / "source", b_py=text), ("python3", "b.py"), tmp_path / "out", "", LIMITS)
    modes = {path.name: path.stat().st_mode & 0o7777 for path in (tmp_path / "out").iterdir()}
    assert modes["bot"] == 0o555
    assert modes["data"] == 0o444


def test_builds_share_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    """Neither a cache nor a temporary file of one build is there in the next."""
    text = "import os\nfound = []\n"
    text += "for d in ('/work/tmp', '/var/tmp', '/tmp', '/dev/shm'):\n try:\n  found += os.listdir(d); open(d + '/left', 'w')\n"
    text += " except OSError: pass\nprint(found)"
    for number in range(2):
        files = source(tmp_path / f"source{number}", b_py=text)
        log = sandbox.build(files, ("python3", "b.py"), tmp_path / f"out{number}", "", LIMITS)
        assert log.strip() == "[]"
