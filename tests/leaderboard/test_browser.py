from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from leaderboard.names import slug
from tests.browser import Visit, axe, invalid, visit
from tests.leaderboard.sites import HOSTILE_NAMES, pages

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.fixture
def wide(browser: Browser) -> Iterator[Visit]:
    with visit(browser) as found:
        yield found
        assert found.complaints == []
        assert found.off_disk == []


def shown_names(page: Page, table: str) -> list[str]:
    return page.locator(f"{table} tbody tr:not([hidden]) a.bot").all_inner_texts()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["usual_site", "hostile_site"])
def test_every_page_loads_quietly_from_disk_and_fits_its_window(
    browser: Browser, request: pytest.FixtureRequest, kind: str, theme: Literal["light", "dark"], width: int
) -> None:
    site: Path = request.getfixturevalue(kind)
    with visit(browser, width=width, theme=theme) as found:
        for path in pages(site, most=1):
            page = found.opened(path)
            assert page.evaluate("document.documentElement.dataset.theme") == theme
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert page.locator("[data-snapshot]").inner_text() != ""
        assert found.complaints == []
        assert found.off_disk == []
        assert len(found.requests) > 20


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_every_entry_of_the_navigation_is_in_sight(browser: Browser, usual_site: Path, width: int) -> None:
    with visit(browser, width=width) as found:
        for path in pages(usual_site, most=1):
            entries = found.opened(path).locator("header nav li a")
            boxes = [entry.bounding_box() for entry in entries.all()]
            assert len(boxes) == 5
            assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes), path
            if width == 390:
                assert len({box["y"] for box in boxes if box}) == 1, path


def test_on_a_phone_the_ranking_needs_no_sideways_scrolling_and_no_filter_is_cut(
    browser: Browser, usual_site: Path, hostile_site: Path
) -> None:
    with visit(browser, width=390) as found:
        label = found.opened(hostile_site / "pairs.html").locator("form.tools label")
        assert label.bounding_box()["height"] == label.locator("select").bounding_box()["height"]  # type: ignore[index]
        frame = found.opened(usual_site / "index.html").locator(".scroll").first
        assert frame.evaluate("e => e.scrollWidth <= e.clientWidth")
        cut = """fields => fields.filter(field => {
          const words = document.createElement("span");
          words.style.cssText = "position: absolute; white-space: pre";
          words.style.fontSize = getComputedStyle(field).fontSize;
          words.textContent = field.placeholder || field.selectedOptions[0].text;
          document.body.append(words);
          const button = 40;
          return words.getBoundingClientRect().width + button > field.clientWidth;
        }).map(field => field.name)"""
        for name in ("index", "pairs", "matches"):
            page = found.opened(usual_site / f"{name}.html")
            assert page.locator("form.tools").locator("input:visible, select:visible").evaluate_all(cut) == [], name


@pytest.mark.needs("axe-core")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_violation(
    browser: Browser, usual_site: Path, theme: Literal["light", "dark"], width: int
) -> None:
    with visit(browser, width=width, theme=theme) as found:
        for path in pages(usual_site, most=1):
            assert axe(found.opened(path)) == [], path


@pytest.mark.needs("axe-core")
def test_axe_finds_no_violation_among_hostile_names(browser: Browser, hostile_site: Path) -> None:
    with visit(browser) as found:
        for path in pages(hostile_site, most=1):
            assert axe(found.opened(path)) == [], path


@pytest.mark.needs("axe-core")
def test_axe_would_find_one(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text("<!DOCTYPE html><title>x</title><img src='data:,'>")
    with visit(browser) as found:
        assert any(line.startswith("image-alt") for line in axe(found.opened(path)))


@pytest.mark.needs("html-validate", "node")
@pytest.mark.parametrize("kind", ["usual_site", "hostile_site"])
def test_pages_are_valid_html(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> None:
    site: Path = request.getfixturevalue(kind)
    assert invalid(pages(site, most=4)) == []
    bad = tmp_path / "bad.html"
    bad.write_text("<p><div></p>")
    assert invalid([bad]) != []


def test_the_ranking_sorts_both_ways(wide: Visit, usual_site: Path) -> None:
    page = wide.opened(usual_site / "index.html")
    by_rank = shown_names(page, "#ranking")
    page.get_by_role("button", name=re.compile("^Bot")).click()
    assert shown_names(page, "#ranking") == sorted(by_rank)
    expect(page.locator("#ranking th[data-key=name]")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("button", name=re.compile("^Bot")).click()
    assert shown_names(page, "#ranking") == sorted(by_rank, reverse=True)
    page.get_by_role("button", name="Rank", exact=True).focus()
    page.keyboard.press("Enter")
    assert shown_names(page, "#ranking") == by_rank


def test_the_ranking_is_filtered_by_text_author_and_language(wide: Visit, usual_site: Path) -> None:
    page = wide.opened(usual_site / "index.html")
    everybody = shown_names(page, "#ranking")
    page.get_by_label("Search by bot or author").fill(everybody[2][:4])
    assert shown_names(page, "#ranking") == [name for name in everybody if everybody[2][:4] in name]
    page.get_by_label("Search by bot or author").fill("")
    author = page.locator("#ranking tbody tr").first.get_attribute("data-author")
    page.get_by_label("Author", exact=True).select_option(author)
    rows = page.locator("#ranking tbody tr:not([hidden])")
    assert {row.get_attribute("data-author") for row in rows.all()} == {author}
    expect(page.locator("output")).to_have_text(re.compile(rf"^{rows.count()} of {len(everybody)} shown$"))
    page.get_by_label("Author", exact=True).select_option("")
    language = page.locator("#ranking tbody tr").last.get_attribute("data-language")
    page.get_by_label("Language").select_option(language)
    assert {row.get_attribute("data-language") for row in rows.all()} == {language}


def test_a_cell_of_the_matrix_leads_to_the_matches_of_its_pair(wide: Visit, usual_site: Path) -> None:
    page = wide.opened(usual_site / "pairs.html")
    first = page.locator("#matrix td > a").first
    met = int(first.locator(".sr").inner_text().split(", ")[-1].split()[0])
    first.focus()
    expect(page.locator("#matrix-says")).to_contain_text(f"in {met} meeting")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_url("**/played/*")
    assert page.locator("#played tbody tr:not([hidden])").count() == met
    other = page.get_by_label("Opponent").input_value()
    assert all(
        other in (row.get_attribute("data-vs") or "").split()
        for row in page.locator("#played tbody tr:not([hidden])").all()
    )


def test_the_matrix_moves_by_keys_filters_and_is_coloured_in_every_row(wide: Visit, usual_site: Path) -> None:
    page = wide.opened(usual_site / "pairs.html")
    assert page.locator("#matrix tbody tr").count() == 8
    assert page.locator("#matrix td > a[tabindex='0']").count() == 1
    page.locator("#matrix td > a").first.focus()
    page.keyboard.press("ArrowDown")
    row = page.evaluate("document.activeElement.closest('tr').sectionRowIndex")
    assert row == 2, "past the cell of the bot against itself"
    grounds = page.evaluate(
        "[...document.querySelectorAll('#matrix td.h0, #matrix td.h8')].map(e => getComputedStyle(e).backgroundColor)"
    )
    assert len(set(grounds)) == 2
    name = page.locator("#matrix tbody th a").nth(3).inner_text()
    page.get_by_label("Search bot or author").fill(name)
    assert page.locator("#matrix tbody th a").all_inner_texts() == [name]


def test_the_matrix_is_of_the_versions_that_play_now_or_of_all(wide: Visit, usual_site: Path) -> None:
    page = wide.opened(usual_site / "pairs.html")
    choice = page.get_by_label("Versions")
    for chosen in ("now", ""):
        page.goto((usual_site / "pairs.html").as_uri())
        choice.select_option(chosen)
        link = page.locator("#matrix tbody tr").nth(2).locator("td > a").first
        met = int(link.locator(".sr").inner_text().split(", ")[-1].split()[0])
        empty = page.locator("#matrix tbody tr").last.locator("td > a").count() == 0
        assert empty == (chosen == "now"), "the new version of the last bot has met nobody yet"
        link.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/played/*")
        assert page.locator("#played tbody tr:not([hidden])").count() == met
        assert page.get_by_label("Opponent").input_value().endswith("@now") == (chosen == "now")
        versions = {row.get_attribute("data-version") for row in page.locator("#played tbody tr:not([hidden])").all()}
        assert versions == ({"3"} if chosen else {"1", "3"})


def test_meetings_on_a_bots_page_lead_to_as_many_matches(wide: Visit, usual_site: Path) -> None:
    for bot in sorted((usual_site / "bots").glob("*.html")):
        page = wide.opened(bot)
        links = [(a.get_attribute("href"), int(a.inner_text())) for a in page.locator("#opponents td a").all()]
        assert links
        for href, count in links[:4]:
            page.goto(f"{bot.parent.as_uri()}/{href}")
            assert page.locator("#played tbody tr:not([hidden])").count() == count


def test_the_legend_of_a_chart_has_no_empty_entry(wide: Visit, usual_site: Path) -> None:
    page = wide.opened(usual_site / "index.html")
    entries = page.locator("#ratings .u-series")
    assert entries.count() == 7
    seen = [entry for entry in entries.all() if entry.is_visible()]
    assert all(entry.locator(".u-marker").bounding_box()["width"] > 10 for entry in seen)  # type: ignore[index]
    assert len(seen) == 6
    height = page.locator("#ratings").bounding_box()["height"]  # type: ignore[index]
    page.locator("#ratings .u-over").hover()
    assert re.fullmatch(r"matches played\s*[\d,]+", entries.first.inner_text().strip())
    assert entries.first.is_visible()
    assert page.locator("#ratings").bounding_box()["height"] == height  # type: ignore[index]


def test_the_theme_is_switched_and_kept(wide: Visit, usual_site: Path) -> None:
    page = wide.opened(usual_site / "index.html")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Switch to the dark theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    page.get_by_role("link", name="Game", exact=True).click()
    page.wait_for_url("**/game.html")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Switch to the light theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light


def test_charts_are_drawn_and_told_as_tables(wide: Visit, usual_site: Path) -> None:
    for path in (usual_site / "index.html", next((usual_site / "bots").glob("*.html")), usual_site / "game.html"):
        page = wide.opened(path)
        box = page.locator("[data-chart] canvas").first.bounding_box()
        assert box is not None
        assert box["width"] > 600
        page.locator("details summary").first.click()
        assert page.locator("details td").first.inner_text() != ""


def test_a_page_is_read_without_a_mouse(wide: Visit, usual_site: Path) -> None:
    page = wide.opened(usual_site / "index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


def test_pages_say_the_same_without_scripts(browser: Browser, usual_site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((usual_site / "index.html").as_uri())
    assert page.locator("#ranking tbody tr").count() == 8
    assert page.locator("form:visible").count() == 0
    context.close()


def test_hostile_names_run_nowhere_and_are_all_there(browser: Browser, hostile_site: Path) -> None:
    with visit(browser, width=390) as found:
        for path in pages(hostile_site, most=len(HOSTILE_NAMES)):
            page = found.opened(path)
            assert page.title() != "owned"
            assert page.locator("img").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
            text = page.locator("main").inner_text()
            assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", text)
        page = found.opened(hostile_site / "index.html")
        links = page.locator("#ranking a.bot").all()
        assert len({link.get_attribute("href") for link in links}) == len(HOSTILE_NAMES)
        assert max(link.bounding_box()["height"] for link in links) < 200  # type: ignore[index]
        assert found.complaints == []
    assert len({slug(name).casefold() for name in HOSTILE_NAMES}) == len(HOSTILE_NAMES)
