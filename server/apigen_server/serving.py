"""Run uvicorn with the additions of a webhook server: one write per response, limits for request heads, a bounded shutdown."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
import ssl
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .asgi import LARGE, App

log = logging.getLogger(__name__)

HEAD_BYTES = 64 << 10
FIRST_REQUEST_SECONDS = 1.0
"""Seconds that a stopping server waits for the first request of a new connection, which clients would not retry."""
IDLE_SECONDS = 120
"""Seconds that an idle connection is kept: longer than in Go's clients (90 s), so that they never reuse a closed one."""


class CannotListenError(Exception):
    """The address of a server cannot be listened on, such as one that another process has."""


class _JoiningTransport:
    """A transport that sends a response in one piece, except for large parts.

    uvicorn writes the head and the body of a response separately: two TLS records and two packets. With a client that
    delays its acknowledgements, that costs 40 ms. `flush` sends what was written, at the end of a response, or else in
    the next turn of the event loop.
    """

    __slots__ = ("_flush_handle", "_loop", "_parts", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._parts: list[bytes] = []
        self._flush_handle: asyncio.Handle | None = None

    def write(self, data: bytes) -> None:
        self._parts.append(data)
        if len(data) >= LARGE:
            self.flush()
        elif self._flush_handle is None:
            self._flush_handle = self._loop.call_soon(self.flush)

    def flush(self) -> None:
        if self._flush_handle is not None:
            self._flush_handle.cancel()
            self._flush_handle = None
        if self._parts:
            parts, self._parts = self._parts, []
            self._transport.write(b"".join(parts))

    def close(self) -> None:
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class _ReadIntoBuffer(asyncio.BufferedProtocol):
    """Reads from connections into one buffer, and passes the bytes to a protocol.

    Otherwise uvloop allocates 256 KiB for each read from a TLS connection: a sixth of the CPU time of a small review.
    The buffer can be shared, because an event loop fills it and calls `buffer_updated` without running anything between.
    """

    _buffer = memoryview(bytearray(LARGE))

    def __init__(self, protocol: asyncio.Protocol) -> None:
        self._protocol = protocol

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._protocol.data_received(bytes(self._buffer[:nbytes]))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._protocol.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._protocol.connection_lost(exc)

    def eof_received(self) -> bool | None:
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()


class BoundedProtocol(HttpToolsProtocol):
    """HTTP/1.1 with limits of size and time on the head of a request, and responses that are sent in one piece.

    A client that does not take a response within `response_seconds` is disconnected.
    """

    head_seconds = 10.0
    response_seconds = 30.0
    _joining: _JoiningTransport
    _head_timer: asyncio.TimerHandle | None = None
    _response_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _is_used = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._joining = _JoiningTransport(transport, self.loop)
        super().connection_made(self._joining)  # type: ignore[arg-type]
        self.transport.set_write_buffer_limits(high=LARGE)
        self._expect_head()

    def _expect_head(self) -> None:
        if self._head_timer is None:
            problem = "no complete request head arrived in time"
            self._head_timer = self.loop.call_later(self.head_seconds, self._give_up, problem)

    def _give_up(self, problem: str) -> None:
        log.info(problem, extra={"client": self.client})
        self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._response_timer is None:
            problem = "the client did not take the response in time"
            self._response_timer = self.loop.call_later(self.response_seconds, self._give_up, problem)

    def on_response_complete(self) -> None:
        self._joining.flush()
        self._response_taken()
        super().on_response_complete()

    def _response_taken(self) -> None:
        if self._response_timer is not None:
            self._response_timer.cancel()
            self._response_timer = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_timer is None:
            self._head_bytes = 0
            return
        self._head_bytes += len(data)
        if self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
            log.warning("request head too large", extra={"client": self.client})
            self.send_400_response("Request head too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_head()

    def on_headers_complete(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
        self._is_used = True
        super().on_headers_complete()

    def shutdown(self) -> None:
        """Close the connection if it is idle, or else after the response; a client of a new one may be sending its first request."""
        if self._is_used:
            super().shutdown()
        else:
            self.loop.call_later(FIRST_REQUEST_SECONDS, super().shutdown)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
        self._response_taken()
        super().connection_lost(exc)


@dataclass(frozen=True)
class Listening:
    """Address, limits and shutdown of a server.

    A TLS handshake, and then the head of a request, must be complete within `head_seconds`; the client must take a response within
    `response_seconds`. There are at most as many `connections` at a time.
    After SIGTERM, the server accepts connections for `stop_delay` more seconds, because clients are informed with a delay;
    running requests then have `stop_grace` seconds to complete. The process always ends with status 0.
    """

    host: str
    port: int
    context: ssl.SSLContext | None
    head_seconds: float
    response_seconds: float
    stop_delay: float
    stop_grace: int
    connections: int


class _BoundedServer(uvicorn.Server):
    """A server that accepts connections for `delay` seconds more after SIGTERM or SIGINT; a second signal ends that."""

    def __init__(self, config: uvicorn.Config, listening: Listening, on_stop: Callable[[], None]) -> None:
        super().__init__(config)
        self._listening = listening
        self._on_stop = on_stop
        self._stops_at: float | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; uvicorn's own method gives a client 60 seconds for a TLS handshake. Raises CannotListenError."""
        config, listening = self.config, self._listening

        def protocol() -> asyncio.BufferedProtocol:
            http = config.http_protocol_class(config=config, server_state=self.server_state, app_state={})  # type: ignore[call-arg]
            return _ReadIntoBuffer(http)

        try:
            server = await asyncio.get_running_loop().create_server(
                protocol,
                listening.host,
                listening.port,
                ssl=config.ssl,
                ssl_handshake_timeout=None if config.ssl is None else listening.head_seconds,
                backlog=config.backlog,
            )
        except OSError as error:
            raise CannotListenError(f"{listening.host}:{listening.port}: {error.strerror}") from None
        self.servers = [server]
        self.started = True
        for each in server.sockets:
            host, port = each.getsockname()[:2]
            log.info("listening", extra={"address": f"{host}:{port}"})

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._stops_at is not None:
            self.should_exit = self.force_exit = True
            return
        self._stops_at = time.monotonic() + self._listening.stop_delay
        self._on_stop()

    async def on_tick(self, counter: int) -> bool:
        if self._stops_at is not None and time.monotonic() >= self._stops_at:
            self.should_exit = True
        return await super().on_tick(counter)


def serve(
    app: App, listening: Listening, *, on_stop: Callable[[], None], background: Coroutine[Any, Any, None] | None = None
) -> None:
    """Serve an application until a signal ends it. `background` runs as long; `on_stop` is called at the first signal.

    Raises CannotListenError.
    """
    _allow_open_files(2 * listening.connections + 64)
    context = listening.context
    config = uvicorn.Config(
        app,
        http=type(
            "Protocol",
            (BoundedProtocol,),
            {"head_seconds": listening.head_seconds, "response_seconds": listening.response_seconds},
        ),
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=listening.connections + 1,  # uvicorn rejects at the limit, and counts the connection itself
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=listening.stop_grace,
        ssl_context_factory=None if context is None else lambda _config, _default: context,
    )
    server = _BoundedServer(config, listening, on_stop)

    async def main() -> None:
        task = None if background is None else asyncio.ensure_future(background)
        try:
            await server.serve()
        finally:
            if task is not None:
                task.cancel()

    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(main())


def _allow_open_files(count: int) -> None:
    """Raise the soft limit of open files, which is 1,024 in many containers, as far as the hard limit permits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
