"""The page of a replay as data: what is in it, how large it is, and what each seat is told."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from benchmarks.competition import site
from harness import viewing
from harness.errors import Refusal
from leaderboard import viewer
from leaderboard.model import Replay
from leaderboard.names import TEXT_LENGTH
from leaderboard.viewer import ViewerMatch
from leaderboard.views import match_path, watch_path
from referee import games
from referee.rebuild import rebuild
from referee.replay import read
from tests.leaderboard.replays import record
from tests.leaderboard.sites import HOSTILE_NAMES

MEGABYTE = 2**20


@pytest.fixture(scope="module", params=games.GAMES)
def replay(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of every game at its largest table, with notes."""
    game = games.create(request.param, {})
    return record(tmp_path_factory.mktemp("replays"), game.name, game.seats[-1], note="a note of a usual length " * 3)


@pytest.fixture(scope="module")
def match(replay: Path) -> ViewerMatch:
    return viewing.watch(replay)


def payload(page: str) -> dict[str, Any]:
    found = re.search(r'id="replay-data">([^<]*)<', page)
    assert found is not None
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return data


def unfold(track: list[dict[str, Any]]) -> list[dict[str, Any]]:
    frames: list[dict[str, Any]] = []
    for entry in track:
        frame = {**(frames[-1] if frames else {}), **entry["set"]}
        frames.append({key: value for key, value in frame.items() if key not in entry.get("gone", ())})
    return frames


def test_a_usual_match_is_under_a_megabyte(match: ViewerMatch) -> None:
    assert len(match.steps) > 60
    assert len(viewer.page(match).encode()) < MEGABYTE


def test_the_page_holds_every_state_of_the_table_and_of_each_seat(replay: Path, match: ViewerMatch) -> None:
    data = payload(viewer.page(match))
    game = games.create(match.game, {})
    tracks = {who: unfold(track) for who, track in data["tracks"].items()}
    assert set(tracks) == {"all", *(str(seat) for seat in range(len(match.seats)))}
    for at, step in enumerate(rebuild(read(replay), game), 1):
        assert tracks["all"][at] == game.reveal(step.after)
        for seat in range(len(match.seats)):
            assert tracks[str(seat)][at] == game.view(step.after, seat)
    assert len(tracks["all"]) == len(data["steps"]) + 1


def test_a_key_that_goes_is_gone() -> None:
    frames: list[dict[str, Any]] = [{"a": 1, "b": [2]}, {"a": 1}, {"a": 2, "c": None}]
    track = viewer.fold(frames)
    assert unfold(track) == frames
    assert track[1] == {"set": {}, "gone": ["b"]}


def test_seats_are_told_in_sentences_what_they_saw(match: ViewerMatch) -> None:
    lines = [line for step in match.steps for line in step.seen if line]
    for line in lines:
        assert re.match(r"[A-Za-z]", line)
        assert "sees" not in line
        assert "_" not in line
        assert "none" not in line
    private = {"marshmallow-test": "deals", "sbam": "draws", "monster-smash": "draws"}
    if match.game in private:
        assert any(private[match.game] in line for line in lines)
    else:
        assert lines == []


def test_what_is_drawn_from_a_step_was_seen_by_all(match: ViewerMatch) -> None:
    for step in match.steps:
        assert not (step.events and any(step.seen))
    assert any(step.events for step in match.steps)


def test_the_same_match_gives_the_same_page(replay: Path, match: ViewerMatch) -> None:
    assert viewer.page(viewing.watch(replay)) == viewer.page(match)


def test_the_policy_names_what_stands_in_the_page_and_nothing_else(match: ViewerMatch) -> None:
    page = viewer.page(match)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    told = re.findall(r"sha256-([^']+)'", policy[1].replace("&#43;", "+"))
    inline = re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", page, re.DOTALL)
    assert sorted(told) == sorted(base64.b64encode(sha256(text.encode()).digest()).decode() for text in inline)
    assert "unsafe" not in policy[1]
    assert "default-src 'none'" in policy[1]
    assert not re.search(r"(?:src|href)=", page.replace("'none'", ""))


def test_strangers_texts_are_made_safe(match: ViewerMatch) -> None:
    hostile = replace(
        match,
        match=HOSTILE_NAMES[2],
        seats=tuple(replace(seat, name=name) for seat, name in zip(match.seats, HOSTILE_NAMES[4:], strict=False)),
        steps=(replace(match.steps[-1], acts={0: {"ms": 1.0, "note": HOSTILE_NAMES[4] + "y" * 10_000}}),),
        end=replace(match.end, reason=HOSTILE_NAMES[5] + "z" * 10_000),
    )
    page = viewer.page(hostile)
    data = payload(page)
    said = [data["end"]["reason"], data["steps"][0]["acts"]["0"]["note"], *(seat["name"] for seat in data["seats"])]
    for text in [*said, page]:
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x1b]", text)
    assert max(map(len, said)) <= TEXT_LENGTH
    assert "</title><script>" not in page


def test_a_page_of_the_site_leads_back_to_its_match(replay: Path) -> None:
    made = site(4, 20, replay=Replay(replay, "0" * 64, replay.stat().st_size)).matches[0]
    pages = viewing.Pages([made.id])
    assert pages.shows(made)
    assert not viewing.Pages([]).shows(made)
    found = re.search(r'<a href="([^"]*)">Back to the match</a>', pages.page(made).decode())
    assert found is not None
    here = Path("/site") / watch_path(made)
    assert (here.parent / found[1]).resolve() == Path("/site") / match_path(made)


def test_the_digest_is_of_all_that_a_page_is_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    read_whole = viewer._read
    seen: list[str] = []

    def noted(name: str) -> str:
        seen.append(name)
        return read_whole(name)

    monkeypatch.setattr(viewer, "_read", noted)
    digest = viewer.digest()
    folder = Path(viewer.__file__).parent
    files = [path for path in folder.rglob("*") if path.suffix in {".js", ".css", ".j2"}]
    assert len(seen) == len(files) + 1
    assert viewer.THEME in seen
    for changed in seen:
        monkeypatch.setattr(viewer, "_read", lambda name, changed=changed: read_whole(name) + " " * (name == changed))
        assert viewer.digest() != digest, changed


def test_every_game_is_drawn() -> None:
    for name in games.GAMES:
        assert [len(viewer._drawing(name, kind)) for kind in ("js", "css")] == [1, 1], name


def test_a_page_that_cannot_be_written_leaves_nothing_and_names_the_place(replay: Path, tmp_path: Path) -> None:
    place = tmp_path / "pages" / "page.html"
    place.mkdir(parents=True)
    with pytest.raises(Refusal, match=rf"the page cannot be written to {place}: Is a directory"):
        viewing.write(replay, place)
    assert list(place.parent.iterdir()) == [place]
