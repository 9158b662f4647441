"""The one place that touches Granian: its worker, in our process, on a socket that we hold.

Granian's command line and its `Server` want to fork, bind and supervise by themselves. Beneath them
is a worker that takes a listening socket and hands each request to a callback scheduler; that is
all we need. None of it is a public interface, so pyproject.toml pins the exact release. See
https://github.com/emmett-framework/granian/tree/v2.8.7 (granian/server/mp.py, src/rsgi, src/asgi).

The scheduler calls us on the thread that the request was prepared on, instead of on the event loop:
a lambda that blocks runs right there, one that awaits is passed on to the loop.

Granian has two protocols for us. RSGI costs least, but a response stream cannot be held back when
the client is slow, nor broken off in a way that the client can tell from its end. ASGI can do both.
"""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Protocol

from granian._granian import ASGIWorker, CallbackScheduler, RSGIWorker, SocketHolder, WorkerSignal
from granian.http import HTTP1Settings

MAX_CONNECTIONS = 1024
HEADER_READ_TIMEOUT_MS = 120_000
"""Also how long an idle connection is kept: longer than proxies keep theirs (Traefik: 90 s)."""
_THREAD_IDLE_SECONDS = 30


class RsgiHeaders(Protocol):
    """Names are in lower case; values that are not ASCII are left out."""

    def get(self, name: str, default: None = None) -> str | None:
        """Return the first value."""

    def items(self) -> list[tuple[str, str]]:
        """Return all values, in order."""


class RsgiScope(Protocol):
    """What RSGI tells of a request. Reading `headers` copies them all."""

    method: str
    path: str
    query_string: str
    headers: RsgiHeaders


class RsgiChannel(Protocol):
    """Where the body comes from and the response goes to; responding is safe on any thread."""

    def __call__(self) -> Awaitable[bytes]:
        """Read the whole body; on the event loop only."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Read the body in chunks, of which an empty one is the end, or what could not be read."""

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        """Respond."""


class RsgiExchange(Protocol):
    """One request under way."""

    scope: RsgiScope
    proto: RsgiChannel

    def done(self) -> None:
        """End it, with a bare 500 when there was no response."""


class AsgiChannel(Protocol):
    """The two callables of ASGI; `send` may be called on any thread."""

    def send(self, message: dict[str, Any]) -> Awaitable[None]:
        """Send an ASGI message; await it only to wait for a slow client."""

    def receive(self) -> Awaitable[dict[str, Any]]:
        """Receive an ASGI message; on the event loop only."""


class AsgiExchange(Protocol):
    """One request under way."""

    scope: Mapping[str, Any]
    proto: AsgiChannel

    def done(self) -> None:
        """End it: a stream that was not finished is broken off."""


class _Scheduler(CallbackScheduler):
    # CallbackScheduler takes its arguments in __new__. It calls _schedule_fn for each request, and
    # ignores what that returns or raises.
    def __init__(self, *_: object) -> None:
        super().__init__()


def serve_rsgi(
    listener: socket.socket,
    loop: asyncio.AbstractEventLoop,
    on_request: Callable[[RsgiExchange], None],
    on_end: Callable[[], None],
    threads: int,
) -> Callable[[], None]:
    """Serve HTTP/1.1 on `listener`, which is given away, and return a function that ends it.

    `on_request` is called on one of up to `threads` threads and must not raise. The function
    returned closes idle connections and waits for what is under way; then `on_end` is called, on
    the event loop.
    """
    return _serve(RSGIWorker, listener, loop, on_request, on_end, threads)


def serve_asgi(
    listener: socket.socket,
    loop: asyncio.AbstractEventLoop,
    on_request: Callable[[AsgiExchange], None],
    on_end: Callable[[], None],
    threads: int,
) -> Callable[[], None]:
    """Serve as `serve_rsgi` does."""
    return _serve(ASGIWorker, listener, loop, on_request, on_end, threads)


def _serve(
    worker_type: type[RSGIWorker | ASGIWorker],
    listener: socket.socket,
    loop: asyncio.AbstractEventLoop,
    on_request: Callable[[Any], None],
    on_end: Callable[[], None],
    threads: int,
) -> Callable[[], None]:
    signal = WorkerSignal()
    signal.add_cb(lambda: loop.call_soon_threadsafe(on_end))
    scheduler = _Scheduler(loop, on_request, None, None, None)
    scheduler._schedule_fn = on_request
    worker = worker_type(
        1,
        (None, _hold(listener)),
        None,
        py_threads=threads,
        py_threads_idle_timeout=_THREAD_IDLE_SECONDS,
        backpressure=MAX_CONNECTIONS,
        http_mode="1",
        http1_opts=HTTP1Settings(header_read_timeout=HEADER_READ_TIMEOUT_MS),
        websockets_enabled=False,
    )
    worker.serve_str(scheduler, loop, signal)
    return signal.set


def _hold(listener: socket.socket) -> SocketHolder:
    is_unix_socket = False
    if sys.platform.startswith(("linux", "freebsd")):
        return SocketHolder(listener.detach(), is_unix_socket, MAX_CONNECTIONS)
    return SocketHolder(listener.detach(), is_unix_socket)
