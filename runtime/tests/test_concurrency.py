"""A lambda that waits does not hold up other requests."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import Launch

WAITING = {
    "script": "import time; time.sleep(0.5); output = 'x'",
    "handler": "import time\ndef handler(request): time.sleep(0.5); return 'x'",
    "async": "import asyncio\nasync def handler(request): await asyncio.sleep(0.5); return 'x'",
}


@pytest.mark.parametrize("way", WAITING)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_forty_requests_that_wait_wait_together(serve: Launch, way: str, method: str) -> None:
    runtime = serve(WAITING[way])
    body = b"x" if method == "POST" else None
    with ThreadPoolExecutor(40) as clients:
        started = time.monotonic()
        answers = list(clients.map(lambda _: runtime.request("/", method, body), range(40)))
        seconds = time.monotonic() - started
    assert [answer.text() for answer in answers] == ["x"] * 40
    assert seconds < 40 * 0.5 / 4, f"{seconds:.1f} s: they waited one after the other"
