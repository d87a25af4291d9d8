"""Which parts of an API stand in the status of objects alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.compat.context import Context
from apigen.compat.links import Links, names_in_slot
from apigen.compat.surface.elements import Element, TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Struct
from apigen.dataclass import dataclass
from apigen.ir.graphs import reached

_STATUS = "status"


@dataclass(frozen=True, slots=True)
class _Places:
    """Types by where they stand: in status alone, or elsewhere too; root types, and whether status is a subresource of all their kinds."""

    in_status: frozenset[TypeName]
    elsewhere: frozenset[TypeName]
    roots: Mapping[TypeName, bool]


def is_status_only(element: Element, context: Context) -> bool:
    """Whether an element is part of the status of kinds with that subresource, on the new side, and of nothing else.

    Then only who may write status can set it: controllers.
    """
    known = context.kept(_places_of)
    name = element.type_name
    if name in known.elsewhere:
        is_field = element.path == _STATUS or element.path.startswith((f"{_STATUS}[", f"{_STATUS}{{", f"{_STATUS}("))
        return is_field and name not in known.in_status and known.roots.get(name, False)
    return name in known.in_status


def _places_of(context: Context) -> _Places:
    return _places(context.new, context.links(context.new))


def _places(surface: Surface, links: Links) -> _Places:
    """The types that status leads to, and those that anything else leads to. Types that no kind leads to are in neither."""
    in_status: list[TypeName] = []
    elsewhere: list[TypeName] = []
    roots = _roots(surface)
    for root, has_status in roots.items():
        struct = surface.type(root)
        fields = struct.fields.values() if isinstance(struct, Struct) else ()
        for field in fields:
            (in_status if has_status and field.name == _STATUS else elsewhere).extend(names_in_slot(field.slot))
    others = _there(elsewhere, surface, links) | roots.keys()
    return _Places(_there(in_status, surface, links) - others, others, roots)


def _there(names: Iterable[TypeName], surface: Surface, links: Links) -> frozenset[TypeName]:
    """The types that some lead to, and they themselves, as far as they are there."""
    return frozenset(name for name in reached(names, links.of) if surface.type(name) is not None)


def _roots(surface: Surface) -> dict[TypeName, bool]:
    """The root types of all kinds, and whether status is a subresource of each kind that has it."""
    found: dict[TypeName, bool] = {}
    for group in surface.groups.values():
        for version in group.versions.values():
            for kind in version.kinds.values():
                found[kind.root] = found.get(kind.root, True) and _STATUS in kind.subresources
    return found
