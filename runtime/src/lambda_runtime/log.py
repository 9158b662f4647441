"""The log: one JSON object a line, on stderr."""

import json
import sys
from datetime import UTC, datetime


def log(level: str, message: str, **fields: object) -> None:
    """Write one line; fields that are None are left out."""
    line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "level": level}
    line |= {"message": message} | {k: v for k, v in fields.items() if v is not None}
    print(json.dumps(line, ensure_ascii=False), file=sys.__stderr__, flush=True)
