"""Every page of the site, made from its values: which there are, what each depends on, and its bytes.

Nothing here writes files. A `Page` is cheap until it is made, so whoever publishes makes only those that changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from leaderboard import charts, feeds, text
from leaderboard.markdown import render as markdown
from leaderboard.model import Bot, Document, Match, Site
from leaderboard.names import shown, slug
from leaderboard.stats import by_seat, cycles, histogram
from leaderboard.views import (
    Previous,
    Scale,
    Views,
    fates,
    match_path,
    replay_path,
    verdict,
    watch_path,
)

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
RECENT: Final = 100
LATEST: Final = 6


class Viewer(Protocol):
    """Makes the pages that draw replays; whoever publishes brings one."""

    version: str
    """Changes whenever the pages would."""

    def shows(self, match: Match) -> bool:
        """Whether this match has a replay that can be watched; cheap."""
        ...

    def page(self, match: Match) -> bytes:
        """The page, one HTML document that needs nothing beside it. Raises Unwatchable."""
        ...


class Unwatchable(Exception):
    """A replay that cannot be drawn; says why in one sentence. Its page then says so, and the site is published."""


@dataclass(frozen=True, slots=True)
class Page:
    """A file of the site."""

    path: str
    make: Callable[[], Iterable[bytes] | Path]
    """Gives the content in pieces, or a file to copy."""
    key: str = ""
    """Equal keys of one path mean equal content; empty means: make it and compare."""


class Renderer:
    """The pages of one site."""

    def __init__(self, site: Site, previous: Previous | None = None, viewer: Viewer | None = None) -> None:
        self.site = site
        self.views = Views(site, previous)
        self.viewer = viewer
        self.statics = {name: _static_path(name, content) for name, content in _assets().items()}
        self.style = _digest(_sources(), site.competition, site.game.title)
        self._env = _environment()
        self._documents = {document.source: document.path for document in site.documents}
        self._documents.setdefault(f"rules/{site.game.name}.md", "game.html")
        self.passing: set[str] = set()
        """Pages that stand in for others: to be made anew by the next publication, whatever their key."""

    def pages(self) -> Iterator[Page]:
        """Every file of the site, links' targets before the pages that link to them."""
        for name, content in _assets().items():
            yield Page(self.statics[name], lambda content=content: [content], _digest(content))  # type: ignore[misc]
        for match in self.site.matches:
            yield from self._match_files(match)
        for bot in self.site.bots:
            yield from self._bot_pages(bot)
        for document in self.site.documents:
            yield self._page(document.path, "document.html", document=document, text=self._document(document))
        yield from self._machine_files()
        yield Page("data/pairs.js", lambda: [feeds.pairs(self.views)])
        yield self._page("pairs.html", "pairs.html", **self._pairs())
        yield self._page("game.html", "game.html", **self._game())
        yield self._page("take-part.html", "take-part.html", **self._take_part())
        yield self._page("matches.html", "matches.html", **self._matches())
        yield self._page("index.html", "index.html", **self._index())
        yield Page("data/snapshot.js", lambda: [feeds.snapshot(self.site)])

    @cached_property
    def _navigation(self) -> list[tuple[str, str]]:
        return [
            ("index.html", "Leaderboard"), ("pairs.html", "Head to head"), ("matches.html", "Matches"),
            ("game.html", "Game"), ("take-part.html", "Take part"),
        ]  # fmt: skip

    def _page(self, path: str, template: str, key: str = "", **context: Any) -> Page:
        return Page(path, lambda: [self._html(path, template, context)], key)

    def _html(self, path: str, template: str, context: Mapping[str, Any]) -> bytes:
        html = self._env.get_template(template).render(
            here=path,
            root=Markup("../" * path.count("/")),  # noqa: S704 - dots and slashes
            policy=POLICY,
            static=self.statics,
            navigation=self._navigation,
            competition=self.site.competition,
            game=self.site.game,
            snapshot=self.site.snapshot,
            made=self.site.made,
            alike=self.views.alike,
            **context,
        )
        return html.encode()

    def _match_files(self, match: Match) -> Iterator[Page]:
        viewer = self.viewer if self.viewer is not None and self.viewer.shows(match) else None
        if match.replay is not None:
            source = match.replay.source
            yield Page(replay_path(match), lambda: source, match.replay.digest)
        if viewer is not None:
            drawn = match.replay.digest if match.replay else self._match_digests[match.id]
            yield Page(watch_path(match), lambda: [self._watch(viewer, match)], _digest(viewer.version, drawn))
        siblings = [other for other in self.views.groups[match.group] if other.id != match.id]
        watch = watch_path(match) if viewer is not None else ""
        key = _digest(self.style, self._match_digests[match.id], [other.id for other in siblings], watch)
        yield Page(match_path(match), lambda: [self._match(match, siblings, watch)], key)

    def _watch(self, viewer: Viewer, match: Match) -> bytes:
        try:
            return viewer.page(match)
        except Unwatchable as error:
            self.passing.add(watch_path(match))
            return self._html(watch_path(match), "unwatchable.html", {"match": match, "reason": str(error)})

    def _match(self, match: Match, siblings: list[Match], watch: str) -> bytes:
        limits = self.site.competition.limits
        context = {
            "match": match,
            "siblings": siblings,
            "players": len(match.seats),
            "winners": [seat for seat in match.seats if seat.rank == 1],
            "fates": fates(match, limits.strikes, limits.policy),
            "watch": watch,
        }
        return self._html(match_path(match), "match.html", context)

    def _bot_pages(self, bot: Bot) -> Iterator[Page]:
        name, views = bot.name, self.views
        matches = [self.site.matches[sitting.match] for sitting in views.record(name).sittings]
        history = _digest([self._match_digests[match.id] for match in matches])
        around = [(row.name, row.rank, row.now) for row in views.opponents(name)]
        strengths = [(b.name, b.current.rating and round(b.current.rating.mu, 1)) for b in self.site.bots]
        key = _digest(self.style, bot, history, around, strengths, views.alike, len(self.site.bots))
        yield Page(f"bots/{slug(name)}.html", lambda: [self._bot(bot)], key)
        now = [(other, views.playing.get(other)) for other, *_ in around] if views.versioned else []
        played_key = _digest(self.style, name, [version.number for version in bot.versions], history, now)
        yield Page(f"played/{slug(name)}.html", lambda: [self._played(bot)], played_key)

    @cached_property
    def _match_digests(self) -> Mapping[str, str]:
        return {match.id: _digest(match) for match in self.site.matches}

    def _bot(self, bot: Bot) -> bytes:
        views, record = self.views, self.views.record(bot.name)
        standing, opponents = views.standing(bot), views.opponents(bot.name)
        best, worst = views.extremes(bot.name)
        matches, faults = views.by_version(bot.name)
        context = {
            "bot": bot,
            "record": record,
            "standing": standing,
            "ranked": sum(other.rank is not None for other in self.site.bots),
            "form": views.played(record.sittings[-40:]),
            "chart": charts.versions(bot),
            "version_matches": matches,
            "version_faults": faults,
            "opponents": opponents,
            "apart": any(row.now != row.share for row in opponents),
            "seats": views.seats(record),
            "seats_now": views.seats(standing),
            "best": best,
            "worst": worst,
            "faults": views.faults(bot.name),
        }
        return self._html(f"bots/{slug(bot.name)}.html", "bot.html", context)

    def _played(self, bot: Bot) -> bytes:
        rows = self.views.played(reversed(self.views.record(bot.name).sittings))
        context = {
            "bot": bot,
            "rows": rows,
            "others": sorted({other for row in rows for other in row.others}, key=str.casefold),
            "others_now": sorted({other for row in rows for other in row.others_now}, key=str.casefold),
            "fault_kinds": sorted({kind for row in rows for kind in row.fault_kinds.split()}),
        }
        return self._html(f"played/{slug(bot.name)}.html", "played.html", context)

    def _index(self) -> dict[str, Any]:
        site, rows = self.site, self.views.rows()
        return {
            "rows": rows,
            "first_time": self.views.previous is None or not self.views.before,
            "matches": len(site.matches),
            "pending": site.pending,
            "isolations": site.isolations,
            "finished": sum(r.finished is not None for r in site.rounds),
            "open_rounds": sum(r.finished is None for r in site.rounds),
            "authors": len({bot.author for bot in site.bots}),
            "author_list": sorted({bot.author for bot in site.bots}, key=str.casefold),
            "language_list": sorted({b.current.language for b in site.bots if b.current.language}, key=str.casefold),
            "faulty": sum(bool(match.faults) for match in site.matches),
            "scale": _scale(site),
            "chart": charts.ratings(site.bots),
            "latest": site.matches[: -LATEST - 1 : -1],
        }

    def _pairs(self) -> dict[str, Any]:
        order = [bot.name for bot in self.site.bots]
        pairs = self.views.pairs_now or self.views.folded.pairs
        found = [
            {"certain": c.certain, "links": [(a, b, pairs[a, b]) for a, b in ((c.a, c.b), (c.b, c.c), (c.c, c.a))]}
            for c in cycles(order, pairs)
        ]
        languages = sorted({b.current.language for b in self.site.bots if b.current.language}, key=str.casefold)
        return {
            "bots": len(order),
            "met": len(pairs),
            "cycles": found,
            "language_list": languages,
            "versioned": bool(self.views.versioned),
            "any_now": bool(self.views.pairs_now),
        }

    def _game(self) -> dict[str, Any]:
        views, matches, game = self.views, self.site.matches, self.site.game
        rules = markdown(game.rules, f"rules/{game.name}.md", self._documents, "game.html", embedded=True)
        if not matches:
            return {"seats": (), "rules": rules}
        lengths = views.lengths()
        bins = histogram(lengths)
        middle = sorted(lengths)[len(lengths) // 2]
        endings: dict[str, int] = {}
        for match in matches:
            endings[match.ending] = endings.get(match.ending, 0) + 1
        seats = by_seat(matches)
        return {
            "rules": rules,
            "seats": seats,
            "verdict": verdict(seats),
            "total": len(matches),
            "bins": bins,
            "bars": charts.bars(bins, "decisions in a match"),
            "lengths": {"low": min(lengths), "high": max(lengths), "median": middle, "think": views.median_thinking()},
            "endings": sorted(endings.items(), key=lambda item: (-item[1], item[0])),
            "faults": views.fault_table(),
            "tally": views.tally(),
        }

    def _take_part(self) -> dict[str, Any]:
        first_bot = (files("leaderboard") / "templates" / "first_bot.py.txt").read_text("utf-8")
        return {"limits": self.site.competition.limits, "documents": self.site.documents, "first_bot": first_bot}

    def _matches(self) -> dict[str, Any]:
        rows = self.site.matches[: -RECENT - 1 : -1]
        return {
            "rows": rows,
            "total": len(self.site.matches),
            "endings": sorted({match.ending for match in rows}),
            "fault_kinds": sorted({fault.kind for match in rows for fault in match.faults}),
        }

    def _document(self, document: Document) -> str:
        return markdown(document.text, document.source, self._documents, document.path)

    def _machine_files(self) -> Iterator[Page]:
        yield Page("leaderboard.json", lambda: [feeds.leaderboard(self.views)])
        yield Page("matches.jsonl", lambda: feeds.matches(self.site))
        yield Page("feed.xml", lambda: [self._feed()])
        if self.site.competition.address:
            yield Page("sitemap.xml", lambda: [self._sitemap()])

    def _feed(self) -> bytes:
        context = feeds.atom(self.site)
        xml = self._env.get_template("feed.xml").render(
            competition=self.site.competition, game=self.site.game, **context
        )
        return xml.encode()

    def _sitemap(self) -> bytes:
        """The pages that a search should find; those of single matches, of which there may be thousands, are not."""
        paths = [path for path, _ in self._navigation] + [document.path for document in self.site.documents]
        paths += [f"bots/{slug(bot.name)}.html" for bot in self.site.bots]
        xml = self._env.get_template("sitemap.xml").render(competition=self.site.competition, paths=paths)
        return xml.encode()


def _environment() -> Environment:
    env = Environment(
        loader=PackageLoader("leaderboard", "templates"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update(text.FILTERS)
    env.filters.update(shown=shown, slug=slug, match_path=match_path, replay_path=replay_path)
    env.globals["step"] = text.step
    return env


_ASSETS: Final = {
    "site.css": "site.css",
    "theme.js": "theme.js",
    "site.js": "site.js",
    "charts.js": "charts.js",
    "matrix.js": "matrix.js",
    "mark.svg": "mark.svg",
    "uplot.js": "vendor/uplot/uPlot.iife.min.js",
    "uplot.css": "vendor/uplot/uPlot.min.css",
    "uplot-LICENSE.txt": "vendor/uplot/LICENSE",
}


@cache
def _assets() -> Mapping[str, bytes]:
    static = files("leaderboard") / "static"
    return {name: static.joinpath(*path.split("/")).read_bytes() for name, path in _ASSETS.items()}


def _static_path(name: str, content: bytes) -> str:
    """A name that changes with the content, so that no reader's cache pairs a page with another's style."""
    stem, _, ending = name.rpartition(".")
    return f"static/{stem}.{_digest(content)[:10]}.{ending}"


@cache
def _sources() -> str:
    """A digest of the code and templates that make the pages."""
    package = files("leaderboard")
    folders = (package, package / "templates")
    found = [(item.name, item.read_bytes()) for folder in folders for item in folder.iterdir() if item.is_file()]
    return _digest(sorted(found), sorted(_assets().items()))


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=str)


def _digest(*values: Any) -> str:
    return blake2b(_ENCODER.encode(values), digest_size=16).hexdigest()


def _scale(site: Site) -> Scale:
    return Scale(bot.current.rating for bot in site.bots if bot.current.rating)
