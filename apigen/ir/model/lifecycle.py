"""Releases, and when elements came and went."""

from __future__ import annotations

from typing import NamedTuple

from apigen.dataclass import dataclass


class Release(NamedTuple):
    """A release, ordered as numbers: 1.9 is before 1.10."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@dataclass(frozen=True, slots=True)
class Replacement:
    """What to use instead of something deprecated.

    `group` is the name on the wire; `kind` is empty for a version, which is replaced kind by kind. For a field or an
    enum's value, `path` is what stands instead in the same type.
    """

    group: str
    version: str
    kind: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The releases in which an element came, was deprecated and went; `returned`: came back as it was."""

    introduced: Release | None = None
    deprecated: Release | None = None
    removed: Release | None = None
    replacement: Replacement | None = None
    returned: Release | None = None


NO_LIFECYCLE = Lifecycle()
"""Where nothing is said: the one value that all share."""
