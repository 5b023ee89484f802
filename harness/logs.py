"""The harness's own log, in this process and in the workers."""

from __future__ import annotations

import logging
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from multiprocessing_logging import install_mp_handler, uninstall_mp_handler

_FORMAT = "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"


class _OneLine(logging.Formatter):
    """A record as one line for people; where a failure came from stands in log files alone."""

    def format(self, record: logging.LogRecord) -> str:
        return f"harness: {record.getMessage()}"


@contextmanager
def logging_to(path: Path | None) -> Iterator[None]:
    """Log to a file inside the block, or only warnings to stderr; enter it before workers are made.

    Workers hand their records to this process, so lines never mix and only one process writes.
    """
    if path is None:
        handler: logging.Handler = logging.StreamHandler()
        handler.setLevel(logging.WARNING)
        handler.setFormatter(_OneLine())
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
        handler.setFormatter(logging.Formatter(_FORMAT))
    root = logging.getLogger()
    before = root.level
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    if multiprocessing.get_start_method(allow_none=True) != "fork":
        multiprocessing.set_start_method("fork", force=True)
    install_mp_handler(root)
    # A disk that is full is told of where it stops the run; a log that cannot be written is no reason for a trace.
    loud, logging.raiseExceptions = logging.raiseExceptions, False
    ours = next(each for each in root.handlers if getattr(each, "sub_handler", None) is handler)
    try:
        yield
    finally:
        with suppress(OSError):
            ours.close()
        uninstall_mp_handler(root)
        root.removeHandler(handler)
        with suppress(OSError):
            handler.close()
        logging.raiseExceptions = loud
        root.setLevel(before)
