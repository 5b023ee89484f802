"""The keeper of local bots: a small process of its own that starts them, watches them and outlives nobody.

It runs as `python -I -S warden.py SOCKET RUNNER ROOT` in a session of its own, so a Ctrl-C never reaches it. It takes
orders from the runner over a socket that is also its lifeline: when the runner is gone, by whatever signal, it kills
every bot with everything that the bot started, removes the scratch directories and ends. All bots are its children
and orphans come back to it (`PR_SET_CHILD_SUBREAPER`), so a bot that daemonises is still found.

Orders are marshalled, one a packet: `open` with three descriptors, `end`. Answers: `opened`, `exit` (as soon as a
bot's main process ends), `ended`. It imports a few modules of the standard library alone: what it holds makes each
fork dearer, and so does every line that a child runs before it is the bot.
"""

from __future__ import annotations

import contextlib
import ctypes
import marshal
import os
import resource
import select
import signal
import socket
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final, NoReturn

PACKET: Final = 1 << 17
WATCH_MS: Final = 100
"""How often memory is looked at."""
PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36
PAGE: Final = resource.getpagesize()
KILL_ROUNDS: Final = 200
KILL_PAUSE_S: Final = 0.005
FAILED_EXEC: Final = 126
MISSING_EXEC: Final = 127

_libc = ctypes.CDLL(None, use_errno=True)


class Ward:
    """One bot: its main process, and what is known of its end."""

    def __init__(self, pid: int, marker: bytes, memory: int) -> None:
        self.pid = pid
        self.marker = marker
        self.memory = memory
        self.out_of_memory = False
        self.told = False


class Warden:
    """The bots of one runner."""

    def __init__(self, orders: socket.socket, runner: int, root: str) -> None:
        self.orders = orders
        self.root = root
        self.wards: dict[int, Ward] = {}
        self.stopped = False
        self.poll = select.poll()
        self.poll.register(orders, select.POLLIN)
        with contextlib.suppress(OSError, AttributeError):  # the end of the socket says the same
            self.poll.register(os.pidfd_open(runner), select.POLLIN)
        self.wake, wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self.poll.register(self.wake, select.POLLIN)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: self.stop())
        for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(ignored, signal.SIG_IGN)
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def stop(self) -> None:
        self.stopped = True

    def run(self) -> None:
        """Serve until the runner is gone, then leave nothing."""
        watched = 0.0
        try:
            while not self.stopped:
                for descriptor, _ in self.poll.poll(WATCH_MS if self.wards else None):
                    if descriptor == self.orders.fileno():
                        self.take_order()
                    elif descriptor == self.wake:
                        os.read(self.wake, 4096)
                        self.look()
                    else:
                        self.stopped = True
                now = time.monotonic()
                if self.wards and now - watched >= WATCH_MS / 1000:
                    watched = now
                    self.watch()
        finally:
            for number in list(self.wards):
                self.end(number)
            import shutil  # here, for it would make every fork dearer

            shutil.rmtree(self.root, ignore_errors=True)

    def take_order(self) -> None:
        try:
            data, descriptors, _, _ = socket.recv_fds(self.orders, PACKET, 3)
        except ConnectionError:
            data, descriptors = b"", []
        if not data:
            self.stopped = True
            return
        order = marshal.loads(data)  # noqa: S302 (the runner's own)
        try:
            if "open" in order:
                self.open(order, descriptors)
            else:
                self.tell({"ended": order["end"], **self.end(order["end"])})
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def tell(self, answer: dict[str, Any]) -> None:
        try:
            self.orders.send(marshal.dumps(answer))
        except OSError:
            self.stopped = True

    def open(self, order: dict[str, Any], descriptors: list[int]) -> None:
        number, warden = order["open"], os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            self.tell({"opened": number, "pid": None, "why": str(error)})
            return
        if pid == 0:
            become(order, descriptors, warden)
        self.wards[number] = Ward(pid, order["marker"].encode(), order["memory"])
        self.tell({"opened": number, "pid": pid})

    def look(self) -> None:
        """A child has ended: tell of main processes, bury orphans."""
        for number, ward in self.wards.items():
            if not ward.told:
                ended = os.waitid(os.P_PID, ward.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is not None:
                    ward.told = True
                    self.tell({"exit": number, **_status(ended), "oom": ward.out_of_memory})
        self.bury()

    def watch(self) -> None:
        """End whoever is over its memory."""
        for ward in self.wards.values():
            if not ward.told and resident(ward.pid) > ward.memory:
                ward.out_of_memory = True
                kill(ward.pid)

    def bury(self) -> list[int]:
        """Reap orphans that have ended; those that live."""
        mains = {ward.pid for ward in self.wards.values()}
        living = []
        for pid in children(os.getpid()):
            if pid not in mains:
                try:
                    if os.waitpid(pid, os.WNOHANG) == (0, 0):
                        living.append(pid)
                except ChildProcessError:
                    pass
        return living

    def end(self, number: int) -> dict[str, Any]:
        """Kill a bot with everything that it started, and wait until it is gone."""
        ward = self.wards.pop(number, None)
        if ward is None:
            return {}
        for pid in [*family(ward.pid), ward.pid]:
            kill(pid)
        # Its main process stays unburied until here, so the number of its group cannot be another's.
        kill(-ward.pid)
        _, status, usage = os.wait4(ward.pid, 0)
        self.end_orphans(ward)
        code = os.waitstatus_to_exitcode(status)
        return {
            "code": code if code >= 0 else None,
            "signal": -code if code < 0 else None,
            "oom": ward.out_of_memory,
            "cpu": usage.ru_utime + usage.ru_stime,
            "peak": usage.ru_maxrss * 1024,
        }

    def end_orphans(self, ward: Ward) -> None:
        """Kill what escaped the bot's tree and came back to us, until none of it is left."""
        for _ in range(KILL_ROUNDS):
            ours = [pid for pid in self.bury() if not self.wards or marked(pid, ward.marker)]
            if not ours:
                return
            for orphan in ours:
                for pid in [*family(orphan), orphan]:
                    kill(pid)
            time.sleep(KILL_PAUSE_S)


def become(order: dict[str, Any], descriptors: list[int], warden: int) -> NoReturn:
    """Turn this fresh child into the bot. Never returns."""
    try:
        os.setsid()
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != warden:
            os._exit(FAILED_EXEC)
        for number in _IGNORED:  # those that are caught become what they were by themselves
            signal.signal(number, signal.SIG_DFL)
        # Above the three targets first: one of the sources may be a target of another.
        high = [os.dup(os.dup(os.dup(descriptor))) for descriptor in descriptors]
        for target, source in enumerate(high):
            os.dup2(source, target)
        os.closerange(3, _MOST_FILES)
        os.umask(0o077)
        try:
            os.sched_setaffinity(0, order["cores"])
            os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC), b"1000")
        except OSError:
            pass
        for kind, value in order["limits"]:
            _, hard = resource.getrlimit(kind)
            most = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (most, most))
        os.chdir(order["directory"])
        os.execvpe(order["command"][0], order["command"], order["environment"])  # noqa: S606
    except OSError as error:
        os.write(2, f"cannot run {list(order['command'])} in {order['directory']}: {error.strerror}\n".encode())
        os._exit(MISSING_EXEC if isinstance(error, FileNotFoundError) else FAILED_EXEC)
    except BaseException as error:  # nothing may go on as a second warden
        os.write(2, f"cannot run {list(order['command'])}: {error}\n".encode())
        os._exit(FAILED_EXEC)


_IGNORED: Final = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
"""What Python or we ignore; a program would inherit that."""
_MOST_FILES: Final = os.sysconf("SC_OPEN_MAX")


def _status(ended: os.waitid_result) -> dict[str, int | None]:
    exited = ended.si_code == os.CLD_EXITED
    return {"code": ended.si_status if exited else None, "signal": None if exited else ended.si_status}


def kill(pid: int) -> None:
    """Kill a process, or a group by its negated number, if it is there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def read(path: str) -> bytes:
    """A file of /proc; empty when its process is gone."""
    data = b""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            while piece := os.read(descriptor, 65_536):
                data += piece
        finally:
            os.close(descriptor)
    return data


def children(pid: int) -> list[int]:
    """The direct children of a process, of all its threads."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []
    return [int(child) for thread in threads for child in read(f"/proc/{pid}/task/{thread}/children").split()]


def family(pid: int) -> Iterator[int]:
    """All descendants of a process, as far as they can be seen now."""
    for child in children(pid):
        yield child
        yield from family(child)


def marked(pid: int, marker: bytes) -> bool:
    """Whether a process carries this bot's mark in its environment."""
    return marker in read(f"/proc/{pid}/environ")


def resident(pid: int) -> int:
    """The resident memory of a process and its descendants in bytes, shared pages counted for each."""
    pages = 0
    for each in [pid, *family(pid)]:
        fields = read(f"/proc/{each}/statm").split()
        pages += int(fields[1]) if fields else 0
    return pages * PAGE


if __name__ == "__main__":
    Warden(
        socket.socket(fileno=int(sys.argv[1])),
        int(sys.argv[2]),
        sys.argv[3],
    ).run()
