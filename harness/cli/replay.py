"""`harness replay`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli import Lazy
from harness.cli import options as shared
from harness.errors import Refusal
from harness.text import plural, visible

if TYPE_CHECKING:
    from harness.feeding import Reply
    from referee.game import Game
    from referee.rebuild import Sent
    from referee.replay import Replay
    from referee.result import FaultKind, MatchSpec

_TABLE = {
    "show": ("replay:show", "A readable account of a match."),
    "verify": ("replay:verify", "Play a match again and compare."),
    "states": ("replay:states", "Every state of a match as JSON lines."),
    "feed": ("replay:feed", "Give a bot exactly what a seat was sent."),
    "html": ("replay:html", "Make one HTML file to watch a match in."),
}
_file = click.argument("file", type=click.Path(path_type=Path))
_LONG = 500


@click.group(cls=Lazy, table=_TABLE)
def replay() -> None:
    """Read, rebuild and verify the replay of a match."""


@click.command()
@_file
def show(file: Path) -> None:
    """A readable account of a match: who sat where, every step, notes, faults and the end."""
    read = _read(file)
    spec = read.spec
    click.echo(f"match {spec.match}: {spec.game} version {read.game_version}, {plural(len(spec.seats), 'player')}")
    for seat, entrant in enumerate(spec.seats):
        author = f" by {visible(entrant.author)}" if entrant.author else ""
        click.echo(f"seat {seat}: {visible(entrant.bot)} v{entrant.version}{author}, {entrant.isolation}")
    options = ", ".join(f"{name}={value}" for name, value in spec.options.items()) or "none"
    click.echo(f"options {options}; seed {spec.seed}; policy {spec.policy}")
    for row in read.steps:
        for line in _step(row):
            click.echo(line)
    end = read.end
    click.echo(f"{end['ending']}: {visible(end['reason'])}")
    for seat, entrant in enumerate(spec.seats):
        click.echo(f"{end['ranks'][seat]}. {visible(entrant.bot)} (seat {seat}), score {end['scores'][seat]:g}")
    for fault in read.faults:
        where = "at the start" if fault.step < 0 else f"at step {fault.step}"
        click.echo(f"{fault.kind.value} {where}: {visible(fault.message)}")


def _step(row: dict[str, Any]) -> Iterator[str]:
    times = ", ".join(
        f"seat {seat}: {act['ms']:g} ms" for seat, act in row.get("acts", {}).items() if act["ms"] is not None
    )
    yield f"{row['step']:>5}  {visible(row['text'])}{f'  ({times})' if times else ''}"
    for seat, act in row.get("acts", {}).items():
        if act["fault"]:
            yield f"       seat {seat}: {act['fault']}, the fallback was played"
        if act["note"]:
            yield f"       seat {seat} notes: {visible(act['note'])}"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
def verify(files: tuple[Path, ...]) -> int:
    """Play each match again from its seed and choices and compare; names the first step that differs."""
    from referee import rebuild
    from referee.game import GameError
    from referee.replay import ReplayError

    bad = 0
    for file in files:
        try:
            read = _read(file)
            steps = rebuild.verify(read, _game(read))
        except (Refusal, ReplayError, GameError) as error:
            bad += 1
            click.echo(f"harness: {_named(file, visible(str(error)))}", err=True)
        else:
            click.echo(f"{file}: {plural(steps, 'step')}, it holds")
    if len(files) > 1:
        click.echo(f"{plural(len(files), 'replay')}, {bad} of them bad")
    return 1 if bad else 0


@click.command()
@_file
def states(file: Path) -> None:
    """Every state as JSON lines: `steps` taken so far, `text` of the last one, the whole `state`, secrets included."""
    from referee import rebuild
    from referee.replay import ReplayError

    read = _read(file)
    game = _game(read)
    start = game.start(len(read.spec.seats))
    click.echo(json.dumps({"steps": 0, "text": "", "state": game.reveal(start)}))
    try:
        for step, row in zip(rebuild.rebuild(read, game), read.steps, strict=True):
            told = {"steps": step.number + 1, "text": row["text"], "state": game.reveal(step.after)}
            click.echo(json.dumps(told))
    except ReplayError as error:
        raise Refusal(_named(file, str(error))) from error


@click.command()
@_file
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="PAGE", help="The file to write.  [default: FILE.html, beside it]"
)
def html(file: Path, out: Path | None) -> None:
    """Make one HTML file that opens from disk, offline, in any browser of 2023 or later: the match to watch."""
    from harness import viewing
    from referee.replay import ReplayError

    place = out or file.with_name(file.name.removesuffix(".jsonl.gz") + ".html")
    try:
        viewing.write(file, place)
    except ReplayError as error:
        raise Refusal(_named(file, str(error))) from error
    click.echo(f"{place}: open it in a browser")


@click.command(context_settings={"ignore_unknown_options": True})
@_file
@click.option("--seat", type=shared.Whole(0), metavar="N", required=True, help="Whose messages.")
@click.option("--until", type=shared.Whole(0), metavar="STEP", help="Stop after this step.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
def feed(file: Path, seat: int, until: int | None, command: tuple[str, ...]) -> int:
    """Give COMMAND exactly the lines that a seat was sent, each when it has answered the one before; no clock runs.

    Its answers are judged as in a match and compared with those of the replay; its stderr is yours. Without a COMMAND
    the lines go to stdout.
    """
    from referee import rebuild
    from referee.replay import ReplayError

    read = _read(file)
    try:
        lines = [sent for sent in rebuild.feed(read, _game(read), seat) if until is None or sent.step <= until]
    except ReplayError as error:
        raise Refusal(_named(file, str(error))) from error
    if not command:
        for sent in lines:
            sys.stdout.buffer.write(sent.line)
        sys.stdout.buffer.flush()
        return 0
    return _feed(command, read.spec, seat, lines)


def _feed(command: tuple[str, ...], spec: MatchSpec, seat: int, lines: list[Sent]) -> int:
    from harness.feeding import Feeding

    feeding = Feeding(spec, seat)
    asked = differing = 0
    faults: Counter[FaultKind] = Counter()
    first: dict[FaultKind, Reply] = {}
    try:
        for reply in feeding.replies(command, lines):
            asked += reply.decided
            differing += reply.differs
            if reply.fault is not None:
                faults[reply.fault] += 1
                first.setdefault(reply.fault, reply)
            verdict = ", ".join(filter(None, [reply.fault, reply.match]))
            text = visible(reply.text, limit=_LONG) or "(blank)"
            click.echo(f"{reply.where.removeprefix('at ')}: {text}{f'  [{verdict}]' if verdict else ''}")
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise Refusal(f"cannot run {command[0]}: {error.strerror}") from error
    click.echo(f"{plural(asked, 'decision')} answered, {differing} other than in the match")
    for note in feeding.notes:
        click.echo(note)
    for kind, reply in first.items():
        click.echo(f"against the protocol: {kind} {faults[kind]}, first {reply.where}: {visible(reply.why)}")
    code = feeding.code
    if code:
        how = f"was ended by signal {-code}" if code < 0 else f"exited with code {code}"
        click.echo(f"harness: the command {how}", err=True)
    return 1 if code else 0


def _read(file: Path) -> Replay:
    from referee.replay import ReplayError, read

    try:
        return read(file)
    except ReplayError as error:
        raise Refusal(str(error)) from error


def _game(read: Replay) -> Game[Any, Any]:
    """The game of a replay. Raises GameError by name when it is not there."""
    from referee import games

    return games.create(read.spec.game, read.spec.options)


def _named(file: Path, message: str) -> str:
    """The message with the file's name, unless it has it."""
    return message if str(file) in message else f"{file}: {message}"
