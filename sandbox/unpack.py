"""What strangers send, taken in: plain files with plain names, counted while they are read, or refused by name."""

from __future__ import annotations

import errno
import io
import lzma
import os
import re
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from sandbox.inflate import CHUNK, foreign, inflated

BLOCK: Final = 512
RATIO_FLOOR_BYTES: Final = 2**20
"""Below this size a high ratio harms nobody."""
LEFTOVERS: Final = frozenset({"__pycache__", ".git"})
"""What tools leave in a directory that a bot is written in; no part of the bot."""
_NAME: Final = re.compile(r"[A-Za-z0-9._+=@,~$#()\[\] -]+")
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_PAX_HARMLESS: Final = frozenset({"atime", "ctime", "mtime", "uid", "gid", "uname", "gname", "comment"})
_TAR_KINDS: Final = {
    b"1": "a hard link",
    b"2": "a symbolic link",
    b"3": "a device",
    b"4": "a device",
    b"6": "a named pipe",
}
_END_OF_ZIP: Final = b"PK\x05\x06"


class Refused(Exception):
    """A submission that is not taken in; the message names the entry, made safe to print."""


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much a submission may hold."""

    packed_bytes: int = 20 * 2**20
    unpacked_bytes: int = 100 * 2**20
    entries: int = 2_000
    ratio: int = 100
    path_bytes: int = 200
    levels: int = 16


@dataclass(slots=True)
class Intake:
    """Writes entries below a fresh directory and holds them to the limits: the one gate for every submission."""

    root: Path
    limits: ArchiveLimits
    packed: int
    tidy: bool = False
    """For a build's output: accept names that only other systems mind."""
    unpacked: int = 0
    entries: int = 0
    _kinds: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """By folded path: `file` or `directory`, and the path as it was given first."""

    def directory(self, name: str) -> None:
        self._count(name)
        path = self._check(name.rstrip("/"))
        if path:
            self._claim(name, path, "directory")
            (self.root / Path(*path)).mkdir(parents=True, exist_ok=True)

    def file(self, name: str, content: Iterator[bytes], executable: bool) -> None:
        """Write one file. Raises Refused for its name, or as soon as the limits are passed."""
        self._count(name)
        path = self._check(name)
        if not path:
            raise Refused(f"{shown(name)}: a file needs a name")
        self._claim(name, path, "file")
        target = self.root / Path(*path)
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            for data in content:
                self._grow(name, len(data))
                out.write(data)
            os.fchmod(descriptor, 0o555 if executable else 0o444)

    def _count(self, name: str) -> None:
        self.entries += 1
        if self.entries > self.limits.entries:
            raise Refused(f"{shown(name)}: more than {self.limits.entries:,} entries")

    def _grow(self, name: str, size: int) -> None:
        self.unpacked += size
        if self.unpacked > self.limits.unpacked_bytes:
            raise Refused(f"{shown(name)}: more than {self.limits.unpacked_bytes >> 20} MiB unpacked")
        if self.packed and self.unpacked > max(RATIO_FLOOR_BYTES, self.packed * self.limits.ratio):
            raise Refused(f"{shown(name)}: unpacks to more than {self.limits.ratio} times its packed size")

    def _check(self, name: str) -> tuple[str, ...]:
        if len(name.encode("utf-8", "surrogateescape")) > self.limits.path_bytes:
            raise Refused(f"{shown(name)}: a path may have {self.limits.path_bytes} bytes")
        if name.startswith("/"):
            raise Refused(f"{shown(name)}: an absolute path")
        name = "" if name == "." else name.removeprefix("./")
        parts = tuple(name.split("/")) if name else ()
        if len(parts) > self.limits.levels:
            raise Refused(f"{shown(name)}: deeper than {self.limits.levels} directories")
        for part in parts:
            reason = _objection(part, self.tidy)
            if reason:
                raise Refused(f"{shown(name)}: {reason}")
        return parts

    def _claim(self, name: str, path: tuple[str, ...], kind: str) -> None:
        """Note what a path is. Its parents, named or not, are directories that we make, and so are entries."""
        for depth in range(1, len(path)):
            parent = path[:depth]
            known = self._known(name, parent)
            if known is None:
                self._count(name)
                self._kinds[self._fold(parent)] = ("directory", parent)
            elif known != "directory":
                raise Refused(f"{shown(name)}: lies in a file")
        known = self._known(name, path)
        if known is not None and (kind == "file" or known != kind):
            raise Refused(f"{shown(name)}: the name is there twice")
        self._kinds[self._fold(path)] = (kind, path)

    def _known(self, name: str, path: tuple[str, ...]) -> str | None:
        """What a path is so far. Names that differ by case alone would be one on some machines."""
        kind, given = self._kinds.get(self._fold(path), (None, path))
        if given != path:
            raise Refused(f"{shown(name)}: the name is there twice, but for upper and lower case")
        return kind

    def _fold(self, path: tuple[str, ...]) -> str:
        joined = "/".join(path)
        return joined if self.tidy else joined.casefold()


_Fill = Callable[[Intake], None]


def _objection(part: str, tidy: bool) -> str:
    if part in {"", "."}:
        return "an empty part in a path"
    if part == "..":
        return "a path that climbs out"
    if not _NAME.fullmatch(part):
        return "a name may have letters, digits, space and . _ - + = @ , ~ $ # ( ) [ ]"
    if part.startswith("-") and not tidy:
        return "a name that begins with a dash"
    if part[-1] in ". ":
        return "a name that ends with a dot or a space"
    if _RESERVED.fullmatch(part) and not tidy:
        return "a name that Windows keeps for a device"
    return ""


def shown(name: str) -> str:
    """A stranger's name made fit for a terminal and a log: printable ASCII, at most 80 characters."""
    text = name.encode("unicode_escape", "replace").decode("ascii")
    return repr(text[:77] + "..." if len(text) > 80 else text).replace("\\\\", "\\")


def take(source: Path, target: Path, limits: ArchiveLimits = ArchiveLimits()) -> None:
    """A directory, file, `.zip` or `.tar` (plain, `.gz`, `.bz2`, `.xz`) as a fresh directory `target`.

    Nothing is left behind when it is refused. Raises Refused, with the entry named.
    """
    if source.is_symlink():
        raise Refused(f"{shown(source.name)}: a symbolic link")
    if source.is_dir():
        _fresh(target, limits, 0, lambda intake: _walk(source, "", intake))
        return
    if not source.is_file():
        raise Refused(f"{shown(source.name)}: neither a file nor a directory")
    name = source.name.lower()
    with source.open("rb") as file:
        if packing := foreign(file):
            raise Refused(f"{shown(source.name)}: packed by {packing}; hand in a .zip or .tar (.gz, .bz2, .xz)")
        if name.endswith(".zip"):
            unpack_zip(file, target, limits)
        elif re.search(r"\.(tar|tgz|tbz2?|txz)$|\.tar\.[a-z0-9]+$", name):
            unpack_tar(file, target, limits)
        else:
            _fresh(target, limits, 0, lambda intake: intake.file(source.name, _pieces(file), _executable(source)))


def unpack_zip(file: IO[bytes], target: Path, limits: ArchiveLimits = ArchiveLimits()) -> None:
    """Unpack a zip archive into the fresh directory `target`. Raises Refused."""
    packed = _size(file, limits)
    _check_end_of_zip(file, packed, limits)

    def fill(intake: Intake) -> None:
        with zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
            if len(infos) > limits.entries:
                raise Refused(f"{shown(infos[limits.entries].orig_filename)}: more than {limits.entries:,} entries")
            _check_overlap(infos, packed)
            for info in infos:
                _take_zip_entry(archive, info, intake)

    _guard(target, limits, packed, fill)


def unpack_tar(
    file: IO[bytes],
    target: Path,
    limits: ArchiveLimits = ArchiveLimits(),
    tidy: bool = False,
) -> None:
    """Unpack a tar archive, into the fresh `target`; `tidy` for a build's output. Raises Refused."""
    packed = _size(file, limits, check=not tidy)
    stream = inflated(file)
    compressed = stream is not file
    # Padding and headers come on top of the content, and are counted too: an archive of nothing but headers has an end.
    reader = _Counted(stream, limits.unpacked_bytes + (limits.entries + 1) * 3 * BLOCK + 20 * BLOCK)
    _guard(target, limits, packed if compressed else 0, lambda intake: _fill_from_tar(reader, intake), tidy)


def _guard(target: Path, limits: ArchiveLimits, packed: int, fill: _Fill, tidy: bool = False) -> None:
    try:
        _fresh(target, limits, packed, fill, tidy)
    except (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, struct.error, UnicodeDecodeError) as error:
        raise Refused(f"the archive is damaged: {shown(str(error))}") from error
    except (OSError, ValueError, NotImplementedError, RuntimeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise Refused(f"the archive is damaged: {shown(str(error))}") from error


def _fresh(target: Path, limits: ArchiveLimits, packed: int, fill: _Fill, tidy: bool = False) -> None:
    """Fill a directory that is new or empty; after a failure it is as it was."""
    made = not target.exists()
    if made:
        target.mkdir()
    elif any(target.iterdir()):
        raise FileExistsError(errno.EEXIST, "not empty", str(target))
    try:
        fill(Intake(target, limits, packed, tidy))
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        if not made:
            target.mkdir()
        raise


def _walk(directory: Path, prefix: str, intake: Intake) -> None:
    for entry in sorted(os.scandir(directory), key=lambda found: found.name):
        name = prefix + entry.name
        if entry.name in LEFTOVERS:
            continue
        if entry.is_symlink():
            raise Refused(f"{shown(name)}: a symbolic link")
        if entry.is_dir(follow_symlinks=False):
            intake.directory(name)
            _walk(Path(entry.path), f"{name}/", intake)
        elif entry.is_file(follow_symlinks=False):
            with _open_plain(Path(entry.path), name) as file:
                intake.file(name, _pieces(file), _executable(Path(entry.path)))
        else:
            raise Refused(f"{shown(name)}: neither a file nor a directory")


def _open_plain(path: Path, name: str) -> IO[bytes]:
    """Open a file that was plain a moment ago, and see that it still is: not a link, not a pipe that would block."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Refused(f"{shown(name)}: not a plain file any more")
    return os.fdopen(descriptor, "rb")


def _executable(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o111)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while data := file.read(CHUNK):
        yield data


def _size(file: IO[bytes], limits: ArchiveLimits, check: bool = True) -> int:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if check and size > limits.packed_bytes:
        raise Refused(f"the archive has {size:,} bytes, more than {limits.packed_bytes >> 20} MiB")
    return size


def _check_end_of_zip(file: IO[bytes], size: int, limits: ArchiveLimits) -> None:
    """Bound the list of entries before anything reads it: a list of a million empty entries is an attack by itself."""
    tail_size = min(size, 65_557)
    file.seek(size - tail_size)
    tail = file.read(tail_size)
    at = tail.rfind(_END_OF_ZIP)
    if at < 0 or len(tail) - at < 22:
        raise Refused("the archive is damaged: no end of a zip file")
    count, list_size = struct.unpack_from("<HI", tail, at + 10)
    if count == 0xFFFF or list_size == 0xFFFFFFFF or b"PK\x06\x07" in tail[max(0, at - 20) : at]:
        raise Refused("the archive is a zip64, which only archives over the limits need")
    if count > limits.entries or list_size > limits.entries * (46 + limits.path_bytes + 256):
        raise Refused(f"the archive lists more than {limits.entries:,} entries")
    file.seek(0)


def _check_overlap(infos: list[zipfile.ZipInfo], size: int) -> None:
    """Refuse entries whose data lie over each other, by which a small archive unpacks to a huge one."""
    end = 0
    for info in sorted(infos, key=lambda found: found.header_offset):
        if info.header_offset < end:
            raise Refused(f"{shown(info.orig_filename)}: its data overlap another entry's")
        end = info.header_offset + 30 + info.compress_size
    if end > size:
        raise Refused("the archive is damaged: data beyond its end")


def _take_zip_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, intake: Intake) -> None:
    # The library cuts a name at a zero byte; the name as it stands in the archive is the one to judge.
    name = info.orig_filename
    mode = info.external_attr >> 16
    if info.flag_bits & 0x1:
        raise Refused(f"{shown(name)}: encrypted")
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise Refused(f"{shown(name)}: neither a plain file nor a directory")
    if stat.S_IFMT(mode) == stat.S_IFDIR and not name.endswith("/"):
        raise Refused(f"{shown(name)}: a directory by its mode, a file by its name")
    if name.endswith("/"):
        if info.file_size:
            raise Refused(f"{shown(name)}: a directory with content")
        intake.directory(name)
        return
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise Refused(f"{shown(name)}: packed by a method other than deflate")
    if "\0" in name:
        raise Refused(f"{shown(name)}: a zero byte in its name")
    before = intake.unpacked
    with archive.open(info) as content:
        intake.file(name, _pieces(content), bool(mode & 0o111))
    if intake.unpacked - before != info.file_size:
        raise Refused(f"{shown(name)}: its size is not the one that the archive says")


class _Counted:
    """Reads exactly so many bytes of a tar stream, and no more in all than an archive within the limits has."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._most, self._total = stream, most, 0

    def read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self._stream.read(size - len(data))
            if not piece:
                raise Refused("the archive is damaged: it ends in the middle of an entry")
            data += piece
        self._count(size)
        return data

    def finish(self) -> None:
        """Read what follows the end mark, so that check sums and cuts are seen. Raises Refused if it is not padding."""
        while data := self._stream.read(CHUNK):
            self._count(len(data))
            if data.strip(b"\0"):
                raise Refused("the archive goes on after its end; hand in one archive alone")

    def _count(self, size: int) -> None:
        self._total += size
        if self._total > self._most:
            raise Refused("the archive unpacks to more than the limits allow")


def _fill_from_tar(reader: _Counted, intake: Intake) -> None:
    while (header := reader.read(BLOCK)) != bytes(BLOCK):
        _take_tar_entry(header, reader, intake)
    reader.finish()


def _take_tar_entry(header: bytes, reader: _Counted, intake: Intake) -> None:
    raw = header[:100].split(b"\0", 1)[0]
    if header[257:263] == b"ustar\0" and header[345]:
        raw = header[345:500].split(b"\0", 1)[0] + b"/" + raw
    name = raw.decode("utf-8", "surrogateescape")
    mode, size, checksum = (_octal(header[at:end], name) for at, end in ((100, 108), (124, 136), (148, 156)))
    if checksum != sum(header[:148]) + 8 * 32 + sum(header[156:]):
        raise Refused(f"{shown(name)}: the archive is damaged: a wrong checksum")
    kind = header[156:157]
    if kind in {b"x", b"g"}:
        _check_pax(name, size, reader)
    elif kind in {b"0", b"\0"} and not name.endswith("/"):
        intake.file(name, _content(reader, size, name), bool(mode & 0o111))
    elif kind == b"5" or (kind in {b"0", b"\0"} and name.endswith("/")):
        if size:
            raise Refused(f"{shown(name)}: a directory with content")
        intake.directory(name)
    elif kind == b"L":
        raise Refused(f"{shown(name)}: a GNU long name; make the archive with `tar --format=ustar`")
    else:
        found = _TAR_KINDS.get(kind, "an entry of an odd kind")
        raise Refused(f"{shown(name)}: {found}, neither a plain file nor a directory")


def _octal(digits: bytes, name: str) -> int:
    text = digits.strip(b" \0")
    if not re.fullmatch(rb"[0-7]*", text):
        raise Refused(f"{shown(name)}: a number in its header that is not octal")
    return int(text or b"0", 8)


def _content(reader: _Counted, size: int, name: str) -> Iterator[bytes]:
    left = size
    while left:
        try:
            data = reader.read(min(CHUNK, left))
        except Refused as refused:
            raise Refused(f"{shown(name)}: {refused}") from refused
        left -= len(data)
        yield data
    if size % BLOCK:
        reader.read(BLOCK - size % BLOCK)


def _check_pax(name: str, size: int, reader: _Counted) -> None:
    """Read an extended header past; only such keys as times and owners, which we do not take over, are let through."""
    if size > CHUNK:
        raise Refused(f"{shown(name)}: an extended header of {size:,} bytes")
    text = b"".join(_content(reader, size, name))
    while text:
        length = re.match(rb"(\d{1,5}) ([^=\n]{1,100})=", text)
        if length is None or not len(length[0]) < int(length[1]) <= len(text):
            raise Refused(f"{shown(name)}: an extended header that cannot be read")
        key = length[2].decode("utf-8", "replace")
        if key not in _PAX_HARMLESS:
            raise Refused(
                f"{shown(name)}: an extended header sets {shown(key)}; make the archive with `tar --format=ustar`"
            )
        text = text[int(length[1]) :]
