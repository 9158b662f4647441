"""One request after the other: call the lambda, send what it returned, tell what went wrong.

A lambda that blocks is called on the thread that the request came in on. What needs waiting (a
body, an async handler, a stream) goes to the event loop.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine
from concurrent.futures import Executor
from dataclasses import dataclass, field
from inspect import isawaitable
from time import perf_counter

from .body import BodyTooLargeError, ClientGoneError, read_body
from .failure import describe
from .granian_server import Exchange
from .loading import Lambda
from .log import log
from .metrics import RequestCounter
from .request import Request, request_id
from .response import RawHeaders, Reply, error_reply, to_chunk, to_reply, with_content_type
from .streaming import END, ClientLeftError, close, in_threads, send_chunks


@dataclass
class Service:
    """A loaded lambda and what it takes to serve it.

    `common_headers` are sent with every answer, and may be added to at any time.
    """

    code: Lambda
    path: str
    loop: asyncio.AbstractEventLoop
    executor: Executor
    revision: str | None = None
    debug: bool = False
    counter: RequestCounter = field(default_factory=RequestCounter)
    common_headers: RawHeaders = field(default_factory=list)
    _tasks: set[asyncio.Task] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Have every answer carry the revision."""
        if self.revision:
            self.common_headers.append((b"x-lambda-revision", self.revision.encode("latin-1")))

    def on_request(self, exchange: Exchange) -> None:
        """Answer a request, or see that it is answered; never raises."""
        started = perf_counter()
        scope = exchange.scope
        headers = dict(scope["headers"])
        request = Request(scope, request_id(headers.get(b"x-request-id")))
        has_body = headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers
        if has_body or self.code.is_async:
            self._on_loop(self._answer(exchange, request, started, has_body))
            return
        reply = self._call(request)
        if type(reply) is Reply and type(reply.body) is bytes:
            self._send(exchange, request, reply, started)
        else:
            self._on_loop(self._finish(exchange, request, reply, started))

    def _call(self, request: Request) -> Reply | Awaitable[object]:
        try:
            output = self.code.call(request)
            if type(output) is not str and isawaitable(output):
                return output
            return to_reply(output, request.method)
        except BaseException as exc:  # noqa: BLE001 - SystemExit and the like are a lambda's too
            return self._failed(request, exc)

    async def _answer(
        self, exchange: Exchange, request: Request, started: float, has_body: bool
    ) -> None:
        try:
            if has_body:
                request.body = await read_body(exchange.proto.receive, request.headers)
        except BodyTooLargeError as exc:
            reply = error_reply(413, "BodyTooLarge", str(exc), request.id)
            self._send(exchange, request, reply, started)
            return
        except ClientGoneError:
            exchange.done()
            return
        if self.code.is_async:
            reply = self._call(request)
        else:
            reply = await self.loop.run_in_executor(self.executor, self._call, request)
        await self._finish(exchange, request, reply, started)

    async def _finish(
        self,
        exchange: Exchange,
        request: Request,
        reply: Reply | Awaitable[object],
        started: float,
    ) -> None:
        if type(reply) is not Reply:
            try:
                reply = to_reply(await reply, request.method)
            except BaseException as exc:  # noqa: BLE001
                reply = self._failed(request, exc)
        if type(reply.body) is bytes:
            self._send(exchange, request, reply, started)
        else:
            await self._stream(exchange, request, reply, started)

    async def _stream(
        self, exchange: Exchange, request: Request, reply: Reply, started: float
    ) -> None:
        chunks = reply.body
        if not isinstance(chunks, AsyncIterator):
            chunks = in_threads(chunks, self.executor)
        try:
            first = await anext(chunks, END)
            first_chunk = b"" if first is END else to_chunk(first)
        except BaseException as exc:  # noqa: BLE001
            self._send(exchange, request, self._failed(request, exc), started)
            return
        headers = with_content_type(reply.headers, first)
        exchange.proto.send(self._start(request, reply.status, headers))
        try:
            if request.method == "HEAD":
                await close(chunks)
            await send_chunks(exchange, first_chunk, chunks)
        except ClientLeftError:
            pass
        except BaseException as exc:  # noqa: BLE001
            self._failed(request, exc)
        self.counter.count(reply.status, perf_counter() - started)

    def _send(self, exchange: Exchange, request: Request, reply: Reply, started: float) -> None:
        send = exchange.proto.send
        send(self._start(request, reply.status, reply.headers))
        send({"type": "http.response.body", "body": reply.body})
        self.counter.count(reply.status, perf_counter() - started)

    def _start(self, request: Request, status: int, headers: RawHeaders) -> dict[str, object]:
        own = (b"x-request-id", request.id.encode())
        return {
            "type": "http.response.start",
            "status": status,
            "headers": [*headers, own, *self.common_headers],
        }

    def _failed(self, request: Request, exc: BaseException) -> Reply:
        """Log an exception of the lambda, and make the answer that tells of it."""
        failure = describe(exc, self.path)
        log(
            "error",
            "the lambda failed",
            requestId=request.id,
            revision=self.revision,
            method=request.method,
            path=request.path,
            error=failure.error,
            reason=failure.message,
            traceback=failure.traceback,
        )
        shown = failure.traceback if self.debug else None
        return error_reply(500, failure.error, failure.message, request.id, shown)

    def _on_loop(self, work: Coroutine[object, object, None]) -> None:
        self.loop.call_soon_threadsafe(self._start_task, work)

    def _start_task(self, work: Coroutine[object, object, None]) -> None:
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
