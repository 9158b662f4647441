"""What code is taken for, by its syntax alone."""

import ast

import pytest

from lambda_runtime.loading import defines_handler, makes_generators


@pytest.mark.parametrize(
    "code",
    [
        "def handler(request): pass",
        "async def handler(request): pass",
        "handler = lambda request: 'x'",
        "handler: object = print",
        "from somewhere import handler",
        "from somewhere import answer as handler",
        "if True:\n    def handler(request): pass",
        "try:\n    from a import handler\nexcept ImportError:\n    from b import handler",
        "output = []\ndef handler(request): output.append(1)",
    ],
)
def test_code_whose_top_level_binds_handler_is_a_handler(code: str) -> None:
    assert defines_handler(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        "output = 'hello'",
        "",
        "def f():\n    def handler(request): pass\noutput = 'x'",
        "import logging\nhandler = logging.StreamHandler()\noutput = 'x'",
        "class C:\n    def handler(self): pass",
    ],
)
def test_other_code_is_a_script(code: str) -> None:
    assert not defines_handler(ast.parse(code))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def handler(r):\n    yield 'a'", True),
        ("def handler(r):\n    def inner():\n        yield from 'ab'\n    return inner()", True),
        ("def handler(r): return (c for c in 'ab')", True),
        ("def handler(r): return [c for c in 'ab']", False),
        ("output = 'yield'", False),
    ],
)
def test_code_may_stream_if_it_makes_generators(code: str, expected: bool) -> None:
    assert makes_generators(ast.parse(code)) is expected
