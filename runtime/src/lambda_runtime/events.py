"""Lifecycle events: how a parent process learns what the runtime is doing.

A parent passes the write end of a pipe or of a socket pair and says `--events-fd N`; each event is
one JSON object on a line of its own there. Nothing else is ever written to it, and the lambda
cannot reach it: stdout and stderr stay the lambda's and the log's. When the reader goes away, the
runtime stops, as on SIGTERM. Without `--events-fd` the events go to the log on stderr.

    {"event": "ready", "reload": false, "host": "127.0.0.1", "port": 8080, "healthPort": 8081,
     "style": "script"}
        The code is loaded and served; from here on no new connection is answered by older code.
        `reload` tells whether this is the outcome of a SIGHUP. `style` is "script" or "handler".

    {"event": "load-failed", "reload": false, "error": "SyntaxError", "message": "invalid syntax",
     "line": 3, "column": 7, "traceback": "..."}
        The code does not load. `line` and `column` count from 1 and are null where unknown. When
        `reload` is false the process ends with status 1, else the code loaded last goes on serving.
        The traceback is on stderr as well.

    {"event": "worker-died", "message": "..."}
        The process that ran the lambda ended by itself; this one ends with status 1.

    {"event": "stopping", "reason": "SIGTERM"}
        No new connections are taken; what is under way is answered, then this process ends, with
        status 0.
"""

import json
import os
from collections.abc import Callable

from .log import log

Emit = Callable[..., None]
"""Called as `emit(event, **fields)`."""


def emit_to(events_fd: int | None) -> Emit:
    """Return the function that writes events to that file descriptor, or to the log."""
    return (
        _emit_to_log
        if events_fd is None
        else lambda event, **fields: _write(events_fd, {"event": event, **fields})
    )


def _write(events_fd: int, line: dict[str, object]) -> None:
    data = (json.dumps(line) + "\n").encode()
    try:
        while data:
            data = data[os.write(events_fd, data) :]
    except (BrokenPipeError, BlockingIOError):
        return  # the reader is gone, or will not read: not a reason to stop serving here


def _emit_to_log(event: str, **fields: object) -> None:
    level = "error" if event in ("load-failed", "worker-died") else "info"
    fields.pop("traceback", None)  # on stderr already
    log(level, fields.pop("message", event), event=event, **fields)
