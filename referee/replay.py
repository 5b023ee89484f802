"""Replays: written while a match runs, read back, rebuilt step by step, and compared.

A replay is JSON lines. Beside its final name a plain file grows, a whole line at a time; when the match is over it is
packed and renamed, so a file under the final name is always whole. The same match gives the same bytes.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from referee.game import CHANCE, Action, Game, Seat
from referee.protocol import encode
from referee.result import Act, Entrant, Fault, FaultKind, Limits, MatchResult, MatchSpec
from referee.shapes import Header, Misshapen, check_end, check_step, read_header
from referee.transcript import LegalJson, milliseconds

FORMAT: Final = 1
SUFFIX: Final = ".jsonl.gz"
PART: Final = ".jsonl.part"
"""How the file of a match that is being played ends."""
_PACK_LEVEL: Final = 1
_CHUNK: Final = 16_384
_SIZE_CAP: Final = 256 * 2**20


class ReplayError(Exception):
    """A replay that cannot be read or does not hold; says what and where in one sentence."""


class Writer:
    """Writes the replay of one match to `path`, which must end in `.jsonl.gz`; until `close` a `.part` beside it."""

    def __init__(self, path: Path, harness: str) -> None:
        self.path = path
        self._part = path.with_name(path.name.removesuffix(SUFFIX) + PART)
        self._packing = path.with_name(path.name + ".tmp")
        self._harness = harness
        self._file = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        self._lines: list[bytes] = []
        self._held = 0
        self._digest = sha256()

    def header(self, spec: MatchSpec, game: Game[Any, Any]) -> None:
        """The first line: everything that the match starts from."""
        self._line(encode(header(spec, game, self._harness)) + b"\n")
        self.flush()

    def step(
        self, number: int, actions: Mapping[Seat, Action], acts: Mapping[Seat, Act] | None, text: str, json: LegalJson
    ) -> None:
        """One step; `acts` is None for nature's."""
        if acts is None:
            self._line(b'{"step":%d,"chance":%b,"text":%b}\n' % (number, json.one(actions[CHANCE]), encode(text)))
            return
        rows = [
            b'"%d":{"action":%b,"choice":%d,"of":%d,"forced":%b,"ms":%b,"note":%b,"fault":%b}'
            % (
                seat,
                json.one(action),
                choice,
                of,
                b"true" if forced else b"false",
                milliseconds(used_us),
                b"null" if note is None else encode(note),
                b"null" if fault is None else encode(fault),
            )
            for seat, (action, choice, of, forced, used_us, note, fault) in acts.items()
        ]
        self._line(b'{"step":%d,"acts":{%b},"text":%b}\n' % (number, b",".join(rows), encode(text)))

    def close(self, result: MatchResult, state: str) -> str:
        """Write the end, pack and rename; the SHA-256 of the file. `state` is the digest of the final state."""
        self.flush()
        end = {
            "ending": str(result.ending),
            "reason": result.reason,
            "ranks": result.ranks,
            "scores": result.scores,
            "faults": [
                {"seat": fault.seat, "step": fault.step, "kind": str(fault.kind), "message": fault.message}
                for fault in result.faults
            ],
            "state": state,
            "lines": self._digest.hexdigest(),
        }
        self._line(encode({"end": end}) + b"\n")
        self.flush()
        os.close(self._file)
        self._file = -1
        packed = gzip.compress(self._part.read_bytes(), _PACK_LEVEL, mtime=0)
        self._packing.write_bytes(packed)
        self._packing.rename(self.path)
        self._part.unlink()
        return sha256(packed).hexdigest()

    def abandon(self) -> None:
        """Leave no file behind."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        self._part.unlink(missing_ok=True)
        self._packing.unlink(missing_ok=True)

    def flush(self) -> None:
        """Put every line so far into the file."""
        data = b"".join(self._lines)
        self._lines.clear()
        self._held = 0
        self._digest.update(data)
        while data:
            data = data[os.write(self._file, data) :]

    def _line(self, line: bytes) -> None:
        self._lines.append(line)
        self._held += len(line)
        if self._held > _CHUNK:
            self.flush()


def header(spec: MatchSpec, game: Game[Any, Any], harness: str) -> dict[str, Any]:
    """The header line as data. The seed is a string of decimal digits: it has more bits than JSON numbers hold."""
    return {
        "replay": FORMAT,
        "harness": harness,
        "match": spec.match,
        "group": spec.group,
        "game": game.name,
        "game_version": game.version,
        "options": dict(game.options),
        "players": len(spec.seats),
        "seats": [
            {"bot": e.bot, "version": e.version, "author": e.author, "digest": e.digest, "isolation": e.isolation}
            for e in spec.seats
        ],
        "limits": msgspec.to_builtins(spec.limits),
        "policy": str(spec.policy),
        "placement": spec.placement,
        "seed": str(spec.seed),
    }


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay as it stands in its file, checked to be whole; what its steps say is not checked."""

    path: Path
    spec: MatchSpec
    game_version: str
    harness: str
    steps: tuple[dict[str, Any], ...]
    end: dict[str, Any]
    header: dict[str, Any]
    digest: str
    """SHA-256 of the file's bytes, hexadecimal."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that it records."""
        return tuple(
            Fault(row["seat"], row["step"], FaultKind(row["kind"]), row["message"]) for row in self.end["faults"]
        )


def read(path: Path) -> Replay:
    """The replay in a file, whole and not edited since it was written. Raises ReplayError."""
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise ReplayError(f"{path}: {error.strerror}") from error
    data = _unpack(path, packed)
    if not data.endswith(b"\n"):
        raise ReplayError(f"{path} is truncated: its last line has no end")
    lines = data.split(b"\n")[:-1]
    rows = [_row(path, number, line) for number, line in enumerate(lines, 1)]
    head, end = rows[0], rows[-1].get("end")
    if head.get("replay") != FORMAT:
        raise ReplayError(f"{path} has replay format {head.get('replay')!r}; this harness reads format {FORMAT}")
    if not isinstance(end, dict):
        raise ReplayError(f"{path} is truncated: it has no end line after {len(rows) - 1} steps")
    if sha256(data[: len(data) - len(lines[-1]) - 1]).hexdigest() != end.get("lines"):
        raise ReplayError(f"{path} was edited: its lines do not have the digest that its end line names")
    for number, row in enumerate(rows[1:-1]):
        if row.get("step") != number:
            raise ReplayError(f"{path} was edited: line {number + 2} is step {row.get('step')!r}, not {number}")
    steps = tuple(rows[1:-1])
    header = _checked(path, head, steps, end)
    digest = sha256(packed).hexdigest()
    return Replay(path, _spec(header), header.game_version, header.harness, steps, end, head, digest)


def _checked(path: Path, head: dict[str, Any], steps: Sequence[dict[str, Any]], end: dict[str, Any]) -> Header:
    """The header of a replay whose lines all have the shape that they should have. Raises ReplayError."""
    what = "its header"
    try:
        header = read_header(head)
        for number, row in enumerate(steps):
            what = f"step {number}"
            check_step(row, header.players)
        what = "its end"
        check_end(end, header.players, len(steps))
    except Misshapen as error:
        raise ReplayError(f"{path}: {what} is not written as it should be: {error}") from error
    return header


def _unpack(path: Path, packed: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        data = unpacker.decompress(packed, _SIZE_CAP)
    except zlib.error as error:
        raise ReplayError(f"{path} is not a replay: {error}") from error
    if unpacker.unconsumed_tail:
        raise ReplayError(f"{path} is over {_SIZE_CAP:,} bytes unpacked; no match is that long")
    if not unpacker.eof:
        raise ReplayError(f"{path} is truncated: its packing has no end")
    if unpacker.unused_data:
        raise ReplayError(f"{path} was edited: something follows its packed end")
    return data


def _row(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = msgspec.json.decode(line)
    except RecursionError as error:
        raise ReplayError(f"{path}: line {number} nests too deep for a replay") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise ReplayError(f"{path}: line {number} is not JSON ({error})") from error
    if not isinstance(row, dict):
        raise ReplayError(f"{path}: line {number} is not an object")
    return row


def _spec(header: Header) -> MatchSpec:
    limits = header.limits
    return MatchSpec(
        match=header.match,
        group=header.group,
        game=header.game,
        options=header.options,
        seats=tuple(Entrant(e.bot, e.version, e.author, e.digest, e.isolation) for e in header.seats),
        seed=int(header.seed),
        limits=Limits(limits.start_ms, limits.move_ms, limits.bank_ms, limits.strikes),
        policy=header.policy,
        placement=header.placement,
    )
