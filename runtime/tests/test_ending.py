"""Ending: what is under way is answered, and no process is left behind."""

import contextlib
import http.client
import os
import signal
import socket
import threading
import time
from pathlib import Path

import pytest

from harness import SCRIPT, Launch, Runtime, wait_until_gone


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_is_under_way_is_answered_before_it_ends_with_0(
    serve: Launch, number: signal.Signals
) -> None:
    runtime = serve("import time; time.sleep(0.7); output = 'late'")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(runtime.request().text()))
    thread.start()
    time.sleep(0.3)
    runtime.process.send_signal(number)
    assert runtime.next_event() == {"event": "stopping", "reason": number.name}
    assert runtime.health("/readyz").status == 503
    thread.join()
    assert answers == ["late"]
    assert runtime.process.wait(20) == 0
    with pytest.raises(ConnectionRefusedError):
        runtime.request()


def test_it_ends_at_once_while_it_loads(launch: Launch) -> None:
    runtime = launch("import time\ntime.sleep(3600)\ndef handler(r): pass")
    while not runtime.worker_pids():
        time.sleep(0.01)
    assert runtime.stop() == 0


def test_an_idle_connection_does_not_hold_it_up(serve: Launch) -> None:
    runtime = serve(SCRIPT)
    with socket.create_connection(("127.0.0.1", runtime.port)) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        client.recv(4096)
        started = time.monotonic()
        assert runtime.stop() == 0
        assert time.monotonic() - started < 10


def test_threads_that_the_lambda_left_behind_do_not_hold_it_up(serve: Launch) -> None:
    code = """
import atexit, threading, time
threading.Thread(target=time.sleep, args=(3600,)).start()
atexit.register(lambda: print('at exit'))
def handler(request): pass
"""
    runtime = serve(code)
    assert runtime.stop() == 0
    assert runtime.stdout_file.read_text() == "at exit\n"


def test_when_the_worker_dies_it_ends_with_1_and_says_so(serve: Launch, tmp_path: Path) -> None:
    termination_log = tmp_path / "termination-log"
    termination_log.write_text("")
    env = {"LAMBDA_TERMINATION_LOG": str(termination_log)}
    runtime = serve("import os; os._exit(5)", env=env)
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        runtime.request()
    event = runtime.next_event()
    message = "the process that ran the lambda ended by itself with status 5"
    assert event == {"event": "worker-died", "message": message}
    assert runtime.process.wait(20) == 1
    assert termination_log.read_text() == message


def test_a_worker_killed_by_the_system_is_told_apart(serve: Launch) -> None:
    runtime = serve(SCRIPT)
    (worker,) = runtime.worker_pids()
    os.kill(worker, signal.SIGKILL)
    assert "was killed by SIGKILL (out of memory?)" in runtime.next_event()["message"]
    assert runtime.process.wait(20) == 1


HOGGING = """
import re
def handler(request): return re.match('(a+)+$', 'a' * 60 + 'b')  # never lets go of the interpreter
"""


def _with_a_child(runtime: Runtime) -> list[int]:
    (worker,) = runtime.worker_pids()
    return [worker, int(runtime.request().text())]


CHILD = """
import subprocess
child = subprocess.Popen(['sleep', '3600'])
def handler(request): return str(child.pid)
"""


def test_no_process_is_left_when_it_ends(serve: Launch) -> None:
    runtime = serve(CHILD)
    pids = _with_a_child(runtime)
    assert runtime.stop() == 0
    assert all(wait_until_gone(pid) for pid in pids)


def test_no_worker_is_left_when_it_is_killed(serve: Launch) -> None:
    runtime = serve(HOGGING)
    (worker,) = runtime.worker_pids()
    with (
        contextlib.suppress(TimeoutError),
        socket.create_connection(("127.0.0.1", runtime.port), timeout=0.2) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        client.recv(1)
    runtime.process.kill()
    runtime.process.wait()
    assert wait_until_gone(worker)


def test_it_ends_when_the_reader_of_the_events_goes_away(serve: Launch) -> None:
    runtime = serve(SCRIPT)
    replacement = os.open(os.devnull, os.O_RDONLY)
    os.dup2(replacement, runtime.events_fd)
    os.close(replacement)
    assert runtime.process.wait(20) == 0
