"""The ASGI application: paths, limits, metrics and logs of the webhooks."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from ..asgi import (
    BufferedBytes,
    BufferedRequest,
    ClientGoneError,
    Receive,
    RequestError,
    Scope,
    Send,
    read_body,
    respond,
)
from ..generated_package import Features, GeneratedPackage
from ..metrics import WebhookMetrics
from .admission import Admission
from .conversion import Conversion
from .reviews import RESULTS, Answer, BadReviewError

log = logging.getLogger(__name__)

JSON = b"application/json"
TEXT = b"text/plain; charset=utf-8"


@dataclass(frozen=True)
class Limits:
    """The limits of a request: the bytes of its body, and the seconds from its first byte to its response.

    `buffered` limits the bytes of all bodies that the server holds at a time.
    """

    body: int = 32 << 20
    buffered: int = 128 << 20
    seconds: float = 30.0


@dataclass
class Readiness:
    """Whether the server accepts new work; `/readyz` reports it."""

    draining: bool = field(default=False)


class _Webhook:
    """A webhook, with its metrics: finding them by their labels takes longer than counting."""

    def __init__(self, name: str, answer: Callable[[bytes], Awaitable[Answer]], metrics: WebhookMetrics) -> None:
        self.name = name
        self.answer = answer
        self.seconds = metrics.seconds.labels(name)
        self.objects = metrics.objects.labels(name)
        self.results = {result: metrics.reviews.labels(name, result) for result in RESULTS}


class WebhookApp:
    """The webhooks of a generated package as an ASGI application."""

    def __init__(
        self,
        package: GeneratedPackage,
        features: Features,
        metrics: WebhookMetrics,
        limits: Limits,
        readiness: Readiness,
    ) -> None:
        self._metrics = metrics
        self._limits = limits
        self._buffered = BufferedBytes(limits.buffered)
        self._readiness = readiness
        self._in_flight = 0
        metrics.in_flight.set_function(lambda: self._in_flight)
        conversion = Conversion(package)
        admission = Admission(package, features)
        answers = {"convert": conversion.respond, "mutate": admission.mutate, "validate": admission.validate}
        self._webhooks = {f"/{name}": _Webhook(name, answer, metrics) for name, answer in answers.items()}
        self._pages = {
            "/healthz": self._health,
            "/livez": self._health,
            "/readyz": self._ready,
            "/metrics": self._meter,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            raise RuntimeError(f"the webhook server has no {scope['type']}")
        path, method = scope["path"], scope["method"]
        try:
            webhook = self._webhooks.get(path)
            if webhook is not None:
                if method != "POST":
                    raise RequestError(405, f"{path} accepts POST only")
                self._in_flight += 1
                try:
                    with BufferedRequest(self._buffered) as buffered:
                        await self._review(webhook, scope, receive, send, buffered)
                finally:
                    self._in_flight -= 1
                return
            page = self._pages.get(path)
            if page is None:
                raise RequestError(404, f"no such path; there are {', '.join((*self._webhooks, *self._pages))}")
            if method not in ("GET", "HEAD"):
                raise RequestError(405, f"{path} accepts GET only")
            await page(scope, send)
        except ClientGoneError:
            log.info("client closed the connection before the request was complete", extra={"path": path})
        except asyncio.CancelledError:  # by the server, at the end of its grace period
            await respond(send, 503, b"shutting down\n", TEXT, close=True)
        except RequestError as error:
            self._metrics.rejected.labels(str(error.status)).inc()
            log.warning("request rejected", extra={"path": path, "code": error.status, "problem": error.problem})
            await respond(send, error.status, f"{error.problem}\n".encode(), TEXT, close=True)

    async def _review(
        self, webhook: _Webhook, scope: Scope, receive: Receive, send: Send, buffered: BufferedRequest
    ) -> None:
        limits = self._limits
        is_read = False
        try:
            async with asyncio.timeout(limits.seconds):
                body = await read_body(scope, receive, limits.body, buffered)
                is_read = True
                start = time.perf_counter()
                found = await webhook.answer(body)
                del body
        except TimeoutError:
            if is_read:
                raise RequestError(503, f"the review took more than {limits.seconds:g} seconds") from None
            raise RequestError(408, f"the request did not arrive within {limits.seconds:g} seconds") from None
        except BadReviewError as error:
            raise RequestError(400, str(error)) from None
        webhook.seconds.observe(time.perf_counter() - start)
        webhook.results[found.result].inc()
        webhook.objects.inc(found.objects)
        if found.problem:
            log.warning(
                "review failed" if found.result == "failure" else "request denied",
                extra={"webhook": webhook.name, "uid": found.uid, "problem": found.problem},
            )
        elif log.isEnabledFor(logging.DEBUG):
            log.debug("review answered", extra={"webhook": webhook.name, "uid": found.uid, "objects": found.objects})
        await respond(send, 200, found.body, JSON, close=self._readiness.draining)

    async def _health(self, scope: Scope, send: Send) -> None:
        await respond(send, 200, b"ok\n", TEXT)

    async def _ready(self, scope: Scope, send: Send) -> None:
        if self._readiness.draining:
            await respond(send, 503, b"shutting down\n", TEXT, close=True)
        else:
            await respond(send, 200, b"ok\n", TEXT)

    async def _meter(self, scope: Scope, send: Send) -> None:
        accept = next((value for name, value in scope["headers"] if name == b"accept"), b"")
        text, media_type = self._metrics.exposition(accept.decode("latin-1"))
        await respond(send, 200, text, media_type.encode())
