"""Advice for releases: the minimum version bump, and the earliest release that may remove an element."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.ir.model import Lifecycle, Release
from apigen.ir.stability import WINDOW, Stability, releases_later
from apigen.review.changes.change import Trait
from apigen.review.finding import Finding
from apigen.review.results import Severity
from apigen.review.root_causes import is_removed
from apigen.review.surface import ElementKind, Enum, Struct, Surface


class Bump(StrEnum):
    """The part of a semantic version that must be increased at least, with the type of a conventional commit."""

    NONE = "none"
    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"

    @property
    def commit(self) -> str:
        """The start of the message of a conventional commit."""
        return {Bump.MAJOR: "feat!:", Bump.MINOR: "feat:", Bump.PATCH: "docs:", Bump.NONE: "chore:"}[self]


@dataclass(frozen=True, slots=True)
class Advice:
    """The minimum bump, and the first release that may remove the removed elements; None if it is unknown or nothing is removed."""

    bump: Bump
    earliest_removal: Release | None = None


def advise(findings: Iterable[Finding], old: Surface, new: Surface) -> Advice:
    """Return the advice for all findings, including approved and harmless ones: they affect users, too."""
    found = tuple(findings)
    removals = [release for each in found if (release := _earliest(each, old, new)) is not None]
    return Advice(_bump(found), max(removals, default=None))


def _bump(findings: tuple[Finding, ...]) -> Bump:
    if not findings:
        return Bump.NONE
    if any(
        each.own_severity >= Severity.WARNING and each.stability > Stability.ALPHA and each.effects for each in findings
    ):
        return Bump.MAJOR
    is_text = all(each.trait is Trait.DOC for each in findings)
    return Bump.PATCH if is_text else Bump.MINOR


def _earliest(finding: Finding, old: Surface, new: Surface) -> Release | None:
    """Return when a removed beta element may be removed: after the deprecation period."""
    if not is_removed(finding) or finding.stability is not Stability.BETA or finding.own_severity < Severity.WARNING:
        return None
    lifecycle = _lifecycle(finding, old)
    if lifecycle is None:
        return None
    since = lifecycle.deprecated or new.release_in(finding.element.group)
    return None if since is None else releases_later(since, WINDOW)


def _lifecycle(finding: Finding, old: Surface) -> Lifecycle | None:
    element = finding.element
    version = old.version(element.group, element.version)
    if version is None:
        return None
    if element.kind is ElementKind.VERSION:
        return version.lifecycle
    if element.kind is ElementKind.KIND:
        kind = version.kinds.get(element.type)
        return None if kind is None else kind.lifecycle
    type_ = version.types.get(element.type)
    if isinstance(type_, Struct) and element.kind is ElementKind.FIELD and element.path in type_.fields:
        return type_.fields[element.path].lifecycle
    if isinstance(type_, Enum) and element.kind is ElementKind.ENUM_VALUE and element.path in type_.values:
        return type_.values[element.path].lifecycle
    return None
