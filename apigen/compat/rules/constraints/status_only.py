"""Which parts of an API stand in the status of objects alone."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from apigen.compat.context import Context
from apigen.compat.reachability import names_in
from apigen.compat.surface.elements import Element, TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, Struct

_STATUS = "status"
_KNOWN: WeakKeyDictionary[Context, tuple[frozenset[TypeName], frozenset[TypeName]]] = WeakKeyDictionary()


def is_status_only(element: Element, context: Context) -> bool:
    """Whether an element is part of the status of kinds with that subresource, on the new side, and of nothing else.

    Then only who may write status can set it: controllers.
    """
    if context not in _KNOWN:
        _KNOWN[context] = _places(context.new)
    in_status, elsewhere = _KNOWN[context]
    name = element.type_name
    if name in elsewhere:
        roots = _roots(context.new)
        is_field = element.path == _STATUS or element.path.startswith((f"{_STATUS}[", f"{_STATUS}{{", f"{_STATUS}("))
        return is_field and name in roots and name not in in_status and _is_only_root(context.new, name)
    return name in in_status


def _places(surface: Surface) -> tuple[frozenset[TypeName], frozenset[TypeName]]:
    """The types that status leads to, and those that anything else leads to. Types that no kind leads to are in neither."""
    in_status: set[TypeName] = set()
    elsewhere: set[TypeName] = set()
    for root, has_status in _roots(surface).items():
        elsewhere.add(root)
        struct = surface.type(root)
        fields = struct.fields.values() if isinstance(struct, Struct) else ()
        for field in fields:
            _mark(surface, field, in_status if has_status and field.name == _STATUS else elsewhere)
    return frozenset(in_status - elsewhere), frozenset(elsewhere)


def _roots(surface: Surface) -> dict[TypeName, bool]:
    """The root types of all kinds, and whether status is a subresource of each kind that has it."""
    found: dict[TypeName, bool] = {}
    for group in surface.groups.values():
        for version in group.versions.values():
            for kind in version.kinds.values():
                found[kind.root] = found.get(kind.root, True) and _STATUS in kind.subresources
    return found


def _is_only_root(surface: Surface, name: TypeName) -> bool:
    """Whether status is a subresource of all kinds with this root."""
    return _roots(surface).get(name, False)


def _mark(surface: Surface, field: Field, found: set[TypeName]) -> None:
    waiting = list(names_in(Struct(TypeName("", "", ""), {field.name: field}, field.slot, field.place)))
    while waiting:
        name = waiting.pop()
        type_ = surface.type(name)
        if name in found or type_ is None:
            continue
        found.add(name)
        waiting.extend(names_in(type_))
