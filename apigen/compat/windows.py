"""When what is deprecated may go, by Kubernetes' deprecation policy."""

from __future__ import annotations

from apigen.compat.surface.lifecycle import Lifecycle
from apigen.ir.model import Release
from apigen.ir.stability import WINDOW, Stability, is_before, releases_later, stability


def too_early(life: Lifecycle, version: str, old: Release | None, new: Release | None) -> str:
    """Why an element of a version may not be gone in release `new`, after `old`; empty where it may.

    Alpha goes at any time, beta three releases after it was deprecated, and stable never within a major version. (Rule 4a)
    What cannot be verified is too early.
    """
    promise = stability(version)
    if promise is Stability.ALPHA:
        return ""
    if new is None:
        return "the release is not known, so nobody can say whether its time is over"
    if promise is Stability.STABLE:
        since = old or life.introduced
        if since is not None and new.major > since.major:
            return ""
        return f"what is stable stays as long as {new.major}.x"
    if life.deprecated is None:
        return "no release said that it is deprecated"
    if old is not None and life.deprecated > old:
        return f"{old}, the release before, did not say yet that it is deprecated"
    end = max(releases_later(life.deprecated), life.removed or life.deprecated)
    if is_before(new, life.deprecated, WINDOW) or new < end:
        return f"it was deprecated in {life.deprecated}, and stays until {end}"
    return ""
