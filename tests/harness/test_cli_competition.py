from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import config, ratings
from harness.cli import run
from harness.model import Snapshot, Status
from harness.stop import Stopped
from harness.store import Store
from referee import replay
from tests.harness import rogues

GAME = "marshmallow-test"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A competition of two-seat matches between trusted bots."""
    folder = tmp_path / "cup"
    assert run(["init", str(folder), "--game", GAME, "--sandbox", "local"]) == 0
    return folder


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template") / "cup"
    assert run(["init", str(folder), "--game", GAME, "--sandbox", "local"]) == 0
    for name in ("ann", "bob"):
        assert run(["submit", "uniform", "-C", str(folder), "--name", name, "--author", name.title()]) == 0
    assert run(["submit", "greedy", "-C", str(folder)]) == 0
    return folder


@pytest.fixture
def field(template: Path, tmp_path: Path) -> Path:
    """The same with three bots in it."""
    return Path(shutil.copytree(template, tmp_path / "cup"))


def snapshot(cup: Path) -> Snapshot:
    store = Store.open(config.read(cup).database_url)
    try:
        return store.snapshot("now")
    finally:
        store.close()


def edit(cup: Path, old: str, new: str) -> None:
    path = cup / config.FILE
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def table(capsys: pytest.CaptureFixture[str], cup: Path) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["standings", "-C", str(cup), "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_init_makes_everything_a_competition_needs(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {path.name for path in cup.iterdir()} >= {"competition.toml", "competition.db", "submissions", "replays"}
    read = config.read(cup)
    assert (read.players, read.sandbox) == (2, "local")
    assert run(["init", str(cup), "--game", GAME]) == 1
    assert "holds a competition already" in capsys.readouterr().err


def test_init_takes_players_and_options_and_refuses_bad_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["init", str(tmp_path / "c"), "--game", GAME]
    assert run([*words, "--players", "6"]) == 1
    assert run([*words, "--option", "first_dealer=9"]) == 1
    assert run([*words, "--sandbox", "dokcer"]) == 1
    assert "did you mean 'docker'?" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()
    assert run([*words, "--players", "4", "--option", "first_dealer=1"]) == 0
    read = config.read(tmp_path / "c")
    assert (read.players, read.options["first_dealer"], read.sandbox) == (4, 1, "docker")


def test_a_round_is_played_recorded_and_rated(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "-C", str(field), "--jobs", "2"]) == 0
    told = table(capsys, field)
    assert told["matches"] == 6
    assert [line["matches"] for line in told["standings"]] == [4, 4, 4]
    assert told["standings"][0]["bot"] == "greedy"
    assert set(told["standings"][0]) == {
        "rank", "bot", "version", "author", "digest", "mu", "sigma", "conservative", "matches", "mean_rank", "faults",
    }  # fmt: skip
    recorded = snapshot(field)
    for row in recorded.matches:
        read = replay.read(field / row.replay)
        assert (read.digest, read.spec.match) == (row.replay_digest, row.match)
        assert [entrant.bot for entrant in read.spec.seats] == [seat.bot for seat in row.seats]
        assert [entrant.digest for entrant in read.spec.seats] == [
            recorded.submissions[seat.submission].digest for seat in row.seats
        ]
    lines = ratings.table(recorded.matches, recorded.entrants)
    assert [(line.submission.name, line.mu) for line in lines] == [
        (line["bot"], line["mu"]) for line in told["standings"]
    ]


def test_running_again_continues_and_rounds_are_rounds_in_all(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "-C", str(field)]
    assert run([*command, "--rounds", "1"]) == 0
    assert run([*command, "--rounds", "1"]) == 0
    assert "6 recorded, 0 to play" in capsys.readouterr().out
    assert run([*command, "--rounds", "2"]) == 0
    rows = snapshot(field).matches
    assert len({row.match for row in rows}) == len(rows) == 12
    assert len({row.seed for row in rows}) == 6
    assert all(row.group_complete for row in rows)


def test_a_lost_record_is_played_again_and_a_stray_replay_is_swept(
    field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a crash between the replay and its row leaves is put right by the next run."""
    stray = field / "replays" / "r1" / "r1-s0-0.jsonl.gz"
    half = field / "replays" / "r1" / "r1-s1-0.jsonl.part"
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"of a match that was never recorded")
    half.write_bytes(b"{")
    assert run(["run", "-C", str(field)]) == 0
    rows = snapshot(field).matches
    assert sorted(path.name for path in stray.parent.iterdir()) == sorted(Path(row.replay).name for row in rows)
    assert all(replay.read(field / row.replay).digest == row.replay_digest for row in rows)


def test_a_new_bot_and_a_new_version_play_what_they_lack_and_old_results_stay(
    field: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", "-C", str(field)]) == 0
    before = snapshot(field).matches
    better = rogues.write(tmp_path, "honest")
    assert run(["submit", better, "-C", str(field), "--name", "ann"]) == 0
    assert run(["run", "-C", str(field)]) == 0
    after = snapshot(field)
    assert all(row in after.matches for row in before)
    assert [entrant.label for entrant in after.entrants] == ["bob v1", "greedy v1", "ann v2"]
    assert len(after.matches) == 6 + 4
    told = table(capsys, field)
    assert {(line["bot"], line["version"]) for line in told["standings"]} == {("bob", 1), ("greedy", 1), ("ann", 2)}
    assert run(["standings", "-C", str(field), "--all"]) == 0
    assert "ann v1" in capsys.readouterr().out


def test_a_rejected_version_says_why_and_leaves_the_old_one_in_play(
    field: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A51: the new status is clear, and it is not the old version's."""
    assert run(["submit", rogues.write(tmp_path, "raises"), "-C", str(field), "--name", "bob"]) == 1
    out = capsys.readouterr()
    assert "bob v2 rejected: its check failed: bot bob: it exited with code 1" in out.err
    assert "bob v1 stays in play" in out.err
    assert "ValueError: no plan" in out.out
    assert "\x1b" not in out.out + out.err
    *_, last = snapshot(field).submissions
    assert (last.label, last.status) == ("bob v2", Status.REJECTED)
    assert "ValueError: no plan" in last.log
    assert [entrant.label for entrant in snapshot(field).entrants] == ["ann v1", "bob v1", "greedy v1"]


@pytest.mark.needs("gcc")
def test_a_failed_build_is_a_rejection_with_the_compilers_log(
    cup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "red.c").write_text("int main(void) { return nothing; }")
    assert run(["submit", str(tmp_path / "red.c"), "-C", str(cup)]) == 1
    out = capsys.readouterr()
    assert "red v1 rejected: its build failed" in out.err
    assert "no version of it is in play" in out.err
    assert "nothing" in snapshot(cup).submissions[0].log


def test_submit_refuses_what_it_cannot_take_and_notes_nothing(
    field: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, said in (
        (["uniform", "--name", "Greedy"], "looks like 'greedy'"),
        (["uniform", "--name", "gr33d\u0443"], "cannot be a bot's name"),
        (["uniform", "--name", "new", "--author", "a\u202eb"], "an author's name"),
        (["uniform", "--name", "ann"], "nothing has changed since ann v1"),
        (["unifrom"], "did you mean 'uniform'?"),
        ([str(tmp_path / "cup")], "has no bot.toml"),
    ):
        assert run(["submit", *words, "-C", str(field)]) == 1
        assert said in capsys.readouterr().err
    assert len(snapshot(field).submissions) == 3
    before = sorted((field / "submissions").iterdir())
    assert run(["submit", "-C", str(field), "--name", "-odd-", rogues.write(tmp_path, "honest")]) == 1
    assert sorted((field / "submissions").iterdir()) == before


def test_a_run_without_enough_bots_is_refused_and_never_made_smaller(
    cup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A83 A85."""
    assert run(["submit", "uniform", "-C", str(cup)]) == 0
    assert run(["run", "-C", str(cup)]) == 1
    assert "a match needs 2 bots and 1 can play" in capsys.readouterr().err
    assert snapshot(cup).matches == ()


def test_a_submission_that_was_interrupted_is_settled_by_the_next_run(
    field: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A82: whatever waits comes to a visible end."""
    monkeypatch.setattr("harness.pipeline.settle", lambda *_: iter(()))
    assert run(["submit", "uniform", "-C", str(field), "--name", "dan"]) == 1
    assert snapshot(field).submissions[-1].status is Status.RECEIVED
    monkeypatch.undo()
    assert run(["run", "-C", str(field)]) == 0
    assert "dan v1 accepted" in capsys.readouterr().out
    assert len(snapshot(field).matches) == 12


def test_faults_are_recorded_rated_and_found_in_the_index(
    cup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A43: one log a match and seat, and an index of what ended badly."""
    assert run(["submit", "uniform", "-C", str(cup)]) == 0
    later = tmp_path / "later.py"
    later.write_text(
        "asked = 0\n" + rogues.READ + rogues.READY + rogues.ASKED + "        asked += 1\n"
        "        if asked > 3: print('bye', file=sys.stderr); sys.exit(4)\n" + rogues.ANSWER
    )
    accept(cup, later)
    assert run(["run", "-C", str(cup)]) == 0
    recorded = snapshot(cup)
    assert [row.ending for row in recorded.matches] == ["forfeit", "forfeit"]
    told = table(capsys, cup)
    assert [(line["bot"], line["faults"]) for line in told["standings"]] == [("uniform", 0), ("later", 2)]
    index = [json.loads(line) for line in (cup / "logs" / "abnormal.jsonl").read_text().splitlines()]
    assert [entry["match"] for entry in index] == [row.match for row in recorded.matches]
    fault = index[0]["faults"][0]
    assert (fault["kind"], fault["bot"]) == ("crash", "later")
    assert (cup / "logs" / fault["stderr"]).read_text() == "bye\n"


def accept(cup: Path, source: Path) -> None:
    """Put a bot into play that no check would let pass."""
    from harness import pipeline

    read = config.read(cup)
    store = Store.open(read.database_url)
    added = pipeline.hand_in(read, store, source, None, "", "now")
    store.settle(added.number, Status.ACCEPTED, "", "")
    store.close()


def test_matches_that_cannot_be_played_are_void_noted_and_played_later(
    field: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """K1: our own failure is never a bot's; a run that cannot play anything gives up soon and says why."""
    monkeypatch.setattr("harness.worker.open_all", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    assert run(["run", "-C", str(field), "--jobs", "1"]) == 1
    out = capsys.readouterr()
    assert "4 matches in a row could not be played" in out.err
    assert "No space left" in out.err
    assert "Traceback" not in out.err
    recorded = snapshot(field)
    assert recorded.matches == ()
    assert len(recorded.voids) == 4
    monkeypatch.undo()
    assert run(["run", "-C", str(field)]) == 0
    assert len(snapshot(field).matches) == 6
    assert "4 attempts void, not rated" in capsys.readouterr().out


def test_two_runs_at_once_are_refused(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import fcntl

    with (field / ".run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert run(["run", "-C", str(field)]) == 1
    assert "another run is at work" in capsys.readouterr().err


def test_lost_files_are_our_fault_and_no_bots(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(field / "submissions" / snapshot(field).entrants[-1].digest)
    assert run(["run", "-C", str(field)]) == 1
    assert "the files of greedy v1 are gone" in capsys.readouterr().err
    assert snapshot(field).matches == ()


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "key": (
        lambda cup: edit(cup, "rounds = 1", "ruonds = 1"),
        "key `ruonds`: there is no such key; did you mean `rounds`?",
    ),
    "value": (
        lambda cup: edit(cup, "move_ms = 1000", 'move_ms = "x"'),
        "key `limits.move_ms`: it takes whole milliseconds",
    ),
    "syntax": (lambda cup: edit(cup, "rounds = 1", "rounds ="), "this is not TOML"),
    "gone": (lambda cup: (cup / config.FILE).unlink(), "holds no competition"),
    "no database": (lambda cup: (cup / "competition.db").unlink(), "is not there; put it back"),
    "noise": (lambda cup: (cup / "competition.db").write_bytes(b"x" * 9000), "cannot be read: file is not a database"),
    "version": (lambda cup: other_version(cup), "has schema version 99"),
    "driver": (lambda cup: edit(cup, "sqlite:///competition.db", "oracle+nothing://x/y"), "no driver for the database"),
    "address": (lambda cup: edit(cup, "sqlite:///competition.db", "my database"), "is no database address"),
}


def other_version(cup: Path) -> None:
    connection = sqlite3.connect(cup / "competition.db")
    connection.execute("UPDATE setting SET value = '99' WHERE key = 'schema'")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.parametrize("command", [["run"], ["standings"], ["submit", "greedy"], ["publish"]])
def test_a_broken_competition_is_one_clear_message_and_nothing_changes(
    cup: Path, capsys: pytest.CaptureFixture[str], what: str, command: list[str]
) -> None:
    (cup / "competition.db-wal").unlink(missing_ok=True)
    damage, said = BROKEN[what]
    damage(cup)
    before = {path: path.read_bytes() for path in cup.glob("competition.*") if path.suffix in (".toml", ".db")}
    capsys.readouterr()
    assert run([*command, "-C", str(cup)]) == 1
    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err
    assert len([line for line in err.splitlines() if "unconfined" not in line]) == 1
    assert {path: path.read_bytes() for path in before} == before


def test_matches_of_another_kind_are_never_mixed(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "-C", str(field)]) == 0
    edit(field, "players = 2", "players = 3")
    capsys.readouterr()
    assert run(["run", "-C", str(field)]) == 1
    assert "6 matches of marshmallow-test with 2 seats are recorded" in capsys.readouterr().err
    edit(field, "players = 3", "players = 2")
    edit(field, "first_dealer = -1", "first_dealer = 0")
    assert run(["run", "-C", str(field), "--rounds", "2"]) == 0
    assert '6 matches were played with other options of the game ({"first_dealer": -1})' in capsys.readouterr().err
    assert len(snapshot(field).matches) == 12


def test_another_isolation_is_pointed_out(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "-C", str(field)]) == 0
    connection = sqlite3.connect(field / "competition.db")
    connection.execute("DROP TRIGGER result_no_update")
    connection.execute("UPDATE result SET isolation = 'docker: wall'")
    connection.commit()
    connection.close()
    capsys.readouterr()
    assert run(["run", "-C", str(field)]) == 0
    assert "6 matches were played under another isolation (docker: wall)" in capsys.readouterr().err
    assert run(["standings", "-C", str(field)]) == 0
    assert "different isolations" not in capsys.readouterr().out


def test_a_table_of_several_isolations_says_so(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "-C", str(field)]) == 0
    connection = sqlite3.connect(field / "competition.db")
    connection.execute("DROP TRIGGER result_no_update")
    connection.execute("UPDATE result SET isolation = 'docker: wall' WHERE match LIKE 'r1-s0-%'")
    connection.commit()
    connection.close()
    capsys.readouterr()
    assert run(["standings", "-C", str(field)]) == 0
    said = capsys.readouterr().out
    assert "these results are of different isolations, rated together:" in said
    assert "  2 matches under docker: wall" in said
    assert "  4 matches under local: " in said
    assert run(["standings", "-C", str(field), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["isolations"]["docker: wall"] == 2
    assert run(["publish", "-C", str(field)]) == 0
    page = (field / "site" / "index.html").read_text("utf-8")
    assert "Results of different isolations are rated together" in page
    assert "docker: wall" in page


def test_what_workers_had_no_time_for_is_swept_when_stopped(field: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> int:
        raise Stopped(2)

    swept: list[str] = []

    class Sandbox:
        def close(self) -> None:
            swept.append("closed")

    monkeypatch.setattr("harness.cli.competition.play_missing", stopped)
    monkeypatch.setattr("harness.sandboxes.create", lambda _: Sandbox())
    assert run(["run", "-C", str(field)]) == 130
    assert swept == ["closed"]


def test_hostile_text_in_the_database_is_safe_on_the_terminal(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = sqlite3.connect(field / "competition.db")
    connection.execute("UPDATE submission SET author = ? WHERE name = 'ann'", ("\x1b[2J\u202egnp.exe",))
    connection.commit()
    connection.close()
    assert run(["standings", "-C", str(field)]) == 0
    out = capsys.readouterr().out
    assert "\\x1b[2J\\u202egnp.exe" in out
    assert "\x1b" not in out


def test_a_competition_may_be_moved(field: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "-C", str(field)]) == 0
    moved = tmp_path / "elsewhere" / "cup"
    moved.parent.mkdir()
    shutil.move(field, moved)
    assert run(["run", "-C", str(moved), "--rounds", "2"]) == 0
    assert table(capsys, moved)["matches"] == 12


def test_the_table_fits_a_terminal_of_80_columns(
    cup: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = ["--name", "javascript-starter", "--author", "Botpit"]
    assert run(["submit", "uniform", "-C", str(cup), *named]) == 0
    capsys.readouterr()
    assert run(["standings", "-C", str(cup)]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) > 80  # what is piped keeps its two spaces
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert run(["standings", "-C", str(cup)]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_rounds_and_jobs_have_bounds(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "-C", str(cup), "--rounds", "100001"]) == 2
    assert "is not in the range 1 to 100000" in capsys.readouterr().err
    edit(cup, "jobs = 0", "jobs = 1000")
    cores = len(os.sched_getaffinity(0))
    capsys.readouterr()
    assert run(["standings", "-C", str(cup)]) == 0
    assert f"no bot plays yet; hand one in: harness submit BOT -C {cup}" in capsys.readouterr().out
    assert run(["run", "-C", str(cup)]) == 1  # it has no bots
    if cores < 60:
        assert f"1000 matches at once are too many for {cores} core" in capsys.readouterr().err
