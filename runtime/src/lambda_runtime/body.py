"""Reading a request's body, up to a limit."""

from collections.abc import Mapping

from .granian_server import AsgiChannel, RsgiChannel

MAX_BODY_BYTES = 8 * 1024 * 1024
"""The largest request body that a lambda is given; a larger one is answered 413."""

BODY_TOO_LARGE = "BodyTooLarge"

_MAX_DISCARDED_BYTES = 64 * 1024 * 1024
"""How much is read and thrown away: many clients read an answer only once they have sent all."""


class BodyTooLargeError(Exception):
    """The body is larger than MAX_BODY_BYTES."""

    def __init__(self) -> None:
        """Say what the limit is."""
        super().__init__(f"the request body is larger than {MAX_BODY_BYTES} bytes")


class ClientGoneError(Exception):
    """The client closed the connection before it had sent the body."""


class _Collector:
    """Takes in chunks: keeps them up to the limit, then only counts."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._size = 0

    def add(self, chunk: bytes) -> None:
        self._size += len(chunk)
        if self._size <= MAX_BODY_BYTES:
            self._chunks.append(chunk)
        elif self._size > _MAX_DISCARDED_BYTES:
            raise BodyTooLargeError
        else:
            self._chunks.clear()

    def body(self) -> bytes:
        if self._size > MAX_BODY_BYTES:
            raise BodyTooLargeError
        return b"".join(self._chunks)


async def read_rsgi_body(channel: RsgiChannel, headers: Mapping[str, str]) -> bytes:
    """Read the body; raises BodyTooLargeError and ClientGoneError."""
    length = _content_length(headers)
    if length is not None and length <= MAX_BODY_BYTES:
        try:
            return await channel()
        except Exception:  # noqa: BLE001 - Granian's, of no class that it lets us import
            raise ClientGoneError from None
    collector = _Collector()
    ends = 0
    async for chunk in channel:
        collector.add(chunk)
        ends += not chunk
    if ends > 1:
        raise ClientGoneError
    return collector.body()


async def read_asgi_body(channel: AsgiChannel, headers: Mapping[str, str]) -> bytes:
    """Read the body; raises BodyTooLargeError and ClientGoneError."""
    _content_length(headers)
    collector = _Collector()
    more = True
    while more:
        message = await channel.receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        collector.add(message["body"])
        more = message["more_body"]
    return collector.body()


def _content_length(headers: Mapping[str, str]) -> int | None:
    """Return the length, None where it is not told.

    A client that asks first whether to send (Expect: 100-continue) is refused at once.
    """
    if "content-length" not in headers:
        return None
    length = int(headers["content-length"])
    if length > MAX_BODY_BYTES and "expect" in headers:
        raise BodyTooLargeError
    return length
