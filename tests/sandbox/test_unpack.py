"""What strangers send: what is taken in, and every trick that is refused with the entry named."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import stat
import struct
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.unpack import ArchiveLimits, Refused, shown, take, unpack_tar, unpack_zip

LIMITS = ArchiveLimits(packed_bytes=1 << 20, unpacked_bytes=4 << 20, entries=50)


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content, method)
    return packed.getvalue()


def member(
    name: str, kind: bytes = tarfile.REGTYPE, size: int = 0, mode: int = 0o644, link: str = ""
) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.size, entry.mode, entry.linkname = kind, size, mode, link
    return entry


def tarred(*entries: tuple[tarfile.TarInfo, bytes], form: int = tarfile.USTAR_FORMAT) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=form) as archive:
        for entry, content in entries:
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def raw_header(name: bytes, size: bytes, kind: bytes = b"0") -> bytes:
    block = bytearray(512)
    block[0 : len(name)] = name
    block[100:108] = b"0000644\0"
    block[124 : 124 + len(size)] = size
    block[148:156] = b" " * 8
    block[156:157] = kind
    block[257:265] = b"ustar\x0000"
    block[148:155] = b"%06o\0" % sum(block)
    return bytes(block)


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


GOOD = {"bot.py": b"print('x')\n", "lib/a.txt": b"a" * 5000}


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("b.zip", lambda tar: zipped(*GOOD.items())),
        ("b.ZIP", lambda tar: zipped(*GOOD.items(), method=zipfile.ZIP_STORED)),
        ("b.tar", lambda tar: tar),
        ("b.tar.gz", gzip.compress),
        ("b.tgz", gzip.compress),
        ("b.tar.bz2", bz2.compress),
        ("b.tar.xz", lzma.compress),
    ],
)
def test_an_honest_archive_is_taken_in(name: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    data = pack(tarred(*((member(entry, mode=0o755), content) for entry, content in GOOD.items())))
    take(put(tmp_path, name, data), tmp_path / "out")
    found = {path.relative_to(tmp_path / "out").as_posix(): path.read_bytes() for path in _files(tmp_path / "out")}
    assert found == GOOD
    for path in _files(tmp_path / "out"):
        assert stat.S_IMODE(path.stat().st_mode) in {0o444, 0o555}


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_common_tools_write_is_taken_in(tmp_path: Path) -> None:
    """Python's default form puts times into extended headers; git puts a comment into a global one."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "abc"}) as archive:
        entry = member("./bot.py")
        entry.mtime, entry.size = 1.5, 2
        archive.addfile(member("lib", tarfile.DIRTYPE))
        archive.addfile(entry, io.BytesIO(b"ok"))
    take(put(tmp_path, "b.tar", packed.getvalue()), tmp_path / "out")
    assert (tmp_path / "out" / "bot.py").read_bytes() == b"ok"
    assert (tmp_path / "out" / "lib").is_dir()


BAD_NAMES = (
    "../../x",
    "a/../../x",
    "..",
    "..\\x",
    "C:\\x",
    "C:x",
    "/etc/x",
    "//x",
    "a//x",
    "a/./x",
    "a\nb",
    "a\x1b[31m",
    "-rf",
    "trailing.",
    "trailing ",
    "dir. /x",
    "CON",
    "nul.txt",
    "lib/aux.py",
    "COM1",
    "evil\u202etxt.py",
    "zero\u200bwidth",
    "é",
    "x" * 201,
    "d/" * 17 + "x",
    "a:b",
    "a*b",
    "a|b",
    "a;b",
    "a`b`",
    "~/.ssh/../x",
)


@pytest.mark.parametrize("name", BAD_NAMES)
@pytest.mark.parametrize("kind", ["zip", "tar", "directory entry"])
def test_a_bad_name_is_refused_and_named(name: str, kind: str, tmp_path: Path) -> None:
    if kind == "zip":
        source = put(tmp_path, "b.zip", zipped((name, b"x")))
    else:
        entry = member(name, tarfile.DIRTYPE if kind == "directory entry" else tarfile.REGTYPE)
        # Names that the plain form cannot hold come as a long name, which is refused as such.
        form = tarfile.GNU_FORMAT if len(name) > 100 else tarfile.USTAR_FORMAT
        source = put(tmp_path, "b.tar", tarred((entry, b""), form=form))
    with pytest.raises(Refused) as refused:
        take(source, tmp_path / "out", LIMITS)
    if len(name) <= 100 or kind == "zip":
        assert shown(name)[1:12].rstrip("'") in str(refused.value)
    assert str(refused.value).isascii()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "kind",
    [
        tarfile.SYMTYPE,
        tarfile.LNKTYPE,
        tarfile.CHRTYPE,
        tarfile.BLKTYPE,
        tarfile.FIFOTYPE,
        tarfile.CONTTYPE,
        tarfile.GNUTYPE_SPARSE,
        b"V",
        b"M",
        b"Z",
    ],
)
def test_only_plain_files_and_directories_come_in_a_tar(kind: bytes, tmp_path: Path) -> None:
    source = put(tmp_path, "b.tar", tarred((member("odd", kind, link="/etc/passwd"), b"")))
    with pytest.raises(Refused, match="odd"):
        take(source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK])
def test_only_plain_files_and_directories_come_in_a_zip(kind: int, tmp_path: Path) -> None:
    info = zipfile.ZipInfo("odd")
    info.external_attr = (kind | 0o777) << 16
    with pytest.raises(Refused, match="odd"):
        take(put(tmp_path, "b.zip", zipped((info, b"/etc/passwd"))), tmp_path / "out")


def test_a_file_below_a_link_writes_nothing_outside(tmp_path: Path) -> None:
    data = tarred((member("d", tarfile.SYMTYPE, link=str(tmp_path)), b""), (member("d/escaped"), b"x"))
    with pytest.raises(Refused, match="'d'"):
        take(put(tmp_path, "b.tar", data), tmp_path / "out")
    assert not (tmp_path / "escaped").exists()


@pytest.mark.parametrize("mode", [0o4755, 0o2755, 0o1777, 0o000, 0o666, 0o7777])
def test_modes_are_ours(mode: int, tmp_path: Path) -> None:
    data = tarred((member("d", tarfile.DIRTYPE, mode=0), b""), (member("d/f", mode=mode), b"x"))
    take(put(tmp_path, "b.tar", data), tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out" / "d" / "f").stat().st_mode) == (0o555 if mode & 0o111 else 0o444)
    assert stat.S_IMODE((tmp_path / "out" / "d").stat().st_mode) & 0o7022 == 0


@pytest.mark.parametrize(
    ("first", "second"), [("a", "a"), ("a", "A"), ("Lib/x", "lib/X"), ("a", "a/b"), ("a/b", "a"), ("a/b", "A")]
)
def test_two_entries_for_one_name_are_refused(first: str, second: str, tmp_path: Path) -> None:
    data = tarred((member(first), b"1"), (member(second), b"2"))
    with pytest.raises(Refused, match=f"'{second}'"):
        take(put(tmp_path, "b.tar", data), tmp_path / "out")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_bomb_in_a_tar_is_stopped_while_it_inflates(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    source = put(tmp_path, "b.tar.x", pack(tarred((member("big"), bytes(64 << 20)))))
    tracemalloc.start()
    with pytest.raises(Refused, match="'big'"):
        take(source, tmp_path / "out", LIMITS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The dictionary of xz alone is 8 MiB.
    assert peak < 10 << 20
    assert not (tmp_path / "out").exists()


def test_a_bomb_in_a_zip_is_stopped_whatever_size_it_claims(tmp_path: Path) -> None:
    data = bytearray(zipped(("big", bytes(64 << 20))))
    claimed = struct.pack("<I", 64 << 20)
    assert data.count(claimed) == 2
    source = put(tmp_path, "b.zip", bytes(data.replace(claimed, struct.pack("<I", 10))))
    with pytest.raises(Refused, match=r"'big'|damaged"):
        take(source, tmp_path / "out", LIMITS)
    with pytest.raises(Refused, match="'big'"):
        take(put(tmp_path, "c.zip", bytes(data)), tmp_path / "out", LIMITS)


def test_a_ratio_is_refused_before_the_size(tmp_path: Path) -> None:
    limits = ArchiveLimits(ratio=10)
    with pytest.raises(Refused, match="10 times its packed size"):
        take(put(tmp_path, "b.zip", zipped(("big", bytes(8 << 20)))), tmp_path / "out", limits)


def test_entries_over_each_other_are_refused(tmp_path: Path) -> None:
    data = bytearray(zipped(("aa", b"x" * 50), ("bb", b"y" * 50)))
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    data[second + 42 : second + 46] = struct.pack("<I", 5)
    with pytest.raises(Refused, match=r"'bb': its data overlap|'aa': its data overlap"):
        take(put(tmp_path, "b.zip", bytes(data)), tmp_path / "out")


def test_too_many_entries_are_refused_before_any_is_written(tmp_path: Path) -> None:
    data = zipped(*((f"f{n}", b"") for n in range(51)))
    with pytest.raises(Refused, match=r"more than 50 entries"):
        take(put(tmp_path, "b.zip", data), tmp_path / "out", LIMITS)
    tar = tarred(*((member(f"f{n}"), b"") for n in range(51)))
    with pytest.raises(Refused, match=r"'f50': more than 50 entries"):
        take(put(tmp_path, "b.tar", tar), tmp_path / "out", LIMITS)
    assert not (tmp_path / "out").exists()


def test_a_list_that_is_longer_than_its_count_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped(*((f"f{n}", b"") for n in range(3000))))
    end = data.rindex(b"PK\x05\x06")
    data[end + 8 : end + 12] = struct.pack("<HH", 1, 1)
    with pytest.raises(Refused, match=r"more than 50 entries"):
        take(put(tmp_path, "b.zip", bytes(data)), tmp_path / "out", LIMITS)


def test_zip64_and_encryption_and_odd_methods_are_refused(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for n in range(65_536):
            archive.writestr(zipfile.ZipInfo(f"{n}"), b"")
    with pytest.raises(Refused, match=r"zip64|bytes, more"):
        unpack_zip(packed, tmp_path / "out")
    odd = zipped(("bot.py", b"x" * 100), method=zipfile.ZIP_LZMA)
    with pytest.raises(Refused, match=r"'bot\.py': packed by a method"):
        take(put(tmp_path, "b.zip", odd), tmp_path / "out")
    locked = bytearray(zipped(("bot.py", b"x" * 100)))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + offset] |= 1
    with pytest.raises(Refused, match=r"'bot\.py': encrypted"):
        take(put(tmp_path, "c.zip", bytes(locked)), tmp_path / "out")


def test_a_zero_byte_in_a_zip_name_is_seen(tmp_path: Path) -> None:
    data = zipped(("botXpy", b"x")).replace(b"botXpy", b"bot\0py")
    with pytest.raises(Refused, match=r"bot\\x00py"):
        take(put(tmp_path, "b.zip", data), tmp_path / "out")


@pytest.mark.parametrize("key", ["path", "linkpath", "size", "GNU.sparse.map", "SCHILY.xattr.security.capability"])
def test_extended_headers_that_change_an_entry_are_refused(key: str, tmp_path: Path) -> None:
    line = f" {key}=/etc/passwd\n"
    record = f"{len(line) + 2}{line}".encode()
    data = (
        raw_header(b"pax", b"%011o" % len(record), b"x")
        + record.ljust(512, b"\0")
        + raw_header(b"f", b"0")
        + bytes(1024)
    )
    with pytest.raises(Refused, match="make the archive with"):
        take(put(tmp_path, "b.tar", data), tmp_path / "out")


def test_extended_headers_are_bounded(tmp_path: Path) -> None:
    data = raw_header(b"pax", b"%011o" % (1 << 30), b"x") + bytes(512)
    with pytest.raises(Refused, match="an extended header of 1,073,741,824 bytes"):
        take(put(tmp_path, "b.tar", data), tmp_path / "out")


def test_long_names_of_gnu_are_refused(tmp_path: Path) -> None:
    data = tarred((member("d/" + "x" * 150), b""), form=tarfile.GNU_FORMAT)
    with pytest.raises(Refused, match="GNU long name"):
        take(put(tmp_path, "b.tar", data), tmp_path / "out")


@pytest.mark.parametrize(
    "size", [b"-0000000001", b"\x80" + b"\xff" * 10, b"0x10", b"99999999999", b"\xff" * 11, b"1 2"]
)
def test_a_size_that_is_no_octal_number_is_refused(size: bytes, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="'f'"):
        take(put(tmp_path, "b.tar", raw_header(b"f", size) + bytes(1024)), tmp_path / "out")


def test_a_huge_size_is_not_believed(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"damaged|limits"):
        take(put(tmp_path, "b.tar", raw_header(b"f", b"77777777777") + bytes(4096)), tmp_path / "out")


@pytest.mark.parametrize("cut", [0, 1, 100, 511, 512, 700])
def test_a_cut_archive_is_refused(cut: int, tmp_path: Path) -> None:
    whole = tarred((member("f"), b"x" * 600))
    with pytest.raises(Refused, match="damaged"):
        take(put(tmp_path, "b.tar", whole[:cut]), tmp_path / "out")
    packed = gzip.compress(whole)
    with pytest.raises(Refused, match="damaged"):
        take(put(tmp_path, "c.tar.gz", packed[: len(packed) * cut // 1024]), tmp_path / "out")


def test_a_dictionary_larger_than_the_limit_is_refused(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 512 << 20}]
    data = lzma.compress(tarred((member("f"), b"x")), lzma.FORMAT_XZ, filters=filters)
    with pytest.raises(Refused, match="damaged"):
        take(put(tmp_path, "b.tar.xz", data), tmp_path / "out")


def test_a_directory_is_taken_in_and_its_tricks_refused(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "lib").mkdir(parents=True)
    (source / "bot.py").write_text("x")
    (source / "lib" / "a").write_text("a")
    take(source, tmp_path / "out")
    assert len(_files(tmp_path / "out")) == 2
    (source / "lib" / "link").symlink_to("/etc/passwd")
    with pytest.raises(Refused, match="'lib/link': a symbolic link"):
        take(source, tmp_path / "out2")
    (source / "lib" / "link").unlink()
    os.mkfifo(source / "pipe")
    with pytest.raises(Refused, match="'pipe': neither"):
        take(source, tmp_path / "out2")
    (tmp_path / "all").symlink_to(source)
    with pytest.raises(Refused, match="'all': a symbolic link"):
        take(tmp_path / "all", tmp_path / "out2")
    assert not (tmp_path / "out2").exists()


def test_a_single_file_is_taken_in(tmp_path: Path) -> None:
    take(put(tmp_path, "bot.py", b"x"), tmp_path / "out")
    assert (tmp_path / "out" / "bot.py").read_bytes() == b"x"


def test_a_target_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    with pytest.raises(FileExistsError):
        take(put(tmp_path, "bot.py", b"x"), tmp_path / "out")
    assert (tmp_path / "out" / "mine").read_text() == "mine"


def test_names_are_printed_harmless() -> None:
    text = shown("a\x1b[31m\u202e\n" + "x" * 500)
    assert text.isascii()
    assert "\x1b" not in text
    assert len(text) < 90


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.binary(max_size=2000), kind=st.sampled_from(["zip", "tar", "gz"]), seed=st.integers(0, 2**32))
def test_no_bytes_at_all_break_the_intake(
    data: bytes, kind: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Random bytes, and good archives with a few bytes changed, are taken in or refused, never anything else."""
    folder = tmp_path_factory.mktemp("any")
    good = zipped(*GOOD.items()) if kind == "zip" else tarred(*((member(name), text) for name, text in GOOD.items()))
    mutated = bytearray(good)
    for at, byte in zip(range(0, len(data), 3), data, strict=False):
        mutated[(seed + at * 7919) % len(mutated)] = byte
    for content in (data, bytes(mutated), zlib.compress(bytes(mutated))):
        packed = gzip.compress(content) if kind == "gz" else content
        target = folder / "out"
        unpack = unpack_zip if kind == "zip" else unpack_tar
        try:
            unpack(io.BytesIO(packed), target, LIMITS)
        except Refused:
            assert not target.exists()
            continue
        assert not [path for path in target.rglob("*") if path.is_symlink()]
        shutil.rmtree(target)
