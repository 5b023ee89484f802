"""The misbehaving bots, each with what it must come to.

Each is a script of its own in this folder, named by the family and number of the attack; `rogue.py` lies beside it when
it plays. To add one: write the script, add its row. A row's faults are the kinds that its seat may show, at least one
of them; none means that it plays to the end without a fault.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from referee.result import Limits

FOLDER: Final = Path(__file__).parent
LIMITS: Final = Limits(start_ms=8_000, move_ms=300, bank_ms=500, strikes=3)
"""Short enough to see a time-out, long enough for an honest bot on a busy machine."""


@dataclass(frozen=True, slots=True)
class Rogue:
    """A misbehaving bot and its verdict."""

    name: str
    faults: tuple[str, ...] = ()
    """The kinds that its faults may have; more than one where it is a race which comes first."""
    out: bool = True
    """Whether its seat is out at the end."""
    says: str = ""
    """What the message of its first fault holds."""
    hint: str = ""
    """What one of the hints for its author holds."""
    wall_s: float = 6.0
    """The longest that a match with it may take on a quiet machine."""
    limits: Limits = LIMITS
    against: str = "honest"
    """The script of its opponent, which has to come to no harm."""
    rounds: int = 12
    """Rounds of the counting game; the seats take turns."""
    padding: int = 0
    """Bytes added to every request."""
    walls: frozenset[str] = field(default_factory=lambda: frozenset({"local", "docker", "bwrap"}))
    """The sandboxes that can hold it to this verdict."""


def install(name: str, folder: Path) -> Path:
    """The directory of a script of this folder as a bot, made in `folder`; its command is `python3 bot.py`."""
    target = folder / name
    target.mkdir()
    shutil.copy(FOLDER / f"{name}.py", target / "bot.py")
    shutil.copy(FOLDER / "rogue.py", target / "rogue.py")
    return target


def _rows() -> Iterator[Rogue]:
    quick = Limits(start_ms=700, move_ms=300, bank_ms=500, strikes=3)
    yield Rogue("a1_endless", ("flood",), says="a line of more than 65,536 bytes")
    yield Rogue("a2_long_line", ("flood",), says="a line of more than 65,536 bytes")
    yield Rogue("a3_answers_for_ever", ("flood", "malformed"))
    yield Rogue("a4_newlines", ("malformed",), out=True)
    yield Rogue("a5_blank_lines", (), out=False)
    yield Rogue("a6_not_utf8", ("malformed",), says="it is not UTF-8")
    yield Rogue("a7_nul", ("malformed",), says="not one JSON object")
    yield Rogue("a8_lowest_cap", (), out=False)
    yield Rogue("a9_utf16", ("malformed",))
    yield Rogue("a10_crlf", (), out=False)
    yield Rogue("a11_mark", (), out=False)
    yield Rogue("a12_separators", (), out=False)
    yield Rogue("a13_two_values", ("malformed",), says="not one JSON object")
    yield Rogue("a15_debug_print", ("malformed",), says="debug text belongs on stderr", hint="belongs on stderr")
    yield Rogue("a16_half_line", ("left",), says="it left 20 bytes")
    yield Rogue("a18_bytewise", (), out=False)
    yield Rogue("b1_deep", ("malformed",), says="deeper than 32")
    yield Rogue("b3_digits", ("malformed",), says="an integer beyond 2^53")
    yield Rogue("b4_big_integer", ("malformed",), says="an integer beyond 2^53")
    yield Rogue("b6_infinity", ("malformed",), says="not finite")
    yield Rogue("b7_key_twice", ("malformed",), says="the same key twice")
    yield Rogue("b9_surrogate", ("malformed",), says="half of a surrogate pair")
    yield Rogue("b10_odd_keys", (), out=False)
    yield Rogue("b13_long_note", (), out=False)
    yield Rogue("b14_choices", ("illegal",), says="its choice is a boolean, not an integer")
    yield Rogue("b15_wrong_id", ("malformed",), says="its id is")
    yield Rogue("b16_claims", (), out=False)
    yield Rogue("c1_no_greeting", ("startup",), says="not ready within 700 ms", limits=quick)
    yield Rogue("c2_late_greeting", ("malformed",), out=False, says="'hello'")
    yield Rogue("c3_busy", ("timeout",), says="the limit is 300.000 ms a move; bank 500.000 ms before, 0.000 ms after")
    yield Rogue("c4_dripping", ("timeout",), says="no answer after")
    yield Rogue("c7_late", ("timeout",), out=False)
    yield Rogue("c9_twice", ("malformed",), says="its id is")
    yield Rogue("c12_ponderer", ("cpu",), says="s of CPU", wall_s=12.0, against="patient", rounds=60)
    yield Rogue("c13_stops", ("timeout",))
    yield Rogue("c16_never_reads", ("timeout",), says="it did not read its input", wall_s=8.0, padding=200_000)
    yield Rogue("d1_leaves", ("left",), says="exited with code 0")
    yield Rogue("d2_exits", ("crash",), says="exited with code 3")
    yield Rogue("d3_last_word", ("crash",), says="exited with code 3")
    yield Rogue("d4_raises", ("crash",), says="exited with code 1", hint="ValueError: no plan")
    yield Rogue("d5_closes_output", ("left",), says="closed its input or output")
    yield Rogue("d6_closes_input", ("left",), says="closed its input or output")
    yield Rogue("d7_closes_stderr", (), out=False)
    yield Rogue("d8_wrong_stream", ("timeout",), hint="an answer was found on stderr")
    yield Rogue("d11_ignores_signals", ("timeout",))
    yield Rogue("d13_replaces_itself", (), out=False)
    yield Rogue("d14_killed", ("crash",), says="signal 9")
    yield Rogue("d18_daemon", (), out=False)
    yield Rogue("d19_no_flush", ("timeout",), hint="did you flush")
    yield Rogue("e3_hog", ("memory",), says="limit of memory", limits=Limits(8_000, 5_000, 5_000, 3), wall_s=10.0)
    yield Rogue("e22_chatty", (), out=False, wall_s=20.0)


ROGUES: Final = tuple(_rows())
