"""From what a lambda returns to a response: the pure part."""

import math
from http import HTTPStatus

import pytest

from lambda_runtime.response import BadOutput, to_reply

TEXT = ("content-type", "text/plain; charset=utf-8")
JSON = ("content-type", "application/json")
BINARY = ("content-type", "application/octet-stream")


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("grüße", (200, [TEXT], "grüße".encode())),
        ("", (200, [TEXT], b"")),
        (b"\x00\xff", (200, [BINARY], b"\x00\xff")),
        (bytearray(b"ab"), (200, [BINARY], b"ab")),
        ({"a": "ü"}, (200, [JSON], '{"a": "ü"}'.encode())),
        ([], (200, [JSON], b"[]")),
        (None, (204, [], b"")),
        (("gone", 410, None), (410, [TEXT], b"gone")),
        (("x", HTTPStatus.CREATED, {}), (201, [TEXT], b"x")),
        (
            ("<p>", 200, {"Content-Type": "text/html"}),
            (200, [("content-type", "text/html")], b"<p>"),
        ),
        (("x", 200, {"X-N": 3}), (200, [("x-n", "3"), TEXT], b"x")),
        (("x", 200, {"X-A": ["1", "2"]}), (200, [("x-a", "1"), ("x-a", "2"), TEXT], b"x")),
        (("x", 200, [("X-A", "1"), ("x-a", "2")]), (200, [("x-a", "1"), ("x-a", "2"), TEXT], b"x")),
        (("x", 200, {"X-Request-Id": "mine"}), (200, [TEXT], b"x")),
        (("dropped", 204, {}), (204, [TEXT], b"")),
    ],
)
def test_an_output_becomes_status_headers_and_body(output: object, expected: tuple) -> None:
    assert tuple(to_reply(output, "GET")) == expected


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (42, "the output must be str, bytes, .* not int"),
        (object(), "not object"),
        ({1, 2}, "not set"),
        ({"a": {1}}, "cannot be turned into JSON: Object of type set"),
        ([math.nan], "cannot be turned into JSON"),
        ("\ud800", "no valid text"),
        (("x", 200), r"a tuple must be \(body, status, headers\), not 2 items"),
        (("x", "200", {}), "status must be an integer from 200 to 599, not '200'"),
        (("x", 99, {}), "not 99"),
        (("x", 600, {}), "not 600"),
        (("x", 101, {}), "not 101"),
        (("x", True, {}), "not True"),
        (("x", 200, "X-A: 1"), "headers must be a dict or a list of pairs, not str"),
        (("x", 200, ["X-A"]), r"must hold \(name, value\) pairs, not 'X-A'"),
        (("x", 200, {"X A": "1"}), "'X A' is no header name"),
        (("x", 200, {"": "1"}), "'' is no header name"),
        (("x", 200, {"X-A": "1\r\nX-B: 2"}), r"header X-A has a character .*'1\\r\\nX-B: 2'"),
        (("x", 200, {"X-A": "ü"}), "beyond ASCII"),
        (("x", 200, {"X-A": None}), "header X-A must be a str, not NoneType"),
        (("x", 200, {"Content-Length": "7"}), "Content-Length says 7, but the body has 1 bytes"),
        (("x", 200, {"Transfer-Encoding": "chunked"}), "Transfer-Encoding"),
    ],
)
def test_what_is_no_response_is_refused_with_the_reason(output: object, message: str) -> None:
    with pytest.raises(BadOutput, match=message):
        to_reply(output, "GET")


def test_content_length_may_be_told_for_a_body_that_head_leaves_out() -> None:
    assert to_reply(("", 200, {"Content-Length": "7"}), "HEAD").status == 200
