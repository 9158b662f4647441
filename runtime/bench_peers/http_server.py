"""The floor: a script served by the standard library's http.server, a thread for each connection.

    python http_server.py PATH_TO_CODE PORT [keep-alive]

For each request it does what the runtime does: `query_params` in, the compiled script run in a
fresh namespace, `output` out. By itself http.server speaks HTTP/1.0, one request a connection;
`keep-alive` has it speak 1.1, and write each answer at once, for a harder comparison.
"""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit


class Server(ThreadingHTTPServer):
    """Takes bursts of connections, and says nothing of clients that leave."""

    request_queue_size = 1024

    def handle_error(self, *_: object) -> None:
        """Stay quiet."""


def main(path: str, port: str, keep_alive: str = "") -> None:
    """Serve until killed."""
    code = compile(Path(path).read_bytes(), path, "exec")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1" if keep_alive else "HTTP/1.0"
        wbufsize = -1 if keep_alive else 0

        def do_GET(self) -> None:
            namespace = {"query_params": parse_qs(urlsplit(self.path).query)}
            exec(code, namespace)
            body = namespace["output"].encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    Server(("127.0.0.1", int(port)), Handler).serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
