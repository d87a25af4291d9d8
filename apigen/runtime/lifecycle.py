"""Lifecycles at run time: the versions of a kind that a server of a release serves and stores, and its warnings.

The rules are those of Kubernetes' API server. An emulated release does not simply store the newest
version: the version must be known to the oldest release to which the control plane may be downgraded.
"""

from __future__ import annotations

from functools import cache

from .dataclasses import dataclass
from .features import Features, Release, parse_release
from .kinds import KindVersion

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterable, Iterator

_STABILITY = {"alpha": 0, "beta": 1, None: 2}


@dataclass(frozen=True, slots=True)
class Deprecation:
    """A deprecated field or value that is set: its path, and what is deprecated there.

    `value` is `None` for a field. `instead` is the path of the replacement, relative to the same struct.
    """

    path: str
    deprecated: str
    removed: str = ""
    instead: str = ""
    value: str | None = None

    @property
    def warning(self) -> str:
        """The words that an API server sends: `spec.x: deprecated since v1.11, non-functional in v1.16; use "y"
        instead`.
        """
        subject = (
            "deprecated" if self.value is None else f'"{self.value}" is deprecated'
        )
        words = f"{self.path}: {subject} since v{self.deprecated}"
        if self.removed:
            words += f", non-functional in v{self.removed}"
        if self.instead:
            words += f'; use "{self.instead}" instead'
        return words


@cache
def _version() -> re.Pattern[str]:
    """Return the pattern of a version; compiled on first use, so that importing is fast."""
    import re

    return re.compile(r"v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?")


def version_priority(version: str) -> tuple[int, int, int]:
    """Return the sort key of a version, highest priority last: GA after beta after alpha, higher numbers after lower
    ones.
    """
    match = _version().fullmatch(version)
    if match is None:
        return -1, 0, 0
    return _STABILITY[match[2]], int(match[1]), int(match[3] or 0)


def by_priority(versions: Iterable[KindVersion]) -> list[KindVersion]:
    """Return versions in the order in which servers prefer them: the preferred one, then by stability and number.

    Without a preferred one, the storage version comes first, so that a version that is only being prepared
    does not overtake it (Kubernetes deprecation policy, rule 4b).
    """
    found = [*versions]
    stored_in = next((v for v in found if v.storage), None)
    first = next((v for v in found if v.preferred), stored_in)
    return sorted(
        found, key=lambda v: (v is first, version_priority(v.version)), reverse=True
    )


def served(
    versions: Iterable[KindVersion],
    release: str | Features,
    *,
    keep_removed: bool = False,
    forward_compatible: bool = False,
    enabled: Collection[str] = (),
) -> list[KindVersion]:
    """The versions of a kind that a server of a release serves, the preferred one first.

    The release is of the series of each version; `Features` have one for each series. A version is removed in the
    release of its lifecycle; `keep_removed` still serves it in that release. A version introduced after the emulated
    release is hidden, unless `forward_compatible` and a lower version that is not alpha is served, or `enabled` names
    it (`group/version`).
    """
    found: list[KindVersion] = []
    has_lower = False
    for version in sorted(versions, key=lambda v: version_priority(v.version)):
        at = _release_for(version, release)
        if not version.served or _is_removed(version, at, keep_removed):
            continue
        is_enabled = version.api_version in enabled
        is_carried_along = forward_compatible and has_lower
        if _is_known(version, at) or is_enabled or is_carried_along:
            found.append(version)
            has_lower = has_lower or not _is_alpha(version)
    return by_priority(found)


def stored(
    versions: Iterable[KindVersion], features: Features | None
) -> KindVersion | None:
    """The version in which objects of a kind are stored; None for a kind of a group that stores nothing.

    Without `features`, it is the storage version in the specs; with them, that of a server of the release and the minimum
    compatibility version: the highest version, other than alpha, that the minimum compatibility version already has, so
    that a rollback is possible; or else the highest one that the emulated release has; or else that of the specs. It is
    never higher than the storage version in the specs, because higher versions are still being prepared.
    """
    ordered = sorted(versions, key=lambda v: version_priority(v.version), reverse=True)
    declared = next((v for v in ordered if v.storage), None)
    if declared is None or features is None:
        return declared
    declared_priority = version_priority(declared.version)
    candidates = [
        v for v in ordered if version_priority(v.version) <= declared_priority
    ]
    can_go_back = (
        v
        for v in candidates
        if not _is_alpha(v)
        and _is_known(v, parse_release(features.min_compatibility_of(v.series)))
    )
    known = (v for v in candidates if _is_known(v, _release_for(v, features)))
    return next(can_go_back, None) or next(known, declared)


def deprecation_warning(version: KindVersion, release: str | None) -> str | None:
    """Return the warning that an API server of `release` (`None`: any) sends with an object, or `None`."""
    if not version.deprecated or _is_before(release, version.deprecated):
        return None
    words = (
        f"{version.api_version} {version.kind} is deprecated in v{version.deprecated}+"
    )
    if version.removed:
        words += f", unavailable in v{version.removed}+"
    if version.replacement:
        words += f"; use {' '.join(version.replacement)}"
    return words


def warnings_of(found: Iterable[Deprecation], release: str | None) -> Iterator[str]:
    """Return the warnings about fields and values that are deprecated by `release` (`None`: any), each once."""
    yield from dict.fromkeys(
        d.warning for d in found if not _is_before(release, d.deprecated)
    )


def _release_for(version: KindVersion, release: str | Features) -> Release:
    """The release that counts for a version: the one that is named, or that of its series."""
    if isinstance(release, Features):
        return parse_release(release.release_of(version.series))
    return parse_release(release)


def _is_before(release: str | None, other: str) -> bool:
    return release is not None and parse_release(release) < parse_release(other)


def _is_alpha(version: KindVersion) -> bool:
    return "alpha" in version.version


def _is_known(version: KindVersion, at: Release) -> bool:
    return not version.introduced or parse_release(version.introduced) <= at


def _is_removed(version: KindVersion, at: Release, keep_removed: bool) -> bool:
    if not version.removed:
        return False
    removed = parse_release(version.removed)
    return removed < at or (removed == at and not keep_removed)
