"""The process that holds the sockets and looks after the worker; it never runs the lambda's code.

One thread, one selector. It binds the lambda's socket and the health port, starts a worker on the
code, answers the health port, starts another worker on SIGHUP and lets the old one end when the new
one serves.
"""

import contextlib
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import health, worker_process
from .events import Emit
from .failure import Failure, write_termination_message
from .metrics import Counts, add_up, to_prometheus
from .watching import watch_reader, watch_signals
from .worker_process import WorkerProcess

GRACE_SECONDS = 30.0
"""How long requests that are under way may take once a worker is told to end."""

_TICK_SECONDS = 1.0
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)


@dataclass(frozen=True)
class Settings:
    """What the command line and the environment say of how to run the lambda."""

    path: str
    debug: bool
    termination_log: str


class Supervisor:
    """See the module."""

    def __init__(
        self,
        settings: Settings,
        listener: socket.socket,
        health_listener: socket.socket,
        emit: Emit,
    ) -> None:
        """Take the listening sockets of the lambda and of the health port."""
        self._settings = settings
        self._emit = emit
        self._listener = listener
        self._health_listener = health_listener
        self._selector = selectors.DefaultSelector()
        self._workers: dict[int, WorkerProcess] = {}
        self._serving: WorkerProcess | None = None
        self._loading: WorkerProcess | None = None
        self._past_counts: Counts = {}
        self._reloads = {"loaded": 0, "failed": 0}
        self._is_stopping = False
        self._status: int | None = None

    def run(self, events_fd: int | None) -> int:
        """Serve until told to end, also by the reader of the events, and return the exit status."""
        watch_signals(self._selector, _SIGNALS, self._on_signals)
        if events_fd is not None:
            gone = "the reader of the events is gone"
            watch_reader(self._selector, events_fd, lambda: self._stop(gone))
        health_server = health.HealthServer(self._health_listener, self._selector, self._health)
        self._load()
        while self._status is None:
            for key, _ in self._selector.select(_TICK_SECONDS):
                key.data()
            now = time.monotonic()
            health_server.drop_slow(now)
            for worker in list(self._workers.values()):
                if worker.deadline is not None and worker.deadline <= now:
                    self._kill(worker)
        for worker in list(self._workers.values()):
            self._kill(worker)
        return self._status

    # Starting and replacing workers

    def _load(self) -> None:
        """Start a worker on what the file holds now; one that is still loading is given up."""
        if self._loading is not None:
            abandoned, self._loading = self._loading, None
            self._kill(abandoned)
        worker = worker_process.start(self._settings.path, self._listener, self._settings.debug)
        self._workers[worker.pid] = self._loading = worker
        self._watch(worker.channel.socket, lambda: self._read(worker))

    def _read(self, worker: WorkerProcess) -> None:
        try:
            for message in worker.channel.receive():
                match message:
                    case {"loaded": style}:
                        self._on_loaded(worker, style)
                    case {"failed": failure} if worker is self._loading:
                        self._on_load_failed(failure)
                        self._kill(worker)
                    case {"handedOver": True}:
                        self._on_handed_over(worker)
                    case {"counts": counts}:
                        worker.counts = counts
        except EOFError:
            self._unwatch(worker.channel.socket)

    def _on_loaded(self, worker: WorkerProcess, style: str) -> None:
        worker.style = style
        before, self._serving, self._loading = self._serving, worker, None
        if before is None:
            self._tell_ready(reload=False)
            return
        self._reloads["loaded"] += 1
        before.is_handing_over = True
        self._end(before, "handOver")

    def _on_handed_over(self, worker: WorkerProcess) -> None:
        worker.is_handing_over = False
        if self._serving is not None and not self._is_stopping:
            self._tell_ready(reload=True)

    def _on_load_failed(self, failure: dict[str, Any]) -> None:
        self._loading = None
        is_reload = self._serving is not None
        print(failure["traceback"], end="", file=sys.stderr, flush=True)
        self._emit("load-failed", reload=is_reload, **failure)
        if is_reload:
            self._reloads["failed"] += 1
        else:
            self._give_up(failure["traceback"])

    def _tell_ready(self, reload: bool) -> None:
        host, port = self._listener.getsockname()[:2]
        health_port = self._health_listener.getsockname()[1]
        style = self._serving.style
        self._emit(
            "ready", reload=reload, host=host, port=port, healthPort=health_port, style=style
        )

    # Ending workers

    def _stop(self, reason: str) -> None:
        if self._is_stopping:
            return
        self._is_stopping = True
        self._emit("stopping", reason=reason)
        self._listener.close()
        if self._loading is not None:
            self._kill(self._loading)
        if self._serving is not None:
            self._end(self._serving, "stop")
        self._end_if_done()

    def _end(self, worker: WorkerProcess, how: str) -> None:
        worker.deadline = time.monotonic() + GRACE_SECONDS
        worker.channel.send(do=how)

    def _kill(self, worker: WorkerProcess) -> None:
        if worker.pid in self._workers:
            worker_process.kill(worker.pid)
            self._on_exit(worker, worker_process.wait(worker.pid))

    def _reap(self) -> None:
        """Take note of processes that ended, also of ones that the lambda left to process 1."""
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                if pid in self._workers:
                    self._read(self._workers[pid])
                if pid in self._workers:
                    self._on_exit(self._workers[pid], status)

    def _on_exit(self, worker: WorkerProcess, status: int) -> None:
        del self._workers[worker.pid]
        worker_process.kill(worker.pid)
        self._unwatch(worker.channel.socket)
        worker.channel.socket.close()
        self._past_counts = add_up([self._past_counts, worker.counts])
        if worker.is_handing_over:
            self._on_handed_over(worker)
        how = worker_process.tell_end(status)
        if worker is self._loading and not self._is_stopping:
            message = f"the process {how} while it loaded the code"
            self._on_load_failed(
                Failure("ProcessDied", message, None, None, message + "\n").as_dict()
            )
        elif worker is self._serving:
            self._on_died_serving(how)
        self._end_if_done()

    def _on_died_serving(self, how: str) -> None:
        self._serving = None
        if self._is_stopping:
            return
        message = f"the process that ran the lambda {how}"
        self._emit("worker-died", message=message)
        self._give_up(message)

    def _give_up(self, why: str) -> None:
        write_termination_message(self._settings.termination_log, why)
        self._status = 1

    def _end_if_done(self) -> None:
        if self._is_stopping and not self._workers and self._status is None:
            self._status = 0

    # What the selector watches

    def _watch(self, source: socket.socket | int, callback: Callable[[], None]) -> None:
        self._selector.register(source, selectors.EVENT_READ, callback)

    def _unwatch(self, source: socket.socket | int) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(source)

    def _on_signals(self, numbers: set[int]) -> None:
        if signal.SIGCHLD in numbers:
            self._reap()
        for number in (signal.SIGTERM, signal.SIGINT):
            if number in numbers:
                self._stop(number.name)
        if signal.SIGHUP in numbers and not self._is_stopping and self._status is None:
            self._load()

    def _health(self, method: str, path: str) -> bytes:
        is_ready = self._serving is not None and not self._is_stopping
        return health.answer(method, path, is_ready, lambda: self._metrics(is_ready))

    def _metrics(self, is_ready: bool) -> str:
        counts = [self._past_counts, *(worker.counts for worker in self._workers.values())]
        return to_prometheus(add_up(counts), self._reloads, is_ready)
