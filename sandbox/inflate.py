"""Compressed archives of strangers as plain streams: memory bounded, every check sum read, joined pieces counted."""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable
from typing import IO, Final, Protocol

CHUNK: Final = 65_536
XZ_MEMORY_BYTES: Final = 128 * 2**20
MOST_PIECES: Final = 1_000
"""Some packers join several compressed pieces to one file; a million empty ones would only take time."""
FOREIGN: Final = (
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x5d\x00\x00", "lzma"),
    (b"\x1f\x9d", "compress"),
    (b"LZIP", "lzip"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!\x1a\x07", "RAR"),
)
"""First bytes of what people pack with and we do not take."""


class _Inflates(Protocol):
    """What the three libraries have in common, or are made to."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """One gzip piece, with the manners of the other two: what it could not take yet it keeps."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def needs_input(self) -> bool:
        return not self._inflate.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inflate.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inflate.decompress(self._inflate.unconsumed_tail + data, max_length)


def _xz() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY_BYTES)


_KNOWN: Final[tuple[tuple[bytes, Callable[[], _Inflates]], ...]] = (
    (b"\x1f\x8b", _Gzip),
    (b"BZh", bz2.BZ2Decompressor),
    (b"\xfd7zXZ\x00", _xz),
)


def foreign(file: IO[bytes]) -> str:
    """The name of the packing that a file has and we do not take, or nothing."""
    start = _start(file)
    return next((name for magic, name in FOREIGN if start.startswith(magic)), "")


def inflated(file: IO[bytes]) -> IO[bytes]:
    """The file's content, inflated where it is compressed; else the file itself.

    Reading raises EOFError where it is cut off; OSError, ValueError, zlib.error or lzma.LZMAError where it is damaged.
    """
    start = _start(file)
    for magic, make in _KNOWN:
        if start.startswith(magic):
            return io.BufferedReader(_Joined(file, make), CHUNK)
    return file


def _start(file: IO[bytes]) -> bytes:
    start = file.read(8)
    file.seek(0)
    return start


class _Joined(io.RawIOBase):
    """The content of all compressed pieces of a file, one after the other; zeros may pad them."""

    def __init__(self, file: IO[bytes], make: Callable[[], _Inflates]) -> None:
        self._file, self._make = file, make
        self._inflate = make()
        self._pieces = 1

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        while True:
            data = b""
            if self._inflate.eof:
                data = self._next_piece()
                if not data:
                    return 0
            elif self._inflate.needs_input:
                data = self._file.read(CHUNK)
                if not data:
                    raise EOFError("the compressed data end too early")
            out = self._inflate.decompress(data, len(view))
            if out:
                view[: len(out)] = out
                return len(out)

    def _next_piece(self) -> bytes:
        """The beginning of the piece after the one that has ended, or nothing at the end of the file."""
        rest = self._inflate.unused_data.lstrip(b"\0")
        while not rest:
            data = self._file.read(CHUNK)
            if not data:
                return b""
            rest = data.lstrip(b"\0")
        self._pieces += 1
        if self._pieces > MOST_PIECES:
            raise ValueError(f"more than {MOST_PIECES:,} compressed pieces")
        self._inflate = self._make()
        return rest
