"""Reading a request's body, up to a limit."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

MAX_BODY_BYTES = 8 * 1024 * 1024
"""The largest request body that a lambda is given; a larger one is answered 413."""

_MAX_DISCARDED_BYTES = 64 * 1024 * 1024
"""How much more is read and thrown away: most clients read an answer only once they have sent all."""


class BodyTooLargeError(Exception):
    """The body is larger than MAX_BODY_BYTES."""

    def __init__(self) -> None:
        """Say what the limit is."""
        super().__init__(f"the request body is larger than {MAX_BODY_BYTES} bytes")


class ClientGoneError(Exception):
    """The client closed the connection before it had sent the body."""


async def read_body(
    receive: Callable[[], Awaitable[dict[str, Any]]], headers: Mapping[str, str]
) -> bytes:
    """Read the body; raises BodyTooLargeError and ClientGoneError.

    A client that asks first (Expect: 100-continue) is told at once that its body is too large.
    """
    if headers.get("expect") and int(headers.get("content-length", "0")) > MAX_BODY_BYTES:
        raise BodyTooLargeError
    chunks: list[bytes] = []
    size = 0
    more = True
    while more and size <= _MAX_DISCARDED_BYTES:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        size += len(message["body"])
        if size <= MAX_BODY_BYTES:
            chunks.append(message["body"])
        else:
            chunks.clear()
        more = message["more_body"]
    if size > MAX_BODY_BYTES:
        raise BodyTooLargeError
    return b"".join(chunks)
