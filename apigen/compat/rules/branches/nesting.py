"""What a branch does to the values of the schema that it stands in."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.surface.elements import Element
from apigen.compat.surface.slots import slot_at
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Branch, Named, Slot, Struct, Type, UnknownFields

OVERLAPPING = "oneOf (may overlap)"
ALTERNATIVES = frozenset({"anyOf", "oneOf", OVERLAPPING, "enum"})
"""Of these one has to match; the more there are, the more values do."""

TOLD = frozenset({"definitions"})
"""What says nothing of values by itself."""

SHARED = frozenset({"patternProperties", "additionalProperties", "items", "unevaluatedProperties", "unevaluatedItems"})
"""What members and items are left to others, so that one more can loosen as well as tighten."""

CONDITIONS = frozenset(
    {
        *("allOf", "not", "if", "contains", "propertyNames", "dependencies", "dependentRequired", "dependentSchemas"),
        *("keys", "values"),
        *SHARED,
    }
)
"""What a value has to satisfy besides everything else."""


def branch_of(change: AnyChange) -> Branch | None:
    """The branch that came or went."""
    part = change.part if isinstance(change, Added | Removed) else None
    return part if isinstance(part, Branch) else None


def place_name(element: Element, branch: Branch) -> str:
    """The element that a branch stands in, as text."""
    return str(element).removesuffix(f"({branch.keyword}[{branch.label}])").rstrip(".") or "the schema"


def has_others(surface: Surface, element: Element, keyword: str) -> bool:
    """Whether a side has a branch of this keyword where an element stands, or stood."""
    slot = slot_at(surface, element)
    return slot is not None and any(branch.keyword == keyword for branch in slot.branches)


def is_only_tighter(branch: Branch, element: Element, context: Context) -> bool:
    """Whether adding a condition can only tighten: it takes nothing away from what others speak of."""
    if branch.keyword not in SHARED or (branch.keyword == "items" and not branch.label):
        return True
    sides = (slot_at(side, element) for side in (context.old, context.new))
    return branch.keyword in ("patternProperties", "additionalProperties") and all(
        slot is not None and _keeps_all(slot, side, branch)
        for slot, side in zip(sides, (context.old, context.new), strict=True)
    )


def _keeps_all(slot: Slot, side: Surface, branch: Branch) -> bool:
    """Whether an object takes all members that nothing is said of."""
    struct = _struct(slot.type, side)
    others = (each for each in slot.branches if each.keyword in SHARED and each.label != branch.label)
    return struct is not None and struct.unknown is UnknownFields.KEPT and not any(others)


def _struct(type_: Type, side: Surface) -> Struct | None:
    found = side.type(type_.name) if isinstance(type_, Named) else None
    return found if isinstance(found, Struct) else None
