"""The part of ASGI that the servers use: types, a response in one piece, a request body within limits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class RequestError(Exception):
    """A request that is answered with an HTTP error status."""

    def __init__(self, status: int, problem: str) -> None:
        super().__init__(problem)
        self.status = status
        self.problem = problem


class ClientGoneError(Exception):
    """The client closed the connection before it had sent the whole request."""


async def read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """Return the body of a request.

    Raises RequestError for a body of more than `limit` bytes, and ClientGoneError if the client closes the connection.
    """
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    parts: list[bytes] = []
    received = 0
    while max(received, int(length)) <= limit:  # the HTTP parser has checked that the length is a number
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        parts.append(message.get("body", b""))
        received += len(parts[-1])
        if not message.get("more_body") and received <= limit:
            return b"".join(parts)
    raise RequestError(413, f"the request body has more than {limit} bytes")


async def respond(send: Send, status: int, body: bytes, media_type: bytes, *, close: bool = False) -> None:
    """Send a whole response; with `close`, the server closes the connection after it."""
    headers = [(b"content-type", media_type), (b"content-length", b"%d" % len(body))]
    if close:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
