"""From what a lambda returned to status, headers and body."""

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import NamedTuple

_OUTPUTS = "str, bytes, dict, list, None, a generator or (body, status, headers)"

Headers = list[tuple[str, str]]
"""Names in lower case, in the order in which they are sent."""

TEXT: Headers = [("content-type", "text/plain; charset=utf-8")]
_JSON: Headers = [("content-type", "application/json")]
_BINARY: Headers = [("content-type", "application/octet-stream")]
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 5.1
_VALUE = re.compile(r"[\t\x20-\x7e]*")  # RFC 9110 5.5, without what is obsolete there
_SET_BY_THE_SERVER = ("x-request-id", "x-lambda-revision")
_STATUSES_WITHOUT_BODY = (204, 304)


class BadOutput(TypeError):  # noqa: N818 - the name is what the client reads
    """What a lambda returned is no response; the message says which part, and what would be."""


class Reply(NamedTuple):
    """A response: `body` is bytes, or an iterator of chunks that are still to come."""

    status: int
    headers: Headers
    body: bytes | Iterator | AsyncIterator


def to_reply(output: object, method: str) -> Reply:
    """Turn what a lambda returned for a request of that method into a response.

    str is text/plain in UTF-8, bytes application/octet-stream, dict and list application/json, None
    a 204, an iterator a stream; `(body, status, headers)` says the rest, where headers is a mapping
    (of values, or lists of them) or a list of pairs. X-Request-Id and X-Lambda-Revision are left
    out: the server sets them. Raises BadOutput.
    """
    if not isinstance(output, tuple):
        body, headers = _to_body(output)
        return Reply(204 if output is None else 200, headers, body)
    if len(output) != 3:
        raise BadOutput(f"a tuple must be (body, status, headers), not {len(output)} items")
    body, default_headers = _to_body(output[0])
    status = _checked_status(output[1])
    headers = list(_checked_headers(output[2]))
    if not any(name == "content-type" for name, _ in headers):
        headers += default_headers
    if status in _STATUSES_WITHOUT_BODY:
        body = b""
    _check_length(headers, body, status, method)
    return Reply(status, headers, body)


def to_chunk(value: object) -> bytes:
    """Turn one item of a stream into bytes; raises BadOutput when it is neither str nor bytes."""
    if isinstance(value, str):
        return _encode(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    raise BadOutput(f"a stream must yield str or bytes, not {type(value).__name__}")


def stream_headers(headers: Headers, first: object) -> Headers:
    """Return a stream's headers, the content type by its first chunk where they say none."""
    if any(name == "content-type" for name, _ in headers):
        return headers
    return headers + (TEXT if isinstance(first, str) else _BINARY)


def error_reply(
    status: int, error: str, message: str, request_id: str, traceback: str | None = None
) -> Reply:
    """Return the JSON that tells a client what went wrong."""
    fields = {"error": error, "message": message, "requestId": request_id}
    if traceback is not None:
        fields["traceback"] = traceback
    return Reply(status, _JSON, json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace"))


def _to_body(value: object) -> tuple[bytes | Iterator | AsyncIterator, Headers]:
    match value:
        case None:
            return b"", []
        case str():
            return _encode(value), TEXT
        case bytes() | bytearray() | memoryview():
            return bytes(value), _BINARY
        case dict() | list():
            return _to_json(value), _JSON
        case Iterator() | AsyncIterator():
            return value, []
    raise BadOutput(f"the output must be {_OUTPUTS}, not {type(value).__name__}")


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as exc:
        raise BadOutput(f"the output is no valid text: {exc}") from None


def _to_json(value: dict | list) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as exc:
        raise BadOutput(f"the output cannot be turned into JSON: {exc}") from None


def _checked_status(status: object) -> int:
    if isinstance(status, bool) or not isinstance(status, int) or not 200 <= status <= 599:
        raise BadOutput(f"the status must be an integer from 200 to 599, not {status!r}")
    return int(status)


def _checked_headers(headers: object) -> Iterator[tuple[str, str]]:
    for name, value in _header_pairs(headers):
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise BadOutput(f"{name!r} is no header name")
        if name.lower() == "transfer-encoding":
            raise BadOutput("the header Transfer-Encoding is the server's to set: leave it out")
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise BadOutput(f"the value of header {name} must be a str, not {type(value).__name__}")
        text = str(value)
        if not _VALUE.fullmatch(text):
            raise BadOutput(f"the value of header {name} has a character beyond ASCII: {text!r}")
        if name.lower() not in _SET_BY_THE_SERVER:
            yield name.lower(), text


def _header_pairs(headers: object) -> Iterator[tuple[object, object]]:
    if headers is None:
        return
    if isinstance(headers, Mapping):
        for name, value in headers.items():
            for each in value if isinstance(value, list | tuple) else [value]:
                yield name, each
    elif isinstance(headers, list | tuple):
        for pair in headers:
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise BadOutput(f"a list of headers must hold (name, value) pairs, not {pair!r}")
            yield pair[0], pair[1]
    else:
        raise BadOutput(f"headers must be a dict or a list of pairs, not {type(headers).__name__}")


def _check_length(headers: Headers, body: object, status: int, method: str) -> None:
    told = next((value for name, value in headers if name == "content-length"), None)
    if told is None or method == "HEAD" or status == 304 or not isinstance(body, bytes):
        return
    if told != str(len(body)):
        raise BadOutput(f"Content-Length says {told}, but the body has {len(body)} bytes")
