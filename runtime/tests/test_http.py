"""HTTP, both ways: methods, headers, bodies; the same on every way of serving."""

import http.client
import json
import re
import socket

import pytest

from harness import Launch, Runtime
from lambda_runtime.body import MAX_BODY_BYTES

BODY_OF_HANDLER = """
    match request.path:
        case '/echo':
            return request.body, 200, {'Content-Type': request.headers.get('Content-Type', 'a/b')}
        case '/facts':
            return {
                'method': request.method, 'path': request.path, 'query': request.query,
                'headers': dict(request.headers), 'x': request.headers.get_all('X-Many'),
                'id': request.id, 'size': len(request.body),
            }
        case '/cookies':
            return 'x', 200, [('Set-Cookie', 'a=1'), ('Set-Cookie', 'b=2')]
        case '/json':
            return request.json()
        case '/none':
            return None
        case '/not-modified':
            return 'x', 304, {'ETag': '"1"'}
    return request.path
"""
WAYS = {
    "at once": "def handler(request):" + BODY_OF_HANDLER,
    "async": "async def handler(request):" + BODY_OF_HANDLER,
    "where it may stream": "def handler(request):"
    + BODY_OF_HANDLER
    + "\ndef unused():\n    yield 1\n",
}


@pytest.fixture(scope="module", params=WAYS)
def runtime(request: pytest.FixtureRequest, serve_for_module: Launch) -> Runtime:
    return serve_for_module(WAYS[request.param], env={"LAMBDA_REVISION": "r7"})


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"])
def test_every_method_reaches_the_lambda(runtime: Runtime, method: str) -> None:
    assert runtime.request("/facts", method, b"12345").json()["method"] == method
    assert runtime.request("/facts", method).json()["size"] == 0


def test_path_and_query_are_decoded(runtime: Runtime) -> None:
    assert runtime.request("/a%20b/%C3%BC?x=1").text() == "/a b/ü"
    facts = runtime.request("/facts?a=1&a=2&b=%26&c=").json()
    assert facts["query"] == {"a": ["1", "2"], "b": ["&"]}


def test_a_binary_body_comes_back_as_it_was(runtime: Runtime) -> None:
    body = bytes(range(256)) * 4096
    answer = runtime.request("/echo", "POST", body, {"Content-Type": "image/x"})
    assert (answer.status, answer.header("Content-Type")) == (200, "image/x")
    assert answer.body == body


def test_a_body_that_comes_in_chunks_is_put_together(runtime: Runtime) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", runtime.port)
    connection.request("POST", "/echo", iter([b"ab", b"c" * 100_000]), encode_chunked=True)
    assert connection.getresponse().read() == b"ab" + b"c" * 100_000
    connection.close()


def test_text_of_a_json_body_is_parsed(runtime: Runtime) -> None:
    assert runtime.request("/json", "POST", '{"a": "ü"}'.encode()).json() == {"a": "ü"}


def test_header_names_have_no_case_and_repeated_ones_are_kept(runtime: Runtime) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", runtime.port)
    connection.putrequest("GET", "/facts")
    for name, value in [("X-Many", "1"), ("x-many", "2"), ("Cookie", "a=1"), ("Cookie", "b=2")]:
        connection.putheader(name, value)
    connection.endheaders()
    facts = http.client.HTTPResponse(connection.sock)
    facts.begin()
    told = json.loads(facts.read())
    connection.close()
    assert told["x"] == ["1", "2"]
    assert told["headers"]["x-many"] == "1, 2"
    assert told["headers"]["cookie"] == "a=1; b=2"


def test_repeated_headers_of_an_answer_are_kept(runtime: Runtime) -> None:
    assert runtime.request("/cookies").all_headers("Set-Cookie") == ["a=1", "b=2"]


def test_head_tells_the_length_and_sends_no_body(runtime: Runtime) -> None:
    with socket.create_connection(("127.0.0.1", runtime.port)) as client:
        client.sendall(b"HEAD /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        received = b"".join(iter(lambda: client.recv(4096), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"content-length: 6" in head.lower()
    assert body == b""


@pytest.mark.parametrize(("path", "status"), [("/none", 204), ("/not-modified", 304)])
def test_answers_that_have_no_body_have_none(runtime: Runtime, path: str, status: int) -> None:
    answer = runtime.request(path)
    assert (answer.status, answer.body) == (status, b"")
    assert answer.header("Transfer-Encoding") is None


def test_every_answer_tells_request_id_and_revision(runtime: Runtime) -> None:
    answer = runtime.request("/facts")
    assert answer.header("X-Request-Id") == answer.json()["id"]
    assert answer.header("X-Lambda-Revision") == "r7"
    ids = {runtime.request("/facts").json()["id"] for _ in range(20)}
    assert len(ids) == 20


def test_a_sane_request_id_is_taken_over(runtime: Runtime) -> None:
    answer = runtime.request("/facts", headers={"X-Request-Id": "a1b2-c3:d/4"})
    assert answer.header("X-Request-Id") == answer.json()["id"] == "a1b2-c3:d/4"


@pytest.mark.parametrize("offered", ["", "a b", 'a"}', "x" * 129, "ü"])
def test_another_request_id_is_replaced(runtime: Runtime, offered: str) -> None:
    answer = runtime.request("/facts", headers={"X-Request-Id": offered})
    assert re.fullmatch(r"[0-9a-f]{16}-[0-9]+", answer.header("X-Request-Id"))


def test_a_body_at_the_limit_is_taken_and_one_over_it_is_413(runtime: Runtime) -> None:
    assert runtime.request("/facts", "POST", bytes(MAX_BODY_BYTES)).json()["size"] == MAX_BODY_BYTES
    answer = runtime.request("/facts", "POST", bytes(MAX_BODY_BYTES + 1))
    assert answer.status == 413
    assert answer.json() == {
        "error": "BodyTooLarge",
        "message": f"the request body is larger than {MAX_BODY_BYTES} bytes",
        "requestId": answer.header("X-Request-Id"),
    }
    assert runtime.request("/x").text() == "/x"


def test_a_body_over_the_limit_in_chunks_is_413(runtime: Runtime) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", runtime.port)
    chunks = iter([bytes(1024 * 1024)] * 9)
    connection.request("POST", "/facts", chunks, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_a_client_that_asks_first_is_refused_before_it_sends(runtime: Runtime) -> None:
    with socket.create_connection(("127.0.0.1", runtime.port)) as client:
        client.sendall(
            b"POST /facts HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
            b"Content-Length: 99999999\r\n\r\n"
        )
        assert client.recv(4096).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    "start",
    [
        b"Content-Length: 10\r\n\r\nabc",
        b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ],
)
def test_a_body_that_breaks_off_never_reaches_the_lambda(serve: Launch, start: bytes) -> None:
    runtime = serve("def handler(request): print('called', request.path, flush=True)")
    with socket.create_connection(("127.0.0.1", runtime.port)) as client:
        client.sendall(b"POST /broken HTTP/1.1\r\nHost: x\r\n" + start)
    assert runtime.request("/whole").status == 204
    assert runtime.stop() == 0
    assert runtime.stdout_file.read_text() == "called /whole\n"


def test_one_connection_serves_one_request_after_the_other(runtime: Runtime) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", runtime.port)
    connection.connect()
    first_socket = connection.sock
    for n in range(5):
        connection.request("POST", "/echo", str(n).encode())
        assert connection.getresponse().read() == str(n).encode()
    assert connection.sock is first_socket
    connection.close()


def test_what_is_no_http_is_answered_400(runtime: Runtime) -> None:
    with socket.create_connection(("127.0.0.1", runtime.port)) as client:
        client.sendall(b"nonsense\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 400 ")
