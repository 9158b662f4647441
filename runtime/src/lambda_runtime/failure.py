"""Exceptions of a lambda, told in its own terms: its frames only, with line, column and caret."""

import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

TERMINATION_MESSAGE_BYTES = 4096
"""What the kubelet reads of a termination message file at most.

https://kubernetes.io/docs/tasks/debug/debug-application/determine-reason-pod-failure/
"""

_MAX_LINE_CHARS = 500


@dataclass(frozen=True)
class Failure:
    """An exception as data; `line` and `column` count from 1 and are None where unknown."""

    error: str
    message: str
    line: int | None
    column: int | None
    traceback: str

    def as_dict(self) -> dict[str, object]:
        """Return the fields as they go into an event."""
        return asdict(self)


def describe(exc: BaseException, path: str) -> Failure:
    """Describe `exc` by the frames from the first one in the code at `path` onwards."""
    told = traceback.TracebackException(type(exc), exc, _user_frames(exc.__traceback__, path))
    if isinstance(exc, SyntaxError):
        message, line, column = exc.msg, exc.lineno, exc.offset
    else:
        message = _text(exc)
        own = [frame for frame in told.stack if frame.filename == path]
        line = own[-1].lineno if own else None
        column = own[-1].colno + 1 if own and own[-1].colno is not None else None
    return Failure(type(exc).__name__, message, line, column, "".join(told.format()))


def write_termination_message(path: str, text: str) -> None:
    """Write the most telling part of `text` to the file at `path`, if there is such a file.

    Long lines are cut at their end and the rest at its start: a traceback says what went wrong
    last.
    """
    if not Path(path).is_file():
        return
    lines = (_shorten(line) for line in text.strip("\n").splitlines())
    tail = "\n".join(lines).encode("utf-8", "replace")[-TERMINATION_MESSAGE_BYTES:]
    try:
        Path(path).write_bytes(tail.decode("utf-8", "ignore").encode())
    except OSError:
        return


def _user_frames(tb: TracebackType | None, path: str) -> TracebackType | None:
    while tb is not None and tb.tb_frame.f_code.co_filename != path:
        tb = tb.tb_next
    return tb


def _text(exc: BaseException) -> str:
    try:
        return str(exc)
    except Exception:  # noqa: BLE001 - an exception's __str__ is a lambda's code too
        return "<the exception cannot be shown: its __str__ failed>"


def _shorten(line: str) -> str:
    return line if len(line) <= _MAX_LINE_CHARS else line[:_MAX_LINE_CHARS] + "…"
