"""The file is bytes: nothing is spliced, stripped or escaped on the way to Python."""

import pytest

from harness import Launch

FILES = {
    "CRLF line ends": (b"a = 'x'\r\nif a:\r\n    output = a\r\n", "x"),
    "tabs": (b"if True:\n\toutput = 'a\tb'\n", "a\tb"),
    "a byte order mark": (b"\xef\xbb\xbfoutput = 'x'\n", "x"),
    "a percent sign": (b"output = '%s %d %%' + '%s' % 1\n", "%s %d %%1"),
    "triple quotes": (b"output = '''a\n\"\"\"b'''\n", 'a\n"""b'),
    "a variable of Kubernetes": (b"output = '$(HOME) $HOME `x`'\n", "$(HOME) $HOME `x`"),
    "a template of Helm": (b"output = '{{ .Values.x }} {x}'\n", "{{ .Values.x }} {x}"),
    "an emoji": ("output = '🐍'\n".encode(), "🐍"),
    "no final newline": (b"output = 'x'", "x"),
    "a backslash": (b"output = 'a\\\\b'\n", "a\\b"),
    "an encoding line": (b"# -*- coding: latin-1 -*-\noutput = '\xfc'\n", "ü"),
    "a future import": (b"from __future__ import annotations\nx: nope = 'x'\noutput = x\n", "x"),
}


@pytest.mark.parametrize("name", FILES)
def test_code_may_have(serve: Launch, name: str) -> None:
    code, expected = FILES[name]
    assert serve(code).request().text() == expected


def test_a_nul_byte_is_refused_and_the_message_says_where(launch: Launch) -> None:
    runtime = launch(b"a = 1\nb = 'x\0y'\n")
    event = runtime.next_event()
    assert event["event"] == "load-failed"
    assert (event["error"], event["line"], event["column"]) == ("SyntaxError", 2, 7)
    assert "the code has a NUL byte" in event["message"]
    assert runtime.process.wait() == 1
