"""Changes of a lifecycle that are told of something above."""

from __future__ import annotations

from apigen.compat.changes.change import Altered
from apigen.compat.context import Context
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import KindVersion
from apigen.compat.windows import is_inherited


def is_echo(change: Altered, context: Context) -> bool:
    """Whether a kind changed as its version did, or a type as the kind that it is the root of."""
    element = change.element
    if element.kind is ElementKind.KIND:
        both = [side.version(element.group, element.version) for side in (context.old, context.new)]
        kinds = (change.old, change.new)
        return all(
            version is not None and isinstance(kind, KindVersion) and is_inherited(kind.lifecycle, version.lifecycle)
            for version, kind in zip(both, kinds, strict=True)
        )
    if element.kind is not ElementKind.STRUCT:
        return False
    name = element.type.removesuffix("List")
    versions = (side.version(element.group, element.version) for side in (context.old, context.new))
    roots = [{kind.root.name for kind in version.kinds.values()} for version in versions if version is not None]
    return any(element.type in names or name in names for names in roots)
