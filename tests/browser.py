"""A real Chromium for tests: one for a whole run, a fresh profile for each page, and a record of what a page did."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, sync_playwright

TOOLS = Path(__file__).parent.parent / ".ci" / "tools"
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium(executable: str) -> Iterator[Browser]:
    """The machine's Chromium, headless, with a profile that goes with it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """A page and all that it complained of and asked for since it was opened."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def opened(self, path: Path, address: str = "") -> Page:
        """The page of a file, loaded; `address` is what stands behind its name, such as `#vs=red`."""
        self.page.goto(path.resolve().as_uri() + address)
        return self.page

    @property
    def off_disk(self) -> list[str]:
        """What it asked for that is not on the disk."""
        return [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))]


@contextmanager
def visit(
    browser: Browser, *, width: int = 1280, theme: Literal["light", "dark"] = "light", still: bool = False
) -> Iterator[Visit]:
    """A fresh window of this width, in a fresh profile."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=theme,
        reduced_motion="reduce" if still else "no-preference",
    )
    try:
        found = Visit(context.new_page())
        found.page.on("console", lambda said: found.complaints.append(said.text) if said.type != "log" else None)
        found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
        found.page.on("request", lambda request: found.requests.append(request.url))
        yield found
    finally:
        context.close()


def axe(page: Page) -> list[str]:
    """What axe-core finds wrong with a page, a line each; the page must not forbid scripts from the test."""
    page.evaluate((TOOLS / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run({resultTypes: ['violations'], preload: false})")
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:200]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def invalid(files: Sequence[Path]) -> list[str]:
    """What html-validate finds wrong with these files, a line each."""
    command = [
        str(TOOLS / "node_modules" / ".bin" / "html-validate"),
        "--config",
        str(TOOLS / ".htmlvalidate.json"),
        "--formatter",
        "json",
        *map(str, files),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode not in {0, 1}:
        raise RuntimeError(done.stderr)
    return [
        f"{Path(report['filePath']).name}:{message['line']}: {message['ruleId']}: {message['message']}"
        for report in json.loads(done.stdout)
        for message in report["messages"]
    ]
