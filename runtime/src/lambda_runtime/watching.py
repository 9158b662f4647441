"""What the supervisor's selector watches besides sockets: signals, and the reader of the events.

A key's `data` is called, without arguments, when its file is ready.
"""

import contextlib
import os
import selectors
import signal
import socket
from collections.abc import Callable, Iterable


def watch_signals(
    selector: selectors.BaseSelector,
    numbers: Iterable[signal.Signals],
    on_signals: Callable[[set[int]], None],
) -> None:
    """Call `on_signals` with the signals that came, from the selector's loop."""
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setblocking(False)
    signal.set_wakeup_fd(theirs.detach(), warn_on_full_buffer=False)
    for number in numbers:
        signal.signal(number, lambda *_: None)
    selector.register(ours, selectors.EVENT_READ, lambda: on_signals(set(ours.recv(4096))))


def watch_reader(
    selector: selectors.BaseSelector, write_fd: int, on_gone: Callable[[], None]
) -> None:
    """Call `on_gone` once nobody is left to read from the other end of a pipe or socket pair.

    The descriptor no longer blocks then, and is not passed on to other processes.
    """
    os.set_inheritable(write_fd, False)
    os.set_blocking(write_fd, False)

    def on_ready() -> None:
        if _is_closed(write_fd):
            selector.unregister(write_fd)
            on_gone()

    with contextlib.suppress(PermissionError):  # a plain file has no reader that could leave
        selector.register(write_fd, selectors.EVENT_READ, on_ready)


def _is_closed(write_fd: int) -> bool:
    try:
        return not os.read(write_fd, 4096)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a pipe's write end is only ever ready for reading when the pipe is broken
