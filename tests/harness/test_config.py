from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from harness import config
from harness.config import ConfigError
from referee.games import load
from referee.result import Limits, Policy
from sandbox.api import Caps

GAME = load("marshmallow-test")


def written(folder: Path, **given: object) -> str:
    text = config.write(GAME, 2, {}, **given)
    (folder / config.FILE).write_text(text)
    return text


def refusal(folder: Path, text: str) -> str:
    (folder / config.FILE).write_text(text)
    with pytest.raises(ConfigError) as caught:
        config.read(folder)
    return str(caught.value)


def test_the_file_that_init_writes_names_every_setting_and_reads_back_as_the_defaults(tmp_path: Path) -> None:
    text = written(tmp_path)
    read = config.read(tmp_path)
    assert read == config.Config(tmp_path, "marshmallow-test", 2, options=dict(GAME().options))
    assert (read.limits, read.caps, read.policy) == (Limits(), Caps(), Policy.STRIKES)
    keys = [line.split(" = ")[0] for line in text.splitlines() if " = " in line and not line.startswith("#")]
    comments = [line for line in text.splitlines() if line.startswith("# ") and " Takes " in line]
    assert len(keys) == len(comments)
    data = tomllib.loads(text)
    sections = ("limits", "caps", "container", "options")
    assert {*data, *(key for section in sections for key in data[section])} == {*keys, *sections}


def test_what_was_said_at_init_stands_in_the_file(tmp_path: Path) -> None:
    (tmp_path / config.FILE).write_text(
        config.write(GAME, 4, {"first_dealer": 2}, title='a "b" \\ c', sandbox="local", rounds=3)
    )
    read = config.read(tmp_path)
    assert (read.players, read.rounds, read.title) == (4, 3, 'a "b" \\ c')
    assert read.options["first_dealer"] == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("rounds = 1", "round = 1", "key `round`: there is no such key; did you mean `rounds`?"),
        ("rounds = 1", 'rounds = "many"', "key `rounds`: it takes a whole number from 1 to 100000, not 'many'"),
        ("rounds = 1", "rounds = 0", "key `rounds`: it takes a whole number from 1 to 100000, not 0"),
        ("rounds = 1", "rounds = 100001", "key `rounds`: it takes a whole number from 1 to 100000, not 100001"),
        ("jobs = 0", "jobs = 100000", "key `jobs`: it takes a whole number from 0 to 1024, not 100000"),
        ("strikes = 3", f"strikes = {2**64}", "key `limits.strikes`: it takes a whole number from 1 to 1000000, not"),
        (
            "memory_mib = 256",
            f"memory_mib = {2**44}",
            "key `caps.memory_mib`: it takes a whole number from 16 to 1048576",
        ),
        (
            "check_matches = 1",
            "check_matches = 9999",
            "key `check_matches`: it takes a whole number from 1 to 1000, not",
        ),
        ("rounds = 1", "rounds = true", "key `rounds`: it takes a whole number from 1 to 100000, not True"),
        ("rounds = 1", "rounds = 1.5", "key `rounds`: it takes a whole number from 1 to 100000, not 1.5"),
        ("players = 2", "players = 9", "key `players`: marshmallow-test takes 2 to 5, not 9"),
        (
            'policy = "strikes"',
            'policy = "harsh"',
            "key `policy`: it takes one of strict, strikes, lenient, not 'harsh'",
        ),
        ("move_ms = 1000", "move_sm = 1000", "key `limits.move_sm`: there is no such key; did you mean `move_ms`?"),
        (
            "move_ms = 1000",
            "move_ms = 0",
            "key `limits.move_ms`: it takes whole milliseconds from 1 to 1000000000, not 0",
        ),
        ("bank_ms = 10000", "bank_ms = 1000000001", "key `limits.bank_ms`: it takes whole milliseconds from 0 to"),
        ("cores = 1.0", "cores = inf", "key `caps.cores`: it takes a number above 0, up to 1024, not inf"),
        ("cores = 1.0", "cores = 0", "key `caps.cores`: it takes a number above 0, up to 1024, not 0"),
        ("first_dealer = -1", "first_dealer = 7", "key `options.first_dealer`: marshmallow-test: option first_dealer"),
        ("first_dealer = -1", "last_dealer = 1", "key `options.last_dealer`: there is no such key; did you mean"),
        ('game = "marshmallow-test"', 'game = "chess"', "key `game`: it takes one of marshmallow-test"),
        (
            'contact = ""',
            'contact = "javascript:alert(1)"',
            "key `contact`: it takes an e-mail address or a web address (http or https), up to 500 characters, not",
        ),
        ('contact = ""', 'contact = "ask me"', "key `contact`: it takes an e-mail address or a web"),
        ('contact = ""', 'contact = "a@example.org?cc=b"', "key `contact`: it takes an e-mail address or a web"),
        ('contact = ""', r'contact = "https://a.example/\u202e"', "key `contact`: it takes an e-mail address or a web"),
        ('address = ""', 'address = "cup.example"', "key `address`: it takes the web address (http or https) of the"),
        ('address = ""', 'address = "ftp://cup.example"', "key `address`: it takes the web address"),
        ('address = ""', 'address = "https://cup.example/?a"', "key `address`: it takes the web address"),
        ('address = ""', 'address = "https://cup@evil.example"', "key `address`: it takes the web address"),
        ('address = ""', 'address = "https://cup.example/index.html"', "key `address`: it takes the web address"),
        ('about = ""', f'about = "{"x" * 1001}"', "key `about`: it takes a text in quotes, up to 1000 characters, not"),
        ('organiser = ""', "organiser = 3", "key `organiser`: it takes a text in quotes, up to 500 characters, not 3"),
        ("rounds = 1", "rounds = ", "key `rounds`: this is not TOML: Invalid value"),
        ("rounds = 1", "rounds 1", "this is not TOML: Expected '='"),
        ("rounds = 1", "rounds = 1\nrounds = 2", "key `rounds`: this is not TOML: Cannot overwrite"),
        ("[limits]", "[caps]\n[caps]", "key `caps`: this is not TOML: Cannot declare"),
        ("rounds = 1", "rounds = " + "[" * 50_000, "key `rounds`: this is not TOML: a value nests too deep"),
    ],
)
def test_a_broken_file_names_the_key_and_the_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = written(tmp_path)
    assert text.count(f"\n{old}\n") == 1
    broken = text.replace(f"\n{old}\n", f"\n{new}\n")
    line = text[: text.index(f"\n{old}\n")].count("\n") + 2 + new.count("\n")
    message = refusal(tmp_path, broken)
    assert said in message
    assert f"line {line}" in message


def test_a_file_that_is_not_utf_8_names_the_key_and_the_line(tmp_path: Path) -> None:
    text = written(tmp_path)
    (tmp_path / config.FILE).write_bytes(text.encode().replace(b'title = ""', b'title = "\xfc"'))
    with pytest.raises(config.ConfigError) as error:
        config.read(tmp_path)
    line = text.split("\n").index('title = ""') + 1
    said = f"line {line}, key `title`: this is not TOML: byte 0xfc is not UTF-8; save the file as UTF-8"
    assert str(error.value).endswith(said)


def test_what_the_site_says_of_the_people_behind_it_is_read(tmp_path: Path) -> None:
    about = 'All are welcome.\n\nPrize: a "cake" \\o/ \x7f'
    for contact in ("ann@example.org", "mailto:ann@example.org", "https://example.org/ask?for=ann#now", ""):
        for address in ("https://cup.example", "http://localhost:8000/a-b/c_d/", ""):
            written(tmp_path, organiser="Ann & Bob", contact=contact, about=about, address=address)
            read = config.read(tmp_path)
            assert (read.organiser, read.contact, read.about) == ("Ann & Bob", contact, about)
            assert read.address == address


def test_a_text_of_many_lines_misleads_nobody_about_the_line_of_a_key(tmp_path: Path) -> None:
    text = written(tmp_path)
    for quotes in ('"""', "'''"):
        long = f"about = {quotes}\nrounds = 9\n[limits]\n# {quotes[:2]}\n{quotes}"
        broken = text.replace('about = ""', long).replace("rounds = 1", "rounds = 0")
        line = broken.split("\n").index("rounds = 0") + 1
        assert f"line {line}, key `rounds`: it takes" in refusal(tmp_path, broken)
        opened = text.replace('about = ""', f"about = {quotes}\nrounds = 9")
        line = opened.split("\n").index(f"about = {quotes}") + 1
        assert f"line {line}, key `about`: this is not TOML" in refusal(tmp_path, opened)


def test_a_value_that_is_refused_is_shown_in_short(tmp_path: Path) -> None:
    broken = written(tmp_path).replace('title = ""', f'title = "{"x" * 10_000}"')
    assert len(refusal(tmp_path, broken)) < 500 + len(str(tmp_path))


def test_a_missing_key_and_a_section_that_is_none_are_named(tmp_path: Path) -> None:
    assert "the key `players` is missing" in refusal(tmp_path, 'game = "marshmallow-test"')
    assert "line 3, key `limits`: it is a section" in refusal(
        tmp_path, 'game = "marshmallow-test"\nplayers = 2\nlimits = 3\n'
    )


def test_a_folder_without_a_competition_is_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"holds no competition .* `harness init`"):
        config.read(tmp_path)
    (tmp_path / config.FILE).write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="line 1: this is not TOML: byte 0xff is not UTF-8"):
        config.read(tmp_path)


def test_the_database_is_found_from_the_competitions_folder(tmp_path: Path) -> None:
    written(tmp_path)
    assert config.read(tmp_path).database_url == f"sqlite:///{tmp_path / 'competition.db'}"
    written(tmp_path, database="sqlite:////var/x.db")
    assert config.read(tmp_path).database_url == "sqlite:////var/x.db"
    written(tmp_path, database="postgresql://host/name")
    assert config.read(tmp_path).database_url == "postgresql://host/name"


def test_each_sandbox_gets_the_settings_that_it_takes_and_a_name_of_its_own(tmp_path: Path) -> None:
    def settings(folder: Path, sandbox: str) -> dict[str, object]:
        (folder / config.FILE).write_text(config.write(GAME, 2, {}, sandbox=sandbox))
        return dict(config.read(folder).choice.settings)

    (tmp_path / "other").mkdir()
    docker, other = settings(tmp_path, "docker"), settings(tmp_path / "other", "docker")
    assert set(docker) == {"image", "transport", "series", "file_locks", "runtime", "instance"}
    assert docker["instance"] != other["instance"]
    assert set(settings(tmp_path, "bwrap")) == {"root", "file_locks", "instance"}
    assert settings(tmp_path, "local") == {}
