"""Starting, loading again, ending: events, signals, exit statuses, and nothing left behind."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from harness import Launch, Runtime

HANDLER = "def handler(request): return '{}'"
SCRIPT = "output = '{}'"
ASYNC = "async def handler(request): return '{}'"


def _is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _wait_until_gone(pid: int, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while _is_there(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


# Starting


def test_ready_tells_ports_and_style(launch: Launch) -> None:
    runtime = launch(HANDLER)
    ready = runtime.next_event()
    port, health_port = ready.pop("port"), ready.pop("healthPort")
    assert ready == {"event": "ready", "reload": False, "host": "127.0.0.1", "style": "handler"}
    assert runtime.request(port=port).text() == "{}"
    assert runtime.request("/readyz", port=health_port).status == 200


LOAD_FAILURES = {
    "a syntax error": ("x = 1\nif x\n    pass\n", "SyntaxError", 2, 5, "expected ':'"),
    "a bad indent": ("if True:\npass\n", "IndentationError", 2, 1, "expected an indented block"),
    "an exception": ("def handler(r): pass\nx = 1 + nope\n", "NameError", 2, 9, "'nope'"),
    "a missing module": ("import nope\ndef handler(r): pass", "ModuleNotFoundError", 1, 1, "nope"),
    "an exit": ("import sys\ndef handler(r): pass\nsys.exit(7)", "SystemExit", 3, 1, "7"),
    "no function": ("handler = 3", "TypeError", None, None, "must be a function, not int"),
    "no parameter": ("def handler(): pass", "TypeError", None, None, "must accept one argument"),
    "a bad byte": (b"output = '\xff'", "SyntaxError", None, None, "(unicode error)"),
}


@pytest.mark.parametrize("name", LOAD_FAILURES)
def test_code_that_does_not_load_ends_with_1_and_says_why(
    launch: Launch, tmp_path: Path, name: str
) -> None:
    code, error, line, column, message = LOAD_FAILURES[name]
    termination_log = tmp_path / "termination-log"
    termination_log.write_text("")
    runtime = launch(code, env={"LAMBDA_TERMINATION_LOG": str(termination_log)})
    event = runtime.next_event()
    assert runtime.process.wait() == 1
    assert (event["event"], event["reload"], event["error"]) == ("load-failed", False, error)
    assert message in event["message"]
    if line is not None:
        assert (event["line"], event["column"]) == (line, column)
        assert f'File "{runtime.code}", line {line}' in event["traceback"]
    assert error in event["traceback"].splitlines()[-1]
    assert "lambda_runtime" not in event["traceback"].replace(str(runtime.code), "")
    assert event["traceback"] in runtime.stderr()
    assert termination_log.read_text() == event["traceback"].strip("\n")


def test_a_syntax_error_is_shown_with_a_caret(launch: Launch) -> None:
    runtime = launch("value = (1,\noutput = 'x'\n")
    lines = runtime.next_event()["traceback"].splitlines()
    assert lines[1:3] == ["    value = (1,", "            ^"]


def test_a_file_that_is_not_there_is_such_a_failure(tmp_path: Path) -> None:
    done = _run_to_its_end(str(tmp_path / "absent.py"), "--port", "0", "--health-port", "0")
    assert done.returncode == 1
    assert "FileNotFoundError: [Errno 2] No such file or directory" in done.stderr
    assert "absent.py" in done.stderr


def _run_to_its_end(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "lambda_runtime", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)


def test_a_process_that_dies_while_it_loads_is_such_a_failure(launch: Launch) -> None:
    runtime = launch("import os\ndef handler(r): pass\nos._exit(9)")
    event = runtime.next_event()
    assert (event["event"], event["error"]) == ("load-failed", "ProcessDied")
    assert "ended by itself with status 9 while it loaded the code" in event["message"]
    assert runtime.process.wait() == 1


def test_a_port_that_is_taken_ends_with_2_and_one_line(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text(SCRIPT)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = _run_to_its_end(str(code), "--port", port)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Address already in use" in done.stderr
    assert port in done.stderr


def test_without_events_fd_events_are_in_the_log_and_stdout_is_the_lambdas(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text("def handler(request): pass\nprint('from the lambda')")
    process = subprocess.Popen(
        [sys.executable, "-m", "lambda_runtime", str(code), "--port", "0", "--health-port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert '"event": "ready"' in process.stderr.readline()
    process.terminate()
    out, _ = process.communicate(timeout=20)
    assert out == "from the lambda\n"


def test_the_lambda_has_no_input_and_cannot_reach_the_events(serve: Launch) -> None:
    code = "import os, sys\noutput = [sys.stdin.read(), sorted(os.listdir('/proc/self/fd'))]"
    runtime = serve(code)
    events_fd = runtime.process.args[runtime.process.args.index("--events-fd") + 1]
    target = os.readlink(f"/proc/{runtime.process.pid}/fd/{events_fd}")
    (worker,) = runtime.worker_pids()
    links = [os.readlink(path) for path in Path(f"/proc/{worker}/fd").iterdir()]
    assert runtime.request().json()[0] == ""
    assert target.startswith("pipe:")
    assert target not in links


# Loading again


@pytest.mark.parametrize(
    ("before", "after"),
    [(SCRIPT, SCRIPT), (HANDLER, HANDLER), (ASYNC, ASYNC), (SCRIPT, ASYNC), (ASYNC, HANDLER)],
)
def test_a_reload_fails_no_request_and_ends_the_old_code(
    serve: Launch, before: str, after: str
) -> None:
    runtime = serve(before.format("old"))
    answers: list[str] = []
    failures: list[Exception] = []
    stop = threading.Event()

    def ask_on_new_connections() -> None:
        while not stop.is_set():
            try:
                answers.append(runtime.request().text())
            except (OSError, http.client.HTTPException) as exc:
                failures.append(exc)

    def ask_on_one_connection() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", runtime.port, timeout=20)
        while not stop.is_set():
            try:
                connection.request("POST", "/", b"x")
                answers.append(connection.getresponse().read().decode())
            except (OSError, http.client.HTTPException) as exc:
                failures.append(exc)
        connection.close()

    asking = [ask_on_new_connections, ask_on_one_connection, ask_on_one_connection]
    threads = [threading.Thread(target=ask) for ask in asking]
    for thread in threads:
        thread.start()
    for n in range(3):
        event = runtime.reload(after.format(f"new {n}"))
        assert (event["event"], event["reload"]) == ("ready", True)
        assert runtime.request().text() == f"new {n}"
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert {"old", "new 0", "new 1"} <= set(answers)


def test_after_a_reload_one_worker_is_left(serve: Launch) -> None:
    runtime = serve(SCRIPT)
    (old,) = runtime.worker_pids()
    runtime.reload(HANDLER)
    deadline = time.monotonic() + 10
    while old in (pids := runtime.worker_pids()):
        assert time.monotonic() < deadline, "the old worker is still there"
        time.sleep(0.02)
    assert len(pids) == 1


def test_code_that_does_not_load_leaves_the_last_good_code_serving(serve: Launch) -> None:
    runtime = serve(SCRIPT.format("good"))
    event = runtime.reload("output = (")
    assert (event["event"], event["reload"], event["line"]) == ("load-failed", True, 1)
    assert event["traceback"] in runtime.stderr()
    assert runtime.request().text() == "good"
    assert runtime.health("/readyz").status == 200
    assert runtime.reload(SCRIPT.format("mended"))["event"] == "ready"
    assert runtime.request().text() == "mended"


def test_tracebacks_show_the_code_that_runs_not_what_the_file_holds_now(serve: Launch) -> None:
    runtime = serve("1 / 0  # as loaded", "--debug")
    runtime.code.write_text("something else entirely")
    assert "1 / 0  # as loaded" in runtime.request().json()["traceback"]


def test_a_load_that_takes_long_is_given_up_for_a_newer_one(serve: Launch) -> None:
    runtime = serve(SCRIPT.format("old"))
    runtime.code.write_text("import time\nprint('loading')\ntime.sleep(3600)\ndef handler(r): pass")
    runtime.process.send_signal(signal.SIGHUP)
    deadline = time.monotonic() + 10
    while runtime.stdout_file.read_text() != "loading\n":
        assert time.monotonic() < deadline, "the second worker did not start to load"
        time.sleep(0.01)
    assert runtime.request().text() == "old"
    assert runtime.reload(SCRIPT.format("new"))["event"] == "ready"
    assert runtime.request().text() == "new"


def test_what_is_under_way_when_the_code_changes_is_answered_by_the_old(serve: Launch) -> None:
    runtime = serve("import time; time.sleep(0.7); output = 'old'")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(runtime.request().text()))
    thread.start()
    time.sleep(0.3)
    runtime.reload(SCRIPT.format("new"))
    assert runtime.request().text() == "new"
    thread.join()
    assert answers == ["old"]


# Ending


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
    assert all(_wait_until_gone(pid) for pid in pids)


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
    assert _wait_until_gone(worker)


def test_it_ends_when_the_reader_of_the_events_goes_away(serve: Launch) -> None:
    runtime = serve(SCRIPT)
    replacement = os.open(os.devnull, os.O_RDONLY)
    os.dup2(replacement, runtime.events_fd)
    os.close(replacement)
    assert runtime.process.wait(20) == 0
