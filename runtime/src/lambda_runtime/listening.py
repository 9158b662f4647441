"""Sockets to listen on."""

import socket

BACKLOG = 1024


def listen(host: str, port: int) -> socket.socket:
    """Bind and listen; port 0 is any free one, `::` takes IPv4 too where the system can.

    Raises OSError, which names the address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    is_dual = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server(
        (host, port), family=family, backlog=BACKLOG, dualstack_ipv6=is_dual
    )
