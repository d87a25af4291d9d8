"""Whether servers of a side serve a kind, and what becomes of its objects where they do not."""

from __future__ import annotations

from apigen.compat.context import Context
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.verdict.impact import Direction, Hit, depends
from apigen.compat.windows import acting_release
from apigen.ir.model import Release


def is_served(version: Version, kind: str, release: Release | None) -> bool:
    """Whether a version serves a kind at a release, by all that is said of both; None for a release that nobody knows."""
    found = version.kinds.get(kind)
    if found is None or not version.served or not found.served:
        return False
    life = found.lifecycle
    if release is None:
        return True
    has_come = life.introduced is None or life.introduced <= release
    return has_come and (life.removed is None or life.removed > release)


def is_served_at_all(kind: str, group: str, surface: Surface) -> bool:
    """Whether a side serves a kind in any version, at its own release."""
    release, found = acting_release(surface, group), surface.groups.get(group)
    return found is not None and any(is_served(version, kind, release) for version in found.versions.values())


def hits_of_unserved(element: Element, context: Context) -> dict[Direction, Hit]:
    """What becomes of stored objects of a version, or of one kind in it, that no version serves any more, or none did before.

    Nothing where another version serves them: they are read there.
    """
    before, after = _served_kinds(element, context.old), _served_kinds(element, context.new)
    hits: dict[Direction, Hit] = {}
    gone, came = before - after, after - before
    if gone:
        hits[Direction.STORED] = depends(f"{_names(gone)} objects stay in the store, and nobody can ask for them")
    if came:
        text = f"{_names(came)} objects stay in the store, and the release before serves none"
        hits[Direction.ROLLBACK] = depends(text)
    return hits


def _served_kinds(element: Element, surface: Surface) -> frozenset[str]:
    version = surface.version(element.group, element.version)
    names = () if version is None else (name for name in version.kinds if element.type in ("", name))
    return frozenset(name for name in names if is_served_at_all(name, element.group, surface))


def _names(kinds: frozenset[str]) -> str:
    return ", ".join(sorted(kinds))
