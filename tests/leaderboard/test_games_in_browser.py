"""A small competition of every game, played by real bots, on its site in a real browser."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from referee.games import GAMES, load
from tests.browser import axe, invalid, visit
from tests.leaderboard.sites import pages
from tests.leaderboard.test_publish import dead_links

pytestmark = [
    pytest.mark.needs("chromium", "axe-core", "html-validate", "node"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]


def harness(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "harness", *arguments], capture_output=True, text=True, check=False, timeout=500
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module", params=sorted(GAMES))
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of three baselines that met in a game, in its smallest number of seats."""
    folder = tmp_path_factory.mktemp(request.param)
    harness("init", str(folder), "--game", request.param, "--sandbox", "local")
    for name, bot in (("one", "greedy"), ("two", "uniform"), ("three", "uniform")):
        harness("submit", bot, "-C", str(folder), "--name", name)
    harness("run", "-C", str(folder), "--jobs", "1")
    harness("publish", "-C", str(folder))
    assert shutil.which("chromium") is not None
    return folder / "site"


def test_the_site_of_a_played_competition(browser: Browser, played: Path) -> None:
    game = load(played.parent.name.rstrip("0123456789"))
    listed = pages(played, most=1)
    with visit(browser) as found:
        for path in listed:
            page = found.opened(path)
            if "watch" not in path.parts:
                assert axe(page) == [], path
        assert found.complaints == []
        assert found.off_disk == []
        text = found.opened(played / "game.html").locator("main").inner_text()
    assert game.title in text
    assert "Rules as implemented" in text
    assert "What happens in a match" in text
    for notice in game({}).notices:
        shown = notice.replace("`", "")  # what stands between them is set as code
        assert " ".join(shown.split())[:40] in " ".join(text.split())
    assert dead_links(played) == []
    assert invalid([path for path in listed if "watch" not in path.parts]) == []
