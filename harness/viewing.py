"""Replays as the viewer shows them: every state for the table and for each seat, told in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from harness.errors import Refusal
from leaderboard import viewer
from leaderboard.model import Match
from leaderboard.viewer import ViewerEnd, ViewerMatch, ViewerSeat, ViewerStep
from leaderboard.views import match_path, watch_path
from referee import games
from referee.game import Game
from referee.rebuild import rebuild
from referee.replay import Replay, read
from referee.table import Step


def watch(path: Path) -> ViewerMatch:
    """The match in a replay file, ready to be watched. Raises ReplayError, or GameError for a game we do not have."""
    replay = read(path)
    game = games.create(replay.spec.game, replay.spec.options)
    seats = range(len(replay.spec.seats))
    state = game.start(len(seats))
    tracks: dict[str, list[Mapping[str, Any]]] = {"all": [game.reveal(state)]}
    tracks |= {str(seat): [game.view(state, seat)] for seat in seats}
    steps = []
    for row, step in zip(replay.steps, rebuild(replay, game), strict=True):
        tracks["all"].append(game.reveal(step.after))
        for seat in seats:
            tracks[str(seat)].append(game.view(step.after, seat))
        steps.append(_step(game, row, step, seats))
    return ViewerMatch(
        match=replay.spec.match,
        game=game.name,
        title=game.title,
        notices=game.notices,
        seats=tuple(ViewerSeat(entrant.bot, entrant.version, entrant.author) for entrant in replay.spec.seats),
        steps=tuple(steps),
        end=_end(replay),
        tracks=tracks,
    )


def write(path: Path, out: Path) -> None:
    """Put the viewer with the match of a replay file inside into `out`, whole or not at all.

    Raises Refusal, and as `watch` does.
    """
    text = viewer.page(watch(path))
    making = out.with_name(out.name + ".tmp")
    try:
        making.write_text(text, encoding="utf-8")
        making.replace(out)
    except OSError as error:
        with suppress(OSError):
            making.unlink()
        raise Refusal(f"the page cannot be written to {out}: {error.strerror}") from error


class Pages:
    """The viewer as the site wants it (`leaderboard.render.Viewer`): a page for each of these matches with a replay."""

    version = f"{viewer.FORMAT}-{viewer.digest()}"

    def __init__(self, matches: Iterable[str]) -> None:
        self._matches = frozenset(matches)

    def shows(self, match: Match) -> bool:
        """Whether it is one of the matches, and its replay is kept."""
        replay = match.replay
        return match.id in self._matches and replay is not None and replay.source.is_file()

    def page(self, match: Match) -> bytes:
        """The match to watch, as one HTML document."""
        assert match.replay is not None
        back = "../" * watch_path(match).count("/") + match_path(match)
        return viewer.page(watch(match.replay.source), back).encode()


def _end(replay: Replay) -> ViewerEnd:
    end = replay.end
    return ViewerEnd(end["ending"], end["reason"], tuple(end["ranks"]), tuple(end["scores"]))


def _step(game: Game[Any, Any], row: Mapping[str, Any], step: Step[Any, Any], seats: range) -> ViewerStep:
    before, actions, after = step.before, step.actions, step.after
    everything = game.events(before, actions, after, None)
    alike = [events == everything for events in game.events_by_seat(before, actions, after, len(seats))]
    # Where nothing was to be seen, a choice may still be a secret of the seat that made it.
    whole = all(alike) and bool(everything)
    seen = ["" if whole else _unless(row["text"], game.tell_seat(before, actions, after, seat)) for seat in seats]
    acts = {
        int(seat): {key: act[key] for key in ("ms", "note", "fault", "forced") if act[key] not in (None, False)}
        for seat, act in row.get("acts", {}).items()
    }
    marks = dict.fromkeys(event["type"] for event in everything if event["type"] in game.marks)
    mark = ", ".join(marks).replace("_", " ")
    return ViewerStep(row["text"], tuple(seen), acts, mark, everything if whole else ())


def _unless(whole: str, line: str) -> str:
    return "" if line == whole else line
