"""JSON lines over a socket pair: how the supervisor and a worker talk."""

import json
import socket
from collections.abc import Iterator
from typing import Any

_READ_BYTES = 65536


class Channel:
    """One end of the pair."""

    def __init__(self, end: socket.socket) -> None:
        """Take over the socket."""
        self.socket = end
        self._unread = b""

    def send(self, **message: object) -> None:
        """Send a message; one to an end that is gone is dropped."""
        try:
            self.socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            return

    def receive(self) -> Iterator[dict[str, Any]]:
        """Yield what has come; the socket must not block.

        Raises EOFError when the other end is closed.
        """
        while True:
            try:
                data = self.socket.recv(_READ_BYTES)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                raise EOFError
            *lines, self._unread = (self._unread + data).split(b"\n")
            yield from map(json.loads, lines)
