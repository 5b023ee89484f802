from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

from harness.logs import logging_to

FULL = """
import logging, pathlib
from harness.logs import logging_to
with logging_to(pathlib.Path("/dev/full")):
    logging.getLogger("harness").warning("a line that finds no room")
print("done")
"""


def test_a_log_on_a_full_disk_gives_no_trace() -> None:
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, check=True, timeout=30)
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_a_record_is_a_line_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "harness.log"
    with logging_to(path):
        logging.getLogger("harness").info("it is here")
    assert path.read_text().endswith("harness: it is here\n")
