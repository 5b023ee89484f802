"""Still more attacks: descriptors that are shared, what outlives a process, numbers and nodes that are the machine's."""

# ruff: noqa: E501 (sources of bots, many of them tables)

from __future__ import annotations

from typing import Final

from tests.rogues.sandbox.attacks import DOCKER, PIPES, QUICK, SMALL, Attack, probe

OTHER_WAYS: Final = (
    Attack(
        "A22 pours its input back as its output",
        """
from rogue import *
def turn(n, m):
    if n == 2:
        into = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
        os.write(into, b"x" * 4096)
        while True:
            # tee: the same pages in both pipes, and the input is never used up.
            try: call(276, 0, 1, 4096, 2)
            except BlockingIOError: pass
play(turn=turn)
""",
        ("malformed", "flood"),
        walls=PIPES,
        limits=QUICK,
    ),
    Attack(
        "A23 talks on after the end",
        """
from rogue import *
play()
for n in range(10_000):
    os.write(1, b'{"type":"choice","id":0,"choice":0}\\n' * 100)
""",
    ),
    Attack(
        "A24 floods after the end from a child",
        """
from rogue import *
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
play()
def flood():
    os.setsid()
    while True:
        for stream in (1, 2): os.write(stream, b"A" * 65536)
list(children(5, flood))
while True: signal.pause()
""",
    ),
    Attack(
        "C22 floods its error output while it is asked",
        'from rogue import *\ndef turn(n, m):\n while n == 2: os.write(2, b\'{"type":"choice"}\\n\' * 4096)\nplay(turn=turn)',
        ("timeout",),
        limits=QUICK,
    ),
    Attack(
        "C23 fences all processors",
        """
from rogue import *
import threading, time
def first():
    until = time.monotonic() + 2
    call(324, 4, 0, 0)  # register for global expedited
    def fence():
        while time.monotonic() < until:
            for command in (1, 2):
                try: call(324, command, 0, 0)
                except OSError: pass
    workers = [threading.Thread(target=fence) for _ in range(20)]
    for worker in workers: worker.start()
    for worker in workers: worker.join()
    return "fenced"
play(first)
""",
        note="^fenced$",
    ),
    Attack(
        "C24 takes every core that it can name and steps back",
        """
from rogue import *
def first():
    os.sched_setaffinity(0, range(64))
    os.setpriority(os.PRIO_USER, 0, 19)
    for which, who in ((os.PRIO_PROCESS, 1), (os.PRIO_PGRP, 1), (os.PRIO_USER, 0)):
        try: os.setpriority(which, who, -5)
        except OSError: continue
        return "raised"
    return "stepped back"
play(first)
""",
        note="^stepped back$",
    ),
    Attack(
        "D25 changes how its streams behave",
        """
from rogue import *
import fcntl, signal
def first():
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    for stream in (0, 1, 2):
        flags = fcntl.fcntl(stream, fcntl.F_GETFL)
        for owner in (1, -1, os.getppid(), -os.getpgrp(), os.getpid()):
            try: fcntl.fcntl(stream, fcntl.F_SETOWN, owner)
            except OSError: pass
        fcntl.fcntl(stream, 10, signal.SIGIO)
        fcntl.fcntl(stream, fcntl.F_SETFL, flags | os.O_ASYNC | (os.O_NONBLOCK if stream else 0))
    # Packets: each write stays apart, and one that is not read whole is cut.
    fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_DIRECT)
    os.write(1, b" "); os.write(1, b" ")
    sizes = []
    for stream in (0, 1, 2):
        for size in (0, 4096, 65537, 1 << 20, 1 << 31):
            try: sizes.append(fcntl.fcntl(stream, 1031, size))
            except (OSError, OverflowError): pass
    return f"resized {len(sizes)}"
play(first)
""",
        note="^resized 0$",
        walls=PIPES,
        representative=True,
    ),
    Attack(
        "D26 leaves stopped children that hold its streams",
        """
from rogue import *
import signal, time
def held():
    os.setsid()
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    os.kill(os.getpid(), signal.SIGSTOP)
    time.sleep(600)
def turn(n, m):
    if n == 2:
        list(children(40, held))
        time.sleep(0.2)
        os._exit(0)
play(turn=turn)
""",
        ("left",),
        representative=True,
    ),
    Attack(
        "D27 ends while another shares its memory",
        """
from rogue import *
import threading, time
def turn(n, m):
    if n == 2:
        # vfork: the parent waits in the kernel until the child is done, which it never is.
        threading.Thread(target=lambda: libc.vfork() or time.sleep(600), daemon=True).start()
        time.sleep(0.2)
        os._exit(0)
play(turn=turn)
""",
        ("left", "crash", "timeout"),
        limits=QUICK,
    ),
    Attack(
        "D28 floods process 1 and its starter with signals",
        """
from rogue import *
import signal, time
def first():
    until = time.monotonic() + 1
    sent = 0
    info = (ctypes.c_int * 32)(signal.SIGRTMIN, 0, -1)
    while time.monotonic() < until:
        for pid in {1, os.getppid()}:
            for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGURG, signal.SIGTSTP, signal.SIGUSR1):
                try: os.kill(pid, number)
                except OSError: pass
            try: call(129, pid, int(signal.SIGRTMIN), info)
            except OSError: pass
            sent += 1
    return "sent" if sent else "idle"
play(first)
""",
        ("ok", "crash", "left"),
    ),
    Attack(
        "E29 takes inodes by pipes, sockets and links",
        """
from rogue import *
import socket
def first():
    counts = []
    def named(n): os.mkfifo(f"/tmp/p{n}")
    def linked(n): os.symlink("/" * 4000, f"/tmp/s{n}")
    def bound(n):
        with socket.socket(socket.AF_UNIX) as s: s.bind(f"/tmp/u{n}")
    def hard(n): os.link("/tmp/one", f"/tmp/h{n}")
    for step in (named, linked, bound, hard):
        for name in os.listdir("/tmp"): os.unlink("/tmp/" + name)
        open("/tmp/one", "x").close()
        counts.append(until_error(step, 5_000))
    return f"most {max(counts)}"
play(first)
""",
        note="^most (10[0-2][0-9]|[0-9]{1,3})$",
        caps=SMALL,
        representative=True,
    ),
    probe(
        "E30 makes files that are larger than they are",
        """
probes["truncate"] = lambda: os.truncate("/tmp/hole", os.open("/tmp/hole", os.O_CREAT | os.O_RDWR) and 1 << 40)
probes["memory file"] = lambda: os.ftruncate(os.memfd_create("x"), 1 << 40)
def beyond():
    file = os.open("/tmp/far", os.O_CREAT | os.O_RDWR)
    os.lseek(file, 1 << 40, os.SEEK_SET)
    return os.write(file, b"x")
probes["seek"] = beyond
probes["allocate"] = lambda: os.posix_fallocate(os.open("/tmp/all", os.O_CREAT | os.O_RDWR), 0, 1 << 30)
probes["keep size"] = lambda: call(285, os.open("/tmp/keep", os.O_CREAT | os.O_RDWR), 1, ctypes.c_long(0), ctypes.c_long(1 << 30))
""",
    ),
    Attack(
        "E31 hides memory in pipes that no process has open",
        """
from rogue import *
import socket
def first():
    parked = []
    def step(n):
        # A full pipe in a message that nobody reads: no number of ours stands for it.
        into, out = os.pipe()
        os.set_blocking(out, False)
        try:
            while True: os.write(out, b"x" * 4096)
        except BlockingIOError: pass
        if not n % 50: parked.append(socket.socketpair())
        socket.send_fds(parked[-1][0], [b"x"], [into, out])
        os.close(into); os.close(out)
    return f"parked {until_error(step, 20_000)}"
play(first)
""",
        ("ok", "memory"),
        caps=SMALL,
    ),
    probe(
        "G26 opens the streams of other processes",
        """
for pid in {1, os.getppid()}:
    for number in range(16):
        for name, flags in (("read", os.O_RDONLY), ("write", os.O_WRONLY)):
            def reach(pid=pid, number=number, flags=flags):
                place = f"/proc/{pid}/fd/{number}"
                # The bot's own streams and the empty device lead nowhere.
                assert os.readlink(place) not in [*(os.readlink(f"/proc/self/fd/{n}") for n in range(3)), "/dev/null"]
                return os.readlink(place), os.open(place, flags | os.O_NONBLOCK)
            probes[f"{name} {number} of {pid}"] = reach
""",
        walls=PIPES,
        representative=True,
    ),
    Attack(
        "G27 keeps the engine busy through process 1's output",
        """
from rogue import *
import time
def first():
    try: out = os.open("/proc/1/fd/1", os.O_WRONLY)
    except OSError: return "closed"
    until = time.monotonic() + 2
    sent = 0
    while time.monotonic() < until: sent += os.write(out, b"x" * 65536)
    return f"sent {sent >> 20} MiB"
play(first)
""",
        note="^closed$",
        walls=(DOCKER,),
        representative=True,
    ),
    probe(
        "G28 runs programs of its own in the kernel",
        """
# Programs of the old packet filter, which a socket takes from anybody.
filter = ctypes.create_string_buffer(struct.pack("=HBBI", 0x06, 0, 0, 0xFFFF))
program = struct.pack("=HxxxxxxQ", 1, ctypes.addressof(filter))
for name, option in {"attach filter": 26, "attach bpf": 50, "reuseport filter": 51, "reuseport bpf": 52, "lock filter": 44}.items():
    def attach(option=option):
        a, b = socket.socketpair()
        a.setsockopt(socket.SOL_SOCKET, option, program)
        return option
    probes[name] = attach
probes["tracing"] = lambda: call(321, 5, ctypes.create_string_buffer(128), 128)
""",
        representative=True,
    ),
    probe(
        "G29 takes descriptors by name from others",
        """
for pid in {1, os.getppid()}:
    probes[f"pidfd of {pid}"] = lambda pid=pid: call(438, call(434, pid, 0), 1, 0)
    for what in ("mem", "map_files", "stack", "personality", "timers", "io", "numa_maps"):
        probes[f"{what} of {pid}"] = read_text(f"/proc/{pid}/{what}") if pid != 1 else lambda: 1 / 0 if 0 else (_ for _ in ()).throw(OSError())
probes["handle"] = lambda: call(303, -100, b"/bot", ctypes.create_string_buffer(136), ctypes.byref(ctypes.c_int()), 0)
probes["notify"] = lambda: call(300, 0, 0)
probes["secret"] = lambda: call(447, 0)
probes["landlock"] = lambda: call(444, 0, 0, 1)
""",
    ),
    probe(
        "H15 asks for numbers that the whole machine counts",
        """
for name, option in {"cookie": 57, "cookie of the network": 71, "napi": 56, "processor": 49, "groups of a peer": 59}.items():
    def ask(option=option):
        a, b = socket.socketpair()
        return a.getsockopt(socket.SOL_SOCKET, option, 64)
    probes[name] = ask
""",
        representative=True,
    ),
    probe(
        "H16 dates the nodes that all bots see",
        """
for path in ("null", "zero", "full", "random", "urandom", "tty"):
    def touch(path=path):
        before = os.stat("/dev/" + path).st_mtime_ns
        os.utime("/dev/" + path)
        assert os.stat("/dev/" + path).st_mtime_ns != before
        return path
    probes[path] = touch
for path in ("/usr/bin/env", "/proc/self/ns/user", "/etc/alternatives", "/dev", "/proc/self", "/proc/1"):
    probes[path] = lambda path=path: os.utime(path)
""",
        walls=("bwrap",),
        representative=True,
    ),
)
