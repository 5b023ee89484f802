"""The command line. A command's module is imported when the command is called, so that asking for help is quick."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from harness import __version__

_COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "games": ("games:games", "List the games."),
    "play": ("play:play", "Play local matches between bots."),
    "check": ("check:check", "See whether a bot speaks the protocol and finishes its matches."),
    "init": ("competition:init", "Make a competition."),
    "submit": ("competition:submit", "Hand a bot in to a competition."),
    "run": ("competition:run", "Play a competition's matches; run again, it continues."),
    "standings": ("competition:standings", "Show a competition's table."),
    "publish": ("competition:publish", "Write a competition's site."),
    "replay": ("replay:replay", "Read, rebuild and verify replays."),
    "demo": ("demo:demo", "Play a small tournament of the bundled bots."),
    "image": ("image:image", "Make the container images that bots run in."),
    "doctor": ("doctor:doctor", "Say what this machine has and lacks."),
}
"""Name -> where it is and its line of help."""


_BY_SIGNAL: Final = 128
READER_GONE: Final = 128 + signal.SIGPIPE
_LAST_STANDARD: Final = 2


class Lazy(click.Group):
    """A group that knows its commands by a table and imports one when it is called."""

    def __init__(self, *args: Any, table: dict[str, tuple[str, str]] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._table = table or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self._table:
            return None
        module, _, attribute = self._table[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"harness.cli.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self._table and not args[0].startswith("-"):
            close = get_close_matches(args[0], self._table, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(self._table)}"
            raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self._table.items()])


class PipeBroke(Exception):
    """A broken pipe on its way past click, which would make an exit of its own of it."""


@contextlib.contextmanager
def _past_click() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise PipeBroke from error


class _Root(Lazy):
    """The whole command line."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _past_click():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _past_click():
            return super().invoke(ctx)


@click.group(cls=_Root, table=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="botpit")
def cli() -> None:
    """Botpit: matches and tournaments of bots at tabletop games."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; whatever goes wrong is one sentence on stderr."""
    _occupy_standard_descriptors()
    try:
        code = run(arguments)
    except BrokenPipeError:  # even the sentence on what went wrong finds no reader
        code = READER_GONE
    if code > _BY_SIGNAL:
        # Everything is put away; what libraries do at exit could only keep someone waiting who asked to stop.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _occupy_standard_descriptors() -> None:
    """Whoever starts us with one of them closed would have the database or a replay opened in its place."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _LAST_STANDARD:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def run(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command line: 0 fine, 1 it failed, 2 it was not understood, 128 + n ended by signal n."""
    try:
        done = cli.main(arguments, prog_name="harness", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("harness: stopped", err=True)
        return 130
    except BaseException as error:
        broken = error.__cause__ if isinstance(error, PipeBroke) else error
        if isinstance(broken, BrokenPipeError) and _reader_gone():
            return READER_GONE
        return _failed(broken or error)
    return done if isinstance(done, int) else 0


def _reader_gone() -> bool:
    """Whether nobody reads our output any more, or what we say of it; another pipe of ours may have broken instead."""
    look = select.poll()
    for descriptor in (1, 2):
        look.register(descriptor, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in look.poll(0))


def _failed(error: BaseException) -> int:
    from harness.errors import HarnessFault, Refusal
    from harness.stop import Stopped
    from harness.text import visible
    from referee.game import GameError
    from sandbox.api import SandboxError

    if isinstance(error, Stopped):
        click.echo(f"harness: {error}", err=True)
        return error.code
    if isinstance(error, (Refusal, HarnessFault, GameError, SandboxError)):
        click.echo(f"harness: {visible(str(error), lines=True)}", err=True)
        return 1
    if isinstance(error, OSError):
        where = f": {visible(str(error.filename))}" if error.filename else ""
        click.echo(f"harness: {error.strerror or error}{where}", err=True)
        return 1
    if not isinstance(error, Exception):
        raise error
    return _surprised(error)


def _surprised(error: Exception) -> int:
    import tempfile
    import traceback

    from harness.text import visible

    with tempfile.NamedTemporaryFile("w", prefix="harness-", suffix=".txt", delete=False) as report:
        report.writelines(traceback.format_exception(error))
    what = visible(f"{type(error).__name__}: {error}")
    click.echo(f"harness: this is a fault of the harness: {what}; please report it with {report.name}", err=True)
    return 70
