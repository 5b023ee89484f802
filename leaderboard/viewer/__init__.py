"""The replay viewer: one HTML file that opens from disk, made from plain values.

The page holds the whole match as states, not as moves, so it knows no rules: one track of states shows everything and
one for each seat shows what that seat could see. A track is its first state whole and then, step by step, the
top-level keys that changed; all is gzip in base64, which a browser inflates by itself.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from msgspec.json import encode

from leaderboard.names import TEXT_LENGTH, shown

FORMAT: Final = 2
"""Rises when `viewer.js` would misread older data; the viewer refuses a number that it does not know."""

THEME: Final = "../static/theme.js"
"""The site's own switch between light and dark: whoever chose there finds the same here."""


@dataclass(frozen=True, slots=True)
class ViewerSeat:
    """Who sat on a seat."""

    name: str
    version: int
    author: str


@dataclass(frozen=True, slots=True)
class ViewerStep:
    """One step: its account with all secrets, its account by seat, what each seat did, and a mark where one is due."""

    text: str
    seen: tuple[str, ...]
    """By seat: empty where the seat saw all of it, else what it saw."""
    acts: Mapping[int, Mapping[str, Any]]
    """Seat -> `ms`, `note`, `fault`, `forced`; empty for nature's steps."""
    mark: str = ""
    events: Sequence[Mapping[str, Any]] = ()
    """What happened, where every seat saw all of it; for drawings that show more than the state does."""


@dataclass(frozen=True, slots=True)
class ViewerEnd:
    """How the match came out, by seat."""

    ending: str
    reason: str
    ranks: tuple[int, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ViewerMatch:
    """A whole match to watch; each track has one state more than there are steps."""

    match: str
    game: str
    title: str
    notices: tuple[str, ...]
    seats: tuple[ViewerSeat, ...]
    steps: tuple[ViewerStep, ...]
    end: ViewerEnd
    tracks: Mapping[str, Sequence[Mapping[str, Any]]]
    """`all` and the number of each seat -> the states."""


def fold(frames: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The states as differences of their top-level keys: `set` what is new, `gone` what went."""
    track: list[dict[str, Any]] = []
    before: Mapping[str, Any] = {}
    for frame in frames:
        entry: dict[str, Any] = {"set": {k: v for k, v in frame.items() if k not in before or before[k] != v}}
        gone = [key for key in before if key not in frame]
        if gone:
            entry["gone"] = gone
        track.append(entry)
        before = frame
    return track


def _step_data(step: ViewerStep) -> dict[str, Any]:
    acts = {}
    for seat, act in step.acts.items():
        safe = {key: shown(value, TEXT_LENGTH) if isinstance(value, str) else value for key, value in act.items()}
        acts[str(seat)] = safe
    return {"text": step.text, "seen": step.seen, "acts": acts, "mark": step.mark, "events": step.events}


def pack(match: ViewerMatch) -> str:
    """The match as base64 of gzip of JSON, strangers' texts made safe to show; the same match gives the same text."""
    data = {
        "format": FORMAT,
        "match": shown(match.match),
        "game": match.game,
        "title": match.title,
        "notices": match.notices,
        "seats": [{"name": shown(s.name), "version": s.version, "author": shown(s.author)} for s in match.seats],
        "steps": [_step_data(step) for step in match.steps],
        "end": {
            "ending": match.end.ending,
            "reason": shown(match.end.reason, TEXT_LENGTH),
            "ranks": match.end.ranks,
            "scores": match.end.scores,
        },
        "tracks": {who: fold(frames) for who, frames in match.tracks.items()},
    }
    return base64.b64encode(gzip.compress(encode(data), 6, mtime=0)).decode()


def page(match: ViewerMatch, back: str = "") -> str:
    """The viewer with the match inside as one HTML text: no network, no other file.

    `back` is the address, from here, of the page that a reader came from; empty for a file that stands alone.
    """
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            match=match,
            back=back,
            theme=_asset(THEME),
            styles=[_asset("viewer.css"), *_drawing(match.game, "css")],
            scripts=[_asset("pieces.js"), *_drawing(match.game, "js"), _asset("viewer.js")],
            payload=pack(match),
        )
    )


def digest() -> str:
    """A short name for this viewer's own files; it changes whenever a page made with them would."""
    here = files("leaderboard").joinpath("viewer")
    names = [entry.name for entry in here.iterdir()] + [
        f"games/{entry.name}" for entry in here.joinpath("games").iterdir()
    ]
    ours = [*sorted(name for name in names if name.endswith((".css", ".j2", ".js"))), THEME]
    return hashlib.sha256(b"\0".join(_read(name).encode() for name in ours)).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class _Asset:
    """A file of ours to stand inside the page, and its SHA-256 for the policy (W3C CSP Level 3, section 8.4)."""

    text: Markup
    hash: str


def _read(name: str) -> str:
    return files("leaderboard").joinpath(*posixpath.normpath(f"viewer/{name}").split("/")).read_text(encoding="utf-8")


@cache
def _asset(name: str) -> _Asset:
    text = _read(name)
    return _Asset(Markup(text), base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())  # noqa: S704 - our own file


@cache
def _drawing(game: str, kind: str) -> tuple[_Asset, ...]:
    name = f"games/{game}.{kind}"
    return (_asset(name),) if files("leaderboard").joinpath("viewer", *name.split("/")).is_file() else ()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("leaderboard", "viewer"), autoescape=True, undefined=StrictUndefined, auto_reload=False
    )
    environment.filters["shown"] = shown
    return environment
