"""The health port answers by itself, whatever the lambda does."""

import contextlib
import http.client
import os
import re
import socket
import threading
import time
from pathlib import Path

from harness import Launch, Runtime


def test_health_readiness_and_nothing_else(serve: Launch) -> None:
    runtime = serve("output = request.path")
    assert (runtime.health("/healthz").status, runtime.health("/healthz").text()) == (200, "ok\n")
    assert (runtime.health("/readyz").status, runtime.health("/readyz?x=1").text()) == (
        200,
        "ready\n",
    )
    assert runtime.health("/healthz", "HEAD").body == b""
    assert runtime.health("/other").status == 404
    assert runtime.health("/healthz", "POST").status == 405
    assert runtime.request("/healthz").text() == "/healthz"


def test_it_is_alive_but_not_ready_while_the_code_loads(launch: Launch) -> None:
    runtime = launch("import time\ntime.sleep(3600)\ndef handler(r): pass")
    deadline = time.monotonic() + 10
    while runtime.health_port == 0:
        assert time.monotonic() < deadline, "no listening port was found"
        runtime.health_port = _second_listening_port(runtime.process.pid)
    assert runtime.health("/healthz").status == 200
    assert runtime.health("/readyz").status == 503
    assert "lambda_ready 0\n" in runtime.health("/metrics").text()


def _second_listening_port(pid: int) -> int:
    """Return the second port that a process listens on, 0 as long as there is none."""
    listening = {}
    for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A":
            listening[f"socket:[{fields[9]}]"] = int(fields[1].split(":")[1], 16)
    ports = []
    for fd in sorted(map(int, os.listdir(f"/proc/{pid}/fd"))):
        with contextlib.suppress(FileNotFoundError):  # it was closed since
            ports.append(listening.get(os.readlink(f"/proc/{pid}/fd/{fd}")))
    ports = [port for port in ports if port]
    return ports[1] if len(ports) > 1 else 0


def test_it_answers_while_the_lambda_keeps_its_process_busy(serve: Launch) -> None:
    runtime = serve("import re; re.match('(a+)+$', 'a' * 60 + 'b')")
    threading.Thread(target=_ask_in_vain, args=(runtime.port,)).start()
    time.sleep(0.2)
    started = time.monotonic()
    for path in ("/healthz", "/readyz", "/metrics"):
        assert runtime.health(path).status == 200
    assert time.monotonic() - started < 2
    runtime.process.kill()


def _ask_in_vain(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/")
    try:
        connection.getresponse()
    except (http.client.RemoteDisconnected, ConnectionResetError, TimeoutError):
        connection.close()


def test_a_client_that_says_nothing_holds_up_no_other(serve: Launch) -> None:
    runtime = serve("output = 'x'")
    with socket.create_connection(("127.0.0.1", runtime.health_port)) as silent:
        silent.sendall(b"GET /hea")
        assert runtime.health("/healthz").status == 200
        silent.sendall(b"lthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert silent.recv(4096).startswith(b"HTTP/1.1 200 OK\r\n")


def test_metrics_count_requests_by_class_across_reloads(serve: Launch) -> None:
    code = "output = ('x', int(request.path[1:]), {})"
    runtime = serve(code)
    for status in (200, 201, 404, 500):
        runtime.request(f"/{status}")
    assert runtime.reload(code)["event"] == "ready"
    runtime.request("/200")
    assert runtime.reload("(")["event"] == "load-failed"
    assert _eventually_has(runtime, 'duration_seconds_count{status="2xx"} 3')
    metrics = runtime.health("/metrics")
    assert metrics.header("Content-Type").startswith("text/plain; version=0.0.4")
    text = metrics.text()
    assert 'lambda_request_duration_seconds_count{status="4xx"} 1\n' in text
    assert 'lambda_request_duration_seconds_count{status="5xx"} 1\n' in text
    assert re.search(r'duration_seconds_sum\{status="2xx"\} 0\.\d+\n', text)
    assert 'lambda_reloads_total{result="loaded"} 1\n' in text
    assert 'lambda_reloads_total{result="failed"} 1\n' in text
    assert "lambda_ready 1\n" in text


def _eventually_has(runtime: Runtime, line: str) -> bool:
    deadline = time.monotonic() + 10
    while line not in runtime.health("/metrics").text():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True
