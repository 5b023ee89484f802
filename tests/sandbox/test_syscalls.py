"""The system call profile: its data, both of its spellings, and the filter as a kernel would run it."""

from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox import syscalls
from sandbox.api import SandboxError
from sandbox.syscalls import ARCHITECTURES, X32_BIT, Action

MACHINES = tuple(ARCHITECTURES)
PROFILES = {
    "plain": syscalls.load(),
    "locks": syscalls.load(file_locks=True),
}
FILTERS = {
    (kind, machine): syscalls.to_bpf(profile, machine) for kind, profile in PROFILES.items() for machine in MACHINES
}


def run(program: bytes, architecture: int, number: int, args: list[int]) -> int:
    """A filter's return value for one call, instruction by instruction as the kernel's own interpreter."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *args)
    accumulator, at = 0, 0
    for _ in range(10_000):
        code, jump_true, jump_false, k = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("<I", data, k)[0]
        elif code == 0x54:
            accumulator &= k
        elif code == 0x15:
            at += jump_true if accumulator == k else jump_false
        elif code == 0x35:
            at += jump_true if accumulator >= k else jump_false
        elif code == 0x05:
            at += k
        elif code == 0x06:
            return int(k)
        else:
            raise AssertionError(f"an instruction that the assembler does not make: {code:#x}")
    raise AssertionError("the filter does not end")


WORDS = st.one_of(
    st.integers(0, 64),
    st.integers(0, 2**64 - 1),
    st.sampled_from([1030, 1031, 1033, 0x5401, 0x5412, 0x10000011, 0x7E020000, (1 << 32) | 6, (1 << 32), 2**32 - 1]),
)


@given(
    st.sampled_from(sorted(FILTERS)),
    st.one_of(st.integers(0, 470), st.sampled_from([9, 28, 56, 72, 74, 16, 41, 53, 157, 319, 327])),
    st.lists(WORDS, min_size=6, max_size=6),
)
def test_the_compiled_filter_says_what_the_profile_says(which: tuple[str, str], number: int, args: list[int]) -> None:
    kind, machine = which
    names = {number: name for name, number in syscalls.numbers(machine).items()}
    expected = syscalls.judge(PROFILES[kind], names.get(number, ""), args)
    if number > max(names):
        expected = Action.ABSENT
    assert run(FILTERS[which], ARCHITECTURES[machine][0], number, args) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_without_arguments_is_judged_alike(machine: str) -> None:
    for name, number in syscalls.numbers(machine).items():
        got = run(FILTERS["plain", machine], ARCHITECTURES[machine][0], number, [0] * 6)
        assert got == syscalls.judge(PROFILES["plain"], name, [0] * 6), name


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architecture_is_killed_and_x32_is_absent(machine: str) -> None:
    program = FILTERS["plain", machine]
    for foreign in (0x40000003, 0xC0000016, 0):
        assert run(program, foreign, 0, [0] * 6) == Action.KILL
    assert run(program, ARCHITECTURES[machine][0], X32_BIT + 1, [0] * 6) == Action.ABSENT
    assert run(program, ARCHITECTURES[machine][0], 2**32 - 1, [0] * 6) == Action.ABSENT


def test_the_lists_do_not_overlap_and_every_name_is_a_call() -> None:
    known = set().union(*(syscalls.numbers(machine) for machine in MACHINES))
    for profile in PROFILES.values():
        parts = [profile.allow, profile.absent, profile.moot, frozenset(profile.conditional)]
        assert sum(map(len, parts)) == len(frozenset().union(*parts))
        assert frozenset().union(*parts) <= known


def test_all_rules_of_a_call_look_at_the_same_arguments() -> None:
    """libseccomp 2.5.4 miscompiles a mixture: by a rule on argument 0 alone, ping sockets passed those on 0 and 2."""
    for profile in PROFILES.values():
        for name, rules in profile.conditional.items():
            assert len({tuple(test.arg for test in rule) for rule in rules}) == 1, name


@pytest.mark.parametrize(
    ("name", "args", "action"),
    [
        ("read", [0] * 6, Action.ALLOW),
        ("clone3", [0] * 6, Action.ABSENT),
        ("io_uring_setup", [0] * 6, Action.ABSENT),
        ("flock", [0] * 6, Action.ABSENT),
        ("clone", [0x11, 0, 0, 0, 0, 0], Action.ALLOW),
        ("clone", [0x10000011, 0, 0, 0, 0, 0], Action.REFUSE),
        ("fcntl", [0, 3, 0, 0, 0, 0], Action.ALLOW),
        ("fcntl", [0, 6, 0, 0, 0, 0], Action.REFUSE),
        ("fcntl", [0, (1 << 32) | 3, 0, 0, 0, 0], Action.REFUSE),
        ("fcntl", [0, 1031, 0, 0, 0, 0], Action.REFUSE),
        ("socket", [40, 1, 0, 0, 0, 0], Action.REFUSE),
        ("socket", [2, 2, 1, 0, 0, 0], Action.REFUSE),
        ("socket", [1, 1, 0, 0, 0, 0], Action.ALLOW),
        ("socket", [2, 1, 6, 0, 0, 0], Action.REFUSE),
        ("socket", [10, 2, 17, 0, 0, 0], Action.REFUSE),
        ("prlimit64", [0, 7, 0, 0, 0, 0], Action.ALLOW),
        ("prlimit64", [1, 7, 0, 0, 0, 0], Action.REFUSE),
        ("preadv2", [0, 0, 0, 0, 0, 8], Action.REFUSE),
        ("mknod", [0, 0o020600, 0, 0, 0, 0], Action.REFUSE),
        ("mmap", [0, 4096, 3, 0x22, 0, 0], Action.ALLOW),
        ("mmap", [0, 4096, 3, 0x40022, 0, 0], Action.REFUSE),
        ("memfd_create", [0, 4, 0, 0, 0, 0], Action.REFUSE),
        ("madvise", [0, 4096, 12, 0, 0, 0], Action.REFUSE),
        ("fsync", [0] * 6, Action.MOOT),
        ("ptrace", [0] * 6, Action.REFUSE),
        ("inotify_init1", [0] * 6, Action.REFUSE),
        ("setsockopt", [3, 1, 7, 0, 4, 0], Action.ALLOW),
        ("setsockopt", [3, 1, 26, 0, 16, 0], Action.REFUSE),
        ("setsockopt", [3, 0, 7, 0, 4, 0], Action.REFUSE),
        ("getsockopt", [3, 1, 17, 0, 0, 0], Action.ALLOW),
        ("getsockopt", [3, 1, 57, 0, 0, 0], Action.REFUSE),
        ("no such call", [0] * 6, Action.REFUSE),
    ],
)
def test_what_the_profile_says(name: str, args: list[int], action: Action) -> None:
    assert syscalls.judge(PROFILES["plain"], name, args) is action


def test_options_open_and_close_what_they_say() -> None:
    lock = [0, 6, 0, 0, 0, 0]
    assert syscalls.judge(PROFILES["locks"], "fcntl", lock) is Action.ALLOW
    assert syscalls.judge(PROFILES["locks"], "flock", lock) is Action.ALLOW


def test_the_engines_spelling_lists_one_architecture_and_every_call_once() -> None:
    spelled = json.loads(syscalls.to_docker(PROFILES["plain"], "x86_64"))
    assert spelled["architectures"] == ["SCMP_ARCH_X86_64"]
    assert spelled["defaultAction"] == "SCMP_ACT_ERRNO"
    plain = [name for rule in spelled["syscalls"] if "args" not in rule for name in rule["names"]]
    assert len(plain) == len(set(plain))


def test_a_machine_without_numbers_is_told() -> None:
    with pytest.raises(SandboxError, match="m68k"):
        syscalls.to_bpf(PROFILES["plain"], "m68k")
