"""Named types: roots of kinds, and targets of references."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.diagnostics import Place
from apigen.language.nodes import Node
from apigen.review.sources.schemas.slots import Slots
from apigen.review.surface import Alias, Enum, Merge, Named, Slot, Struct, TypeDef


def define(name: str, node: Node, place: Place, slots: Slots) -> TypeDef:
    """Add the type of a schema to the scope: a struct or an enum if it is one, else an alias."""
    slot = slots.slot(node, name, place)
    type_name = slots.scope.name(name)
    own = slots.scope.types.get(name) if slot.type == Named(type_name) else None
    if isinstance(own, Struct):
        defined: TypeDef = replace(own, slot=slot)
    elif isinstance(own, Enum) and _says_nothing(slot):
        defined = replace(own, doc=slot.doc)
    elif isinstance(own, Enum):
        values = slots.scope.name(f"{name}(enum)")
        slots.scope.types[values.name] = replace(own, name=values)
        defined = Alias(type_name, replace(slot, type=Named(values)), place)
    else:
        defined = Alias(type_name, slot, place)
    slots.scope.types[name] = defined
    return defined


def _says_nothing(slot: Slot) -> bool:
    """Return whether a slot declares only its type."""
    said = (slot.nullable, slot.default, slot.constraints, slot.rules, slot.branches)
    return not any(said) and slot.merge == Merge()
