"""When what is deprecated may go, by Kubernetes' deprecation policy."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.ir.model import Release
from apigen.ir.stability import WINDOW, Stability, is_before, releases_later, stability
from apigen.review.surface import Enum, Lifecycle, Surface, Version


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


def acting_release(surface: Surface, group: str) -> Release | None:
    """The release that servers of a side act as in the series of a group: its own, or the newest that anything in the series
    says to have begun.
    """
    found = surface.groups.get(group)
    series = "" if found is None else found.series
    release = surface.release_of(series)
    if release is not None:
        return release
    begun = [stage.release for gate in surface.gates.values() if gate.series == series for stage in gate.stages]
    for each in surface.groups.values():
        for version in each.versions.values() if each.series == series else ():
            begun += _begun(version)
    return max(begun, default=None)


def _begun(version: Version) -> list[Release]:
    values = (value for type_ in version.types.values() if isinstance(type_, Enum) for value in type_.values.values())
    said = [version.lifecycle.introduced, *(value.tolerated or value.lifecycle.introduced for value in values)]
    return [release for release in said if release is not None]


def is_inherited(life: Lifecycle, of_version: Lifecycle) -> bool:
    """Whether a kind says of its time what its version says: the replacement then names the kind, too."""
    if life.replacement != of_version.replacement:
        if life.replacement is None or of_version.replacement is None:
            return False
        if not life.replacement.startswith(f"{of_version.replacement} "):
            return False
    return replace(life, replacement=None) == replace(of_version, replacement=None)
