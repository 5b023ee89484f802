"""What a test needs of the machine, and an honest account of what did not run."""

from __future__ import annotations

import functools
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

EXECUTABLES = {"gcc": "gcc", "node": "node", "bwrap": "bwrap", "chromium": "chromium", "npm": "npm", "git": "git"}
"""What a test may name in `needs`, and the executable on PATH that provides it."""

PACKAGES = {"axe-core", "html-validate"}
"""What it may name besides: packages that `.ci/browser-up` installs."""
TOOLS = Path(__file__).parent.parent / ".ci" / "tools" / "node_modules"

# A shell starts what runs in its background with these two ignored, and so would be all that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


@functools.cache
def available(what: str) -> bool:
    """Whether this machine has what a test needs. `docker` is an engine that answers and holds the small bot image."""
    if what == "docker":
        return _docker_answers()
    if what == "root":
        import os

        return os.geteuid() == 0
    if what in PACKAGES:
        return (TOOLS / what).is_dir()
    return shutil.which(EXECUTABLES[what]) is not None


def _docker_answers() -> bool:
    import docker
    from docker.errors import DockerException

    try:
        client = docker.from_env(timeout=5)
        try:
            client.ping()
        finally:
            client.close()
    except DockerException:
        return False
    return True


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-must-run", action="store_true", help="a test that did not run is a failure (for CI)")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        for what in mark.args:
            if not available(what):
                pytest.skip(f"not run: needs {what}")


def _skip_reasons(reporter: pytest.TerminalReporter) -> Iterator[str]:
    for report in reporter.stats.get("skipped", []):
        longrepr = report.longrepr
        text = longrepr[2] if isinstance(longrepr, tuple) else str(longrepr)
        yield text.removeprefix("Skipped: ")


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    reasons = Counter(_skip_reasons(terminalreporter))
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"{reason} ({count} {'test' if count == 1 else 'tests'})", yellow=True)
    if reasons and config.getoption("--all-must-run"):
        terminalreporter.write_line("tests did not run, and --all-must-run makes that a failure", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    must_run = session.config.getoption("--all-must-run")
    if must_run and reporter is not None and reporter.stats.get("skipped") and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
