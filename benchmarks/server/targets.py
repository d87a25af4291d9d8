"""What is asked of the webhook server: reviews of one object of 2 KB, one after the other over one TLS connection."""

from __future__ import annotations

from benchmarks.targets import Target

TARGETS = (
    Target("a conversion review, CPU of the server", "apigen/review/cpu", 333, unit="µs", scale=1e6),
    Target(
        "a conversion review with the extension, CPU of the server",
        "apigen compiled/review/cpu",
        167,
        unit="µs",
        scale=1e6,
    ),
    Target(
        "a conversion review, CPU of the server",
        "apigen/review/cpu",
        4,
        "peer-one/review/cpu",
        "uvloop, changing `apiVersion` only",
    ),
    Target(
        "a conversion review", "apigen/review/wall", 4, "peer-one/review/wall", "uvloop, changing `apiVersion` only"
    ),
    Target("a conversion review", "apigen/review/wall", 1, "peer-std/review/wall", "http.server in two writes"),
)
