"""A worker, as the supervisor sees it: a process group and a channel."""

import contextlib
import os
import signal
import socket
import sys
from dataclasses import dataclass, field

from .channel import Channel
from .metrics import Counts


@dataclass
class WorkerProcess:
    """A worker that was started.

    `style` is known once it serves, `deadline` (of `time.monotonic`) once it is told to end.
    """

    pid: int
    channel: Channel
    style: str | None = None
    counts: Counts = field(default_factory=dict)
    deadline: float | None = None
    is_handing_over: bool = False


def start(path: str, listener: socket.socket, debug: bool) -> WorkerProcess:
    """Start a worker on the code at `path`, as the leader of a process group of its own."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        for end in (listener, theirs):
            end.set_inheritable(True)
        command = [sys.executable, "-P", "-m", "lambda_runtime.worker", path]
        command += [str(listener.fileno()), str(theirs.fileno()), "debug" if debug else ""]
        no_input = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
        pid = os.posix_spawn(
            sys.executable, command, os.environ, file_actions=no_input, setpgroup=0
        )
    return WorkerProcess(pid, Channel(ours))


def kill(pid: int) -> None:
    """Kill a worker and whatever it started and left in its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def wait(pid: int) -> int:
    """Wait for a worker that was killed, and return its status as `os.waitpid` gives it."""
    try:
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:
        return 0


def tell_end(status: int) -> str:
    """Say how a process ended, by its status as `os.waitpid` gives it."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"ended by itself with status {code}"
    hint = " (out of memory?)" if -code == signal.SIGKILL else ""
    return f"was killed by {signal.Signals(-code).name}{hint}"
