"""Generators stream: as they come, no faster than they are taken, and never cut off in silence."""

import http.client
import socket
import time

import pytest

from harness import Launch, Runtime

HEAD = "import asyncio, time\n"
SYNC = (
    HEAD
    + """
def chunks(request):
    try:
        match request.path:
            case '/words': yield 'a '; yield 'ü '; yield 'c'
            case '/bytes': yield b'\\x00'; yield b'\\xff'
            case '/slow': yield 'first'; time.sleep(1); yield 'second'
            case '/fails': yield 'first'; raise ValueError('half way')
            case '/fails-first': raise ValueError('at once'); yield
            case '/wrong': yield 'first'; yield 3
            case '/forever':
                while True: yield 'x' * 65536
            case '/patient':
                yield 'first'
                while True: time.sleep(0.05); yield 'tick'
    finally:
        print('closed', request.path, flush=True)
def handler(request):
    if request.path == '/typed': return chunks(request), 201, {'Content-Type': 'a/b'}
    return chunks(request)
"""
)
ASYNC = SYNC.replace("def chunks", "async def chunks").replace("time.sleep", "await asyncio.sleep")
WAYS = {
    "sync": SYNC,
    "async function": ASYNC.replace("def handler", "async def handler"),
    "async generator": ASYNC.replace("def handler", "def unused").replace("chunks", "handler"),
}


@pytest.fixture(scope="module", params=WAYS)
def runtime(request: pytest.FixtureRequest, serve_for_module: Launch) -> Runtime:
    return serve_for_module(WAYS[request.param])


def _printed(runtime: Runtime, line: str, seconds: float = 5) -> bool:
    deadline = time.monotonic() + seconds
    while line not in runtime.stdout_file.read_text().splitlines():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_chunks_of_text_come_out_in_order(runtime: Runtime) -> None:
    answer = runtime.request("/words")
    assert answer.text() == "a ü c"
    assert answer.header("Content-Type") == "text/plain; charset=utf-8"
    assert answer.header("Transfer-Encoding") == "chunked"
    assert answer.header("X-Request-Id")


def test_chunks_of_bytes_are_binary(runtime: Runtime) -> None:
    answer = runtime.request("/bytes")
    assert (answer.body, answer.header("Content-Type")) == (b"\0\xff", "application/octet-stream")


def test_a_chunk_is_sent_when_it_comes(runtime: Runtime) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", runtime.port)
    started = time.monotonic()
    connection.request("GET", "/slow")
    response = connection.getresponse()
    assert response.read1() == b"first"
    until_first = time.monotonic() - started
    assert response.read() == b"second"
    assert time.monotonic() - started - until_first > 0.5
    connection.close()


def test_a_stream_that_fails_breaks_off_so_that_the_client_can_tell(runtime: Runtime) -> None:
    with pytest.raises(http.client.IncompleteRead):
        runtime.request("/fails")
    failures = [line for line in runtime.log() if line.get("path") == "/fails"]
    assert [line["reason"] for line in failures] == ["half way"]
    assert runtime.request("/words").status == 200


def test_a_chunk_of_another_type_is_such_a_failure(runtime: Runtime) -> None:
    with pytest.raises(http.client.IncompleteRead):
        runtime.request("/wrong")
    assert any("a stream must yield str or bytes, not int" in str(line) for line in runtime.log())


def test_a_stream_that_fails_before_its_first_chunk_is_a_500(runtime: Runtime) -> None:
    answer = runtime.request("/fails-first")
    assert (answer.status, answer.json()["message"]) == (500, "at once")


def test_an_empty_stream_is_an_empty_answer(runtime: Runtime) -> None:
    answer = runtime.request("/empty")
    assert (answer.status, answer.body) == (200, b"")


def test_head_of_a_stream_sends_no_body_and_closes_the_generator(runtime: Runtime) -> None:
    assert runtime.request("/slow", "HEAD").body == b""
    assert _printed(runtime, "closed /slow")


def test_an_endless_stream_waits_for_its_client_and_ends_with_it(runtime: Runtime) -> None:
    client = socket.create_connection(("127.0.0.1", runtime.port))
    client.sendall(b"GET /forever HTTP/1.1\r\nHost: x\r\n\r\n")
    assert client.recv(4096).startswith(b"HTTP/1.1 200")
    assert not _printed(runtime, "closed /forever", seconds=0.5)
    client.close()
    assert _printed(runtime, "closed /forever")


def test_a_stream_that_has_nothing_to_say_ends_with_its_client(runtime: Runtime) -> None:
    client = socket.create_connection(("127.0.0.1", runtime.port))
    client.sendall(b"GET /patient HTTP/1.1\r\nHost: x\r\n\r\n")
    assert client.recv(4096).startswith(b"HTTP/1.1 200")
    client.close()
    assert _printed(runtime, "closed /patient")


def test_status_and_headers_may_go_with_a_stream(serve: Launch) -> None:
    runtime = serve("def handler(r): return (c for c in 'ab'), 201, {'Content-Type': 'a/b'}")
    answer = runtime.request()
    assert (answer.status, answer.header("Content-Type"), answer.text()) == (201, "a/b", "ab")


def test_an_iterator_from_elsewhere_is_collected(serve: Launch) -> None:
    code = """
def handler(request):
    if request.path == '/fails': return map(int, ['x'])
    return map(str, range(3))
"""
    runtime = serve(code)
    answer = runtime.request()
    assert (answer.text(), answer.header("Content-Length")) == ("012", "3")
    assert runtime.request("/fails").json()["error"] == "ValueError"
