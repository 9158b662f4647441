"""The ceiling: what Granian alone does when the application does nothing.

granian --interface wsgi --workers 1 --port PORT bench_peers/wsgi_constant.py:application
"""

BODY = b"Hello Martin! Your name in reverse is nitraM\n"
HEADERS = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(BODY)))]


def application(environ, start_response):  # noqa: ARG001 - WSGI's signature
    """Answer every request alike."""
    start_response("200 OK", HEADERS)
    return [BODY]
