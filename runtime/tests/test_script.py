"""Scripts: `query_params` in, `output` out."""

import pytest

from harness import Launch

HELLO = """\
name = query_params.get('name', ['World'])[0]
output = f"Hello {name}! Your name in reverse is {name[::-1]}\\n"
"""


def test_the_script_of_the_readme_greets(serve: Launch) -> None:
    runtime = serve(HELLO)
    assert runtime.events[0]["style"] == "script"
    answer = runtime.request("/?name=Martin")
    assert (answer.status, answer.text()) == (200, "Hello Martin! Your name in reverse is nitraM\n")
    assert answer.header("Content-Type") == "text/plain; charset=utf-8"
    assert runtime.request("/").text().startswith("Hello World!")
    assert runtime.request("/?name=J%C3%BCrgen+%F0%9F%90%8D").text().startswith("Hello Jürgen 🐍!")
    assert runtime.request("/?name=a&name=b&empty=").text().startswith("Hello a!")


@pytest.mark.parametrize("code", ["", "pass", "output = ''", "output = None", "output = b''"])
def test_an_empty_output_is_said_to_be_empty(serve: Launch, code: str) -> None:
    answer = serve(code).request()
    assert (answer.status, answer.text()) == (200, "Lambda output was empty")


def test_a_script_is_not_run_when_it_is_loaded(serve: Launch) -> None:
    runtime = serve("print('ran')\noutput = 'x'")
    assert runtime.stdout_file.read_text() == ""
    runtime.request()
    assert runtime.stdout_file.read_text() == "ran\n"


def test_each_request_has_a_namespace_of_its_own(serve: Launch) -> None:
    runtime = serve("output = str('seen' in globals())\nseen = True")
    assert [runtime.request().text() for _ in range(3)] == ["False"] * 3


def test_a_script_sees_the_request_its_file_and_its_name(serve: Launch) -> None:
    runtime = serve("output = [request.method, request.text(), __name__, __file__]")
    answer = runtime.request("/", "PUT", b"body")
    assert answer.json() == ["PUT", "body", "__main__", str(runtime.code)]


def test_output_may_say_status_and_headers(serve: Launch) -> None:
    answer = serve("output = ('moved', 302, {'Location': '/there'})").request()
    assert (answer.status, answer.header("Location"), answer.text()) == (302, "/there", "moved")


def test_functions_and_classes_of_a_script_see_its_globals(serve: Launch) -> None:
    code = """
from dataclasses import dataclass
PREFIX = 'p-'
@dataclass
class Thing:
    name: str
def label(thing): return PREFIX + thing.name
output = label(Thing('x'))
"""
    assert serve(code).request().text() == "p-x"


def test_output_may_be_a_stream(serve: Launch) -> None:
    answer = serve("output = (str(n) for n in range(3))").request()
    assert answer.header("Transfer-Encoding") == "chunked"
    assert answer.text() == "012"
