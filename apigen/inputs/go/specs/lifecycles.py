"""Lifecycle markers: declared on the version if all its kinds share them, otherwise on each kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.inputs.go.model import GoTypeDeclaration
from apigen.inputs.go.specs.markers import Markers, Tag
from apigen.inputs.merging import Entries
from apigen.ir.lifecycle import parse_release
from apigen.ir.stability import WINDOW, Stability, releases_later, stability

_PREFIX = "k8s:prerelease-lifecycle-gen:"
_RELEASE = re.compile(r"\d{1,9}\.\d{1,9}")


@dataclass(frozen=True, slots=True)
class Life:
    """Releases as text; `replacement` as `group,version,Kind`."""

    introduced: str | None = None
    deprecated: str | None = None
    removed: str | None = None
    replacement: tuple[str, str, str] | None = None
    place: Place | None = None
    text: str = ""


def take_life(markers: Markers, version: str) -> Life:
    """Return the lifecycle that the markers of a type declare, or imply."""
    tags = {tag.name.removeprefix(_PREFIX): tag for tag in markers.take(*(f"{_PREFIX}{word}" for word in _WORDS))}
    releases = {word: tags[word].value for word in _WORDS[:3] if word in tags and _RELEASE.fullmatch(tags[word].value)}
    parts = [part.strip() for part in tags["replacement"].value.split(",")] if "replacement" in tags else []
    introduced, deprecated, removed = (releases.get(word) for word in _WORDS[:3])
    if stability(version) is not Stability.STABLE:
        deprecated = deprecated or _later(introduced)
        removed = removed or _later(deprecated)
    tag = tags.get("replacement")
    return Life(
        introduced,
        deprecated,
        removed,
        (parts[0], parts[1], parts[2]) if len(parts) == 3 else None,
        None if tag is None else tag.place,
        "" if tag is None else tag.text,
    )


_WORDS = ("introduced", "deprecated", "removed", "replacement")


def bad_life(markers: Markers) -> list[Tag]:
    """Return invalid lifecycle markers."""
    return [
        tag
        for tag in markers.take(*(f"{_PREFIX}{word}" for word in _WORDS))
        if not (tag.value.count(",") == 2 if tag.name.endswith("replacement") else _RELEASE.fullmatch(tag.value))
    ]


def _later(release: str | None) -> str | None:
    """Return the release of the next lifecycle step without a marker: as in Kubernetes' generator, WINDOW releases later."""
    return None if release is None else str(releases_later(parse_release(release), WINDOW))


def shared_life(lives: Mapping[str, Life], group: str) -> Life:
    """Return the lifecycle of a version: the first release, and all other values that its kinds share."""
    found = [life for life in lives.values() if life.introduced is not None]
    if not found:
        return Life()
    introduced = min((life.introduced for life in found if life.introduced is not None), key=_ordered)
    return Life(
        introduced,
        _shared(life.deprecated for life in lives.values()),
        _shared(life.removed for life in lives.values()),
        _shared_replacement(lives, group),
    )


def _ordered(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def _shared(values: Iterable[str | None]) -> str | None:
    different = set(values)
    return different.pop() if len(different) == 1 else None


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
    return replace(
        life,
        introduced=None if life.introduced == shared.introduced else life.introduced,
        deprecated=None if life.deprecated == shared.deprecated else life.deprecated,
        removed=None if life.removed == shared.removed else life.removed,
        replacement=None if shared.replacement is not None else life.replacement,
    )


def life_entries(life: Life, folder: str) -> Entries:
    """Return a lifecycle as entries. `folder` is the name of the replacement's group in specs; a replacement without a
    kind is a version of this group.
    """
    found: Entries = {}
    for word, release in (("introduced", life.introduced), ("deprecated", life.deprecated), ("removed", life.removed)):
        if release is not None:
            found[word] = release
    if life.replacement is not None:
        _, version, name = life.replacement
        found["replacement"] = f"{folder}/{version}.{name}" if name else version
    return found


def markers_of(declared: GoTypeDeclaration) -> Markers:
    """Return the markers of a type, to read its lifecycle only."""
    return Markers.of(declared.markers)
