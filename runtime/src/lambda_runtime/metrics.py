"""Counts of requests, and the text that Prometheus reads.

https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from collections.abc import Iterable, Mapping

Counts = dict[str, list[float]]
"""Status class ("2xx") to [requests, seconds spent on them]."""


class RequestCounter:
    """Counts requests and the time that they took."""

    def __init__(self) -> None:
        """Start at zero."""
        self._requests = [0] * 6
        self._seconds = [0.0] * 6

    def count(self, status: int, seconds: float) -> None:
        """Count one answer; cheap, and safe from any thread.

        There is no lock: between reading and writing back an item of a list CPython does not switch
        threads.
        """
        status_class = status // 100
        self._requests[status_class] += 1
        self._seconds[status_class] += seconds

    def counts(self) -> Counts:
        """Return the totals of the status classes that occurred."""
        pairs = enumerate(zip(self._requests, self._seconds, strict=True))
        return {f"{i}xx": [requests, seconds] for i, (requests, seconds) in pairs if requests}


def add_up(all_counts: Iterable[Counts]) -> Counts:
    """Add the counts of several workers."""
    total: Counts = {}
    for counts in all_counts:
        for status_class, (requests, seconds) in counts.items():
            before = total.get(status_class, [0, 0.0])
            total[status_class] = [before[0] + requests, before[1] + seconds]
    return total


def to_prometheus(counts: Counts, reloads: Mapping[str, int], ready: bool) -> str:
    """Render the metrics page; `reloads` counts them by result."""
    lines = [
        "# HELP lambda_request_duration_seconds Time to answer, by class of status.",
        "# TYPE lambda_request_duration_seconds summary",
    ]
    for status_class, (requests, seconds) in sorted(counts.items()):
        label = f'{{status="{status_class}"}}'
        lines.append(f"lambda_request_duration_seconds_sum{label} {seconds:.6f}")
        lines.append(f"lambda_request_duration_seconds_count{label} {int(requests)}")
    lines += [
        "# HELP lambda_reloads_total Reloads of the code, by result.",
        "# TYPE lambda_reloads_total counter",
    ]
    lines += [f'lambda_reloads_total{{result="{k}"}} {v}' for k, v in sorted(reloads.items())]
    lines += [
        "# HELP lambda_ready Whether the code is loaded and served.",
        "# TYPE lambda_ready gauge",
        f"lambda_ready {int(ready)}",
    ]
    return "\n".join(lines) + "\n"
