"""The process that runs the lambda: loads the code, serves it, and drains when it is told to.

Started by the supervisor with a listening socket and one end of a channel. It says, on the channel:

    {"loaded": style}       served from now on
    {"failed": {...}}       the code does not load; fields of `failure.Failure`
    {"handedOver": true}    takes no more new connections
    {"counts": {...}}       metrics, at most once a second and in the end

and is told:

    {"do": "handOver"}      leave new connections to another worker, then drain and end
    {"do": "stop"}          close the listening socket, drain and end

It never outlives the supervisor.
"""

import asyncio
import atexit
import contextlib
import ctypes
import gc
import os
import signal
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

from .asgi_serving import asgi_callback
from .channel import Channel
from .failure import describe
from .granian_server import serve_asgi, serve_rsgi
from .loading import Lambda, load
from .rsgi_serving import RSGI_THREADS, rsgi_callback
from .service import Service

THREADS = 64
"""How many requests a lambda that blocks works on at a time."""

LINGER_SECONDS = 0.25
"""How long answers say `Connection: close` before connections that are idle are closed.

A client that is about to send on one that is kept alive would otherwise see its request fail."""

COUNTS_INTERVAL_SECONDS = 1.0
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main(arguments: list[str]) -> None:
    """Run a worker: path of the code, two file descriptors, whether to debug."""
    path, listener_fd, channel_fd, debug = arguments
    channel = Channel(socket.socket(fileno=int(channel_fd)))
    _die_with_the_supervisor(channel.socket)
    listener = socket.socket(fileno=int(listener_fd))
    for end in (channel.socket, listener):
        end.set_inheritable(False)
    code = _load(path, channel)
    if code is not None:
        _run(code, listener, channel, debug == "debug")
    _exit()


def _load(path: str, channel: Channel) -> Lambda | None:
    sys.stdout.reconfigure(line_buffering=True)
    sys.argv = [path]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        code = load(path)
    except BaseException as exc:  # noqa: BLE001 - SystemExit and the like are failures to load too
        channel.send(failed=describe(exc, path).as_dict())
        return None
    gc.collect()
    gc.freeze()
    return code


def _run(code: Lambda, listener: socket.socket, channel: Channel, debug: bool) -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    executor = ThreadPoolExecutor(THREADS, thread_name_prefix="lambda")
    revision = os.environ.get("LAMBDA_REVISION")
    service = Service(code, loop, executor, revision, debug)
    listener_fd = listener.fileno()
    if code.is_async or code.streams:
        on_request = asgi_callback(service, code.is_async)
        threads = 1 if code.is_async else THREADS
        end_serving = serve_asgi(listener, loop, on_request, loop.stop, threads)
    else:
        end_serving = serve_rsgi(listener, loop, rsgi_callback(service), loop.stop, RSGI_THREADS)

    def on_message() -> None:
        try:
            for message in channel.receive():
                if message["do"] == "handOver":
                    _stop_accepting(listener_fd)
                    channel.send(handedOver=True)
                service.common_headers.append(("connection", "close"))
                loop.call_later(LINGER_SECONDS, end_serving)
        except EOFError:
            os._exit(1)

    channel.socket.setblocking(False)
    loop.add_reader(channel.socket, on_message)
    _send_counts(loop, service, channel)
    channel.send(loaded=code.style)
    loop.run_forever()
    channel.send(counts=service.counter.counts())


def _send_counts(loop: asyncio.AbstractEventLoop, service: Service, channel: Channel) -> None:
    sent = {}

    def send() -> None:
        nonlocal sent
        counts = service.counter.counts()
        if counts != sent:
            channel.send(counts=counts)
            sent = counts
        loop.call_later(COUNTS_INTERVAL_SECONDS, send)

    send()


def _stop_accepting(listener_fd: int) -> None:
    """Put a socket that nobody connects to in the place of the listening one.

    The listening socket stays open in the other processes, so none of the connections that wait in
    its queue is lost; closing it here by Granian's means would close idle connections too.
    """
    with socket.create_server(("127.0.0.1", 0)) as nobody_connects:
        nobody_connects.setblocking(False)
        os.dup2(nobody_connects.fileno(), listener_fd, inheritable=False)


def _die_with_the_supervisor(to_supervisor: socket.socket) -> None:
    """Have the kernel see to it on Linux; elsewhere the end of the channel does, while serving."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        is_gone = to_supervisor.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        is_gone = False
    if is_gone:
        os._exit(1)


def _exit() -> None:
    """End without waiting for threads that the lambda left behind."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
