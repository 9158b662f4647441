"""The health port: liveness, readiness and metrics, answered by the supervisor.

The lambda owns every URL of its own port, and may keep its whole process busy: these answer anyway.
"""

import selectors
import socket
import time
from collections.abc import Callable

REQUEST_TIMEOUT_SECONDS = 5.0
_MAX_REQUEST_BYTES = 8192
_TEXT = "text/plain; charset=utf-8"
_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
_REASONS = {
    200: "OK",
    404: "Not Found",
    405: "Method Not Allowed",
    503: "Service Unavailable",
}


def answer(method: str, path: str, ready: bool, metrics: Callable[[], str]) -> bytes:
    """Return the whole HTTP response to a request for that path."""
    status, content_type, body = 200, _TEXT, "ok\n"
    if method not in ("GET", "HEAD"):
        status, body = 405, "use GET\n"
    elif path == "/metrics":
        content_type, body = _PROMETHEUS, metrics()
    elif path == "/readyz":
        status, body = (200, "ready\n") if ready else (503, "not ready\n")
    elif path != "/healthz":
        status, body = 404, "there is /healthz, /readyz and /metrics\n"
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(body.encode())}\r\nConnection: close\r\n\r\n"
    )
    return (head + ("" if method == "HEAD" else body)).encode()


class HealthServer:
    """Serves `respond(method, path)` on a listening socket, never waiting for a client."""

    def __init__(
        self,
        listener: socket.socket,
        selector: selectors.BaseSelector,
        respond: Callable[[str, str], bytes],
    ) -> None:
        """Take part in `selector`, whose keys' `data` is called when they are ready."""
        self._listener = listener
        self._selector = selector
        self._respond = respond
        self._open: dict[socket.socket, float] = {}
        listener.setblocking(False)
        selector.register(listener, selectors.EVENT_READ, self._accept)

    def drop_slow(self, now: float) -> None:
        """Close connections that have not sent a request in time."""
        for connection in [c for c, deadline in self._open.items() if deadline <= now]:
            self._close(connection)

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return  # the client left, or there are no more descriptors: the next one may do
        connection.setblocking(False)
        received = bytearray()
        self._open[connection] = time.monotonic() + REQUEST_TIMEOUT_SECONDS
        self._selector.register(
            connection, selectors.EVENT_READ, lambda: self._read(connection, received)
        )

    def _read(self, connection: socket.socket, received: bytearray) -> None:
        try:
            data = connection.recv(_MAX_REQUEST_BYTES)
            received += data
            if data and b"\r\n\r\n" not in received and len(received) < _MAX_REQUEST_BYTES:
                return
            request_line = received.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
            if len(request_line) == 3:
                method, target, _ = request_line
                connection.sendall(self._respond(method, target.split("?", 1)[0]))
        except BlockingIOError:
            return
        except OSError:
            pass  # the client left
        self._close(connection)

    def _close(self, connection: socket.socket) -> None:
        del self._open[connection]
        self._selector.unregister(connection)
        connection.close()
