"""The system calls that a bot may make: one allow list as data, spelled for the engine or compiled for bubblewrap."""

from __future__ import annotations

import itertools
import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from importlib import resources
from typing import Any, Final, NamedTuple

from sandbox.api import SandboxError

EPERM: Final = 1
ENOSYS: Final = 38
X32_BIT: Final = 0x40000000
"""Numbers from here on are the x32 calls, which share the 64-bit architecture's mark."""
ARCHITECTURES: Final = {"x86_64": (0xC000003E, "SCMP_ARCH_X86_64"), "aarch64": (0xC00000B7, "SCMP_ARCH_AARCH64")}
"""The machines whose call numbers we ship: their mark in the kernel and their name in libseccomp."""


class Action(IntEnum):
    """What the kernel does with a call, as the return value of a filter."""

    ALLOW = 0x7FFF0000
    REFUSE = 0x00050000 | EPERM
    ABSENT = 0x00050000 | ENOSYS
    MOOT = 0x00050000
    """Answered with success, and not done."""
    KILL = 0x80000000


class Test(NamedTuple):
    """Holds when argument `arg`, masked where a mask is given, equals `value` (64 bits)."""

    arg: int
    value: int
    mask: int | None = None

    def holds(self, args: Sequence[int]) -> bool:
        return (args[self.arg] if self.mask is None else args[self.arg] & self.mask) == self.value


Rule = tuple[Test, ...]
"""Tests that must all hold."""


@dataclass(frozen=True, slots=True)
class Profile:
    """An allow list by name; a call in none of the four fails with EPERM."""

    allow: frozenset[str]
    absent: frozenset[str]
    moot: frozenset[str]
    conditional: Mapping[str, tuple[Rule, ...]]
    """Calls that are allowed when one of their rules holds."""


def load(file_locks: bool = False) -> Profile:
    """The profile that is shipped.

    With `file_locks` bots may lock files, which two bots can talk through.
    """
    data = _read("profile.json")
    conditional = {name: _rules(entry["rules"]) for name, entry in data["conditional"].items()}
    allow, absent = set(data["allow"]), set(data["absent"])
    if file_locks:
        extra = data["file_locks"]
        allow |= set(extra["allow"])
        absent -= set(extra["allow"])
        for name, rules in extra["conditional"].items():
            conditional[name] += _rules(rules)
    return Profile(frozenset(allow), frozenset(absent), frozenset(data["moot"]["calls"]), conditional)


def numbers(machine: str) -> Mapping[str, int]:
    """The call numbers of a machine (as `uname -m` names it). Raises SandboxError for one that is not shipped."""
    if machine not in ARCHITECTURES:
        raise SandboxError(f"no system call numbers for {machine}; the sandbox runs on {' and '.join(ARCHITECTURES)}")
    return {name: int(number) for name, number in _read(f"{machine}.json").items()}


def to_docker(profile: Profile, machine: str) -> str:
    """The profile as the JSON text that the container engine takes."""
    known = numbers(machine)
    refusal = {"action": "SCMP_ACT_ERRNO"}
    rules: list[dict[str, object]] = [
        {"names": sorted(profile.allow & known.keys()), "action": "SCMP_ACT_ALLOW"},
        {"names": sorted(profile.absent & known.keys()), **refusal, "errnoRet": ENOSYS},
        {"names": sorted(profile.moot & known.keys()), **refusal, "errnoRet": 0},
    ]
    for name in sorted(profile.conditional.keys() & known.keys()):
        rules += [
            {"names": [name], "action": "SCMP_ACT_ALLOW", "args": _spell(rule)} for rule in profile.conditional[name]
        ]
    return json.dumps(
        {"defaultAction": "SCMP_ACT_ERRNO", "architectures": [ARCHITECTURES[machine][1]], "syscalls": rules}
    )


def judge(profile: Profile, name: str, args: Sequence[int]) -> Action:
    """What the profile says of one call, read plainly; what the compiled forms must agree with."""
    if name in profile.allow:
        return Action.ALLOW
    if name in profile.absent:
        return Action.ABSENT
    if name in profile.moot:
        return Action.MOOT
    if any(all(test.holds(args) for test in rule) for rule in profile.conditional.get(name, ())):
        return Action.ALLOW
    return Action.REFUSE


def to_bpf(profile: Profile, machine: str) -> bytes:
    """The profile as a compiled filter: `struct sock_filter` after `struct sock_filter`.

    A foreign architecture kills; x32 numbers and those newer than our table are absent, so that libraries fall back.
    """
    known = numbers(machine)
    steps: list[tuple[int, Action | tuple[Rule, ...]]] = []
    newest = max(known.values())
    by_number = {number: name for name, number in known.items()}
    for number in range(newest + 1):
        name = by_number.get(number, "")
        code: Action | tuple[Rule, ...] = profile.conditional.get(name) or judge(profile, name, (0,) * 6)
        if not steps or steps[-1][1] != code:
            steps.append((number, code))
    steps.append((newest + 1, Action.ABSENT))
    head = [
        _load(4),
        _jump(_JEQ, ARCHITECTURES[machine][0], 1, 0),
        _leave(Action.KILL),
        _load(0),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in [*head, *_tree(steps)])


class _Line(NamedTuple):
    code: int
    jump_true: int
    jump_false: int
    k: int


_JEQ: Final = 0x15
_JGE: Final = 0x35


def _load(offset: int) -> _Line:
    return _Line(0x20, 0, 0, offset)


def _jump(code: int, k: int, if_true: int, if_false: int) -> _Line:
    return _Line(code, if_true, if_false, k)


def _leave(action: Action) -> _Line:
    return _Line(0x06, 0, 0, int(action))


def _tree(steps: Sequence[tuple[int, Action | tuple[Rule, ...]]]) -> list[_Line]:
    """A search tree over the step function from call number to code; a long jump reaches the upper half."""
    if len(steps) == 1:
        code = steps[0][1]
        return [_leave(code)] if isinstance(code, Action) else _alternatives(code)
    middle = len(steps) // 2
    lower, upper = _tree(steps[:middle]), _tree(steps[middle:])
    return [_jump(_JGE, steps[middle][0], 0, 1), _Line(0x05, 0, 0, len(lower)), *lower, *upper]


def _alternatives(rules: tuple[Rule, ...]) -> list[_Line]:
    lines: list[_Line] = []
    for rule in rules:
        tests = [line for test in rule for line in _compare(test)]
        # Every failed comparison jumps behind this rule's ALLOW.
        size = len(tests) + 1
        for at, line in enumerate(tests):
            lines.append(line._replace(jump_false=size - at - 1) if line.code == _JEQ else line)
        lines.append(_leave(Action.ALLOW))
    return [*lines, _leave(Action.REFUSE)]


def _compare(test: Test) -> Iterator[_Line]:
    """Both 32-bit halves of the argument, low then high (both machines are little-endian)."""
    for half in (0, 1):
        shift = 32 * half
        yield _load(16 + 8 * test.arg + 4 * half)
        if test.mask is not None:
            yield _Line(0x54, 0, 0, test.mask >> shift & 0xFFFFFFFF)
        yield _jump(_JEQ, test.value >> shift & 0xFFFFFFFF, 0, 0)


def _rules(raw: Sequence[Sequence[Mapping[str, Any]]]) -> tuple[Rule, ...]:
    made: list[Rule] = []
    for tests in raw:
        choices = [[Test(test["arg"], value, test.get("mask")) for value in test["any_of"]] for test in tests]
        made += itertools.product(*choices)
    return tuple(made)


def _spell(rule: Rule) -> list[dict[str, object]]:
    return [
        {"index": test.arg, "value": test.value, "op": "SCMP_CMP_EQ"}
        if test.mask is None
        else {"index": test.arg, "value": test.mask, "valueTwo": test.value, "op": "SCMP_CMP_MASKED_EQ"}
        for test in rule
    ]


def _read(name: str) -> dict[str, Any]:
    data = json.loads((resources.files("sandbox") / "seccomp" / name).read_text("utf-8"))
    return dict(data)
