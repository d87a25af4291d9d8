"""The part of ASGI that the servers use: types, a response in one piece, a request body within limits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGE = 64 << 10
"""Minimum bytes of a body or response that count toward the memory limit of the server."""


class RequestError(Exception):
    """A request that is answered with an HTTP error status."""

    def __init__(self, status: int, problem: str) -> None:
        super().__init__(problem)
        self.status = status
        self.problem = problem


class ClientGoneError(Exception):
    """The client closed the connection before it had sent the whole request."""


class BufferedBytes:
    """The bytes of all request bodies that a server holds, within a limit.

    The first `LARGE` bytes of each do not count, so that small requests are answered while large ones have used up the limit.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.total = 0


class BufferedRequest:
    """The bytes of one request body that count; they are released at the end of a `with` statement."""

    __slots__ = ("_all", "_counted")

    def __init__(self, all_requests: BufferedBytes) -> None:
        self._all = all_requests
        self._counted = 0

    def grow(self, received: int) -> None:
        """Count the bytes that have arrived so far. Raises RequestError if all requests together hold too many."""
        more = received - LARGE - self._counted
        if more > 0:
            self._counted += more
            self._all.total += more
            if self._all.total > self._all.limit:
                raise RequestError(503, f"the server holds {self._all.limit} bytes of other requests; try again")

    def __enter__(self) -> BufferedRequest:
        return self

    def __exit__(self, *error: object) -> None:
        self._all.total -= self._counted


async def read_body(scope: Scope, receive: Receive, limit: int, buffered: BufferedRequest) -> bytes:
    """Return the body of a request, whose bytes are counted in `buffered` as they arrive.

    Raises RequestError for a body of more than `limit` bytes, or if all requests together hold too many, and ClientGoneError
    if the client closes the connection.
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
        buffered.grow(received)
        if not message.get("more_body") and received <= limit:
            return b"".join(parts)
    raise RequestError(413, f"the request body has more than {limit} bytes")


async def respond(send: Send, status: int, body: bytes, media_type: bytes, *, close: bool = False) -> None:
    """Send a whole response; with `close`, the server closes the connection after it.

    Returns when the client has received a large response, except for the part that the transport buffers.
    """
    headers = [(b"content-type", media_type), (b"content-length", b"%d" % len(body))]
    if close:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    start = 0
    while len(body) - start > LARGE:  # before each part, the server waits until the client has taken those before
        await send({"type": "http.response.body", "body": body[start : start + LARGE], "more_body": True})
        start += LARGE
    await send({"type": "http.response.body", "body": body[start:]})
