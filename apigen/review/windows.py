"""Deprecation periods, by Kubernetes' deprecation policy."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.ir.model import Lifecycle, Release
from apigen.ir.stability import WINDOW, Stability, is_before, releases_later, stability
from apigen.ir.surface import Element, ElementKind, Enum, Surface, Version


def too_early(life: Lifecycle, version: str, old: Release | None, new: Release | None) -> str:
    """Return why an element of a version may not be removed in release `new`, after `old`; empty if it may.

    An alpha element may be removed at any time, a beta element three releases after its deprecation, a stable one never
    within a major version. (Rule 4a) If it cannot be verified, the removal is too early.
    """
    promise = stability(version)
    if promise is Stability.ALPHA:
        return ""
    if new is None:
        return "the release is unknown, so the deprecation period cannot be verified"
    if promise is Stability.STABLE:
        since = old or life.introduced
        if since is not None and new.major > since.major:
            return ""
        return f"stable elements must be kept for all of {new.major}.x"
    if life.deprecated is None:
        return "no release deprecated it"
    if old is not None and life.deprecated > old:
        return f"the previous release, {old}, did not deprecate it"
    end = _end(life, life.deprecated)
    if is_before(new, life.deprecated, WINDOW) or new < end:
        return f"it was deprecated in {life.deprecated} and must be kept until {end}"
    return ""


def edit_instead_of_removal(
    life: Lifecycle, element: Element, old: Surface, new: Surface, *, restored: str = "", due: str = ""
) -> str:
    """Return the edit instead of removing an element too early; empty if the release is unknown, and `due` if the element may be
    removed. `restored` is the edit that restores it.
    """
    before, now = (side.release_in(element.group) for side in (old, new))
    if now is None:
        return ""
    if not too_early(life, element.version, before, now):
        return due
    restored = restored or f"restore `{element.path or element.type or element.version}`"
    if stability(element.version) is Stability.STABLE:
        deprecation = "" if life.deprecated else f'; to phase it out, declare `deprecated: "{now}"` and `replacement:`'
        is_version = element.kind is ElementKind.VERSION
        return f"{restored}{deprecation}{'' if is_version else ', and omit it from the next version of the API'}"
    if life.deprecated is None or (before is not None and life.deprecated > before):
        return f'{restored}, and deprecate it first: `deprecated: "{now}", removed: "{releases_later(now)}"`'
    return f'{restored} until the end of the deprecation period: `removed: "{_end(life, life.deprecated)}"`'


NOTES = "list the removal in the release notes"
"""The fix for an element that may be removed."""


def _end(life: Lifecycle, deprecated: Release) -> Release:
    """Return the first release that may remove an element that `deprecated` deprecated; not before the announced one."""
    return max(releases_later(deprecated), life.removed or deprecated)


def acting_release(surface: Surface, group: str) -> Release | None:
    """Return the release of the servers of a side in the series of a group: its own, or the newest release in which an element
    of the series begins.
    """
    declared = surface.groups.get(group)
    series = "" if declared is None else declared.series
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
    releases = [version.lifecycle.introduced, *(value.tolerated or value.lifecycle.introduced for value in values)]
    return [release for release in releases if release is not None]


def is_inherited(life: Lifecycle, of_version: Lifecycle) -> bool:
    """Return whether a kind has the lifecycle of its version; its replacement then names the kind, too."""
    own, other = life.replacement, of_version.replacement
    if own != other and (own is None or other is None or replace(own, kind="", path="") != other):
        return False
    return replace(life, replacement=None) == replace(of_version, replacement=None)
