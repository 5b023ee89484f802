from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.cli import run
from harness.crew import Crew
from referee import replay
from tests.harness import rogues

GAME = "marshmallow-test"


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """`harness play` in an empty folder, with clocks that lose little time."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> int:
        return run(["play", *words])

    return command


def objects(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_json_has_one_object_a_match_with_exactly_the_promised_keys(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert play(GAME, "uniform", "greedy", "uniform", "--matches", "4", "--seed", "7", "--json") == 0
    matches = objects(capsys.readouterr().out)
    assert len(matches) == 4
    for match in matches:
        assert list(match) == ["match", "game", "seed", "ending", "seats", "replay"]
        assert (match["game"], match["ending"]) == (GAME, "finished")
        seats = match["seats"]
        assert isinstance(seats, list)
        assert [list(seat) for seat in seats] == [["seat", "bot", "rank", "score", "faults"]] * 3
        assert replay.read(tmp_path / str(match["replay"])).spec.match == match["match"]
    sitting = [[seat["bot"] for seat in match["seats"]] for match in matches]  # type: ignore[attr-defined]
    assert sitting == [
        ["uniform", "greedy", "uniform-2"],
        ["greedy", "uniform-2", "uniform"],
        ["uniform-2", "uniform", "greedy"],
        ["uniform", "greedy", "uniform-2"],
    ]
    seeds = [match["seed"] for match in matches]
    assert seeds[0] == seeds[1] == seeds[2] != seeds[3]


def test_the_same_seed_gives_the_same_matches_and_replays_but_for_times(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def steps(folder: str) -> list[list[object]]:
        play(GAME, "uniform", "greedy", "--matches", "4", "--seed", "x", "--replays", folder, "--json")
        found: list[list[object]] = []
        for match in objects(capsys.readouterr().out):
            read = replay.read(Path(str(match["replay"])))
            timeless = [
                {**step, "acts": {seat: {**act, "ms": 0} for seat, act in step.get("acts", {}).items()}}
                for step in read.steps
            ]
            found.append([Path(str(match["replay"])).name, read.header, timeless, read.end["state"], match["seats"]])
        return found

    assert steps("one") == steps("two")


def test_the_closing_table_counts_faults_by_kind(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bad = rogues.write(tmp_path, "illegal")
    assert play(GAME, "uniform", bad, "--matches", "2", "--record", "none") == 0
    out = capsys.readouterr()
    assert "illegal 6" in out.out
    assert out.out.splitlines()[0].split() == ["bot", "matches", "mean", "rank", "first", "mean", "score", "faults"]
    assert "1 of 2: forfeit: 1. uniform" in out.err
    assert "bots run unconfined" in out.err


@pytest.mark.parametrize(
    ("what", "kept"), [("none", set()), ("result", {".jsonl"}), ("full", {".jsonl", ".gz", ".stderr"})]
)
def test_what_is_recorded_is_what_was_asked_for(
    play: Callable[..., int], tmp_path: Path, what: str, kept: set[str]
) -> None:
    bad = rogues.write(tmp_path, "raises")
    assert play(GAME, "uniform", bad, "--record", what, "--replays", "kept") == 0
    assert {path.suffix for path in tmp_path.glob("kept/*")} == kept


VERDICTS = {
    "exits": ["crash"],
    "leaves": ["left"],
    "silent": ["startup"],
    "never_answers": ["timeout"],
    "twice": ["malformed"],
    "floods": ["flood"],
    "raises": ["crash"],
    "illegal": ["illegal"],
    "garbage": ["malformed"],
    "chatty": [],
    "honest": [],
}


@pytest.mark.parametrize("name", VERDICTS)
def test_every_rogue_is_named_and_the_next_match_is_played(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """A08 A11 A16: only that match is lost, the other is awarded it, and match N + 1 is recorded too."""
    bad = rogues.write(tmp_path, name)
    clocks: tuple[str, ...] = ("--start-ms", "1500", "--move-ms", "200", "--bank-ms", "0", "--policy", "strict")
    if name == "chatty":
        clocks = ("--start-ms", "5000", "--move-ms", "9000")
    assert play(GAME, bad, "uniform", "--matches", "2", *clocks, "--json", "--option", "first_dealer=0") == 0
    out = capsys.readouterr()
    assert "Traceback" not in out.err
    assert "\x1b" not in out.err
    matches = objects(out.out)
    assert len(matches) == 2
    for match in matches:
        by_bot = {seat["bot"]: seat for seat in match["seats"]}  # type: ignore[attr-defined]
        assert [fault["kind"] for fault in by_bot[name]["faults"]][:1] == VERDICTS[name]
        assert by_bot["uniform"]["faults"] == []
        assert match["ending"] == ("forfeit" if VERDICTS[name] else "finished")
        if VERDICTS[name]:
            assert (by_bot["uniform"]["rank"], by_bot[name]["rank"]) == (1, 2)
            assert by_bot[name]["faults"][0]["message"].startswith(f"bot {name}: ")


REFUSALS = [
    (("chess", "uniform", "uniform"), 1, "there is no game 'chess'"),
    (("marshmalow-test", "uniform", "uniform"), 1, "did you mean 'marshmallow-test'?"),
    ((GAME, "uniform"), 1, "takes 2 to 5 players, not 1"),
    ((GAME, *["uniform"] * 6), 1, "takes 2 to 5 players, not 6"),
    ((GAME, "unifrom", "uniform"), 1, "did you mean 'uniform'?"),
    ((GAME, "./missing.py", "uniform"), 1, "no such file or directory"),
    ((GAME, "plain.txt", "uniform"), 1, "is not executable and has no known ending"),
    ((GAME, "empty", "uniform"), 1, "has no bot.toml"),
    ((GAME, "uniform", "uniform", "--option", "dealer=1"), 1, "no option 'dealer'; did you mean 'first_dealer'?"),
    ((GAME, "uniform", "uniform", "--option", "first_dealer=9"), 1, "it takes one of"),
    ((GAME, "uniform", "uniform", "--option", "first_dealer"), 1, "write it as KEY=VALUE"),
    ((GAME, "uniform", "uniform", "--option", "first_dealer=x"), 1, "write a whole number"),
    ((GAME, "uniform", "uniform", "--sandbox", "lokal"), 1, "did you mean 'local'?"),
    ((GAME, "uniform", "uniform", "--matches", "0"), 2, "0 is not in the range"),
    ((GAME, "uniform", "uniform", "--matches", "x"), 2, "'x' is not a whole number; it takes 1 to 1000000."),
    ((GAME, "uniform", "uniform", "--matches", "1000001"), 2, "is not in the range 1 to 1000000"),
    ((GAME, "uniform", "uniform", "--strikes", "1000001"), 2, "is not in the range 1 to 1000000"),
    ((GAME, "uniform", "uniform", "--move-ms", "1000000001"), 2, "is not in the range 1 to 1000000000"),
    ((GAME, "uniform", "uniform", "--policy", "sharp"), 2, "'sharp' is not one of"),
    ((GAME, "uniform", "uniform", "--mtaches", "2"), 2, "--matches"),
    ((GAME, "uniform", "uniform", "--replays", "plain.txt"), 1, "File exists"),
]


@pytest.mark.parametrize(("words", "code", "said"), REFUSALS)
def test_what_cannot_be_played_is_refused_in_one_clear_message(
    play: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    words: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    (tmp_path / "plain.txt").write_text("no bot")
    (tmp_path / "empty").mkdir()
    assert play(*words) == code
    out = capsys.readouterr()
    assert said in out.err
    assert out.out == ""
    told = [line for line in out.err.splitlines() if "unconfined" not in line and not line.startswith(("Usage", "Try"))]
    assert len([line for line in told if line]) == 1


def test_a_bot_that_cannot_be_executed_loses_its_match_and_says_why(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "ghost"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "ghost"\ncommand = ["./not-there"]\n')
    assert play(GAME, "uniform", str(folder)) == 0
    out = capsys.readouterr()
    assert "bot ghost: " in out.err
    assert "crash 1" in out.out
    (stderr,) = tmp_path.glob("replays/*.stderr")
    assert "cannot run ['./not-there']" in stderr.read_text()


@pytest.mark.needs("gcc")
def test_a_bot_that_does_not_build_is_refused_with_the_compilers_words(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "red.c").write_text("int main(void) { return nothing; }")
    assert play(GAME, "uniform", "red.c") == 1
    err = capsys.readouterr().err
    assert "bot red: the build failed with exit code 1" in err
    assert "nothing" in err
    assert "Traceback" not in err


def test_a_failure_of_ours_is_void_in_one_line_and_never_a_trace(
    play: Callable[..., int], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.games.marshmallow_test import MarshmallowTest

    def fail(*_: object) -> None:
        raise RuntimeError("a bug in the rules")

    monkeypatch.setattr(MarshmallowTest, "events_by_seat", fail)
    assert play(GAME, "uniform", "uniform", "--json") == 1
    out = capfd.readouterr()
    assert "a bug in the rules" in out.err
    assert "1 match could not be played; that is no bot's fault" in out.err
    assert "Traceback" not in out.err
    assert [match["ending"] for match in objects(out.out)] == ["void"]
    assert objects(out.out)[0]["replay"] is None


def test_after_a_fault_one_is_told_how_to_see_it_again(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A42: what it wrote, and the command that gives it the same input."""
    assert play(GAME, "uniform", rogues.write(tmp_path, "raises")) == 0
    err = capsys.readouterr().err
    stderr = next(line.split(": ")[1] for line in err.splitlines() if "its stderr" in line)
    assert "ValueError: no plan" in Path(stderr).read_text()
    words = next(line for line in err.splitlines() if "harness replay feed" in line).split("harness ")[1].split()
    assert run([*words[: words.index("[--")]]) == 0


def test_a_seed_may_be_any_bytes(play: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert play(GAME, "uniform", "uniform", "--seed", "\udcff") == 0
    assert "seed \\udcff" in capsys.readouterr().out


def test_the_same_matches_played_again_overwrite_nothing(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bad = rogues.write(tmp_path, "raises")
    words = (GAME, "uniform", bad, "--matches", "2", "--seed", "x")
    kept: dict[str, bytes] = {}
    paths: list[str] = []
    for take in (1, 2, 3):
        capsys.readouterr()
        assert play(*words, "--json") == 0
        out = capsys.readouterr()
        paths += [str(match["replay"]) for match in objects(out.out)]
        for name, content in kept.items():
            assert (tmp_path / "replays" / name).read_bytes() == content, name
        kept = {path.name: path.read_bytes() for path in tmp_path.glob("replays/*") if path.suffix != ".jsonl"}
        assert len(kept) == 4 * take  # a replay and a stderr for each match
        assert all(f".{take}." in line for line in out.err.splitlines() if take > 1 and line[2:6] == "its ")
    assert len(set(paths)) == 6
    assert len({replay.read(tmp_path / path).spec.match for path in paths}) == 2
    lines = objects((tmp_path / "replays/results.jsonl").read_text())
    assert sorted(str(line["replay"]) for line in lines) == sorted(paths)
    assert play(*words) == 0
    assert "replays in replays, in names that end with .4: these matches were played before" in capsys.readouterr().out


def test_a_take_that_comes_to_nothing_leaves_nothing(
    play: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness.stop import Stopped

    def stopped(*_: object) -> None:
        raise Stopped(15)

    monkeypatch.setattr("harness.cli.play.outcomes", lambda *_: iter(stopped, 0))
    assert play(GAME, "uniform", "uniform", "--seed", "x") == 143
    assert list(tmp_path.glob("replays/*")) == []


def test_json_of_what_has_ended_out_of_turn_is_printed_when_stopped(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness import worker
    from harness.dispatch import Outcome
    from harness.stop import Stopped
    from harness.worker import Job

    def last_first(_hands: object, jobs: Iterator[Job], _at_once: int) -> Iterator[Outcome]:
        listed = list(jobs)
        for number in (3, 0, 2):
            yield Outcome(number, listed[number], worker.play(listed[number]))
        raise Stopped(2)

    monkeypatch.setattr("harness.cli.play.outcomes", last_first)
    try:
        assert play(GAME, "uniform", "uniform", "--matches", "4", "--json") == 130
    finally:
        worker.leave()
    ended = [str(match["match"])[-6:] for match in objects(capsys.readouterr().out)]
    assert ended == ["0001-0", "0002-0", "0002-1"]


def test_more_jobs_than_the_machine_can_serve_are_cut_aloud(
    play: Callable[..., int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hired: list[int] = []

    class Few(Crew):
        def __init__(self, size: int, begin: Callable[[int], None] | None = None) -> None:
            hired.append(size)
            super().__init__(min(size, 2), begin)

    monkeypatch.setattr("harness.cli.play.Crew", Few)
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0, 1})
    words = (GAME, "uniform", "uniform", "--record", "none", "--json")
    assert play(*words, "--matches", "40", "--jobs", "100000") == 0
    out = capsys.readouterr()
    assert "harness: 100000 matches at once are too many for 2 cores; playing 32" in out.err
    assert len(objects(out.out)) == 40
    assert play(*words, "--matches", "2", "--jobs", "32") == 0
    assert "too many" not in capsys.readouterr().err
    assert hired == [32, 2]


def test_matches_that_cannot_be_played_end_it_soon_with_what_there_is(
    play: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("harness.worker.open_all", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    assert play(GAME, "uniform", "greedy", "--matches", "50", "--jobs", "1", "--json") == 1
    out = capsys.readouterr()
    assert len(out.out.splitlines()) == 4
    assert out.err.splitlines()[-1].startswith("harness: 4 matches in a row could not be played")
    assert "Traceback" not in out.err
