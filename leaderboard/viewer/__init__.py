"""The replay viewer: one HTML file that opens from disk, made from plain values.

The page holds the whole match as states, not as moves, so it knows no rules: one track of states shows everything and
one for each seat shows what that seat could see. A track is its first state whole and then, step by step, the
top-level keys that changed; all is gzip in base64, which a browser inflates by itself.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Final

FORMAT: Final = 1
"""Rises when `viewer.js` would misread older data; the viewer refuses a number that it does not know."""


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
    """By seat: empty where the seat saw all of it, `-` where it saw nothing, else what it saw."""
    acts: Mapping[int, Mapping[str, Any]]
    """Seat -> `ms`, `note`, `fault`, `forced`; empty for nature's steps."""
    mark: str = ""


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


def pack(match: ViewerMatch) -> str:
    """The match as base64 of gzip of JSON; the same match gives the same text."""
    data = {
        "format": FORMAT,
        "match": match.match,
        "game": match.game,
        "title": match.title,
        "notices": match.notices,
        "seats": [asdict(seat) for seat in match.seats],
        "steps": [asdict(step) for step in match.steps],
        "end": asdict(match.end),
        "tracks": {who: fold(frames) for who, frames in match.tracks.items()},
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def page(match: ViewerMatch) -> str:
    """The viewer with the match inside as one HTML text: no network, no other file."""
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    style = _asset("viewer.css")
    scripts = [_asset(f"games/{match.game}.js") if _has_drawing(match.game) else "", _asset("viewer.js")]
    scripts = [script for script in scripts if script]
    environment = Environment(loader=PackageLoader("leaderboard", "viewer"), autoescape=True, trim_blocks=False)
    return environment.get_template("page.html.j2").render(
        title=match.title,
        match=match.match,
        names=" – ".join(seat.name for seat in match.seats),
        style=Markup(style),  # noqa: S704 - our own file, no value of anybody's in it
        style_hash=_hash(style),
        scripts=[Markup(script) for script in scripts],  # noqa: S704 - our own files
        script_hashes=[_hash(script) for script in scripts],
        payload=pack(match),
    )


def digest() -> str:
    """A short name for this viewer's own files; it changes whenever a page made with them would."""
    folder = files("leaderboard").joinpath("viewer")
    scripts = sorted((entry for entry in folder.joinpath("games").iterdir()), key=lambda entry: entry.name)
    told = [folder.joinpath(name).read_bytes() for name in ("page.html.j2", "viewer.css", "viewer.js")]
    told += [entry.read_bytes() for entry in scripts if entry.name.endswith(".js")]
    return hashlib.sha256(b"\0".join(told)).hexdigest()[:12]


def _asset(name: str) -> str:
    return files("leaderboard").joinpath("viewer", *name.split("/")).read_text(encoding="utf-8")


def _has_drawing(game: str) -> bool:
    return files("leaderboard").joinpath("viewer", "games", f"{game}.js").is_file()


def _hash(text: str) -> str:
    """The content policy's SHA-256 of an inline script or style (W3C CSP Level 3, section 8.4)."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
