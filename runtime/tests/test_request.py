"""What a lambda is given: the pure part."""

import random
from urllib.parse import parse_qs

import pytest

from lambda_runtime.request import Headers, parse_query


@pytest.mark.parametrize(
    ("query_string", "expected"),
    [
        ("", {}),
        ("name=Martin", {"name": ["Martin"]}),
        ("a=1&b=2&a=3", {"a": ["1", "3"], "b": ["2"]}),
        ("a=&b&=c&&d==e", {"": ["c"], "d": ["=e"]}),
        ("a+b=%26%3D", {"a b": ["&="]}),
        ("a;b=1", {"a;b": ["1"]}),
        ("n=J%C3%BCrgen%FF", {"n": ["Jürgen\ufffd"]}),
    ],
)
def test_a_query_is_parsed(query_string: str, expected: dict) -> None:
    assert parse_query(query_string) == expected


def test_any_query_is_parsed_as_parse_qs_does() -> None:
    chance = random.Random(7)
    for _ in range(20_000):
        query_string = "".join(chance.choices("ab=&;+%2Fü", k=chance.randrange(12)))
        assert parse_query(query_string) == parse_qs(query_string), query_string


def test_headers_have_no_case_and_join_what_is_repeated() -> None:
    headers = Headers([("a", "1"), ("b", "2"), ("a", "3"), ("cookie", "x=1"), ("cookie", "y=2")])
    assert dict(headers) == {"a": "1, 3", "b": "2", "cookie": "x=1; y=2"}
    assert headers["A"] == "1, 3"
    assert headers.get_all("A") == ["1", "3"]
    assert headers.get("c") is None
    assert headers.get_all("c") == []
    assert "Cookie" in headers
