"""Changes of a lifecycle that are told of something above."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apigen.compat.changes import traits
from apigen.compat.changes.change import Altered, Trait, Value
from apigen.compat.context import Context
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.lifecycle import Lifecycle
from apigen.compat.surface.surface import Surface


def is_echo(change: Altered, context: Context) -> bool:
    """Whether a kind changed as its version did, or a type as the kind that it is the root of."""
    element = change.element
    if element.kind is ElementKind.KIND:
        return (change.before, change.after) == tuple(_of_version(side, change) for side in (context.old, context.new))
    if element.kind is not ElementKind.STRUCT:
        return False
    name = element.type.removesuffix("List")
    versions = (side.version(element.group, element.version) for side in (context.old, context.new))
    roots = [{kind.root.name for kind in version.kinds.values()} for version in versions if version is not None]
    return any(element.type in names or name in names for names in roots)


def _of_version(side: Surface, change: Altered) -> Value:
    version = side.version(change.element.group, change.element.version)
    return None if version is None else _READ[change.trait](version.lifecycle)


_READ: Mapping[Trait, Callable[[Lifecycle], Value]] = dict(traits.LIFECYCLE)
