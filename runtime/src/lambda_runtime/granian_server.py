"""The one place that touches Granian: its ASGI worker, in our process, on a socket that we hold.

Granian's command line and its `Server` want to fork, bind and supervise by themselves. Beneath them
is a worker that takes a listening socket and hands each request to a callback scheduler; that is
all we need. None of it is a public interface, so pyproject.toml pins the exact release. See
https://github.com/emmett-framework/granian/tree/v2.8.7 (granian/server/mp.py, src/asgi/).

We schedule on the thread that Granian parsed the request for, instead of on the event loop: a
lambda that blocks runs right there, one that awaits is passed on to the loop by the callback.
"""

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from granian._granian import ASGIWorker, CallbackScheduler, SocketHolder, WorkerSignal
from granian.http import HTTP1Settings

MAX_CONNECTIONS = 1024
HEADER_READ_TIMEOUT_MS = 120_000
"""Also how long an idle connection is kept: longer than proxies keep theirs (Traefik: 90 s)."""
_THREAD_IDLE_SECONDS = 30


class Transport(Protocol):
    """The ASGI channel of one request; `send` may be called from any thread."""

    def send(self, message: dict[str, Any]) -> Awaitable[None]:
        """Send an ASGI message; await it only to wait for a slow client."""

    def receive(self) -> Awaitable[dict[str, Any]]:
        """Receive an ASGI message; on the event loop only."""


class Exchange(Protocol):
    """One request under way, as Granian hands it over."""

    scope: dict[str, Any]
    proto: Transport

    def done(self) -> None:
        """End it: a stream that was not finished is cut off, so that the client can tell."""


class _Scheduler(CallbackScheduler):
    # CallbackScheduler takes its arguments in __new__; it keeps _schedule_fn and calls it for each
    # request, ignoring what it returns or raises.
    def __init__(self, *_: object) -> None:
        super().__init__()


def serve(
    listener: socket.socket,
    loop: asyncio.AbstractEventLoop,
    on_request: Callable[[Exchange], None],
    on_end: Callable[[], None],
    threads: int,
) -> Callable[[], None]:
    """Serve HTTP/1.1 on `listener`, which is given away, and return a function that ends it.

    `on_request` is called on one of up to `threads` threads and must not raise. The function
    returned closes idle connections and waits for what is under way; then `on_end` is called, on
    the event loop.
    """
    signal = WorkerSignal()
    signal.add_cb(lambda: loop.call_soon_threadsafe(on_end))
    scheduler = _Scheduler(loop, on_request, None, None, None)
    scheduler._schedule_fn = on_request
    worker = ASGIWorker(
        1,
        (None, _hold(listener)),
        None,
        py_threads=threads,
        py_threads_idle_timeout=_THREAD_IDLE_SECONDS,
        backpressure=MAX_CONNECTIONS,
        http_mode="1",
        http1_opts=HTTP1Settings(header_read_timeout=HEADER_READ_TIMEOUT_MS),
    )
    worker.serve_str(scheduler, loop, signal)
    return signal.set


def _hold(listener: socket.socket) -> SocketHolder:
    is_unix_socket = False
    if sys.platform.startswith(("linux", "freebsd")):
        return SocketHolder(listener.detach(), is_unix_socket, MAX_CONNECTIONS)
    return SocketHolder(listener.detach(), is_unix_socket)
