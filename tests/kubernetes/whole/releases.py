"""The releases of Kubernetes that there is something to compare with."""

from __future__ import annotations

SETS = {
    "v0.33.0": "v1.33.0",
    "v0.34.0": "v1.34.0",
    "v0.35.0": "v1.35.0",
    "v0.36.6": "v1.36.0",
    "v0.37.2": "HEAD",
}
"""Release of the types -> the set of fixtures that these types wrote."""
NEWEST = "v0.37.2"
"""The release whose sources the fixtures come from: it reads the sets of all others."""
REFERENCE = "v0.36.6"
"""The release of the vectors, and of the committed specs."""
