"""What the deprecation policy of Kubernetes counts by: how stable a version is, and how many releases lie between two."""

from __future__ import annotations

import re
from enum import IntEnum

from apigen.ir.model import Release

WINDOW = 3
"""The releases after which something in beta is deprecated at the latest, and for which it is then still served."""

_VERSION = re.compile(r"v[0-9]+(?:(alpha|beta)[0-9]+)?")


class Stability(IntEnum):
    """What a version promises."""

    ALPHA = 1
    BETA = 2
    STABLE = 3

    def __str__(self) -> str:
        return self.name.lower()


def stability(version: str) -> Stability:
    """What a version promises, by its name."""
    match = _VERSION.fullmatch(version)
    return Stability[match[1].upper()] if match and match[1] else Stability.STABLE


def later(release: Release, minors: int = WINDOW) -> Release:
    """The release some minors later."""
    return Release(release.major, release.minor + minors)


def is_before(release: Release, other: Release, minors: int) -> bool:
    """Whether `release` comes before `minors` releases after `other`. Of another major version it is never too early."""
    return release.major == other.major and release < later(other, minors)
