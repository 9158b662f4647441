"""Fixtures that start the runtime."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import Launch, launcher, server


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Launch]:
    """Start the runtime on some code, and kill it when the test is over."""
    yield from launcher(tmp_path)


@pytest.fixture
def serve(launch: Launch) -> Launch:
    """Start the runtime on some code that loads."""
    return server(launch)


@pytest.fixture(scope="module")
def serve_for_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launch]:
    """Start the runtime on some code that loads, for all tests of a file."""
    for launch_ in launcher(tmp_path_factory.mktemp("module")):
        yield server(launch_)
