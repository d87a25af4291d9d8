"""The versions and kinds that a release serves and stores, and the effects of those that the other release does not."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.ir.surface import Element, Surface, Version
from apigen.language.releases import Release
from apigen.review.context import Context
from apigen.review.results import Direction, Effect, depends
from apigen.review.windows import acting_release


def is_served(version: Version, kind: str, release: Release | None) -> bool:
    """Return whether a version serves a kind in a release, by the lifecycles of both; None for an unknown release."""
    found = version.kinds.get(kind)
    if found is None or not version.served or not found.served:
        return False
    life = found.lifecycle
    if release is None:
        return True
    has_come = life.introduced is None or life.introduced <= release
    return has_come and (life.removed is None or life.removed > release)


def is_served_at_all(kind: str, group: str, surface: Surface) -> bool:
    """Return whether a side serves a kind in any version, in its own release."""
    release = acting_release(surface, group)
    return any(is_served(version, kind, release) for version in surface.versions_of(group))


def effects_of_unserved(element: Element, context: Context) -> dict[Direction, Effect]:
    """Return the effects on stored objects of a version, or of a kind in it, if no version serves them any more or before.

    Empty if another version serves them: they are read in that one.
    """
    before, after = _served_kinds(element, context.old), _served_kinds(element, context.new)
    effects: dict[Direction, Effect] = {}
    if before - after:
        unserved = ", ".join(sorted(before - after))
        effects[Direction.STORED] = depends(f"objects of {unserved} remain stored, and no version serves them")
    if after - before:
        newly_served = ", ".join(sorted(after - before))
        effects[Direction.ROLLBACK] = depends(
            f"objects of {newly_served} remain stored, and the previous release does not serve them"
        )
    return effects


def effects_of_newly_served(subject: str, element: Element, context: Context) -> dict[Direction, Effect]:
    """Return the effects of a version, or a kind in it, that the previous release did not serve; messages call it `subject`."""
    return {Direction.NEW_CLIENT: not_found_by_new_client(subject), **effects_of_unserved(element, context)}


def not_found_by_new_client(subject: str) -> Effect:
    """Return the effect on newer clients of a version, or a kind in a version, that older servers do not serve."""
    return depends(f"newer clients of {subject} get 404 Not Found from an older server")


def _served_kinds(element: Element, surface: Surface) -> frozenset[str]:
    version = surface.version(element.group, element.version)
    names = () if version is None else (name for name in version.kinds if element.type in ("", name))
    return frozenset(name for name in names if is_served_at_all(name, element.group, surface))


def may_be_stored(kind: str, version: Element, context: Context) -> bool:
    """Return whether objects of a kind may be stored in a version of the revision: it is the storage version, or the kind has
    none and objects are stored in the version of the request.
    """
    storing = [each.name for each in context.new.versions_of(version.group) if stores(each, kind)]
    return not storing or version.version in storing


def left_behind(kinds: Iterable[str], version: Element) -> Effect:
    """Return the effect on stored objects of kinds that the previous release does not have."""
    return depends(
        f"objects of {', '.join(kinds)} remain stored in {version.version}, and the previous release does not read them"
    )


def stores(version: Version, kind: str) -> bool:
    """Return whether objects of a kind are stored in a version."""
    return kind in version.kinds and version.kinds[kind].storage
