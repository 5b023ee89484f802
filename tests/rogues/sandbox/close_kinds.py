"""More attacks, of kinds close to those of `attacks.py`: other spellings, other system calls, other ways to the same end."""

# ruff: noqa: E501 (sources of bots, many of them tables)

from __future__ import annotations

from typing import Final

from tests.rogues.sandbox.attacks import PIPES, QUICK, SMALL, Attack, probe

CLOSE_KINDS: Final = (
    Attack(
        "C20 stops the process that started it",
        """
from rogue import *
import signal
def turn(n, m):
    if n == 2:
        for number in (1, os.getppid(), *range(2, 200)):
            if number != os.getpid():
                try: os.kill(number, signal.SIGSTOP)
                except OSError: pass
play(turn=turn)
""",
        representative=True,
    ),
    Attack(
        "C21 arms timers of a nanosecond",
        """
from rogue import *
import signal
def first():
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    def step(n):
        timer = ctypes.c_int()
        call(222, 1, None, ctypes.byref(timer))
        call(223, timer.value, 0, (ctypes.c_long * 4)(0, 1, 0, 1), None)
    armed = until_error(step, 1_000)
    def descriptor(n):
        call(286, call(283, 1, 0), 0, (ctypes.c_long * 4)(0, 1, 0, 1), None)
    return f"armed {armed} {until_error(descriptor, 1_000)}"
play(first)
""",
        note="^armed [0-9]+ 2?[0-9]{1,2}$",
    ),
    Attack(
        "D20 leaves a brother that ends badly",
        """
from rogue import *
import time
def first():
    # CLONE_PARENT: the child belongs to whoever started the bot.
    pid = call(56, 0x8000 | 17, 0, 0, 0, 0)
    if pid == 0: os._exit(77)
    time.sleep(0.2)
    return "played on"
play(first)
""",
        note="^played on$",
        representative=True,
    ),
    Attack(
        "D21 leaves the play to a brother",
        "from rogue import *\nif call(56, 0x8000 | 17, 0, 0, 0, 0): os._exit(0)\nplay()",
        ("left",),
    ),
    Attack(
        "D22 closes its streams in an odd order",
        """
from rogue import *
def first():
    keep_in, keep_out = os.dup(0), os.dup(1)
    for number in (1, 0, 2): os.close(number)
    # The lowest free number is taken first: 0 becomes the output, 1 the input.
    os.dup(keep_out); os.dup(keep_in)
    os.dup2(keep_in, 0); os.dup2(keep_out, 1)
    os.close(keep_in); os.close(keep_out)
    return "in order"
play(first)
""",
        note="^in order$",
    ),
    Attack(
        "D23 opens its own pipes backwards",
        """
from rogue import *
import time
def turn(n, m):
    if n == 2:
        out = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
        into = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
        try:
            while True: os.write(into, b"x" * 4096)
        except OSError: pass
        time.sleep(600)
play(turn=turn)
""",
        ("timeout",),
        walls=PIPES,
        limits=QUICK,
    ),
    Attack(
        "D24 takes a name that looks like a dead process",
        """
from rogue import *
import time
def named():
    call(157, 15, b"State:\\tZ\\0")
    time.sleep(600)
def first():
    list(children(5, named))
    call(157, 15, b"x) Z 1 1 (\\n")
    return "named"
play(first)
""",
        note="^named$",
    ),
    Attack(
        "A20 writes a line of a megabyte by single bytes",
        "from rogue import *\ndef turn(n, m):\n if n == 2:\n  for _ in range(1 << 20): os.write(1, b'A')\nplay(turn=turn)",
        ("flood",),
        representative=True,
    ),
    Attack(
        "A21 splices its output from a file",
        """
from rogue import *
def turn(n, m):
    if n == 2:
        with open("/tmp/zeros", "wb") as file: file.write(b"A" * (1 << 20))
        file = os.open("/tmp/zeros", os.O_RDONLY)
        while True:
            if os.splice(file, 1, 65536, offset_src=0) == 0: break
play(turn=turn)
""",
        ("flood",),
        walls=PIPES,
    ),
    Attack(
        "E26 hides descriptors in messages to itself",
        """
from rogue import *
import socket
def first():
    held = []
    def step(n):
        a, b = socket.socketpair()
        # A circle: each end travels inside the other, and no process has either open afterwards.
        socket.send_fds(a, [b"x"], [a.fileno(), b.fileno()] * 100)
        a.close(); b.close()
    return f"sent {until_error(step, 20_000)}"
play(first)
""",
        note="^sent [0-9]+$",
    ),
    probe(
        "E27 raises its limits",
        """
import resource
for name in ("NOFILE", "MEMLOCK", "CORE", "FSIZE", "SIGPENDING", "MSGQUEUE", "NICE", "RTPRIO", "STACK"):
    number = getattr(resource, "RLIMIT_" + name)
    def higher(number=number):
        hard = resource.getrlimit(number)[1]
        assert hard != resource.RLIM_INFINITY
        resource.setrlimit(number, (hard + 1, hard + 1))
    probes[name] = higher
    probes["other " + name] = lambda number=number: resource.prlimit(1, number, (1 << 40, 1 << 40))
probes["lock memory"] = lambda: call(151, 3)
""",
        representative=True,
    ),
    Attack(
        "E28 keeps memory in deleted scratch and sealed files",
        """
from rogue import *
def turn(n, m):
    held = []
    while n == 2:
        file = os.memfd_create("x", 2)
        os.ftruncate(file, 1 << 20)
        call(285, file, 0, 0, 1 << 20)
        held.append(file)
        if len(held) > 150:
            import mmap
            held.append(mmap.mmap(-1, 1 << 20).write(b"x" * (1 << 20)))
play(turn=turn)
""",
        ("memory",),
        caps=SMALL,
    ),
    Attack(
        "G22 runs a program from memory",
        """
from rogue import *
def first():
    file = os.memfd_create("x")
    os.write(file, open("/bin/cat", "rb").read())
    ends = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(ends[1], 1)
        arguments = (ctypes.c_char_p * 3)(b"cat", b"/proc/self/status", None)
        # execveat with an empty path: no file of any mount is run.
        call(322, file, b"", arguments, (ctypes.c_char_p * 1)(None), 0x1000)
        os._exit(1)
    os.close(ends[1])
    text = os.read(ends[0], 65536).decode()
    # That a program runs is no hole; that it ran with more rights would be one.
    lines = dict(line.split(":\\t", 1) for line in text.splitlines() if ":\\t" in line)
    return " ".join(lines.get(key, "?") for key in ("Seccomp", "NoNewPrivs", "CapEff", "CapBnd"))
play(first)
""",
        note="^2 1 0{16} 0{16}$",
    ),
    probe(
        "G23 reaches into the process that started it",
        """
starter = os.getppid()
if starter > 1:
    for name in ("mem", "environ", "maps", "auxv", "stack", "syscall", "pagemap"):
        probes[name] = read_text(f"/proc/{starter}/{name}")
    probes["memory"] = lambda: os.open(f"/proc/{starter}/mem", os.O_RDWR)
    probes["streams"] = lambda: os.open(f"/proc/{starter}/fd/0", os.O_RDWR)
    probes["comm"] = write_text(f"/proc/{starter}/comm")
    probes["root"] = lambda: os.listdir(f"/proc/{starter}/root")
for number in (1, starter):
    probes[f"limits of {number}"] = lambda number=number: __import__("resource").prlimit(number, 7, (10, 10))
probes["tracer"] = lambda: call(157, 0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)
probes["memory map"] = lambda: call(157, 35, 1, 1 << 20, 0, 0)
""",
    ),
    Attack(
        "G25 takes over process 1",
        """
from rogue import *
def first():
    # It has the bot's user and may be open to it; so it must be no freer than the bot.
    def standing(pid):
        lines = dict(line.split(":\\t", 1) for line in open(f"/proc/{pid}/status").read().splitlines() if ":\\t" in line)
        return [lines[key] for key in ("Seccomp", "NoNewPrivs", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")]
    return f"{standing(1) == standing('self')} {' '.join(standing(1))}"
play(first)
""",
        note="^True 2 1( 0{16}){5}$",
    ),
    probe(
        "G24 writes to its own files by other ways",
        """
import mmap
held = os.open("/bot", os.O_RDONLY)
probes["at"] = lambda: os.open("left", os.O_CREAT | os.O_WRONLY, dir_fd=held)
probes["cwd"] = write_text("/proc/self/cwd/left")
probes["root"] = write_text("/proc/self/root/bot/left")
probes["descriptor"] = write_text(f"/proc/self/fd/{held}/left")
probes["rename"] = lambda: os.rename("/bot/bot.py", "/bot/bot2.py")
probes["exchange"] = lambda: call(316, -100, b"/bot/bot.py", -100, b"/bot/rogue.py", 2)
probes["link out"] = lambda: os.link("/bot/bot.py", "/tmp/bot.py")
probes["link in"] = lambda: os.symlink("/etc/passwd", "/bot/passwd")
probes["mode"] = lambda: os.chmod("/bot/bot.py", 0o777)
probes["time"] = lambda: os.utime("/bot/bot.py", (0, 0))
probes["remove"] = lambda: os.unlink("/bot/bot.py")
probes["nameless"] = lambda: os.open("/bot", os.O_TMPFILE | os.O_RDWR)
probes["truncate"] = lambda: os.truncate("/bot/bot.py", 0)
probes["shared map"] = lambda: mmap.mmap(os.open("/bot/bot.py", os.O_RDWR), 4096)
probes["allocate"] = lambda: os.posix_fallocate(os.open("/bot/bot.py", os.O_WRONLY), 0, 4096)
""",
        representative=True,
    ),
    probe(
        "H14 reads counters that lie deeper",
        """
import itertools
for root in ("/proc/fs", "/proc/irq", "/proc/driver", "/proc/bus", "/proc/scsi", "/proc/dynamic_debug", "/proc/sys/fs", "/proc/sys/vm"):
    def walk(root=root):
        found = [os.path.join(r, n) for r, _, names in os.walk(root) for n in names]
        readable = []
        for path in found:
            try:
                file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                if os.read(file, 64): readable.append(path)
                os.close(file)
            except OSError: pass
        assert readable
        return readable
    probes[root] = walk
""",
        representative=True,
    ),
)
