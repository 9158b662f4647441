"""What goes wrong in a lambda while it answers: a 500 that tells, a line of log, and it goes on."""

import pytest

from harness import Launch, Runtime

FAILING = """
import sys
class Unspeakable(Exception):
    def __str__(self): raise RuntimeError
def fail(request):
    match request.path:
        case '/error': raise ValueError('the reason: "ü"')
        case '/cause':
            try: 1 / 0
            except ZeroDivisionError as exc: raise KeyError('k') from exc
        case '/exit': sys.exit(3)
        case '/interrupt': raise KeyboardInterrupt
        case '/generator-exit': raise GeneratorExit
        case '/stop': raise StopIteration
        case '/unspeakable': raise Unspeakable
        case '/recursion': return fail(request)
        case '/set': return {1, 2}
        case '/number': return 42
        case '/status': return 'x', 1000, {}
        case '/header': return 'x', 200, {'X-A': 'a\\nb'}
        case '/json': return request.json()
    return 'fine'
"""
WAYS = {
    "script": FAILING + "output = fail(request)",
    "handler": FAILING + "def handler(request): return fail(request)",
    "async handler": FAILING + "async def handler(request): return fail(request)",
    "handler that may stream": FAILING
    + "def handler(request): return fail(request)\ndef unused():\n    yield",
}
CASES = {
    "/error": ("ValueError", 'the reason: "ü"'),
    "/cause": ("KeyError", "'k'"),
    "/exit": ("SystemExit", "3"),
    "/interrupt": ("KeyboardInterrupt", ""),
    "/generator-exit": ("GeneratorExit", ""),
    "/unspeakable": ("Unspeakable", "<the exception cannot be shown: its __str__ failed>"),
    "/set": ("BadOutput", "the output must be str, bytes"),
    "/number": ("BadOutput", "not int"),
    "/status": ("BadOutput", "not 1000"),
    "/header": ("BadOutput", "the value of header X-A has a character"),
    "/json": ("JSONDecodeError", "Expecting value"),
    "/recursion": ("RecursionError", "maximum recursion depth exceeded"),
}


@pytest.fixture(scope="module", params=WAYS)
def runtime(request: pytest.FixtureRequest, serve_for_module: Launch) -> Runtime:
    return serve_for_module(WAYS[request.param], env={"LAMBDA_REVISION": "r7"})


@pytest.mark.parametrize("path", CASES)
def test_an_exception_is_a_500_that_tells_type_message_and_id(runtime: Runtime, path: str) -> None:
    error, message = CASES[path]
    answer = runtime.request(path)
    told = answer.json()
    assert (answer.status, answer.header("Content-Type")) == (500, "application/json")
    assert set(told) == {"error", "message", "requestId"}
    assert told["error"] == error
    assert message in told["message"]
    assert told["requestId"] == answer.header("X-Request-Id")
    assert answer.header("X-Lambda-Revision") == "r7"
    assert runtime.request().text() == "fine"


def test_stop_iteration_is_a_500_too(runtime: Runtime) -> None:
    assert runtime.request("/stop").status == 500


def test_the_log_has_one_line_with_the_traceback_in_the_lambdas_own_frames(
    runtime: Runtime,
) -> None:
    answer = runtime.request("/error?x=1", headers={"X-Request-Id": "find-me"})
    assert answer.header("X-Request-Id") == "find-me"
    (line,) = [line for line in runtime.log() if line.get("requestId") == "find-me"]
    assert (line["level"], line["revision"], line["path"]) == ("error", "r7", "/error")
    assert (line["error"], line["reason"]) == ("ValueError", 'the reason: "ü"')
    traceback = line["traceback"]
    assert traceback.startswith("Traceback (most recent call last):\n")
    assert "case '/error': raise ValueError" in traceback
    assert f'File "{runtime.code}", line 7, in fail' in traceback
    assert traceback.endswith('ValueError: the reason: "ü"\n')
    assert "lambda_runtime" not in traceback.replace(str(runtime.code), "")


def test_the_cause_of_an_exception_is_in_the_log(runtime: Runtime) -> None:
    request_id = runtime.request("/cause").header("X-Request-Id")
    (line,) = [line for line in runtime.log() if line.get("requestId") == request_id]
    assert "ZeroDivisionError: division by zero" in line["traceback"]
    assert "direct cause" in line["traceback"]


def test_debug_puts_the_traceback_in_the_answer(serve: Launch) -> None:
    told = serve("1 / 0", "--debug").request().json()
    assert told["error"] == "ZeroDivisionError"
    assert told["traceback"].endswith("~~^~~\nZeroDivisionError: division by zero\n")


def test_an_answer_of_a_plain_function_that_awaits_is_awaited(serve: Launch) -> None:
    code = """
async def work(request): return 'awaited ' + request.path
def handler(request): return work(request)
"""
    assert serve(code).request("/x").text() == "awaited /x"


def test_without_failures_there_is_no_log(serve: Launch) -> None:
    runtime = serve("output = 'x'")
    for _ in range(3):
        runtime.request()
    runtime.stop()
    assert runtime.stderr() == ""
