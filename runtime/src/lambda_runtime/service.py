"""A loaded lambda at work: what both ways of serving it have in common."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Executor
from inspect import isawaitable
from typing import Any

from .failure import describe
from .loading import Lambda
from .log import log
from .metrics import RequestCounter
from .request import Request
from .response import Headers, Reply, error_reply, to_reply


class Service:
    """Calls the lambda, and tells what went wrong.

    `common_headers` go out with every answer, and may be added to at any time.
    """

    def __init__(
        self,
        code: Lambda,
        loop: asyncio.AbstractEventLoop,
        executor: Executor,
        revision: str | None = None,
        debug: bool = False,
    ) -> None:
        """Take the lambda, the loop for what awaits, and the threads for what blocks beside it."""
        self.loop = loop
        self.executor = executor
        self.counter = RequestCounter()
        self.common_headers: Headers = [("x-lambda-revision", revision)] if revision else []
        self.code = code
        self._revision = revision
        self._debug = debug
        self._tasks: set[asyncio.Task] = set()

    def call(self, request: Request) -> Reply | Awaitable[object]:
        """Call the lambda; never raises. What awaits is still to be given to `finish`."""
        try:
            output = self.code.call(request)
        except BaseException as exc:  # noqa: BLE001 - SystemExit and the like are a lambda's too
            return self.failed(request, exc)
        return self.interpret(request, output)

    def interpret(self, request: Request, output: object) -> Reply | Awaitable[object]:
        """Turn what the lambda returned into a reply, unless it awaits; never raises."""
        try:
            return output if isawaitable(output) else to_reply(output, request.method)
        except BaseException as exc:  # noqa: BLE001 - an iterator or awaitable may be of its making
            return self.failed(request, exc)

    async def finish(self, request: Request, reply: Reply | Awaitable[object]) -> Reply:
        """Await what `call` returned, if it is to be awaited; never raises."""
        if type(reply) is Reply:
            return reply
        try:
            return to_reply(await reply, request.method)
        except BaseException as exc:  # noqa: BLE001
            return self.failed(request, exc)

    async def answer(self, request: Request) -> Reply:
        """Call the lambda from the event loop, and await its answer; never raises."""
        if self.code.is_async:
            reply = self.call(request)
        else:
            reply = await self.loop.run_in_executor(self.executor, self.call, request)
        return await self.finish(request, reply)

    def failed(self, request: Request, exc: BaseException) -> Reply:
        """Log an exception of the lambda, and make the answer that tells of it."""
        failure = describe(exc, self.code.path)
        log(
            "error",
            "the lambda failed",
            requestId=request.id,
            revision=self._revision,
            method=request.method,
            path=request.path,
            error=failure.error,
            reason=failure.message,
            traceback=failure.traceback,
        )
        shown = failure.traceback if self._debug else None
        return error_reply(500, failure.error, failure.message, request.id, shown)

    def on_loop(self, function: Callable[..., Coroutine[Any, Any, None]], *args: object) -> None:
        """Have the event loop run a coroutine function; from any thread."""
        self.loop.call_soon_threadsafe(self._start, function, args)

    def _start(self, function: Callable[..., Coroutine[Any, Any, None]], args: tuple) -> None:
        task = self.loop.create_task(function(*args))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
