"""A crew of worker processes behind the interface of `concurrent.futures`.

Unlike the library's own pool it loses one task when a worker dies, not all of them, and it can be ended at once.
Workers are forked as early as the caller makes the crew: whoever imports little before has small workers.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

_PATIENCE_S: Final = 0.4
"""How long a worker may take to go when all must end at once."""
_LEAVING_S: Final = 30.0
"""How long one may clear up (take containers away, say) when its work is done."""


class WorkerDied(Exception):
    """The process that worked on a task ended before it was done; the task may be given again."""


@dataclass(slots=True)
class _Worker:
    number: int
    process: BaseProcess
    pipe: Connection
    task: Future[Any] | None = None


class Crew(Executor):
    """Processes that take one task each at a time, in the order of submission."""

    def __init__(self, size: int, begin: Callable[[int], None] | None = None) -> None:
        """Start the workers; each calls `begin` with its number, from 0, which its replacement takes over."""
        self._begin = begin
        # The log handler that workers inherit works by fork alone.
        self._context = multiprocessing.get_context("fork")
        self._lifeline = os.pipe()
        self._wake_out, self._wake_in = self._context.Pipe(duplex=False)
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Future[Any], tuple[Any, ...]]] = deque()
        self._closing = self._hurried = False
        self._workers = [self._hire(number) for number in range(size)]
        self._thread = threading.Thread(target=self._manage, name="crew", daemon=True)
        self._thread.start()

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """A future for `function` called in a worker; function, arguments and result travel pickled."""
        future: Future[T] = Future()
        with self._lock:
            if self._closing:
                raise RuntimeError("the crew takes no more tasks")
            self._waiting.append((future, (function, args, kwargs)))
        self._wake_in.send(None)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the workers finish what was submitted, then go; with `cancel_futures` only what they work on."""
        with self._lock:
            self._closing = True
            if cancel_futures:
                while self._waiting:
                    self._waiting.popleft()[0].cancel()
        with contextlib.suppress(OSError):
            self._wake_in.send(None)
        if wait and self._thread.is_alive():
            self._thread.join()

    def end(self) -> None:
        """End every worker within a second, whatever it does; what it worked on is lost."""
        with self._lock:
            self._closing = self._hurried = True
            while self._waiting:
                self._waiting.popleft()[0].cancel()
        with contextlib.suppress(OSError):
            self._wake_in.send(None)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for worker in list(self._workers):
                if worker.process.exitcode is None and worker.process.pid is not None:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker.process.pid, number)
            self._thread.join(_PATIENCE_S)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leaving a `with` block waits for the tasks; leaving it by an exception waits for nothing."""
        if kind is None:
            self.shutdown()
        else:
            self.end()

    def pids(self) -> list[int]:
        """The process ids of the workers."""
        return [worker.process.pid or 0 for worker in self._workers]

    def _hire(self, number: int) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_work, args=(number, self._begin, theirs, ours, self._lifeline), daemon=True
        )
        with warnings.catch_warnings():
            # Python 3.12 warns of forks beside threads. A worker touches no lock that a thread of ours could hold.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        theirs.close()
        return _Worker(number, process, ours)

    def _manage(self) -> None:
        while True:
            self._hand_out()
            busy = [worker for worker in self._workers if worker.task is not None]
            if self._closing and not busy and not self._waiting:
                break
            sources = [self._wake_out, *(worker.pipe for worker in busy)]
            ready = wait([*sources, *(worker.process.sentinel for worker in self._workers)])
            if self._wake_out in ready:
                self._wake_out.recv()
            for worker in list(self._workers):
                if worker.pipe in ready:
                    self._collect(worker)
                if worker.process.sentinel in ready:
                    self._replace(worker)
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(_PATIENCE_S if self._hurried else _LEAVING_S)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        for end in self._lifeline:
            os.close(end)

    def _hand_out(self) -> None:
        for worker in self._workers:
            while worker.task is None:
                with self._lock:
                    if not self._waiting:
                        return
                    future, task = self._waiting.popleft()
                if not future.set_running_or_notify_cancel():
                    continue
                worker.task = future
                try:
                    worker.pipe.send(task)
                except OSError:
                    break  # It is gone; its sentinel says so in a moment, and the task is given back there.
                except Exception as error:
                    worker.task = None
                    future.set_exception(error)

    def _collect(self, worker: _Worker) -> None:
        try:
            result, error = worker.pipe.recv()
        except (EOFError, OSError):
            return
        future, worker.task = worker.task, None
        if future is not None and error is not None:
            future.set_exception(error)
        elif future is not None:
            future.set_result(result)

    def _replace(self, worker: _Worker) -> None:
        if worker.task is not None and worker.pipe.poll():
            self._collect(worker)
        worker.process.join()
        code = worker.process.exitcode
        worker.pipe.close()
        self._workers.remove(worker)
        if not self._closing:
            log.warning("worker %s ended with exit code %s and is replaced", worker.process.pid, code)
            self._workers.append(self._hire(worker.number))
        if worker.task is not None:
            worker.task.set_exception(WorkerDied(f"the worker process ended in the middle of it (exit code {code})"))


def _work(
    number: int,
    begin: Callable[[int], None] | None,
    pipe: Connection,
    other_end: Connection,
    lifeline: tuple[int, int],
) -> None:
    """A worker's life: take a task, do it, send what came of it, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    other_end.close()
    os.close(lifeline[1])
    threading.Thread(target=_die_with_parent, args=(lifeline[0],), daemon=True).start()
    if begin is not None:
        begin(number)
    while True:
        try:
            function, args, kwargs = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            reply: tuple[Any, BaseException | None] = (function(*args, **kwargs), None)
        except Exception as error:
            reply = (None, error)
        try:
            pipe.send(reply)
        except OSError:
            return
        except Exception as error:
            pipe.send((None, WorkerDied(f"the result could not be sent: {error}")))


def _leave(_number: int, _frame: object) -> None:
    raise SystemExit(0)


def _die_with_parent(lifeline: int) -> None:
    # No clean-up here: the parent was killed, and what the bots hang on is cut by the end of this process.
    os.read(lifeline, 1)
    os._exit(1)
