"""Streams: a generator's chunks go out as they come, no faster than the client takes them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Executor

from .granian_server import AsgiChannel
from .response import to_chunk

END = object()


class ClientLeftError(Exception):
    """The client closed the connection before the stream ended."""


async def in_threads(iterator: Iterator[object], executor: Executor) -> AsyncIterator[object]:
    """Iterate on the executor's threads, one step at a time, and close the iterator in the end."""
    loop = asyncio.get_running_loop()
    step: asyncio.Future[object] | None = None
    try:
        while True:
            step = loop.run_in_executor(executor, next, iterator, END)
            item = await asyncio.shield(step)
            if item is END:
                return
            yield item
    finally:
        if step is not None and not step.done():
            await asyncio.wait([step])
        if hasattr(iterator, "close"):
            await loop.run_in_executor(executor, iterator.close)


async def send_chunks(channel: AsgiChannel, first: bytes, rest: AsyncIterator[object]) -> None:
    """Send the chunks; the response is started already.

    Raises ClientLeftError, and whatever `rest` raises: the response is unfinished then.
    """
    send = channel.send
    sending = asyncio.current_task()
    gone = asyncio.ensure_future(_client_gone(channel))

    def stop(_: object) -> None:
        sending.cancel()

    gone.add_done_callback(stop)
    try:
        await send({"type": "http.response.body", "body": first, "more_body": True})
        async for chunk in rest:
            body = to_chunk(chunk)
            await send({"type": "http.response.body", "body": body, "more_body": True})
            await asyncio.sleep(0)  # to a client that left, sending never waits
        gone.remove_done_callback(stop)
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    except asyncio.CancelledError:
        if not gone.done():
            raise
        sending.uncancel()
        raise ClientLeftError from None
    finally:
        gone.remove_done_callback(stop)
        gone.cancel()
        await close(rest)


async def close(chunks: AsyncIterator[object]) -> None:
    """Let an async generator run its `finally`."""
    if hasattr(chunks, "aclose"):
        await chunks.aclose()


async def _client_gone(channel: AsgiChannel) -> None:
    while (await channel.receive())["type"] != "http.disconnect":
        pass
