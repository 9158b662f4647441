"""Serves lambdas that answer all at once, which most do: the way that costs least.

A request without a body is answered on the very thread that it comes in on, unless several of those
threads are at work: only one can run Python at a time, so then the lambda blocks, and the call goes
to a larger pool. A body is waited for on the event loop, so that a slow client holds no thread.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from time import perf_counter

from .body import BODY_TOO_LARGE, BodyTooLargeError, ClientGoneError, read_rsgi_body
from .granian_server import RsgiExchange
from .request import Request, request_id
from .response import TEXT, BadOutput, Headers, Reply, error_reply, stream_headers, to_chunk
from .service import Service

RSGI_THREADS = 12
MAX_CALLS_HERE = 4
"""How many of those threads may be held by a lambda that blocks; the others pass requests on."""

MAX_COLLECTED_BYTES = 64 * 1024 * 1024
"""The longest output of an iterator that is collected before it is sent."""


def rsgi_callback(service: Service) -> Callable[[RsgiExchange], None]:
    """Return what answers each request."""
    run = service.code.call
    executor = service.executor
    calls_here = 0
    count = service.counter.count
    common_headers = service.common_headers

    def on_request(exchange: RsgiExchange) -> None:
        nonlocal calls_here
        started = perf_counter()
        scope = exchange.scope
        headers = scope.headers
        request = Request(scope, headers, request_id(headers.get("x-request-id")))
        if "content-length" in headers or "transfer-encoding" in headers:
            service.on_loop(read_and_answer, exchange, request, started)
        elif calls_here >= MAX_CALLS_HERE:
            executor.submit(call_and_send, exchange, request, started)
        else:
            calls_here += 1
            call_and_send(exchange, request, started)
            calls_here -= 1

    def call_and_send(exchange: RsgiExchange, request: Request, started: float) -> None:
        try:
            output = run(request)
            text = output.encode() if type(output) is str else None
        except BaseException as exc:  # noqa: BLE001 - SystemExit and the like are a lambda's too
            send(exchange, request.id, *service.failed(request, exc), started)
            return
        if text is not None:  # the common case, kept short
            send(exchange, request.id, 200, TEXT, text, started)
            return
        reply = service.interpret(request, output)
        if type(reply) is Reply and type(reply.body) is bytes:
            send(exchange, request.id, *reply, started)
        else:
            service.on_loop(collect_and_send, exchange, request, reply, started)

    def send(
        exchange: RsgiExchange,
        request_id: str,
        status: int,
        headers: Headers,
        body: bytes,
        started: float,
    ) -> None:
        headers = [*headers, ("x-request-id", request_id), *common_headers]
        exchange.proto.response_bytes(status, headers, body)
        count(status, perf_counter() - started)

    async def read_and_answer(exchange: RsgiExchange, request: Request, started: float) -> None:
        try:
            request.body = await read_rsgi_body(exchange.proto, request.headers)
        except BodyTooLargeError as exc:
            reply = error_reply(413, BODY_TOO_LARGE, str(exc), request.id)
            send(exchange, request.id, *reply, started)
        except ClientGoneError:
            exchange.done()
        else:
            reply = await service.answer(request)
            await collect_and_send(exchange, request, reply, started)

    async def collect_and_send(
        exchange: RsgiExchange,
        request: Request,
        reply: Reply | Awaitable[object],
        started: float,
    ) -> None:
        reply = await service.finish(request, reply)
        if type(reply.body) is not bytes:
            try:
                reply = await collect(reply)
            except BaseException as exc:  # noqa: BLE001 - the iterator is the lambda's code
                reply = service.failed(request, exc)
        send(exchange, request.id, *reply, started)

    async def collect(reply: Reply) -> Reply:
        if isinstance(reply.body, AsyncIterator):
            chunks = [chunk async for chunk in reply.body]
        else:
            chunks = await service.loop.run_in_executor(service.executor, _take_all, reply.body)
        headers = stream_headers(reply.headers, chunks[0] if chunks else "")
        return Reply(reply.status, headers, b"".join(map(to_chunk, chunks)))

    return on_request


def _take_all(iterator: Iterator[object]) -> list[bytes | str]:
    chunks: list[bytes | str] = []
    size = 0
    for chunk in iterator:
        size += len(to_chunk(chunk))
        if size > MAX_COLLECTED_BYTES:
            raise BadOutput(
                f"an iterator's output over {MAX_COLLECTED_BYTES} bytes must be streamed: "
                "write the handler as a generator, with yield"
            )
        chunks.append(chunk)
    return chunks
