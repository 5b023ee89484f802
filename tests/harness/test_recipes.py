from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.recipes import LANGUAGES, Recipe, RecipeError, read


def manifest(folder: Path, text: str) -> Path:
    (folder / "bot.toml").write_text(text)
    return folder


def refusal(source: Path) -> str:
    with pytest.raises(RecipeError) as caught:
        read(source)
    return str(caught.value)


def test_a_single_file_runs_by_its_ending(tmp_path: Path) -> None:
    (tmp_path / "red.py").write_text("")
    assert read(tmp_path / "red.py") == Recipe("red", ("python3", "./red.py"), (), "python")
    (tmp_path / "red.c").write_text("")
    built = read(tmp_path / "red.c")
    assert built.command == ("./bot",)
    assert built.build[0] == "gcc"
    assert "./red.c" in built.build


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_language_says_what_it_needs(tmp_path: Path, language: object) -> None:
    for ending in language.endings:  # type: ignore[attr-defined]
        (tmp_path / f"-x{ending}").write_text("")
        recipe = read(tmp_path / f"-x{ending}")
        assert recipe.language == language.name  # type: ignore[attr-defined]
        assert not any("{" in word for word in (*recipe.command, *recipe.build))
        assert f"-x{ending}" not in (*recipe.command, *recipe.build)
    assert language.needs  # type: ignore[attr-defined]


def test_an_executable_runs_as_it_is(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\n")
    assert "not executable" in refusal(program)
    program.chmod(0o755)
    assert read(program) == Recipe("engine", ("./engine",), (), "executable")


def test_a_directory_says_it_in_its_manifest(tmp_path: Path) -> None:
    text = 'name = "red"\ncommand = ["./red", "--fast"]\nbuild = ["make"]\nlanguage = "c"\n'
    assert read(manifest(tmp_path, text)) == Recipe("red", ("./red", "--fast"), ("make",), "c")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "x"', "the key `command` is missing"),
        ('command = ["./x"]', "the key `name` is missing"),
        ('name = "x"\ncomand = ["./x"]', "unknown key `comand`; did you mean `command`?"),
        ('name = "x"\ncommand = "./x --fast"', "is a list of words"),
        ('name = "x"\ncommand = []', "is a list of words"),
        ('name = "x"\ncommand = [1]', "is a list of words"),
        ('name = "x"\ncommand = ["/bin/sh"]', "lies outside the bot"),
        ('name = "x"\ncommand = ["../x"]', "lies outside the bot"),
        ('name = "x"\ncommand = ["./a/../../x"]', "lies outside the bot"),
        ('name = "x"\ncommand = ["sh; rm"]', "a program's name has"),
        ('name = "x"\ncommand = ["$(x)"]', "a program's name has"),
        ('name = "x"\ncommand = ["x", "a\\nb"]', "control character"),
        ('name = "x"\ncommand = [""]', "empty program"),
        ('name = "\\u001b[2J"\ncommand = ["./x"]', "printable characters"),
        ('name = ""\ncommand = ["./x"]', "printable characters"),
        ('name = 3\ncommand = ["./x"]', "texts in quotes"),
        ('name = "x"\ncommand = ["./x"]\nlanguage = "<b>"', "is a short name"),
        ("name = ", "is not TOML"),
        ("x = " + "[" * 5_000, "is not TOML"),
        ("#" * 70_000, "is larger than"),
    ],
)
def test_a_bad_manifest_is_refused_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    message = refusal(manifest(tmp_path, text))
    assert said in message
    assert "\n" not in message


def test_what_is_no_bot_is_refused(tmp_path: Path) -> None:
    assert "has no bot.toml" in refusal(tmp_path)
    assert "is not there" in refusal(tmp_path / "nothing.py")
