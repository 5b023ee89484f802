"""Compressed archives to their very end, and what archives say of themselves that is not so."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.unpack import Refused, take
from tests.sandbox.test_unpack import member, put, tarred, zipped

PACKERS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("gz", gzip.compress),
    ("bz2", bz2.compress),
    ("xz", lzma.compress),
)
packers = pytest.mark.parametrize(("ending", "pack"), PACKERS, ids=[name for name, _ in PACKERS])
TAR = tarred((member("bot.py"), b"print(1)\n"), (member("lib/data"), bytes(range(256)) * 40))


@packers
def test_an_archive_is_read_to_the_end_of_its_packing(
    ending: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """The last bytes hold the check sum; an archive without them is cut off, and one with others is damaged."""
    packed = pack(TAR)
    for data in (packed[:-6], packed[:-12] + bytes(4) + packed[-8:]):
        with pytest.raises(Refused, match="damaged"):
            take(put(tmp_path, f"b.tar.{ending}", data), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@packers
def test_joined_pieces_are_one_archive(ending: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    take(put(tmp_path, f"b.tar.{ending}", pack(TAR[:700]) + pack(TAR[700:]) + bytes(8)), tmp_path / "out")
    assert (tmp_path / "out" / "bot.py").read_bytes() == b"print(1)\n"


@packers
def test_many_empty_pieces_take_no_time(ending: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(Refused, match="1,000 compressed pieces"):
        take(put(tmp_path, f"b.tar.{ending}", pack(b"") * 200_000 + pack(TAR)), tmp_path / "out")
    assert time.monotonic() - began < 2


@packers
def test_what_follows_an_archive_is_refused(ending: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    for data in (pack(TAR) + b"junk behind", pack(TAR + TAR), pack(TAR + b"junk")):
        with pytest.raises(Refused, match=r"damaged|goes on after its end"):
            take(put(tmp_path, f"b.tar.{ending}", data), tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "start", "packing"),
    [
        ("b.tar.zst", b"\x28\xb5\x2f\xfd", "zstd"),
        ("b.tar.lzma", b"\x5d\x00\x00\x80\x00", "lzma"),
        ("b.7z", b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        ("b.rar", b"Rar!\x1a\x07\x01", "RAR"),
    ],
)
def test_a_packing_that_is_not_taken_is_named(name: str, start: bytes, packing: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=rf"packed by {packing}; hand in a \.zip or"):
        take(put(tmp_path, name, start + bytes(600)), tmp_path / "out")


@pytest.mark.parametrize("ending", ["tar", "zip"])
def test_directories_that_only_paths_name_are_entries_too(ending: str, tmp_path: Path) -> None:
    names = ["/".join(f"d{number}-{depth}" for depth in range(15)) + "/f" for number in range(150)]
    data = tarred(*((member(name), b"") for name in names)) if ending == "tar" else zipped(*((n, b"") for n in names))
    with pytest.raises(Refused, match="more than 2,000 entries"):
        take(put(tmp_path, f"b.{ending}", data), tmp_path / "out")


def test_directories_that_differ_by_case_are_refused(tmp_path: Path) -> None:
    data = tarred((member("Lib/a"), b"1"), (member("lib/b"), b"2"))
    with pytest.raises(Refused, match="'lib/b': the name is there twice, but for upper and lower case"):
        take(put(tmp_path, "b.tar", data), tmp_path / "out")


def test_a_size_that_is_not_so_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped(("bot.py", b"A" * 5000)))
    struct.pack_into("<I", data, data.find(b"PK\x01\x02") + 24, 1 << 30)
    with pytest.raises(Refused, match=r"'bot\.py': its size is not the one that the archive says"):
        take(put(tmp_path, "b.zip", bytes(data)), tmp_path / "out")


def test_an_entry_that_is_cut_off_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="'lib/data': the archive is damaged"):
        take(put(tmp_path, "b.tar", TAR[:3000]), tmp_path / "out")
