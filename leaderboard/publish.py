"""Puts a site in place on disk: only what changed is made and written, and no reader sees half of it.

The new site is laid out whole in a folder beside the old one; files that did not change are hard links to the old
ones. Then the two folders change names in one step (Linux `renameat2`, RENAME_EXCHANGE), and the old one goes away. A
reader who still holds an old page finds the style and scripts that it names, for those of the last site stay.

What stands in the folder and was not made here (`CNAME`, a `.git`) is carried over.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from leaderboard.model import Site
from leaderboard.render import Page, Renderer, Viewer
from leaderboard.views import Previous

MANIFEST: Final = ".botpit-site.json"
_FORMAT: Final = 1
_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


class PublishError(Exception):
    """The site cannot be put where it was asked for; says why and what to do in one sentence."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a publication did."""

    pages: int
    """All files of the site."""
    written: int
    """Those that changed or are new."""
    removed: int
    snapshot: str


class _Entry(msgspec.Struct, array_like=True, frozen=True):
    key: str
    digest: str


class _Manifest(msgspec.Struct, frozen=True):
    """What was published last: each file by its path, and the style files that outlive it for a while."""

    format: int = _FORMAT
    snapshot: str = ""
    files: dict[str, _Entry] = {}
    kept: dict[str, _Entry] = {}
    ranks: dict[str, int] = {}
    before: dict[str, int] = {}


def publish(site: Site, out: Path, viewer: Viewer | None = None) -> Published:
    """Make `out` show this site. Raises PublishError, and then leaves `out` as it was."""
    out = out.resolve()
    with _alone(out):
        old = _read_manifest(out)
        previous = Previous(old.snapshot, old.ranks, old.before) if old.snapshot else None
        renderer = Renderer(site, previous, viewer)
        staging = out.parent / f".{out.name}.new"
        try:
            _finish_interrupted(staging, out)
            staging.mkdir()
            manifest, written = _lay_out(renderer, old, out, staging)
            _swap(staging, out, set(old.files) | set(old.kept) | {MANIFEST})
        except OSError as error:
            raise PublishError(f"the site cannot be written to {out}: {error.strerror}") from error
        finally:
            _clear(staging)
    return Published(len(manifest.files), written, len(old.files.keys() - manifest.files.keys()), site.snapshot)


def _finish_interrupted(staging: Path, out: Path) -> None:
    """Tidy up after a publication that was killed: what it had not carried over yet is carried now."""
    if (staging / MANIFEST).exists():
        left = _read_manifest(staging)
        _carry(staging, out, set(left.files) | set(left.kept) | {MANIFEST})
    _clear(staging)


def _lay_out(renderer: Renderer, old: _Manifest, out: Path, staging: Path) -> tuple[_Manifest, int]:
    """Fill the new folder: a link for what stayed, a new file for the rest."""
    files: dict[str, _Entry] = {}
    written = 0
    made: set[Path] = set()
    for page in renderer.pages():
        if page.path in files:
            raise PublishError(f"two pages of the site want to be {page.path}; please report this")
        target = staging / page.path
        if target.parent not in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            made.add(target.parent)
        before = old.files.get(page.path) or old.kept.get(page.path)
        if before and page.key and before.key == page.key and _linked(out / page.path, target):
            files[page.path] = before
            continue
        digest = _write(page, target)
        files[page.path] = _Entry("" if page.path in renderer.passing else page.key, digest)
        if not (before and before.digest == digest and _linked(out / page.path, target)):
            written += 1
    kept = _keep_old_style(old, files, out, staging)
    views = renderer.views
    ranks = {name: rank for name, rank in views.ranks.items() if rank is not None}
    manifest = _Manifest(_FORMAT, renderer.site.snapshot, files, kept, ranks, dict(views.before))
    (staging / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    return manifest, written


def _keep_old_style(old: _Manifest, files: dict[str, _Entry], out: Path, staging: Path) -> dict[str, _Entry]:
    """Styles and scripts of the last site, for readers who still hold one of its pages."""
    fading = {path: entry for path, entry in old.files.items() if path.startswith("static/") and path not in files}
    (staging / "static").mkdir(exist_ok=True)
    return {path: entry for path, entry in fading.items() if _linked(out / path, staging / path)}


def _write(page: Page, target: Path) -> str:
    """Write a page's content and give its digest."""
    digest = sha256()
    content = page.make()
    with target.open("wb") as file:
        for piece in _pieces(content) if isinstance(content, Path) else content:
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()


def _pieces(source: Path) -> Iterator[bytes]:
    with source.open("rb") as file:
        while piece := file.read(1 << 18):
            yield piece


def _linked(source: Path, target: Path) -> bool:
    """Make `target` the same file as `source`, or a copy where the file system knows no links; False if it is gone."""
    try:
        target.unlink(missing_ok=True)
        os.link(source, target, follow_symlinks=False)
    except FileNotFoundError:
        return False
    except OSError:
        shutil.copy2(source, target)
    return True


def _read_manifest(out: Path) -> _Manifest:
    """What stands in the folder; an empty manifest when it is new, or its own is of another format."""
    if out.exists() and not out.is_dir():
        raise PublishError(f"{out} is a file; name a folder for the site")
    try:
        found = msgspec.json.decode((out / MANIFEST).read_bytes(), type=_Manifest)
    except FileNotFoundError:
        _check_free(out)
        return _Manifest()
    except (msgspec.DecodeError, OSError):
        return _Manifest(files=_everything(out))
    return found if found.format == _FORMAT else _Manifest(files=_everything(out))


def _everything(out: Path) -> dict[str, _Entry]:
    """All files in the folder as ours, so that a site with a lost manifest is made anew and leaves nothing behind."""
    ours = ("bots/", "data/", "docs/", "matches/", "played/", "replays/", "static/", "watch/")
    paths = (str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    return {path: _Entry("", "") for path in paths if path.startswith(ours)}


_WELCOME: Final = frozenset({"CNAME", "README.md", "favicon.ico", "robots.txt"})


def _check_free(out: Path) -> None:
    """Raise PublishError for a folder that holds something else than a site."""
    if out.is_dir():
        others = [item.name for item in out.iterdir() if item.name not in _WELCOME and not item.name.startswith(".")]
        if others:
            raise PublishError(f"{out} holds {min(others)!r}, which is no site of ours; name an empty folder")


def _swap(staging: Path, out: Path, ours: set[str]) -> None:
    """Put the new folder in the place of the old one, in one step where the system can."""
    if not out.exists():
        staging.rename(out)
        return
    if not _exchange(staging, out):
        aside = staging.with_name(staging.name + ".old")
        _clear(aside)
        out.rename(aside)
        staging.rename(out)
        aside.rename(staging)
    _carry(staging, out, ours)


def _exchange(one: Path, two: Path) -> bool:
    """Swap two names in one step; False where the system or the file system cannot. Raises OSError for other causes."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    if renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(two), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}:
        return False
    raise OSError(code, os.strerror(code))


def _carry(old: Path, new: Path, ours: set[str]) -> None:
    """Move what was not made here from the old folder to the new one."""
    folders = {str(parent) for path in ours for parent in Path(path).parents}
    for item in sorted(_foreign(old, old, ours, folders)):
        target = new / item.relative_to(old)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            item.rename(target)


def _foreign(folder: Path, root: Path, ours: set[str], folders: set[str]) -> Iterator[Path]:
    with os.scandir(folder) as found:
        for item in found:
            path = Path(item.path)
            name = str(path.relative_to(root))
            if item.is_dir(follow_symlinks=False) and name in folders:
                yield from _foreign(path, root, ours, folders)
            elif name not in ours:
                yield path


def _clear(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """One publication at a time into one parent folder."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(out.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise PublishError(f"{out.parent} cannot hold the site: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise PublishError(f"another publication into {out.parent} is running; wait for it") from error
    finally:
        os.close(handle)
