"""Releases, as specs, configurations and command lines write them."""

from __future__ import annotations

import re
from typing import NamedTuple

RELEASE_PATTERN = r"(?:0|[1-9][0-9]{0,8})\.(?:0|[1-9][0-9]{0,8})"
"""The pattern of a release. 1.010 would be another form of 1.10, although it looks older than 1.2."""

_CONTAINED = re.compile(rf"(?<![0-9.]){RELEASE_PATTERN}(?![0-9])")


class Release(NamedTuple):
    """A release, ordered as numbers: 1.9 is before 1.10."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


def parse_release(text: str) -> Release:
    """Return the release of a text that matches the pattern."""
    major, _, minor = text.partition(".")
    return Release(int(major), int(minor))


def contained_release(text: str) -> str | None:
    """Return the release that another text contains, such as `1.2` of `v1.2`, for hints."""
    found = _CONTAINED.search(text)
    return None if found is None else found[0]
