from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from benchmarks.competition import site as made_up
from leaderboard import publish as publishing
from leaderboard.model import Match, Site
from leaderboard.publish import MANIFEST, PublishError, publish
from leaderboard.render import Unwatchable
from tests.leaderboard.sites import HOSTILE_NAMES, hostile, usual

ATOM = "{http://www.w3.org/2005/Atom}"


def files(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file with its inode and the time of its last change."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): (p.stat().st_ino, p.stat().st_mtime_ns) for p in found}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def shorter(site: Site, groups: int) -> Site:
    """The site as it was before its last deal groups."""
    count = len(site.matches) - groups * site.game.players
    matches = site.matches[:count]
    return replace(site, snapshot="earlier", made=matches[-1].played, matches=matches)


class Links(HTMLParser):
    """What a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src"} and value is not None:
                self.found.append(value)
            if name == "id" and value is not None:
                self.ids.add(value)


def dead_links(site: Path) -> list[str]:
    """Every reference of a page that leads nowhere, or off the disk."""
    pages = {path: Links() for path in site.rglob("*.html")}
    for path, links in pages.items():
        links.feed(path.read_text("utf-8"))
    return [f"{path}: {link}" for path, links in pages.items() for link in links.found if _dead(path, link, pages)]


def _dead(path: Path, link: str, pages: dict[Path, Links]) -> bool:
    target, _, fragment = link.partition("#")
    if re.match(r"data:|https?:|mailto:", target) and not target.startswith(("data:text", "data:application")):
        return False
    reached = (path.parent / unquote(target)).resolve() if target else path
    found = pages.get(reached)
    has_fragment = not fragment or "=" in fragment or (found is not None and fragment in found.ids)
    return re.match(r"[a-z]+:|/", target) is not None or not reached.is_file() or not has_fragment


@pytest.mark.parametrize("make", [lambda folder: usual(folder), lambda _: hostile(), lambda _: made_up(3, 0)])
def test_no_link_is_dead(tmp_path: Path, make: Callable[[Path], Site]) -> None:
    publish(make(tmp_path), tmp_path / "site")
    assert dead_links(tmp_path / "site") == []


def test_links_that_scripts_make_are_not_dead(tmp_path: Path) -> None:
    publish(hostile(), tmp_path / "site")
    text = (tmp_path / "site" / "data" / "pairs.js").read_text("utf-8")
    for row in json.loads(text.removeprefix("window.botpitPairs=").removesuffix(";\n"))["bots"]:
        for folder in ("bots", "played"):
            assert (tmp_path / "site" / folder / f"{row[2]}.html").is_file()


def test_the_same_site_again_writes_nothing(tmp_path: Path) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    publish(site, out)
    before = files(out)
    done = publish(site, out)
    assert done.written == 0
    assert {k: v for k, v in files(out).items() if k != MANIFEST} == {k: v for k, v in before.items() if k != MANIFEST}


def test_a_new_deal_group_touches_only_the_pages_that_it_changes(tmp_path: Path) -> None:
    whole, out = made_up(40, 400), tmp_path / "site"
    publish(shorter(whole, 1), out)
    before = files(out)
    publish(whole, out)
    after = files(out)
    changed = {path for path in after if before.get(path) != after[path]}
    new = whole.matches[-4:]
    assert {path for path in changed if path.startswith("matches/")} == {
        f"matches/{match.round}/{match.id}.html" for match in new
    }
    players = {seat.bot for match in new for seat in match.seats}
    assert {path for path in changed if path.startswith("played/")} == {f"played/{name}.html" for name in players}
    assert not any(path.startswith("static/") for path in changed)


def test_publishing_step_by_step_gives_the_same_site_as_at_once(tmp_path: Path) -> None:
    whole = usual(tmp_path)
    for groups in (30, 7, 0):
        publish(shorter(whole, groups) if groups else whole, tmp_path / "stepwise")
    publish(whole, tmp_path / "once")
    stepwise, once = contents(tmp_path / "stepwise"), contents(tmp_path / "once")
    # Movements compare with the last publication, and the site made at once has none.
    for own in (MANIFEST, "index.html", "leaderboard.json"):
        del stepwise[own], once[own]
    assert stepwise == once


def test_what_is_gone_is_taken_away(tmp_path: Path) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    publish(site, out)
    done = publish(replace(shorter(site, 1), snapshot="smaller"), out)
    assert done.removed == 8, "four matches and their replays"
    assert not (out / f"matches/{site.matches[-1].round}/{site.matches[-1].id}.html").exists()


def test_movements_compare_with_the_last_publication_of_other_records(tmp_path: Path) -> None:
    site, out = made_up(6, 200), tmp_path / "site"
    publish(site, out)
    assert "move" not in (out / "index.html").read_text()
    swapped = (replace(site.bots[1], rank=1), replace(site.bots[0], rank=2), *site.bots[2:])
    later = replace(site, bots=swapped, snapshot="later")
    for _ in range(2):
        publish(later, out)
        table = json.loads((out / "leaderboard.json").read_text())["bots"]
        assert [(row["rank"], row["previous_rank"]) for row in table[:3]] == [(1, 2), (2, 1), (3, 3)]
        text = (out / "index.html").read_text()
        assert len(re.findall('class="move up"', text)) == 1
        assert len(re.findall('class="move down"', text)) == 1


def test_every_page_and_file_tells_of_one_snapshot(tmp_path: Path) -> None:
    whole, out = usual(tmp_path), tmp_path / "site"
    publish(shorter(whole, 1), out)
    publish(whole, out)
    assert json.loads((out / "leaderboard.json").read_text())["snapshot"] == whole.snapshot
    assert whole.snapshot in (out / "data" / "snapshot.js").read_text()
    for path in out.rglob("*.html"):
        text = path.read_text("utf-8")
        assert "data/snapshot.js" in text
        assert "earlier" not in text


def test_a_reader_never_sees_half_a_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a name changes, what stands in the folder is the whole old site or the whole new one."""
    whole, out = made_up(6, 80), tmp_path / "site"
    publish(shorter(whole, 2), out)
    old = contents(out)
    seen = 0

    def watched(call: Callable[..., object]) -> Callable[..., object]:
        def watching(*args: object, **kwargs: object) -> object:
            nonlocal seen
            seen += 1
            assert contents(out) == old
            return call(*args, **kwargs)

        return watching

    swap = publishing._exchange
    for name in ("link", "mkdir", "unlink"):
        monkeypatch.setattr(os, name, watched(getattr(os, name)))

    def swapped(one: Path, two: Path) -> bool:
        assert contents(out) == old
        nonlocal_old = contents(one)
        done = swap(one, two)
        assert contents(out) == nonlocal_old
        old.clear()
        old.update(nonlocal_old)
        return done

    monkeypatch.setattr(publishing, "_exchange", swapped)
    publish(whole, out)
    assert seen > 50


def test_a_publication_that_fails_leaves_the_old_site(tmp_path: Path) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    publish(shorter(site, 1), out)
    before = contents(out)
    gone = replace(site.matches[-1], replay=replace(site.matches[-1].replay, source=tmp_path / "gone"))  # type: ignore[type-var]
    with pytest.raises(PublishError, match="cannot be written"):
        publish(replace(site, matches=(*site.matches[:-1], gone)), out)
    assert contents(out) == before
    assert not list(tmp_path.glob(".site*"))


def test_a_killed_publication_is_tidied_up_by_the_next_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    publish(shorter(site, 1), out)
    (out / "CNAME").write_text("cup.example")
    with monkeypatch.context() as patch:
        patch.setattr(publishing, "_carry", _killed)
        patch.setattr(publishing, "_clear", lambda _: None)
        with pytest.raises(KeyboardInterrupt):
            publish(site, out)
    assert not (out / "CNAME").exists()
    publish(site, out)
    assert (out / "CNAME").read_text() == "cup.example"
    assert not list(tmp_path.glob(".site*"))


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_what_was_not_made_here_stays(tmp_path: Path) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    (out / ".git" / "objects").mkdir(parents=True)
    (out / ".git" / "HEAD").write_text("ref: main")
    (out / "CNAME").write_text("cup.example")
    publish(shorter(site, 1), out)
    (out / "docs" / "mine.txt").write_text("mine")
    publish(site, out)
    assert (out / "CNAME").read_text() == "cup.example"
    assert (out / ".git" / "HEAD").read_text() == "ref: main"
    assert (out / "docs" / "mine.txt").read_text() == "mine"


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(PublishError, match=r"thesis\.tex"):
        publish(made_up(3, 4, players=2), tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(PublishError, match="is a file"):
        publish(made_up(3, 4, players=2), tmp_path / "file")


def test_two_publications_at_once_are_refused(tmp_path: Path) -> None:
    with publishing._alone(tmp_path / "site"), pytest.raises(PublishError, match="another publication"):
        publish(made_up(3, 4, players=2), tmp_path / "site")


def test_without_an_exchange_in_one_step_it_works_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    monkeypatch.setattr(publishing, "_exchange", lambda *_: False)
    publish(shorter(site, 1), out)
    (out / "CNAME").write_text("cup.example")
    publish(site, out)
    assert (out / "CNAME").exists()
    assert f'"snapshot": "{site.snapshot}"' in (out / "leaderboard.json").read_text()
    assert not list(tmp_path.glob(".site*"))


def test_a_lost_manifest_means_all_anew_and_nothing_left_behind(tmp_path: Path) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    publish(site, out)
    (out / MANIFEST).write_text("{")
    publish(shorter(site, 1), out)
    assert not (out / f"matches/{site.matches[-1].round}/{site.matches[-1].id}.html").exists()


def test_old_styles_stay_for_one_publication(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site, out = made_up(3, 4, players=2), tmp_path / "site"
    with monkeypatch.context() as patch:
        from leaderboard import render

        assets = {**render._assets(), "site.css": b"body { color: red }"}
        patch.setattr(render, "_assets", lambda: assets)
        publish(site, out)
    (old,) = (out / "static").glob("site.*.css")
    publish(site, out)
    assert len(list((out / "static").glob("site.*.css"))) == 2
    publish(site, out)
    assert len(list((out / "static").glob("site.*.css"))) == 1
    assert not old.exists()


def test_the_files_for_machines_say_what_the_pages_say(tmp_path: Path) -> None:
    site, out = hostile(), tmp_path / "site"
    publish(site, out)
    table = json.loads((out / "leaderboard.json").read_text("utf-8"))
    assert [row["bot"] for row in table["bots"]] == list(HOSTILE_NAMES)
    assert table["matches"] == len(site.matches)
    lines = [json.loads(line) for line in (out / "matches.jsonl").read_text("utf-8").splitlines()]
    assert [line["match"] for line in lines] == [match.id for match in site.matches]
    assert all((out / line["page"]).is_file() for line in lines)
    for row in table["bots"]:
        mine = [seat for line in lines for seat in line["seats"] if seat["bot"] == row["bot"]]
        assert row["matches"] == len(mine)
        assert row["mean_rank"] == pytest.approx(sum(seat["rank"] for seat in mine) / len(mine), abs=1e-4)


def test_the_feed_tells_of_finished_rounds_and_stays_the_same(tmp_path: Path) -> None:
    site, out = hostile(), tmp_path / "site"
    finished = tuple(replace(r, finished=site.made - timedelta(days=9 - r.number)) for r in made_up(9, 60).rounds[:1])
    publish(replace(site, rounds=finished), out)
    feed = ET.fromstring((out / "feed.xml").read_text("utf-8"))
    assert [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")] == ["Round 1 is finished"]
    for needed in ("id", "title", "updated"):
        assert feed.findtext(f"{ATOM}{needed}")
    before = (out / "feed.xml").read_text("utf-8")
    publish(replace(site, rounds=finished, made=site.made + timedelta(days=1), snapshot="later"), out)
    assert (out / "feed.xml").read_text("utf-8") == before


def test_with_an_address_the_feed_the_pages_and_a_sitemap_name_it(tmp_path: Path) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    bare = replace(site.competition, address="")
    publish(replace(site, competition=bare), out)
    assert not (out / "sitemap.xml").exists()
    assert "canonical" not in (out / "index.html").read_text()
    before = (out / "feed.xml").read_text()
    assert "https:" not in before
    assert "urn:uuid:" in before
    publish(site, out)
    feed = ET.fromstring((out / "feed.xml").read_text())
    ids = [item.text for item in feed.iter(f"{ATOM}id")]
    done = [r.number for r in site.rounds if r.finished]
    assert ids[0] == "https://example.org/cup/feed.xml"
    assert ids[1:] == [f"https://example.org/cup/feed.xml#round-{number}" for number in reversed(done)]
    links = [(item.get("rel"), item.get("href")) for item in feed.iter(f"{ATOM}link")]
    assert links[0] == ("self", "https://example.org/cup/feed.xml")
    assert links[1:] == [("alternate", "https://example.org/cup/")] * (1 + len(done))
    listed = [item.text or "" for item in ET.fromstring((out / "sitemap.xml").read_text()).iter() if "loc" in item.tag]
    assert listed[0] == "https://example.org/cup/"
    assert len(listed) == 5 + 2 + len(site.bots)
    for address in listed[1:]:
        path = address.removeprefix("https://example.org/cup/")
        assert f'<link rel="canonical" href="{address}">' in (out / path).read_text()
    publish(replace(site, competition=bare), out)
    assert not (out / "sitemap.xml").exists()
    assert (out / "feed.xml").read_text() == before


@pytest.mark.parametrize(
    ("setting", "value", "touched"),
    [
        ("about", "Now with <b>cake</b>.", {"index.html"}),
        ("organiser", "Zoë <i>", {"index.html", "take-part.html", "feed.xml"}),
        ("contact", "https://example.org/?<i>", {"index.html", "take-part.html"}),
        ("address", "https://elsewhere.example", None),
    ],
)
def test_a_change_of_what_the_organiser_says_rewrites_the_pages_that_say_it(
    tmp_path: Path, setting: str, value: str, touched: set[str] | None
) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    publish(site, out)
    before = contents(out)
    changed = replace(site, competition=replace(site.competition, **{setting: value}))  # type: ignore[arg-type]
    publish(changed, out)
    after = contents(out)
    different = {path for path in after if path != MANIFEST and after[path] != before[path]}
    if touched is None:
        ours = {path for path in after if path.endswith(".html") and not path.startswith("watch/")}
        assert different == ours | {"feed.xml", "sitemap.xml"}
    else:
        assert different == touched
    assert "<i>" not in "".join(after[path].decode() for path in different)
    publish(changed, tmp_path / "once")
    assert {k: v for k, v in contents(tmp_path / "once").items() if k != MANIFEST} == {
        k: v for k, v in after.items() if k != MANIFEST
    }


def table(page: str, heading: str) -> list[list[str]]:
    """The cells' words of the table that this heading names, a list a row."""
    body = page.partition(f'aria-labelledby="{heading}"')[2].partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall("<tr.*?</tr>", body, re.DOTALL)
    return [
        [re.sub("<.*?>", "", cell).strip() for cell in re.findall("<t[dh].*?</t[dh]>", row, re.DOTALL)] for row in rows
    ]


def test_a_bots_page_tells_the_version_that_plays_from_all_of_them(tmp_path: Path) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    publish(site, out)
    bot = site.bots[2]
    whole = [m for m in site.matches if any(s.bot == bot.name for s in m.seats)]
    now = [m for m in whole if any(s.bot == bot.name and s.version == 3 for s in m.seats)]
    assert 0 < len(now) < len(whole)
    page = (out / f"bots/{bot.name}.html").read_text()
    assert f"<small>{len(now)} matches</small>" in page
    assert f"All versions together: {len(whole)} matches" in page
    for heading, expected in (("seats-now", now), ("seats-all", whole)):
        assert sum(int(row[-1]) for row in table(page, heading)) == len(expected)
    other, fresh = site.bots[0].name, site.bots[-1].name
    rows = {row[1]: row for row in table(page, "opponents-h")}
    for name, matches in ((other, now), (fresh, [])):
        assert rows[name][4] == str(sum(any(s.bot == name for s in m.seats) for m in matches))
        assert rows[name][6] == str(sum(any(s.bot == name for s in m.seats) for m in whole))
    page = (out / f"bots/{fresh}.html").read_text()
    assert "No match yet." in page
    assert "All of it is of version 1: version 2 has no rated match yet." in page
    page = (out / f"bots/{site.bots[1].name}.html").read_text()
    assert 'id="seats-now"' not in page
    assert "together" in page, "two of its opponents have several versions"
    publish(made_up(4, 40), tmp_path / "plain")
    for path in (tmp_path / "plain" / "bots").iterdir():
        assert "together" not in path.read_text()


def test_a_new_version_of_a_bot_rewrites_the_pages_of_those_it_met(tmp_path: Path) -> None:
    site, out = usual(tmp_path), tmp_path / "site"
    publish(site, out)
    first = site.bots[0]
    newer = replace(first, versions=(*first.versions, replace(first.current, number=2)))
    changed = replace(site, bots=(newer, *site.bots[1:]), snapshot="later")
    publish(changed, out)
    publish(changed, tmp_path / "once")
    stepwise, once = contents(out), contents(tmp_path / "once")
    for own in (MANIFEST, "index.html", "leaderboard.json"):
        del stepwise[own], once[own]
    assert stepwise == once


class Drawn:
    """A viewer that shows the first match alone and counts its work."""

    version = "1"

    def __init__(self) -> None:
        self.made: list[str] = []

    def shows(self, match: Match) -> bool:
        return match.id.endswith("-0")

    def page(self, match: Match) -> bytes:
        self.made.append(match.id)
        return b"<!DOCTYPE html><title>drawn</title>"


def test_a_viewer_draws_each_replay_once_and_its_match_leads_there(tmp_path: Path) -> None:
    site, out, viewer = made_up(4, 12), tmp_path / "site", Drawn()
    publish(site, out, viewer)
    publish(replace(site, snapshot="later"), out, viewer)
    assert viewer.made == [match.id for match in site.matches if match.id.endswith("-0")]
    first, second = (out / f"matches/1/{match.id}.html" for match in site.matches[:2])
    assert f"../../watch/1/{site.matches[0].id}.html" in first.read_text()
    assert "Watch" not in second.read_text()


class Blind(Drawn):
    def page(self, match: Match) -> bytes:
        raise Unwatchable("the replay is of version 9 of the rules, <b>which nobody has</b>")


def test_a_replay_that_cannot_be_drawn_says_so_and_keeps_nothing_back(tmp_path: Path) -> None:
    site, out = made_up(4, 8), tmp_path / "site"
    publish(site, out, Blind())
    text = (out / f"watch/1/{site.matches[0].id}.html").read_text()
    assert "version 9 of the rules, &lt;b&gt;which" in text
    assert f"../../matches/1/{site.matches[0].id}.html" in text


def test_a_page_that_stands_in_for_a_replay_keeps_up_with_the_site(tmp_path: Path) -> None:
    site, out = made_up(4, 8), tmp_path / "site"
    publish(site, out, Blind())
    renamed = replace(site, competition=replace(site.competition, name="Winter Cup"))
    publish(renamed, out, Blind())
    assert "Winter Cup" in (out / f"watch/1/{site.matches[0].id}.html").read_text()
    publish(renamed, out, Drawn())
    assert "drawn" in (out / f"watch/1/{site.matches[0].id}.html").read_text()
