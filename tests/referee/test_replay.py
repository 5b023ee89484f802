"""Replays on disk: whole or refused by name, and every step checked."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee.match import play
from referee.rebuild import feed, rebuild, verify
from referee.replay import ReplayError, Writer, read
from referee.result import Entrant, MatchSpec
from tests.doubles import CountingGame, FixedClock, ScriptedChannels
from tests.referee.test_match import after, bot, quick, spec_of

Rows = list[dict[str, Any]]
SEED = 2**127 + 18


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    """A match of three with nature, two faults and 12 steps."""
    path = tmp_path / "m1.jsonl.gz"
    clock = FixedClock()
    slow = bot(after(1, 9))
    channels = ScriptedChannels(clock, [quick, quick, slow])
    play(replace(spec_of(3), seed=SEED), CountingGame(), channels, Writer(path, "test"), clock=clock)
    return path


def edit(path: Path, change: Callable[[Rows], object], seal: bool = True) -> None:
    """Change a replay's rows; with the right digest afterwards unless `seal` is False."""
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    change(rows)
    lines = b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows[:-1])
    if seal and "end" in rows[-1]:
        rows[-1]["end"]["lines"] = sha256(lines).hexdigest()
    path.write_bytes(gzip.compress(lines + json.dumps(rows[-1]).encode() + b"\n"))


def test_header_steps_and_end_are_as_documented(replay: Path) -> None:
    raw = gzip.decompress(replay.read_bytes())
    rows = [json.loads(line) for line in raw.split(b"\n")[:-1]]
    assert list(rows[0]) == [
        *("replay", "harness", "match", "group", "game", "game_version", "options", "players", "seats"),
        *("limits", "policy", "placement", "seed"),
    ]
    assert rows[0]["seed"] == str(SEED)
    assert [row["step"] for row in rows[1:-1]] == list(range(12))
    assert set(rows[1]) == {"step", "chance", "text"}
    act = next(act for row in rows[1:-1] for act in row.get("acts", {}).values() if not act["forced"])
    assert list(act) == ["action", "choice", "of", "forced", "ms", "note", "fault"]
    end = rows[-1]["end"]
    assert list(end) == ["ending", "reason", "ranks", "scores", "faults", "state", "lines"]
    assert end["lines"] == sha256(raw[: raw.rindex(b'{"end"')]).hexdigest()
    final = {"round": 6, "totals": [int(score) for score in end["scores"]], "roll": 0}
    canonical = json.dumps(final, sort_keys=True, separators=(",", ":"))
    assert end["state"] == sha256(canonical.encode()).hexdigest()
    assert [fault["kind"] for fault in end["faults"]] == ["illegal", "illegal"]


def test_rebuild_gives_every_state(replay: Path) -> None:
    steps = list(rebuild(read(replay), CountingGame()))
    assert [step.number for step in steps] == list(range(12))
    assert all(one.after == two.before for one, two in pairwise(steps))
    assert CountingGame().scores(steps[-1].after) == tuple(read(replay).end["scores"])


def set_(name: str, value: object, step: int | None = None, seat: str | None = None) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        row = rows[-1]["end"] if step is None else rows[step + 1]
        (row if seat is None else row["acts"][seat])[name] = value

    return change


CHANGED = [
    (set_("chance", {"take": 6}, 0), "step 0 differs: the seed draws take 5, the replay has take 6"),
    (set_("chance", {"take": "6"}, 0), "step 0 differs: {'take': '6'} is not a pick"),
    (set_("choice", 0, 1, "0"), "step 1 differs: seat 0's choice 0 of 4 is not take 3"),
    (set_("choice", 4, 1, "0"), "step 1 differs"),
    (set_("action", {"take": 9}, 1, "0"), "step 1 differs: seat 0's choice 3 of 4 is not take 9"),
    (set_("of", 5, 1, "0"), "step 1 differs"),
    (set_("forced", True, 1, "0"), "step 1 differs: seat 0's act is marked forced: True"),
    (set_("fault", "timeout", 1, "0"), "step 1 differs: seat 0's fault is 'timeout', the end has []"),
    (set_("text", "nothing", 1), "step 1 differs: it says 'nothing', the game says '0: take 3'"),
    (lambda rows: rows[2]["acts"].update({"1": rows[2]["acts"].pop("0")}), "step 1 differs"),
    (set_("scores", [9.0, 9.0, 9.0]), "the end differs after 12 steps: scores is [9.0, 9.0, 9.0]"),
    (set_("ranks", [1, 2, 3]), "ranks is [1, 2, 3]"),
    (set_("ending", "forfeit"), "ending is 'forfeit', not 'finished'"),
    (set_("reason", "because"), "reason is 'because'"),
    (set_("state", "0" * 64), "state is '000"),
    (lambda rows: rows.pop(-2), "the end differs after 11 steps"),
]


@pytest.mark.parametrize(("change", "message"), CHANGED)
def test_verify_names_the_first_step_that_differs(replay: Path, change: Callable[[Rows], object], message: str) -> None:
    assert verify(read(replay), CountingGame()) == 12
    edit(replay, change)
    with pytest.raises(ReplayError) as error:
        verify(read(replay), CountingGame())
    assert message in str(error.value)


def test_an_edited_replay_is_refused(replay: Path) -> None:
    edit(replay, set_("note", "I saw it", 1, "0"), seal=False)
    with pytest.raises(ReplayError, match="was edited: its lines do not have the digest"):
        read(replay)


@pytest.mark.parametrize("keep", [0, 1, 10, 0.5, -1])
def test_a_truncated_replay_is_refused(replay: Path, keep: float) -> None:
    data = replay.read_bytes()
    replay.write_bytes(data[: int(len(data) * keep) if 0 < keep < 1 else int(keep)])
    with pytest.raises(ReplayError, match="truncated"):
        read(replay)


def test_a_match_that_never_ended_is_refused(replay: Path) -> None:
    edit(replay, lambda rows: rows.pop())
    with pytest.raises(ReplayError, match="truncated: it has no end line after 12 steps"):
        read(replay)


def test_unknown_formats_versions_and_games_are_named(replay: Path) -> None:
    """A99."""
    edit(replay, lambda rows: rows[0].update(replay=2))
    with pytest.raises(ReplayError, match="replay format 2; this harness reads format 1"):
        read(replay)
    edit(replay, lambda rows: rows[0].update(replay=1, game_version="7"))
    with pytest.raises(ReplayError, match="is of version 7 of counting; this harness has version 1"):
        verify(read(replay), CountingGame())
    edit(replay, lambda rows: rows[0].update(game="chess"))
    with pytest.raises(ReplayError, match="is of chess, not of counting"):
        list(feed(read(replay), CountingGame(), 0))


@pytest.mark.parametrize(
    "data",
    [b"hello", *(gzip.compress(text, mtime=0) for text in (b"hello\n", b"[]\n", b"{}\n", b"[" * 100_000 + b"\n"))],
)
def test_what_is_no_replay_is_refused(replay: Path, data: bytes) -> None:
    replay.write_bytes(data)
    with pytest.raises(ReplayError, match=r"m1\.jsonl\.gz"):
        read(replay)
    with pytest.raises(ReplayError, match="No such file"):
        read(replay.with_name("missing"))


@pytest.mark.parametrize("field", ["seats", "limits", "seed", "policy", "match"])
def test_a_header_without_a_field_is_refused(replay: Path, field: str) -> None:
    edit(replay, lambda rows: rows[0].pop(field))
    with pytest.raises(ReplayError, match="its header is not written as it should be: Object missing required field"):
        read(replay)


FAULT = {"seat": 0, "step": 1, "kind": "illegal", "message": "bot b0: no"}
MISSHAPEN = [
    (lambda rows: rows[0].update(players=4), "its header is not written as it should be: it names 4 players"),
    (lambda rows: rows[0].update(seed="٣"), "its header is not written as it should be: its seed"),
    (lambda rows: rows[0].update(seed="9" * 5000), "its header is not written as it should be: its seed"),
    (lambda rows: rows[0]["seats"][0].update(bot={}), "its header is not written as it should be: Expected `str`"),
    (lambda rows: rows[0]["limits"].update(strikes=[]), "its header is not written as it should be: Expected `int`"),
    (set_("choice", True, 1, "0"), "step 1 is not written as it should be: Expected `int`, got `bool`"),
    (set_("ms", "4", 1, "0"), "step 1 is not written as it should be: Expected `float | null`"),
    (set_("note", 7, 1, "0"), "step 1 is not written as it should be: Expected `str | null`"),
    (set_("fault", "sloth", 1, "0"), "step 1 is not written as it should be: Invalid enum value 'sloth'"),
    (lambda rows: rows[2]["acts"]["0"].pop("fault"), "step 1 is not written as it should be: Object missing"),
    (lambda rows: rows[2].pop("text"), "step 1 is not written as it should be: Object missing"),
    (lambda rows: rows[2].pop("acts"), "step 1 is not written as it should be: it takes either"),
    (set_("chance", {}, 1), "step 1 is not written as it should be: it takes either"),
    (set_("acts", [], 1), "step 1 is not written as it should be: Expected `object | null`"),
    (lambda rows: rows[2]["acts"].update({"00": rows[2]["acts"]["0"]}), "it has an act of seat '00'"),
    (set_("ranks", [1, 2]), "its end is not written as it should be: it has 2 ranks and 3 scores for 3 seats"),
    (set_("scores", ["1", 2, 3]), "its end is not written as it should be: Expected `float`"),
    (set_("faults", 7), "its end is not written as it should be: Expected `array`"),
    (set_("faults", [{}]), "its end is not written as it should be: Object missing"),
    (set_("faults", [{**FAULT, "seat": 9}]), "its end is not written as it should be: it has a fault of seat 9"),
    (set_("faults", [{**FAULT, "step": 14}]), "it has a fault of seat 0 in step 14"),
    (lambda rows: rows[-1]["end"].pop("reason"), "its end is not written as it should be: Object missing"),
]


@pytest.mark.parametrize(("change", "message"), MISSHAPEN)
def test_what_is_misshapen_is_refused_whoever_signed_it(
    replay: Path, change: Callable[[Rows], object], message: str
) -> None:
    edit(replay, change)
    with pytest.raises(ReplayError) as error:
        read(replay)
    assert message in str(error.value)


def test_fields_of_later_writers_are_left_alone(replay: Path) -> None:
    def add(rows: Rows) -> None:
        end = rows[-1]["end"]
        for row in (
            rows[0],
            rows[0]["seats"][1],
            rows[0]["limits"],
            rows[1],
            rows[2]["acts"]["0"],
            end,
            end["faults"][0],
        ):
            row["added"] = 1

    edit(replay, add)
    assert verify(read(replay), CountingGame()) == 12


def test_feeding_a_seat_that_is_not_there(replay: Path) -> None:
    with pytest.raises(ReplayError, match="seats 0 to 2, not 3"):
        list(feed(read(replay), CountingGame(), 3))


def test_steps_are_on_disk_while_a_bot_thinks(tmp_path: Path) -> None:
    """A38, A60."""
    path = tmp_path / "m1.jsonl.gz"
    part = tmp_path / "m1.jsonl.part"
    seen: list[int] = []

    def thinker(number: int, line: bytes) -> Any:
        return quick(number, line) if number != 2 else after(500)(json.loads(line))

    class Watching(ScriptedChannels):
        def wait(self, until: int) -> Any:
            if part.exists() and len(self.sent[0]) == 3:
                lines = part.read_bytes()
                assert lines.endswith(b"\n")
                seen.append(lines.count(b"\n"))
            return super().wait(until)

    clock = FixedClock()
    channels = Watching(clock, [thinker, quick])
    play(spec_of(2), CountingGame(rounds=3, chance=False), channels, Writer(path, "test"), clock=clock)
    assert seen[-1] == 3  # the header and two steps, before the third is answered
    assert [entry.name for entry in tmp_path.iterdir()] == ["m1.jsonl.gz"]


def test_a_replay_that_cannot_be_put_in_its_place_leaves_no_file_behind(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl.gz"
    path.mkdir()
    clock = FixedClock()
    play(spec_of(2), CountingGame(), ScriptedChannels(clock, [quick, quick]), Writer(path, "test"), clock=clock)
    assert list(tmp_path.iterdir()) == [path]


def test_the_seed_has_more_bits_than_json_numbers(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl.gz"
    clock = FixedClock()
    spec = MatchSpec("m", "g", "counting", {}, (Entrant("a"), Entrant("b")), 2**200 + 1)
    play(spec, CountingGame(), ScriptedChannels(clock, [quick, quick]), Writer(path, "test"), clock=clock)
    assert read(path).spec == spec
