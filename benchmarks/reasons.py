"""Why a target is missed, and what was tried: for each target by its key, the words after the colon, without a full stop.

Only those of targets that a run misses are shown; what stands here for the others is of no effect.
"""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    **dict.fromkeys(
        ("version → hub | compiled | not compiled", "hub → version | compiled | not compiled"),
        "the extension reads, writes and copies; conversions are the same Python in both forms",
    ),
    **dict.fromkeys(
        ("protobuf → object | compiled | Go", "object → protobuf | compiled | Go"),
        "measured through the scheme, which opens and checks Kubernetes' envelope and finds the kind; Go is called without one",
    ),
}
