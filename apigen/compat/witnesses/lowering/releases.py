"""The releases in which what is lowered comes and goes, as specs say them: a server serves, accepts and drops by them.

Where nobody knows the release of a side, nobody knows what has come: all that is there counts.
"""

from __future__ import annotations

from apigen.compat.surface.lifecycle import Lifecycle
from apigen.compat.surface.surface import KindVersion, Surface, Version
from apigen.compat.surface.types import EnumValue, Field
from apigen.compat.verdict.example import JsonValue
from apigen.ir.model import Release


def of_version(version: Version, surface: Surface) -> dict[str, JsonValue]:
    """When a version comes and goes."""
    return _said(surface, **_ends(version.lifecycle))


def of_kind(kind: KindVersion, version: Version, surface: Surface) -> dict[str, JsonValue]:
    """When a kind comes and goes in a version, where that is not when the version does."""
    of_all = _ends(version.lifecycle)
    return _said(surface, **{word: at for word, at in _ends(kind.lifecycle).items() if at != of_all[word]})


def of_field(field: Field, surface: Surface) -> dict[str, JsonValue]:
    """From when on a field is dropped."""
    return _said(surface, removed=field.lifecycle.removed)


def of_value(value: EnumValue, surface: Surface) -> dict[str, JsonValue]:
    """From when on a value is read, and from when on it is accepted."""
    return _said(surface, introduced=value.lifecycle.introduced, tolerated=value.tolerated)


def _ends(life: Lifecycle) -> dict[str, Release | None]:
    return {"introduced": life.introduced, "removed": life.removed}


def _said(surface: Surface, **releases: Release | None) -> dict[str, JsonValue]:
    if surface.release is None:
        return {}
    return {word: str(release) for word, release in releases.items() if release is not None}
