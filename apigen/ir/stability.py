"""The terms of Kubernetes' deprecation policy: the stability of a version by its name, and the distance of releases."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from apigen.language.releases import Release

WINDOW = 3
"""The releases after which something in alpha or beta is deprecated at the latest, and for which it is then still
served.
"""

_KUBERNETES = re.compile(r"v(\d{1,255})(?:(alpha|beta)(\d{1,255}))?")
"""Bounded, as no number may have more than some thousand digits to Python."""


class Stability(StrEnum):
    """The stability of a version. Members compare by rank, because their values are in alphabetical order, too."""

    ALPHA = "alpha"
    BETA = "beta"
    STABLE = "stable"


class VersionRank(NamedTuple):
    """The rank of a version: v1 above v2beta1 above v1beta2 above v1alpha1. `step` is 0 for a stable one."""

    stability: Stability
    major: int
    step: int


def version_rank(name: str) -> VersionRank | None:
    """Return the rank of a version by the rules of Kubernetes; None for names that are not version names."""
    match = _KUBERNETES.fullmatch(name)
    if match is None:
        return None
    return VersionRank(Stability(match[2] or Stability.STABLE), int(match[1]), int(match[3] or 0))


@lru_cache(maxsize=1024)
def stability(version: str) -> Stability:
    """Return the stability of a version by its name. A name that does not have the form of Kubernetes versions is
    stable.
    """
    rank = version_rank(version)
    return Stability.STABLE if rank is None else rank.stability


def releases_later(release: Release, minors: int = WINDOW) -> Release:
    """The release some minors later."""
    return Release(release.major, release.minor + minors)


def next_release(release: Release) -> Release:
    """The minor release after another."""
    return releases_later(release, 1)


def one_before(release: Release) -> Release:
    """Return the previous minor release; for x.0, the release itself."""
    return Release(release.major, max(release.minor - 1, 0))


def is_before(release: Release, other: Release, minors: int) -> bool:
    """Return whether `release` is less than `minors` releases after `other`; false for another major version."""
    return release.major == other.major and release < releases_later(other, minors)
