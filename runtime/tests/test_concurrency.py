"""A lambda that waits does not hold up other requests."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import Launch

TOGETHER = 40
MEETING = {
    "script": f"""
import threading
meeting = threading.__dict__.setdefault('meeting', threading.Barrier({TOGETHER}))
meeting.wait(20)
output = 'met'
""",
    "handler": f"""
import threading
meeting = threading.Barrier({TOGETHER})
def handler(request):
    meeting.wait(20)
    return 'met'
""",
    "handler that may stream": f"""
import threading
meeting = threading.Barrier({TOGETHER})
def handler(request):
    meeting.wait(20)
    yield 'met'
""",
    "async": f"""
import asyncio
arrived = 0
everybody_is_here = asyncio.Event()
async def handler(request):
    global arrived
    arrived += 1
    if arrived % {TOGETHER} == 0:
        everybody_is_here.set()
    await asyncio.wait_for(everybody_is_here.wait(), 20)
    return 'met'
""",
}


@pytest.mark.parametrize("way", MEETING)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_forty_requests_can_wait_for_one_another(serve: Launch, way: str, method: str) -> None:
    runtime = serve(MEETING[way])
    body = b"x" if method == "POST" else None
    with ThreadPoolExecutor(TOGETHER) as clients:
        answers = clients.map(lambda _: runtime.request("/", method, body), range(TOGETHER))
        assert [answer.text() for answer in answers] == ["met"] * TOGETHER
