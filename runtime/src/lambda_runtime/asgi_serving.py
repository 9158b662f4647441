"""Serves lambdas that await or stream.

An async handler runs on the event loop; a sync one that may stream runs on the thread that the
request comes in on, and its generator, if it returns one, step by step on others.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from time import perf_counter
from typing import Any

from .body import BODY_TOO_LARGE, BodyTooLargeError, ClientGoneError, read_asgi_body
from .granian_server import AsgiExchange
from .request import Request, request_id
from .response import Headers, Reply, error_reply, stream_headers, to_chunk
from .service import Service
from .streaming import END, ClientLeftError, close, in_threads, send_chunks


class _AsgiHeaders:
    """ASGI's headers, as RSGI gives them."""

    def __init__(self, raw: list[tuple[bytes, bytes]]) -> None:
        self._items = [(k.decode("latin-1"), v.decode("latin-1")) for k, v in raw]
        self._first = dict(reversed(self._items))
        self.get = self._first.get

    def __contains__(self, name: str) -> bool:
        return name in self._first

    def items(self) -> list[tuple[str, str]]:
        return self._items


class _AsgiScope:
    """An ASGI scope, as RSGI gives it."""

    def __init__(self, scope: Mapping[str, Any]) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.query_string: str = scope["query_string"].decode("utf-8", "replace")
        self.headers = _AsgiHeaders(scope["headers"])


def asgi_callback(service: Service, is_async: bool) -> Callable[[AsgiExchange], None]:
    """Return what answers each request."""

    def on_request(exchange: AsgiExchange) -> None:
        started = perf_counter()
        scope = _AsgiScope(exchange.scope)
        headers = scope.headers
        request = Request(scope, headers, request_id(headers.get("x-request-id")))
        has_body = "content-length" in headers or "transfer-encoding" in headers
        if is_async or has_body:
            service.on_loop(read_and_answer, exchange, request, started, has_body)
            return
        reply = service.call(request)
        if type(reply) is Reply and type(reply.body) is bytes:
            send(exchange, request, reply, started)
        else:
            service.on_loop(finish_and_send, exchange, request, reply, started)

    async def read_and_answer(
        exchange: AsgiExchange, request: Request, started: float, has_body: bool
    ) -> None:
        try:
            if has_body:
                request.body = await read_asgi_body(exchange.proto, request.headers)
        except BodyTooLargeError as exc:
            reply = error_reply(413, BODY_TOO_LARGE, str(exc), request.id)
            send(exchange, request, reply, started)
        except ClientGoneError:
            exchange.done()
        else:
            reply = await service.answer(request)
            await finish_and_send(exchange, request, reply, started)

    async def finish_and_send(
        exchange: AsgiExchange,
        request: Request,
        reply: Reply | Awaitable[object],
        started: float,
    ) -> None:
        reply = await service.finish(request, reply)
        if type(reply.body) is bytes:
            send(exchange, request, reply, started)
        else:
            await stream(exchange, request, reply, started)

    async def stream(
        exchange: AsgiExchange, request: Request, reply: Reply, started: float
    ) -> None:
        chunks = reply.body
        if not isinstance(chunks, AsyncIterator):
            chunks = in_threads(chunks, service.executor)
        try:
            first = await anext(chunks, END)
            first_chunk = b"" if first is END else to_chunk(first)
        except BaseException as exc:  # noqa: BLE001 - the generator is the lambda's code
            send(exchange, request, service.failed(request, exc), started)
            return
        exchange.proto.send(start(request, reply.status, stream_headers(reply.headers, first)))
        try:
            if request.method == "HEAD":
                await close(chunks)
            await send_chunks(exchange.proto, first_chunk, chunks)
        except ClientLeftError:
            pass
        except BaseException as exc:  # noqa: BLE001
            service.failed(request, exc)
        exchange.done()
        service.counter.count(reply.status, perf_counter() - started)

    def send(exchange: AsgiExchange, request: Request, reply: Reply, started: float) -> None:
        exchange.proto.send(start(request, reply.status, reply.headers))
        exchange.proto.send({"type": "http.response.body", "body": reply.body})
        service.counter.count(reply.status, perf_counter() - started)

    def start(request: Request, status: int, headers: Headers) -> dict[str, Any]:
        headers = [*headers, ("x-request-id", request.id), *service.common_headers]
        raw = [(name.encode(), value.encode()) for name, value in headers]
        return {"type": "http.response.start", "status": status, "headers": raw}

    return on_request
