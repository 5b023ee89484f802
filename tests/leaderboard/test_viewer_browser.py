"""The viewer in a real browser: every game drawn, every control, no word of a stranger run, no hidden card shown."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from harness import viewing
from leaderboard import viewer
from leaderboard.viewer import ViewerMatch
from referee import games
from referee.games.monster_smash.cards import BASES, CARDS, FACTIONS
from referee.games.monster_smash.cards.definition import Goes
from tests.browser import Visit, axe, invalid, visit
from tests.leaderboard.replays import record
from tests.leaderboard.sites import HOSTILE_NAMES

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow, pytest.mark.timeout(180)]

CANARY = "canary"
Theme = Literal["light", "dark"]


@pytest.fixture(scope="session")
def replays(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By game: a match at its largest table, with notes and, by seat 0, one illegal answer."""
    folder = tmp_path_factory.mktemp("viewer")
    return {
        name: record(folder, name, games.create(name, {}).seats[-1], note="so be it", wrong_at=3)
        for name in games.GAMES
    }


@pytest.fixture(scope="session")
def pages(replays: dict[str, Path]) -> dict[str, Path]:
    """By game: the page of that match, made as `harness replay html` makes it."""
    made = {}
    for name, replay in replays.items():
        made[name] = replay.with_name(f"{name}.html")
        viewing.write(replay, made[name])
    return made


@pytest.fixture
def wide(browser: Browser) -> Iterator[Visit]:
    with visit(browser) as found:
        yield found
        assert found.complaints == []
        assert found.off_disk == []


def ready(found: Visit, path: Path, address: str = "") -> Page:
    page = found.opened(path, address)
    page.wait_for_selector("body[data-ready]")
    return page


def at(page: Page) -> int:
    return int(page.locator("#scrub").input_value())


def steps(page: Page) -> int:
    return int(page.locator("#scrub").get_attribute("max") or 0)


def walk(page: Page, what: str, every: int = 1) -> list[Any]:
    """Go through the match from its first step to its last; what an expression of JavaScript is at each stop."""
    found: list[Any] = page.evaluate(
        """() => {
          const scrub = document.getElementById('scrub'), stage = document.getElementById('stage'), found = [];
          const every = EVERY, last = Number(scrub.max);
          for (let k = 0; k < last + every; k += every) {
            scrub.value = Math.min(k, last);
            scrub.dispatchEvent(new Event('input'));
            found.push(WHAT);
          }
          return found;
        }""".replace("EVERY", str(every)).replace("WHAT", what)
    )
    assert at(page) == steps(page)
    return found


def put(folder: Path, match: ViewerMatch) -> Path:
    path = folder / "made.html"
    path.write_text(viewer.page(match), encoding="utf-8")
    return path


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)])
@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_is_drawn_quietly_and_fits(
    browser: Browser, pages: dict[str, Path], name: str, theme: Theme, width: int
) -> None:
    with visit(browser, width=width, theme=theme) as found:
        page = ready(found, pages[name])
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        seen = walk(page, "document.getElementById('words').textContent.length", every=8)
        assert min(seen) > 100
        wide = walk(page, "[document.documentElement.scrollWidth, stage.scrollWidth - stage.clientWidth]", every=8)
        assert max(whole for whole, _ in wide) <= width, wide
        assert max(beyond for _, beyond in wide) <= 0, wide
        assert found.complaints == []
        assert found.off_disk == []
        assert len(found.requests) == 1


@pytest.mark.needs("axe-core")
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
@pytest.mark.parametrize("name", games.GAMES)
def test_axe_finds_no_violation(browser: Browser, pages: dict[str, Path], name: str, theme: Theme, width: int) -> None:
    with visit(browser, width=width, theme=theme, still=True) as found:
        page = ready(found, pages[name], "#step=40")
        page.locator("#words summary").click()
        assert axe(page) == []
        page.keyboard.press("End")
        page.keyboard.press("1")
        assert axe(page) == []


@pytest.mark.needs("html-validate", "node")
def test_the_page_is_valid_html(pages: dict[str, Path]) -> None:
    assert invalid(list(pages.values())) == []


@pytest.mark.parametrize("name", games.GAMES)
def test_every_step_can_be_drawn(wide: Visit, pages: dict[str, Path], name: str) -> None:
    """A walk through the whole match as everybody and as a seat; a drawing that stumbles complains to the console."""
    page = ready(wide, pages[name])
    for who in ("a", "1"):
        page.keyboard.press(who)
        drawn = walk(page, "stage.childElementCount && stage.textContent.length")
        assert min(drawn) > 40
        assert len(set(drawn)) > 5


def test_keys(wide: Visit, pages: dict[str, Path]) -> None:
    page = ready(wide, pages["marshmallow-test"])
    press = page.keyboard.press
    last = steps(page)
    for key, expected in (
        *(("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("PageDown", 11), ("PageUp", 1), ("End", last)),
        *(("ArrowRight", last), ("Home", 0), ("ArrowLeft", 0)),
    ):
        press(key)
        assert at(page) == expected, key
    marks = [int(mark) for mark in page.locator("#story .mark").evaluate_all("all => all.map(e => e.dataset.step)")]
    for mark in marks[:3]:
        press("n")
        assert at(page) == mark
    press("p")
    assert at(page) == marks[1]
    for key in "01234a":
        press(key)
        assert page.locator("#who").input_value() == ("all" if key == "a" else key)
        assert at(page) == marks[1]
    press("9")
    assert page.locator("#who").input_value() == "all"
    press("Space")
    assert page.locator("#play").inner_text() == "Pause"
    press("Space")
    assert page.locator("#play").inner_text() == "Play"
    stopped = at(page)
    page.locator("#jump-to").focus()
    press("4")
    press("ArrowUp")
    assert at(page) == stopped
    page.locator("#jump-to").fill("17")
    press("Enter")
    assert at(page) == 17
    page.locator("#jump-to").fill("99999")
    press("Enter")
    assert at(page) == last


def test_everything_can_be_reached_with_tab(wide: Visit, pages: dict[str, Path]) -> None:
    page = ready(wide, pages["sbam"], "#step=5")
    reached = set()
    for _ in range(25):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert {"theme", "scrub", "first", "back", "play", "next", "final", "who", "speed", "jump-to", "story"} <= reached


def test_buttons_scrubber_and_play(wide: Visit, pages: dict[str, Path]) -> None:
    page = ready(wide, pages["smores-wars"])
    last = steps(page)
    page.locator("#next").click()
    page.locator("#next").click()
    page.locator("#back").click()
    assert at(page) == 1
    page.locator("#final").click()
    assert at(page) == last
    assert page.locator("#next").is_disabled()
    page.locator("#first").click()
    assert at(page) == 0
    box = page.locator("#scrub").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert abs(at(page) - last / 2) <= 1
    page.locator("#first").click()
    page.locator("#speed").select_option("15")
    page.locator("#play").click()
    expect(page.locator("#count")).to_have_text(re.compile("step ([3-9]|[1-9][0-9]) of"))
    page.locator("#play").click()
    stopped = at(page)
    page.wait_for_timeout(200)
    assert at(page) == stopped
    page.locator("#story li").nth(9).click()
    assert at(page) == 10
    assert page.locator("#story [aria-current]").get_attribute("data-step") == "10"


def test_an_address_that_changes_under_an_open_page_is_followed(wide: Visit, pages: dict[str, Path]) -> None:
    page = ready(wide, pages["sbam"])
    page.locator("#play").click()
    page.evaluate("location.hash = '#step=7&seat=1'")
    expect(page.locator("#who")).to_have_value("1")
    assert at(page) == 7
    expect(page.locator("#play")).to_have_text("Play")
    page.evaluate("location.hash = '#step=9&seat=nobody'")
    expect(page.locator("#who")).to_have_value("all")
    assert at(page) == 9


def test_play_stops_at_the_end_and_begins_anew(wide: Visit, pages: dict[str, Path]) -> None:
    page = ready(wide, pages["sbam"])
    last = steps(page)
    page.evaluate("location.hash = ''")
    page.locator("#speed").select_option("15")
    page.locator("#jump-to").fill(str(last - 2))
    page.locator("#jump button").click()
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_text("Play")
    assert at(page) == last
    page.locator("#play").click()
    assert at(page) < last
    page.locator("#play").click()


@pytest.mark.parametrize("width", [1280, 390])
def test_marks_stand_under_the_thumb(browser: Browser, pages: dict[str, Path], width: int) -> None:
    with visit(browser, width=width) as found:
        page = ready(found, pages["smores-wars"])
        last = steps(page)
        box = page.locator("#scrub").bounding_box()
        assert box is not None
        marks = page.locator("#marks rect").evaluate_all(
            "all => all.map(e => [e.textContent, e.getBoundingClientRect().x + e.getBoundingClientRect().width / 2])"
        )
        assert len(marks) > 5
        for title, middle in marks:
            step = int(re.findall(r"step (\d+):", title)[0])
            assert abs(middle - (box["x"] + 9 + (box["width"] - 18) * step / last)) < 1, title


@pytest.mark.parametrize("name", games.GAMES)
def test_the_end_is_the_replays_end(wide: Visit, replays: dict[str, Path], pages: dict[str, Path], name: str) -> None:
    end = viewing.watch(replays[name]).end
    page = ready(wide, pages[name])
    assert page.locator("#podium").is_hidden()
    page.keyboard.press("End")
    podium = page.locator("#podium")
    ranks = [line.split("\n") for line in podium.locator("li").all_inner_texts()]
    assert [row[0] for row in ranks] == [f"{rank}." for rank in sorted(end.ranks)]
    shown = sorted(float(row[-1].replace("\u2212", "-")) for row in ranks)
    assert shown == sorted(end.scores)
    assert re.sub(r"\bseats? [\d, and]*\d", "", end.reason)[:20].strip()[-10:] in podium.inner_text()


def test_notes_faults_and_times_stand_beside_the_step(wide: Visit, pages: dict[str, Path]) -> None:
    page = ready(wide, pages["marshmallow-test"])
    fault = int(page.locator("#story .fault-step").first.get_attribute("data-step") or 0)
    page.locator("#jump-to").fill(str(fault))
    page.locator("#jump button").click()
    said = page.locator("#acts").inner_text()
    assert "m-bot-0" in said
    assert "fault: illegal" in said
    assert "thought 1.5 ms" in said
    page.keyboard.press("1")
    said = page.locator("#acts").inner_text()
    assert "fault: illegal" in said
    assert "thought" not in said
    page.keyboard.press("a")
    page.keyboard.press("n")
    page.locator("#play").focus()
    noted = page.locator("#acts q")
    while not noted.count():
        page.keyboard.press("ArrowRight")
    assert noted.first.inner_text() == "so be it"


def poisoned(match: ViewerMatch, seat: int) -> ViewerMatch:
    """The match with a canary in all that this seat may not know."""
    own = str(seat)
    trap: dict[str, Any] = {"trap": CANARY}
    tracks = {who: track if who == own else [trap] * len(track) for who, track in match.tracks.items()}
    told = tuple(
        replace(
            step,
            text=CANARY if step.seen[seat] else step.text,
            seen=tuple(line if other == seat else CANARY for other, line in enumerate(step.seen)),
            acts={
                other: act if other == seat else {**act, "note": CANARY, "ms": 777.0, "forced": True}
                for other, act in step.acts.items()
            },
        )
        for step in match.steps
    )
    return replace(match, tracks=tracks, steps=told)


@pytest.mark.parametrize(("name", "seat"), [(name, at % 2) for at, name in enumerate(games.GAMES)])
def test_as_a_seat_the_page_is_drawn_from_what_that_seat_saw(
    wide: Visit, tmp_path: Path, replays: dict[str, Path], name: str, seat: int
) -> None:
    """Nothing of another track, account or note is used, so nothing hidden can be shown."""
    match = viewing.watch(replays[name])
    page = ready(wide, put(tmp_path, poisoned(match, seat)), f"#seat={seat}")
    shown = (
        "['stage', 'words', 'now', 'acts', 'story', 'marks'].map((id) => document.getElementById(id).outerHTML).join()"
    )
    seen = walk(page, f"(/{CANARY}|777 ms/.exec({shown}) || [''])[0]")
    assert set(seen) == {""}
    others = f"document.querySelectorAll('#acts li:not(.p{seat}):not(:has(.fault))').length"
    assert set(walk(page, others)) == {0}


def test_hidden_hands_are_backs_with_their_number(
    wide: Visit, replays: dict[str, Path], pages: dict[str, Path]
) -> None:
    match = viewing.watch(replays["marshmallow-test"])
    page = ready(wide, pages["marshmallow-test"], "#step=20&seat=2")
    hands = match.tracks["all"][20]["hands"]
    plates = page.locator("#stage .plate")
    assert plates.count() == len(hands)
    for number, hand in enumerate(hands):
        plate = page.locator(f"#stage .plate.p{number}")
        assert plate.locator(".fan .card").count() == len(hand)
        assert plate.locator(".fan .card.back").count() == (0 if number == 2 else len(hand))


def test_the_theme_can_be_switched(browser: Browser, pages: dict[str, Path]) -> None:
    with visit(browser, theme="light") as found:
        page = ready(found, pages["sbam"])
        light = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.locator("#theme").click()
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
        page.locator("#theme").click()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light
        assert found.complaints == []


def test_nothing_moves_for_those_who_want_it_so(browser: Browser, pages: dict[str, Path]) -> None:
    moving = "document.getAnimations().length"
    for still in (False, True):
        with visit(browser, still=still) as found:
            page = ready(found, pages["marshmallow-test"])
            page.keyboard.press("n")
            page.keyboard.press("ArrowRight")
            while not page.locator("#stage .fresh").count():
                page.keyboard.press("ArrowRight")
            assert bool(page.evaluate(moving)) is not still


def remade(page: Path, change: dict[str, Any], out: Path) -> Path:
    """A page with other data inside."""
    text = page.read_text("utf-8")
    found = re.search(r'id="replay-data">([^<]*)<', text)
    assert found is not None
    data = {**json.loads(gzip.decompress(base64.b64decode(found[1]))), **change}
    out.write_text(text.replace(found[1], base64.b64encode(gzip.compress(json.dumps(data).encode())).decode()))
    return out


def test_a_newer_format_is_refused_in_a_sentence(wide: Visit, tmp_path: Path, pages: dict[str, Path]) -> None:
    page = wide.opened(remade(pages["sbam"], {"format": 99}, tmp_path / "newer.html"))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("format 99; this viewer knows format")
    expect(alert).to_contain_text("Make the page again")


def test_text_between_backticks_in_a_notice_is_code(wide: Visit, pages: dict[str, Path]) -> None:
    page = ready(wide, pages["sbam"])
    expect(page.locator("#notices code")).to_have_text(["no3"])
    expect(page.locator("#notices")).not_to_contain_text("`")


def test_a_cut_page_says_so(wide: Visit, tmp_path: Path, pages: dict[str, Path]) -> None:
    text = pages["sbam"].read_text("utf-8")
    path = tmp_path / "cut.html"
    path.write_text(re.sub(r'(id="replay-data">[^<]{400})[^<]*', r"\1", text))
    page = wide.opened(path)
    expect(page.get_by_role("alert")).to_contain_text("This replay could not be read: the file is cut or damaged")
    expect(page.get_by_role("alert")).not_to_contain_text("fetch")


def test_a_game_without_a_drawing_is_shown_in_words(wide: Visit, tmp_path: Path, replays: dict[str, Path]) -> None:
    match = replace(viewing.watch(replays["smores-wars"]), game="unheard-of")
    page = ready(wide, put(tmp_path, match), "#step=30")
    assert "smorage" in page.locator("#stage").inner_text()
    assert page.locator("#words").is_hidden()
    assert page.locator("#stage").get_attribute("role") is None


@pytest.mark.parametrize("name", games.GAMES)
def test_strangers_texts_neither_run_nor_break_the_page(wide: Visit, tmp_path: Path, name: str) -> None:
    players = games.create(name, {}).seats[-1]
    offset = {"sbam": 0, "smores-wars": 5}.get(name, 6)
    names = [*HOSTILE_NAMES[offset:], *HOSTILE_NAMES][:players]
    note = "<script>document.title='owned'</script>\u202e" + "x" * 440
    match = viewing.watch(record(tmp_path, name, players, names=names, note=note))
    match = replace(match, end=replace(match.end, reason=HOSTILE_NAMES[1] + "y" * 10_000))
    page = ready(wide, put(tmp_path, match))
    title = page.title()
    assert "owned" not in title or "<script>" in title
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.keyboard.press("1")
        sizes = walk(page, "[document.documentElement.scrollWidth, stage.scrollWidth - stage.clientWidth]", every=9)
        assert max(whole for whole, _ in sizes) <= width
        assert max(beyond for _, beyond in sizes) <= 0
        page.keyboard.press("a")
        page.locator("#first").click()
        page.keyboard.press("n")
    assert page.title() == title
    assert page.locator("main script, main img").count() == 0


def test_the_viewer_knows_the_cards_of_monster_smash(wide: Visit, pages: dict[str, Path]) -> None:
    """Names, factions, printed powers and rewards stand in the drawing's own table; it must be the engine's."""
    page = ready(wide, pages["monster-smash"])
    factions = {card.slug: faction.slug for faction in FACTIONS for card in faction.cards}
    known = page.evaluate("BotpitGames['monster-smash'].cards")
    assert known == {
        card.slug: {
            "name": card.name,
            "faction": factions[card.slug],
            "power": card.power if card.goes is Goes.MINION else None,
        }
        for card in CARDS
    }
    bases = page.evaluate("BotpitGames['monster-smash'].bases")
    assert {slug: (name, tuple(vp)) for slug, (name, vp, _) in bases.items()} == {
        base.slug: (base.name, base.vp) for base in BASES
    }


@pytest.mark.parametrize("width", [1280, 390])
def test_the_damage_of_a_round_of_sbam_covers_neither_stars_nor_cards(
    browser: Browser, pages: dict[str, Path], width: int
) -> None:
    touching = """labels => labels.flatMap(label => {
      const a = label.getBoundingClientRect();
      const plate = label.closest(".sb-plate");
      return [...plate.querySelectorAll(".sb-damage > *, .sb-hand > *")].filter(other => {
        const b = other.getBoundingClientRect();
        return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
          && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
      }).map(other => other.outerHTML);
    })"""
    seen = 0
    with visit(browser, width=width, still=True) as found:
        page = found.opened(pages["sbam"])
        page.wait_for_selector("body[data-ready]")
        last = int(page.locator("#scrub").get_attribute("max") or 0)
        for _ in range(last):
            page.keyboard.press("n")
            labels = page.locator(".sb-hurt")
            seen += labels.count()
            assert labels.evaluate_all(touching) == []
            if page.locator("#scrub").input_value() == str(last):
                break
    assert seen > 3
