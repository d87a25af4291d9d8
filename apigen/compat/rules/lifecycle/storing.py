"""Where objects of new kinds are stored, and what a rollback leaves of them."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.compat.context import Context
from apigen.compat.surface.elements import Element
from apigen.compat.verdict.impact import Hit, depends


def may_be_stored(kind: str, version: Element, context: Context) -> bool:
    """Whether objects of a kind may be stored in a version of the new side: as it is the one for that, or as the kind has none and
    keeps them as they came.
    """
    group = context.new.groups.get(version.group)
    if group is None:
        return False
    own = group.versions[version.version].kinds[kind]
    found = (each.kinds.get(kind) for each in group.versions.values())
    return own.storage or not any(each is not None and each.storage for each in found)


def left_behind(kinds: Iterable[str], version: Element) -> Hit:
    """What becomes of stored objects of kinds that a release of before does not have."""
    return depends(
        f"{', '.join(kinds)} objects stored in {version.version} stay there, and the release before reads none"
    )
