"""The attacks on the sandbox, each a tiny bot with the verdict that it must get; families as in docs/security.md."""

# ruff: noqa: E501 (sources of bots, many of them tables)

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from referee.result import Limits
from sandbox.api import Caps

DOCKER: Final = "docker"
ATTACHED: Final = "docker-attached"
BWRAP: Final = "bwrap"
EVERYWHERE: Final = (DOCKER, ATTACHED, BWRAP)
PIPES: Final = (DOCKER, BWRAP)
OK: Final = ("ok",)
QUICK: Final = Limits(start_ms=20_000, move_ms=400, bank_ms=0, strikes=1)
PATIENT: Final = Limits(start_ms=20_000, move_ms=15_000, bank_ms=0)
"""For probes that take a while and are no matter of time."""
SMALL: Final = Caps(memory_bytes=64 * 2**20)


@dataclass(frozen=True, slots=True)
class Attack:
    """One misdeed: the source of its bot, the verdicts that are right, and the note that it must report, if any."""

    name: str
    source: str
    verdicts: tuple[str, ...] = OK
    note: str = ""
    """A pattern for the rogue's first note."""
    within_s: float = 30.0
    """From the bots' start to the match's end."""
    representative: bool = False
    """Whether it stands for its kind in a quick run."""
    walls: tuple[str, ...] = EVERYWHERE
    limits: Limits = PATIENT
    caps: Caps = field(default_factory=Caps)
    environment: dict[str, str] = field(default_factory=dict)
    message: str = ""
    """A pattern for the fault's sentence."""

    @property
    def family(self) -> str:
        return self.name[0]


def probe(name: str, body: str, **settings: object) -> Attack:
    """An attempt that must fail inside, while the match goes on untouched; `body` fills the dictionary `probes`."""
    source = f"from rogue import *\nimport socket, fcntl, struct, signal\nprobes = {{}}\n{body}\nplay(lambda: denied(probes))\n"
    return Attack(name, source, note="^denied$", **settings)  # type: ignore[arg-type]


TIMING: Final = (
    Attack("C1 loops before it is ready", "while True: pass", ("startup",), limits=Limits(start_ms=1_500)),
    Attack(
        "C3 loops in a move",
        "from rogue import *\ndef turn(n, m):\n while n == 3: pass\nplay(turn=turn)",
        ("timeout",),
        limits=QUICK,
        within_s=10,
        representative=True,
    ),
    Attack(
        "C4 answers a byte at a time",
        """
from rogue import *
import time
def turn(n, m):
    for letter in '{"type":"choice","id":%d,"choice":0}' % m['id']:
        sys.stdout.write(letter); sys.stdout.flush(); time.sleep(0.2)
play(turn=turn)
""",
        ("timeout",),
        limits=QUICK,
    ),
    Attack(
        "C12 burns eight threads while others think",
        """
from rogue import *
burn = lambda: [None for _ in iter(int, 1)]
def turn(n, m):
    if n == 2: list(children(8, burn))
play(turn=turn)
""",
        ("cpu", "ok"),
    ),
    Attack(
        "C13 stops itself",
        "from rogue import *\nimport signal\ndef turn(n, m):\n if n == 2: os.kill(os.getpid(), signal.SIGSTOP)\nplay(turn=turn)",
        ("timeout",),
        limits=QUICK,
        representative=True,
    ),
    probe(
        "C15 asks for precedence",
        """
probes["fifo"] = lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
probes["round robin"] = lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
probes["nice"] = lambda: os.nice(-5)
probes["deadline"] = lambda: call(314, 0, struct.pack("=IIQiIQQQ", 48, 6, 0, 0, 0, 10**7, 10**8, 10**8), 0)
probes["ioprio"] = lambda: call(251, 1, 0, 1 << 13)
probes["oom score"] = write_text("/proc/self/oom_score_adj", "-1000")
""",
    ),
    Attack(
        "C16 never reads",
        "from rogue import *\nimport time\nsay({'type': 'ready'})\ntime.sleep(600)",
        ("timeout",),
        limits=QUICK,
    ),
    Attack(
        "C18 leaves the play to a child",
        "from rogue import *\nif os.fork(): os._exit(0)\nplay()",
        ("left",),
        representative=True,
    ),
    Attack(
        "C19 brings a clock of its own",
        "from rogue import *\nimport time\ntime.time = time.monotonic = lambda: 0.0\n"
        "def turn(n, m):\n if n == 2: time.sleep(30)\nplay(turn=turn)",
        ("timeout",),
        limits=QUICK,
    ),
)

LIFE: Final = (
    Attack(
        "D1 exits with 0", "from rogue import *\ndef turn(n, m):\n if n == 3: os._exit(0)\nplay(turn=turn)", ("left",)
    ),
    Attack(
        "D2 exits with 3",
        "from rogue import *\ndef turn(n, m):\n if n == 3: os._exit(3)\nplay(turn=turn)",
        ("crash",),
        message="code 3",
        representative=True,
    ),
    Attack(
        "D2 exits with 255",
        "from rogue import *\ndef turn(n, m):\n if n == 3: os._exit(255)\nplay(turn=turn)",
        ("crash",),
        message="code 255",
    ),
    Attack(
        "D4 fails with an exception",
        "from rogue import *\ndef turn(n, m):\n if n == 3: raise RuntimeError('oh \\x1b[31m no')\nplay(turn=turn)",
        ("crash",),
    ),
    Attack(
        "D5 closes its output and lives on",
        "from rogue import *\nimport time\ndef turn(n, m):\n"
        " if n == 3:\n  os.close(1)\n  time.sleep(600)\nplay(turn=turn)",
        ("left",),
        walls=PIPES,
    ),
    Attack(
        "D5 closes its output and lives on (attached)",
        "from rogue import *\nimport time\ndef turn(n, m):\n"
        " if n == 3:\n  os.close(1)\n  time.sleep(600)\nplay(turn=turn)",
        ("timeout",),
        walls=(ATTACHED,),
        limits=QUICK,
    ),
    Attack("D7 closes its error output", "from rogue import *\nos.close(2)\nplay()"),
    Attack(
        "D10 leaves sixty children unwaited for",
        "from rogue import *\ndef first():\n return str(len(list(children(60, lambda: None))))\nplay(first)",
        note="^[0-9]+$",
    ),
    Attack(
        "D11 ignores every signal",
        "from rogue import *\nimport signal, time\nfor number in range(1, 65):\n"
        " try: signal.signal(number, signal.SIG_IGN)\n except (OSError, ValueError): pass\n"
        "def turn(n, m):\n if n == 2: time.sleep(600)\nplay(turn=turn)",
        ("timeout",),
        limits=QUICK,
    ),
    Attack(
        "D13 becomes another program",
        "from rogue import *\nif 'again' not in sys.argv:\n os.execvp('python3', ['python3', 'bot.py', 'again'])\nplay()",
    ),
    probe(
        "D14 looks for a terminal",
        """
import termios
probes["tty"] = lambda: os.open("/dev/tty", os.O_RDWR)
probes["console"] = lambda: os.open("/dev/console", os.O_RDWR)
probes["ptmx"] = lambda: os.open("/dev/ptmx", os.O_RDWR)
probes["openpty"] = os.openpty
for number in (0, 1, 2):
    probes[f"push {number}"] = lambda number=number: fcntl.ioctl(number, termios.TIOCSTI, b"x")
probes["virtual"] = lambda: fcntl.ioctl(0, 0x541C, b"\\x02" * 8)
""",
        representative=True,
    ),
    Attack(
        "D16 floods and is not read",
        "from rogue import *\ndef turn(n, m):\n while n == 2: os.write(1, b'A' * 65536)\nplay(turn=turn)",
        ("flood",),
        within_s=15,
        representative=True,
    ),
    Attack(
        "D19 does not flush",
        'import sys, json\nfor line in sys.stdin:\n print(\'{"type":"ready"}\')',
        ("startup",),
        limits=Limits(start_ms=1_500),
    ),
)

RESOURCES: Final = (
    Attack(
        "E1 forks without end",
        "from rogue import *\ndef turn(n, m):\n while n == 2:\n  try: os.fork()\n  except OSError: pass\nplay(turn=turn)",
        ("timeout", "crash", "malformed", "flood"),
        limits=QUICK,
        representative=True,
    ),
    Attack(
        "E2 starts threads without end",
        """
from rogue import *
import threading, time
def first():
    def step(n): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    started = until_error(step, 10_000)
    return f"threads {started}"
play(first)
""",
        note="^threads [1-6]?[0-9]$",
    ),
    Attack(
        "E3 takes memory for ever",
        "from rogue import *\nkept = []\ndef turn(n, m):\n while n == 2: kept.append(b'x' * 2**20)\nplay(turn=turn)",
        ("memory",),
        caps=SMALL,
        representative=True,
    ),
    Attack(
        "E4 lets a child take memory",
        """
from rogue import *
def eat():
    kept = []
    while True: kept.append(b"x" * 2**20)
def first():
    open("/proc/self/oom_score_adj", "r").read()
    pids = list(children(1, eat))
    return "child ended by %d" % (os.waitpid(pids[0], 0)[1] & 127)
play(first)
""",
        note="^child ended by 9$",
        caps=SMALL,
    ),
    Attack(
        "E6 takes memory slowly",
        "from rogue import *\nimport time\nkept = []\n"
        "def turn(n, m):\n while n == 2:\n  kept.append(b'x' * 2**20)\n  time.sleep(0.005)\nplay(turn=turn)",
        ("memory",),
        caps=SMALL,
    ),
    Attack(
        "E6 hides memory in memory files",
        """
from rogue import *
def turn(n, m):
    held = []
    while n == 2:
        file = os.memfd_create("x")
        os.write(file, b"x" * 2**20)
        held.append(file)
play(turn=turn)
""",
        ("memory",),
        caps=SMALL,
    ),
    Attack(
        "E6 hides memory in sockets and pipes",
        """
from rogue import *
import socket
def first():
    held = []
    def step(n):
        a, b = socket.socketpair()
        a.setblocking(False)
        held.append((a, b))
        try:
            while True: a.send(b"x" * 65536)
        except BlockingIOError: pass
    return f"pairs {until_error(step, 5000)}"
play(first)
""",
        ("ok", "memory"),
        caps=SMALL,
    ),
    Attack(
        "E7 makes files without end",
        """
from rogue import *
def first():
    def step(n): open(f"/tmp/{n}", "x").close()
    return f"files {until_error(step, 100_000)}"
play(first)
""",
        note="^files 1?0?[0-9]{1,3}$",
        representative=True,
    ),
    Attack(
        "E8 opens files without end",
        "from rogue import *\nheld = []\ndef first():\n"
        " return f'open {until_error(lambda n: held.append(open(\"/dev/null\")), 10_000)}'\nplay(first)",
        note="^open 2[0-9][0-9]$",
    ),
    Attack(
        "E9 fills the scratch",
        """
from rogue import *
def first():
    names = os.listdir("/tmp")
    total = 0
    try:
        for n in range(64):
            with open(f"/tmp/{n}", "wb", 0) as file: total += file.write(b"x" * 2**20)
    except OSError: pass
    return f"found {len(names)} wrote {total >> 20}"
play(first)
""",
        note="^found 0 wrote (15|16)$",
        representative=True,
    ),
    probe(
        "E10 writes outside of its scratch",
        """
places = ["/", "/etc/", "/var/tmp/", "/run/", "/dev/", "/dev/shm/", "/bot/", "/io/", "/usr/", "/proc/", "/sys/", "/opt/", "/home/"]
places += ["/root/", "/mnt/", "/srv/", "/dev/mqueue/", "/dev/pts/", "/run/lock/", "/var/lock/", "/proc/sys/", "/var/lib/"]
for place in places:
    probes[place] = write_text(place + "left-behind")
    probes["mkdir " + place] = lambda place=place: os.mkdir(place + "left")
""",
    ),
    Attack(
        "E12 takes pipe memory from others",
        """
from rogue import *
import fcntl
def first():
    held = []
    def step(n):
        pair = os.pipe(); held.append(pair)
    until_error(step, 2000)
    def grow(n): fcntl.fcntl(held[n][1], 1031, 2**20)
    return f"grown {until_error(grow, len(held) - 1)}"
play(first)
""",
        note="^grown 0$",
    ),
    Attack(
        "E13 takes every watch",
        """
from rogue import *
def first():
    return f"instances {until_error(lambda n: call(294, 0), 400)}"
play(first)
""",
        note="^instances [0-9]+$",
    ),
    probe(
        "E15 makes shared memory, semaphores and queues",
        """
probes["shmget"] = lambda: call(29, 0x5157, 1 << 20, 0o1666)
probes["semget"] = lambda: call(64, 0x5157, 1, 0o1666)
probes["msgget"] = lambda: call(68, 0x5157, 0o1666)
probes["mq_open"] = lambda: call(240, b"left", 0o102, 0o666, 0)
probes["shm file"] = write_text("/dev/shm/left")
probes["queue file"] = write_text("/dev/mqueue/left")
""",
    ),
    Attack(
        "E16 queues signals to itself",
        """
from rogue import *
import signal
def first():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    info = (ctypes.c_int * 32)(signal.SIGRTMIN, 0, -1)
    return f"queued {until_error(lambda n: call(129, os.getpid(), int(signal.SIGRTMIN), info), 100_000)}"
play(first)
""",
        note="^queued ([0-9]|[0-9][0-9]|[0-2][0-9][0-9])$",
    ),
    Attack(
        "E18 reads every file of the image",
        """
from rogue import *
import time
def first():
    until = time.monotonic() + 3
    total = 0
    for root, _, names in os.walk("/usr"):
        for name in names:
            if time.monotonic() > until: return f"read {total >> 20} MiB"
            try:
                with open(os.path.join(root, name), "rb") as file:
                    while data := file.read(1 << 20): total += len(data)
            except OSError: pass
    return f"read {total >> 20} MiB"
play(first)
""",
        note="^read [0-9]+ MiB$",
        caps=SMALL,
    ),
    Attack(
        "E19 recurses without end",
        "from rogue import *\nimport sys\nsys.setrecursionlimit(10**9)\ndef fall(n): return fall(n + 1) + 1\n"
        "def turn(n, m):\n if n == 2: fall(0)\nplay(turn=turn)",
        ("crash", "memory"),
    ),
    Attack(
        "E20 dumps core",
        "from rogue import *\nimport os\ndef turn(n, m):\n if n == 2: os.abort()\nplay(turn=turn)",
        ("crash",),
        message="signal 6",
    ),
    probe(
        "E21 starts a program with a megabyte of arguments",
        """
def big():
    import subprocess
    return subprocess.run(["/bin/true", *(["x" * 100_000] * 40)]).returncode
probes["arguments"] = big
""",
    ),
    Attack(
        "E22 floods its error output",
        "from rogue import *\ndef first():\n for n in range(256): os.write(2, b'e' * 2**20)\n return 'done'\nplay(first)",
        note="^done$",
        representative=True,
    ),
    probe(
        "E24 takes pages that nobody counts",
        """
import mmap
probes["huge pages"] = lambda: mmap.mmap(-1, 1 << 21, flags=0x40022)
probes["huge file"] = lambda: os.memfd_create("x", 4)
def merge():
    pages = mmap.mmap(-1, 1 << 16)
    pages.madvise(12)
    return "merged"
probes["merging"] = merge
probes["merging all"] = lambda: call(157, 67, 1, 0, 0, 0)
""",
    ),
    Attack(
        "E25 flushes the disk without end",
        """
from rogue import *
import time
def first():
    file = os.open("/bot/bot.py", os.O_RDONLY)
    began = time.monotonic()
    for n in range(20_000): os.fsync(file)
    with open("/tmp/kept", "w") as kept:
        kept.write("x"); kept.flush(); os.fsync(kept.fileno())
    return "quick" if time.monotonic() - began < 5 else "slow"
play(first)
""",
        note="^quick$",
    ),
    Attack(
        "E23 nests directories and keeps deleted files",
        """
from rogue import *
def first():
    os.chdir("/tmp")
    def step(n):
        os.mkdir("d" * 200); os.chdir("d" * 200)
    deep = until_error(step, 5000)
    os.chmod("/tmp/" + "d" * 200, 0)
    return f"deep {deep}"
play(first)
""",
        note="^deep [0-9]+$",
    ),
)

REACH: Final = (
    probe(
        "G2 uses the network",
        """
names = [line.split(":")[0].strip() for line in open("/proc/self/net/dev").read().splitlines()[2:]]
alone = names == ["lo"]
def reach(family, address):
    # Documentation addresses, and only when there is no way out at all.
    assert alone
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(1)
        s.connect(address)
        return "connected"
probes["only loopback"] = lambda: names if not alone else (_ for _ in ()).throw(OSError())
probes["ipv4"] = lambda: reach(socket.AF_INET, ("192.0.2.1", 80))
probes["ipv6"] = lambda: reach(socket.AF_INET6, ("2001:db8::1", 80))
probes["loopback"] = lambda: reach(socket.AF_INET, ("127.0.0.1", 22))
probes["name"] = lambda: socket.getaddrinfo("example.invalid", 80)
def datagram():
    assert alone
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s: return s.sendto(b"x", ("192.0.2.1", 53))
probes["datagram"] = datagram
""",
        representative=True,
    ),
    probe(
        "G3 opens odd sockets",
        """
kinds = {"icmp": (2, 2, 1), "raw": (2, 3, 1), "raw6": (10, 3, 58), "packet": (17, 3, 768), "netlink": (16, 3, 0)}
kinds |= {"vsock": (40, 1, 0), "alg": (38, 5, 0), "bluetooth": (31, 3, 1), "can": (29, 3, 1), "xdp": (44, 3, 0), "tipc": (30, 1, 0)}
kinds |= {"sctp": (2, 1, 132), "mptcp": (2, 1, 262), "udplite": (2, 2, 136), "rds": (21, 5, 0), "key": (15, 3, 2), "kcm": (41, 5, 0)}
kinds |= {"tcp": (2, 1, 0), "tcp6": (10, 1, 0), "udp": (2, 2, 0), "udp6": (10, 2, 0)}
kinds |= {"smc": (43, 1, 0), "qipcrtr": (42, 2, 0), "phonet": (35, 2, 0), "x25": (9, 5, 0), "nfc": (39, 5, 0)}
for name, (family, kind, protocol) in kinds.items():
    probes[name] = lambda a=(family, kind, protocol): socket.socket(*a).fileno()
probes["pair of vsock"] = lambda: call(53, 40, 1, 0, (ctypes.c_int * 2)())
""",
        representative=True,
    ),
    probe(
        "G5 looks for the engine and other sockets",
        """
def sockets():
    import stat
    found = []
    for root, dirs, names in os.walk("/"):
        dirs[:] = [d for d in dirs if not (root == "/" and d in ("proc", "usr"))]
        for name in names:
            path = os.path.join(root, name)
            try:
                if stat.S_ISSOCK(os.lstat(path).st_mode): found.append(path)
            except OSError: pass
    assert found
    return found
probes["sockets"] = sockets
for path in ("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/io/s", "/run/dbus/system_bus_socket"):
    def knock(path=path):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET if path == "/io/s" else socket.SOCK_STREAM) as s:
            s.connect(path)
            return path
    probes[path] = knock
""",
    ),
    probe(
        "G6 looks for what the house left lying",
        """
def canaries():
    texts = [repr(dict(os.environ)), " ".join(sys.argv)]
    for path in ("/proc/1/environ", "/proc/1/cmdline", "/proc/self/environ", "/proc/self/mountinfo", "/proc/1/maps"):
        try: texts.append(open(path, "rb").read().decode("latin-1"))
        except OSError: pass
    for number in os.listdir("/proc"):
        if number.isdigit():
            try: texts.append(open(f"/proc/{number}/environ", "rb").read().decode("latin-1"))
            except OSError: pass
    found = [t for t in texts if "canary-token" in t]
    assert found
    return found[0]
probes["canaries"] = canaries
def above():
    found = []
    for number in range(3, 1024):
        try: os.fstat(number)
        except OSError: continue
        found.append(number)
    assert found
    return found
probes["above 2"] = above
def processes():
    others = [p for p in os.listdir("/proc") if p.isdigit() and int(p) > 1 and b"python3" not in open(f"/proc/{p}/cmdline", "rb").read()]
    others = [p for p in others if b"starter" not in open(f"/proc/{p}/cmdline", "rb").read()]
    assert others
    return others
probes["processes"] = processes
""",
        environment={"BOT_LEVEL": "3"},
        representative=True,
    ),
    probe(
        "G8 writes to the kernel's files",
        """
for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/fs/file-max", "/proc/sysrq-trigger", "/proc/sys/kernel/hostname",
             "/proc/sys/vm/drop_caches", "/proc/sys/net/ipv4/ip_forward", "/proc/sys/kernel/modprobe", "/proc/sys/fs/binfmt_misc/register",
             "/sys/kernel/uevent_helper", "/proc/self/oom_score_adj", "/proc/irq/default_smp_affinity", "/proc/bus/pci/00/00.0",
             "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/release_agent", "/sys/fs/cgroup/devices/devices.allow",
             "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/pids/pids.max", "/proc/self/setgroups", "/proc/sys/kernel/panic",
             "/proc/acpi/wakeup", "/proc/self/loginuid", "/dev/kmsg", "/dev/mem"):
    probes[path] = write_text(path, "-1" if "score" in path else "x")
""",
        representative=True,
    ),
    probe(
        "G9 makes namespaces and mounts",
        """
import tempfile
for name, flag in {"user": 0x10000000, "mount": 0x20000, "net": 0x40000000, "pid": 0x20000000, "ipc": 0x8000000, "uts": 0x4000000,
                   "cgroup": 0x2000000, "time": 0x80}.items():
    probes["unshare " + name] = lambda flag=flag: call(272, flag)
    if name != "time":
        def clone(flag=flag):
            pid = call(56, flag | 17, 0, 0, 0, 0)
            if pid == 0: os._exit(0)
            return pid
        probes["clone " + name] = clone
probes["clone3"] = lambda: call(435, struct.pack("=11Q", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0), 88)
probes["mount"] = lambda: call(165, b"none", b"/tmp", b"tmpfs", 0, 0)
probes["bind"] = lambda: call(165, b"/usr", b"/tmp", 0, 4096, 0)
probes["umount"] = lambda: call(166, b"/proc", 2)
probes["fsopen"] = lambda: call(430, b"tmpfs", 0)
probes["open_tree"] = lambda: call(428, -100, b"/", 1)
probes["move_mount"] = lambda: call(429, -100, b"/usr", -100, b"/tmp", 0)
probes["mount_setattr"] = lambda: call(442, -100, b"/", 0, b"\\0" * 32, 32)
probes["pivot_root"] = lambda: call(155, b"/", b"/tmp")
probes["chroot"] = lambda: os.chroot("/tmp")
for name in ("net", "mnt", "user", "pid", "ipc", "uts", "cgroup"):
    probes["setns " + name] = lambda name=name: call(308, os.open(f"/proc/1/ns/{name}", os.O_RDONLY), 0)
probes["pidfd setns"] = lambda: call(308, call(434, 1, 0), 0x20000)
""",
        representative=True,
    ),
    Attack(
        "G11 kills whatever it can reach",
        """
from rogue import *
def turn(n, m):
    if n == 2:
        for number in range(2, 400):
            if number != os.getpid():
                try: os.kill(number, 9)
                except OSError: pass
    if n == 3:
        try: os.kill(-1, 9)
        except OSError: pass
        try: os.kill(1, 9)
        except OSError: pass
play(turn=turn)
""",
        ("ok", "crash", "left"),
        representative=True,
    ),
    probe(
        "G12 uses calls that a game does not need",
        """
libc.syscall.restype = ctypes.c_long
numbers = {"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "bpf": 321, "perf_event_open": 298,
           "userfaultfd": 323, "kexec_load": 246, "kexec_file_load": 320, "init_module": 175, "finit_module": 313, "delete_module": 176,
           "keyctl": 250, "add_key": 248, "request_key": 249, "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311,
           "kcmp": 312, "pidfd_getfd": 438, "name_to_handle_at": 303, "open_by_handle_at": 304, "fanotify_init": 300, "quotactl": 179,
           "quotactl_fd": 443, "acct": 163, "swapon": 167, "swapoff": 168, "reboot": 169, "syslog": 103, "personality": 135,
           "modify_ldt": 154, "iopl": 172, "ioperm": 173, "vhangup": 153, "lookup_dcookie": 212, "nfsservctl": 180, "uselib": 134,
           "sysfs": 139, "_sysctl": 156, "ustat": 136, "settimeofday": 164, "clock_settime": 227, "adjtimex": 159, "clock_adjtime": 305,
           "sethostname": 170, "setdomainname": 171, "mbind": 237, "set_mempolicy": 238, "migrate_pages": 256, "move_pages": 279,
           "process_madvise": 440, "memfd_secret": 447, "landlock_create_ruleset": 444, "seccomp": 317, "sync": 162, "syncfs": 306,
           "sysinfo": 99, "cachestat": 451, "fadvise64": 221, "readahead": 187, "vmsplice": 278, "setuid": 105, "setgid": 106,
           "setgroups": 116, "setfsuid": 122, "capset": 126, "remap_file_pages": 216, "get_kernel_syms": 177, "create_module": 174,
           "tuxcall": 184, "pkey_alloc_bad": 999, "getpmsg": 181, "mq_open": 240, "flock": 73, "statmount": 457, "listmount": 458,
           "lsm_list_modules": 461, "fsmount": 432, "fspick": 433}
for name, number in numbers.items():
    probes[name] = lambda number=number: call(number, 0, 0, 0, 0, 0, 0)
""",
        representative=True,
    ),
    probe(
        "G15 makes devices and set-user files",
        """
import stat
probes["null"] = lambda: os.mknod("/tmp/null", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
probes["disk"] = lambda: os.mknod("/tmp/disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
def run():
    import shutil, subprocess
    shutil.copy("/bin/true", "/tmp/true"); os.chmod("/tmp/true", 0o4755)
    return subprocess.run(["/tmp/true"]).returncode
probes["run from scratch"] = run
probes["chown"] = lambda: os.chown("/bot", 0, 0)
probes["capability"] = lambda: os.setxattr("/tmp", "security.capability", b"x")
probes["user attribute"] = lambda: os.setxattr("/tmp", "user.x", b"x")
def raise_user():
    os.setuid(0)
    return os.getuid()
probes["setuid"] = raise_user
""",
    ),
    Attack(
        "G17 uses the gate of another architecture",
        """
from rogue import *
import mmap
def turn(n, m):
    if n == 2:
        # mov eax, 20 (getpid in the 32-bit table); int 0x80; ret
        code = mmap.mmap(-1, 4096, prot=7)
        code.write(bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]))
        address = ctypes.addressof(ctypes.c_char.from_buffer(code))
        ctypes.CFUNCTYPE(ctypes.c_int)(address)()
play(turn=turn)
""",
        ("crash",),
        message="signal (31|11)",
        representative=True,
    ),
    Attack(
        "G17 uses the numbers of x32",
        """
from rogue import *
def first():
    return denied({"getpid": lambda: call(0x40000000 + 39), "open": lambda: call(0x40000000 + 2, b"/etc/passwd", 0)})
play(first)
""",
        ("ok", "crash"),
    ),
    probe(
        "G18 reaches for the runtime",
        """
probes["exe"] = lambda: open("/proc/1/exe", "r+b").read(1)
probes["own exe"] = lambda: open("/proc/self/exe", "r+b").read(1)
probes["root of 1"] = write_text("/proc/1/root/tmp/../x")
probes["cwd"] = lambda: (_ for _ in ()).throw(OSError()) if os.getcwd() == "/bot" else os.getcwd()
def up():
    os.chdir("/bot")
    for _ in range(20): os.chdir("..")
    assert os.path.exists("/var/lib/docker") or os.path.exists("/work")
    return os.listdir(".")
probes["climb"] = up
""",
    ),
    probe(
        "G20 looks for what a seed could be guessed from",
        """
for path in ("/proc/sys/kernel/random/boot_id", "/proc/sys/kernel/random/uuid", "/proc/uptime", "/proc/sys/kernel/random/entropy_avail",
             "/proc/cmdline", "/proc/version", "/sys/class/dmi/id/product_uuid", "/etc/machine-id", "/var/lib/dbus/machine-id"):
    probes[path] = read_text(path)
""",
    ),
)

CHANNELS: Final = (
    probe(
        "H1 leaves a message in a shared place",
        """
for place in ("/var/tmp", "/dev/shm", "/run", "/run/lock", "/var/lock", "/dev/mqueue", "/io", "/bot"):
    probes[place] = write_text(place + "/message")
""",
    ),
    probe(
        "H4 binds a port that another container sees",
        """
probes["vsock"] = lambda: socket.socket(40, socket.SOCK_STREAM).bind((0xFFFFFFFF, 5157))
probes["tipc"] = lambda: socket.socket(30, socket.SOCK_RDM)
""",
    ),
    probe(
        "H5 locks files",
        """
import tempfile
targets = ["/proc/self/ns/user", "/proc/self/ns/time", "/usr/bin/env", "/bot/bot.py", "/proc/self/ns/mnt", "/dev/null"]
for target in targets:
    probes["flock " + target] = lambda t=target: fcntl.flock(os.open(t, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    probes["record " + target] = lambda t=target: fcntl.lockf(os.open(t, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB)
    probes["open " + target] = lambda t=target: fcntl.fcntl(os.open(t, os.O_RDONLY), 38, struct.pack("=hhqqi4x", 0, 0, 0, 0, 0))
    probes["lease " + target] = lambda t=target: fcntl.fcntl(os.open(t, os.O_RDONLY), 1024, 0)
    probes["notify " + target] = lambda t=target: fcntl.fcntl(os.open(t, os.O_RDONLY), 1026, 1)
# A number whose low half is that of an allowed command, with a high half that a careless filter would ignore.
probes["high half"] = lambda: call(72, os.open("/usr/bin/env", 0), ctypes.c_ulong((1 << 32) | 6), struct.pack("=hhqqi4x", 0, 0, 0, 0, 0))
""",
        representative=True,
    ),
    probe(
        "H8 uses keyrings",
        """
probes["add"] = lambda: call(248, b"user", b"message", b"x", 1, ctypes.c_int(-3))
probes["session"] = lambda: call(250, 1, 0)
probes["read"] = read_text("/proc/keys")
probes["users"] = read_text("/proc/key-users")
""",
    ),
    probe(
        "H10 reads the machine's counters",
        """
names = ["loadavg", "stat", "vmstat", "meminfo", "uptime", "interrupts", "softirqs", "diskstats", "zoneinfo", "buddyinfo", "schedstat",
         "slabinfo", "locks", "key-users", "pressure/cpu", "pressure/memory", "pressure/io", "swaps", "partitions", "timer_list", "kallsyms",
         "sys/fs/file-nr", "sys/fs/inode-nr", "sys/fs/dentry-state", "sys/fs/inode-state", "sys/fs/aio-nr", "sys/kernel/pty/nr",
         "sys/kernel/random/entropy_avail", "sys/vm/stat_refresh", "sysvipc/shm", "tty/drivers", "consoles", "pagetypeinfo", "modules",
         "vmallocinfo", "iomem", "kpagecount", "sched_debug", "latency_stats", "sys/kernel/ns_last_pid"]
for name in names:
    probes[name] = read_text("/proc/" + name)
for path in ("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "/sys/class/thermal/thermal_zone0/temp", "/sys/kernel/mm/ksm/pages_shared",
             "/sys/block/vda/stat", "/sys/fs/cgroup/cpu/cpuacct.usage", "/sys/devices/system/node/node0/numastat", "/sys/power/state"):
    probes[path] = read_text(path)
probes["sysinfo"] = lambda: call(99, ctypes.create_string_buffer(256))
probes["getloadavg"] = os.getloadavg
""",
        representative=True,
    ),
    probe(
        "H11 asks what the page cache holds",
        """
import mmap
def nowait():
    file = os.open("/usr/bin/python3", os.O_RDONLY)
    return os.preadv(file, [bytearray(4096)], 0, 8)
probes["read without waiting"] = nowait
probes["drop"] = lambda: os.posix_fadvise(os.open("/usr/bin/python3", os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED)
probes["cachestat"] = lambda: call(451, os.open("/usr/bin/python3", os.O_RDONLY), struct.pack("=QQ", 0, 4096), ctypes.create_string_buffer(40), 0)
""",
    ),
    probe(
        "H12 watches the files that all bots read",
        """
probes["watch"] = lambda: call(254, call(294, 0), b"/usr/bin", 0xFFF)
""",
    ),
)

ATTACKS: Final = (*TIMING, *LIFE, *RESOURCES, *REACH, *CHANNELS)
