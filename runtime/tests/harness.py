"""Runs the runtime as its users do: a process, real sockets, real signals."""

import http.client
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

TIMEOUT_SECONDS = 20

SCRIPT = "output = '{}'"
HANDLER = "def handler(request): return '{}'"
ASYNC = "async def handler(request): return '{}'"


@dataclass
class Answer:
    """An HTTP response, read to its end."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the only value of a header, None when it is absent."""
        values = self.all_headers(name)
        assert len(values) <= 1, f"{name} is there {len(values)} times: {values}"
        return values[0] if values else None

    def all_headers(self, name: str) -> list[str]:
        """Return all values of a header."""
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def text(self) -> str:
        """Return the body as text."""
        return self.body.decode()

    def json(self) -> object:
        """Return the body parsed as JSON."""
        return json.loads(self.body)


@dataclass
class Runtime:
    """A running `python -m lambda_runtime`."""

    process: subprocess.Popen
    code: Path
    stderr_file: Path
    stdout_file: Path
    events_fd: int
    port: int = 0
    health_port: int = 0
    _unread: bytes = b""
    events: list[dict] = field(default_factory=list)

    def next_event(self) -> dict:
        """Return the next lifecycle event; fails when there is none in time."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while b"\n" not in self._unread:
            remaining = max(0, deadline - time.monotonic())
            readable, _, _ = select.select([self.events_fd], [], [], remaining)
            data = os.read(self.events_fd, 65536) if readable else b""
            assert data, f"no event; so far {self.events}; stderr:\n{self.stderr()}"
            self._unread += data
        line, self._unread = self._unread.split(b"\n", 1)
        self.events.append(json.loads(line))
        return self.events[-1]

    def request(
        self,
        path: str = "/",
        method: str = "GET",
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        port: int | None = None,
    ) -> Answer:
        """Send one request on a connection of its own."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", port or self.port, timeout=TIMEOUT_SECONDS
        )
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()

    def health(self, path: str, method: str = "GET") -> Answer:
        """Send one request to the health port."""
        return self.request(path, method, port=self.health_port)

    def reload(self, code: str) -> dict:
        """Save other code, have it loaded, and return the event that tells the outcome."""
        self.code.write_text(code)
        self.process.send_signal(signal.SIGHUP)
        return self.next_event()

    def stop(self) -> int:
        """Ask it to end, and return its exit status."""
        self.process.terminate()
        return self.process.wait(TIMEOUT_SECONDS)

    def stderr(self) -> str:
        """Return what is on stderr so far."""
        return self.stderr_file.read_text()

    def log(self) -> list[dict]:
        """Return the log lines on stderr so far."""
        return [json.loads(line) for line in self.stderr().splitlines() if line.startswith("{")]

    def worker_pids(self) -> list[int]:
        """Return the processes that it started and that are still there."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]


Launch = Callable[..., Runtime]


def launcher(folder: Path) -> Iterator[Launch]:
    started: list[Runtime] = []

    def launch(code: str | bytes, *arguments: str, env: dict[str, str] | None = None) -> Runtime:
        place = folder / f"lambda-{len(started)}"
        place.mkdir()
        path = place / "code.py"
        path.write_bytes(code.encode() if isinstance(code, str) else code)
        read_fd, write_fd = os.pipe()
        ports = ["--port", "0", "--health-port", "0", "--events-fd", str(write_fd)]
        (place / "in").write_text("input that is none of the lambda's business")
        with (
            (place / "in").open() as stdin,
            (place / "out").open("w") as stdout,
            (place / "err").open("w") as stderr,
        ):
            process = subprocess.Popen(
                [sys.executable, "-m", "lambda_runtime", str(path), *ports, *arguments],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env={**os.environ, **(env or {})},
                pass_fds=[write_fd],
            )
        os.close(write_fd)
        runtime = Runtime(process, path, place / "err", place / "out", read_fd)
        started.append(runtime)
        return runtime

    yield launch
    for runtime in started:
        if runtime.process.poll() is None:
            runtime.process.kill()
            runtime.process.wait()
        os.close(runtime.events_fd)


def server(launch: Launch) -> Launch:
    def serve(code: str | bytes, *arguments: str, env: dict[str, str] | None = None) -> Runtime:
        runtime = launch(code, *arguments, env=env)
        ready = runtime.next_event()
        assert ready["event"] == "ready", ready
        runtime.port, runtime.health_port = ready["port"], ready["healthPort"]
        return runtime

    return serve


def _is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int, seconds: float = 10) -> bool:
    """Tell whether a process ends in time; one that only waits to be reaped has ended."""
    deadline = time.monotonic() + seconds
    while _is_there(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
