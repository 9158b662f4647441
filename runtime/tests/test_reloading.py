"""Loading again, on SIGHUP: no request fails, and bad code changes nothing."""

import http.client
import signal
import threading
import time

import pytest

from harness import ASYNC, HANDLER, SCRIPT, Launch


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
