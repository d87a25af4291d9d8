"""Lifecycle markers: declared on the version if all its kinds share them, otherwise on each kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place
from apigen.inputs.go.specs.markers import Markers, Tag
from apigen.inputs.merging import Entries
from apigen.ir.stability import WINDOW, Stability, releases_later, stability
from apigen.language.releases import parse_release

_PREFIX = "k8s:prerelease-lifecycle-gen:"
_RELEASE = re.compile(r"\d{1,9}\.\d{1,9}")


@dataclass(frozen=True, slots=True)
class Life:
    """Releases as text, by `introduced`, `deprecated` and `removed`; `replacement` as `group,version,Kind`."""

    releases: Mapping[str, str] = field(default_factory=dict)
    replacement: tuple[str, str, str] | None = None
    place: Place | None = None
    text: str = ""


_RELEASES = ("introduced", "deprecated", "removed")
_MARKERS = tuple(f"{_PREFIX}{word}" for word in (*_RELEASES, "replacement"))


def take_life(markers: Markers, version: str) -> Life:
    """Return the lifecycle that the markers of a type declare, or imply."""
    tags = {tag.name.removeprefix(_PREFIX): tag for tag in markers.take(*_MARKERS)}
    releases = {word: tags[word].value for word in _RELEASES if word in tags and _RELEASE.fullmatch(tags[word].value)}
    if stability(version) is not Stability.STABLE:
        for before, word in pairwise(_RELEASES):
            if before in releases and word not in releases:  # as in Kubernetes' generator
                releases[word] = str(releases_later(parse_release(releases[before]), WINDOW))
    if "replacement" not in tags:
        return Life(releases)
    tag = tags["replacement"]
    parts = [part.strip() for part in tag.value.split(",")]
    return Life(releases, (parts[0], parts[1], parts[2]) if len(parts) == 3 else None, tag.place, tag.text)


def bad_life(markers: Markers) -> list[Tag]:
    """Return invalid lifecycle markers."""
    return [
        tag
        for tag in markers.take(*_MARKERS)
        if not (tag.value.count(",") == 2 if tag.name.endswith("replacement") else _RELEASE.fullmatch(tag.value))
    ]


def shared_life(lives: Mapping[str, Life], group: str) -> Life:
    """Return the lifecycle of a version: the first release, and all other values that its kinds share."""
    introduced = [life.releases["introduced"] for life in lives.values() if "introduced" in life.releases]
    if not introduced:
        return Life()
    releases = {"introduced": min(introduced, key=_ordered)}
    for word in ("deprecated", "removed"):
        different = {life.releases.get(word) for life in lives.values()}
        release = different.pop()
        if release is not None and not different:
            releases[word] = release
    return Life(releases, _shared_replacement(lives, group))


def _ordered(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def _shared_replacement(lives: Mapping[str, Life], group: str) -> tuple[str, str, str] | None:
    """A version's replacement is another version of the group, with kinds of the same names."""
    versions = {
        life.replacement[1] if life.replacement and (life.replacement[0], life.replacement[2]) == (group, kind) else ""
        for kind, life in lives.items()
    }
    version = versions.pop() if len(versions) == 1 else ""
    return (group, version, "") if version else None


def own_life(life: Life, shared: Life) -> Life:
    """Return the lifecycle of a type without the values of its version."""
    releases = {word: release for word, release in life.releases.items() if shared.releases.get(word) != release}
    return replace(life, releases=releases, replacement=None if shared.replacement is not None else life.replacement)


def life_entries(life: Life, folder: str) -> Entries:
    """Return a lifecycle as entries. `folder` is the name of the replacement's group in specs; a replacement without a
    kind is a version of this group.
    """
    found: Entries = {word: life.releases[word] for word in _RELEASES if word in life.releases}
    if life.replacement is not None:
        _, version, name = life.replacement
        found["replacement"] = f"{folder}/{version}.{name}" if name else version
    return found
