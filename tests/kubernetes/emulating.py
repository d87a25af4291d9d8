"""Feature gates of a release of Kubernetes, whichever series its groups are in a package."""

from __future__ import annotations

from typing import Any


def features_at(scheme: Any, release: str) -> Any:
    """The gates of a release: of the series `kubernetes`, or of the package's own if specs do not name a series."""
    try:
        return scheme.features(series={"kubernetes": release})
    except ValueError:
        return scheme.features(release=release)
