"""The command line: `python -m lambda_runtime PATH_TO_CODE`.

SIGHUP loads the file again, SIGTERM and SIGINT end. Exit status: 0 when told to end, 1 when the
code does not load or its process dies, 2 when the command line is wrong or a port cannot be had.

Environment: LAMBDA_REVISION goes into the header X-Lambda-Revision of every answer and into the
log; LAMBDA_TERMINATION_LOG is the file that gets the reason when the process ends with status 1.
"""

import argparse
import os
import sys

from .events import emit_to
from .listening import listen
from .supervisor import Settings, Supervisor


def main() -> None:
    """Run the command line, and exit with its status."""
    arguments = _parser().parse_args()
    termination_log = os.environ.get("LAMBDA_TERMINATION_LOG", "/dev/termination-log")
    settings = Settings(arguments.path, arguments.debug, termination_log)
    try:
        listeners = [listen(arguments.host, p) for p in (arguments.port, arguments.health_port)]
    except OSError as exc:
        print(f"lambda_runtime: {exc}", file=sys.stderr)
        sys.exit(2)
    supervisor = Supervisor(settings, *listeners, emit_to(arguments.events_fd))
    sys.exit(supervisor.run(arguments.events_fd))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lambda_runtime", description="Serve one Python lambda over HTTP."
    )
    parser.add_argument("path", help="the file that holds the lambda's code")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=_port, default=8080, help="the lambda's port, 0 for any")
    parser.add_argument(
        "--health-port", type=_port, default=8081, help="/healthz, /readyz, /metrics; 0 for any"
    )
    parser.add_argument("--debug", action="store_true", help="put tracebacks in answers too")
    parser.add_argument(
        "--events-fd", type=int, help="file descriptor to write lifecycle events to (events.py)"
    )
    return parser


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{port} is no port: 0 to 65535")
    return port


if __name__ == "__main__":
    main()
