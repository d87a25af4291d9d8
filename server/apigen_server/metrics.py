"""The metrics that a webhook server exposes, in the format that the client asks for."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.exposition import choose_encoder

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class WebhookMetrics:
    """The metrics of one server, in a separate registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)
        self.reviews = Counter(
            "apigen_webhook_reviews",
            "Reviews that were answered, by webhook (convert, mutate, validate) and result (success, failure, denied).",
            ("webhook", "result"),
            registry=self.registry,
        )
        self.objects = Counter(
            "apigen_webhook_objects",
            "Objects in the reviews, by webhook.",
            ("webhook",),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "apigen_webhook_review_duration_seconds",
            "Time from the last byte of a review to its response, by webhook.",
            ("webhook",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.rejected = Counter(
            "apigen_webhook_rejected_requests",
            "Requests that were answered with an HTTP error, by status.",
            ("code",),
            registry=self.registry,
        )
        self.in_flight = Gauge(
            "apigen_webhook_requests_in_flight", "Reviews that are being read or answered.", registry=self.registry
        )
        self.certificate_loads = Counter(
            "apigen_webhook_certificate_loads",
            "Attempts to load the certificate and its key, by result (success, failure).",
            ("result",),
            registry=self.registry,
        )
        self.certificate_loaded = Gauge(
            "apigen_webhook_certificate_loaded_timestamp_seconds",
            "When the certificate in use was loaded.",
            registry=self.registry,
        )

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics, and their media type, which `accept` chooses."""
        encode, media_type = choose_encoder(accept)
        return encode(self.registry), media_type
