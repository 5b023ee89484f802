from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from leaderboard.publish import publish
from tests.browser import chromium
from tests.leaderboard.sites import hostile, usual


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = shutil.which("chromium")
    assert executable is not None
    with chromium(executable) as made:
        yield made


@pytest.fixture(scope="session")
def usual_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("usual") / "site"
    publish(usual(tmp_path_factory.mktemp("replays")), out)
    return out


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("hostile") / "site"
    publish(hostile(), out)
    return out
