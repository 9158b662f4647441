"""Starting: ready, or the reason why not."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from harness import HANDLER, SCRIPT, Launch


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
