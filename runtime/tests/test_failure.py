"""Termination messages: what the kubelet shows of a failure."""

from pathlib import Path

import pytest

from lambda_runtime.failure import TERMINATION_MESSAGE_BYTES, write_termination_message


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "termination-log"
    path.touch()
    return path


def test_a_long_traceback_keeps_its_end(log: Path) -> None:
    write_termination_message(str(log), "Traceback\n" + "  é\n" * 5000 + "ValueError: the reason\n")
    message = log.read_bytes()
    assert message.endswith(b"ValueError: the reason")
    assert TERMINATION_MESSAGE_BYTES - 3 <= len(message) <= TERMINATION_MESSAGE_BYTES
    message.decode()


def test_a_long_last_line_keeps_its_start(log: Path) -> None:
    write_termination_message(str(log), "Traceback\nValueError: " + "x" * 100_000)
    message = log.read_text()
    assert message.startswith("Traceback\nValueError: xxx")
    assert message.endswith("…")


def test_no_file_is_made_where_there_is_none(tmp_path: Path) -> None:
    write_termination_message(str(tmp_path / "absent"), "text")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_its_place_is_left_alone(tmp_path: Path) -> None:
    write_termination_message(str(tmp_path), "text")
    assert tmp_path.is_dir()
