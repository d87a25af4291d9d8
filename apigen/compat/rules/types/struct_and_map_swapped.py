"""A struct became a map, or a map a struct."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import pair_of
from apigen.compat.rules.types.scalars import message
from apigen.compat.surface.resolving import behind, definition
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import ListOf, MapOf, Struct, Type, TypeDef, UnknownFields
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict

_READ_BY_NEW = (Direction.OLD_CLIENT, Direction.STORED)
_BY_MAP = "members that are no values of the map are refused"
_BY_STRUCT = {
    UnknownFields.DROPPED: "keys that are no fields are lost, and members that are no values of their fields are refused",
    UnknownFields.EMPTIED: "keys that are no fields lose what is inside them, and members that are no values of their fields are refused",
    UnknownFields.KEPT: "members that are no values of their fields are refused",
    UnknownFields.REFUSED: "keys that are no fields are refused, and so are members that are no values of their fields",
}


@change_rule("struct-and-map-swapped", altered(Trait.TYPE), altered(Trait.FORM), severities="W/E/E", presets=WIRE)
def struct_and_map_swapped(change: AnyChange, context: Context) -> Verdict | None:
    """Both are objects in JSON, but a struct knows its members and a map takes any."""
    pair = pair_of(change, context)
    if pair is None or set(pair.shapes) != {"struct", "map"}:
        return None
    by_new = breaks(_text(pair.new.type, pair.new_definition, context.new))
    by_old = breaks(_text(pair.old.type, pair.old_definition, context.old))
    hits = {each: by_new if each in _READ_BY_NEW else by_old for each in Direction}
    side = Side.OLD if pair.shapes[0] == "map" else Side.NEW
    return Verdict(message(change, pair), hits, examples=(Example(side, {"any.key": "a"}),))


def _text(type_: Type, read_as: TypeDef | None, surface: Surface) -> str:
    """What whoever reads by a type does to what was written by the other one."""
    if isinstance(read_as, Struct):
        text, inside = _BY_STRUCT[read_as.unknown], [field.slot.type for field in read_as.fields.values()]
    else:
        text, inside = _BY_MAP, [type_.value.type] if isinstance(type_, MapOf) else []
    return f"{text}, or lose what their type does not know" if any(_drops(each, surface) for each in inside) else text


def _drops(type_: Type, surface: Surface) -> bool:
    """Whether values of a type lose members that it does not know."""
    found, seen = behind(surface, type_), set[int]()
    while isinstance(found, ListOf | MapOf) and id(found) not in seen:
        seen.add(id(found))
        found = behind(surface, found.item.type if isinstance(found, ListOf) else found.value.type)
    struct = definition(surface, found)
    return isinstance(struct, Struct) and struct.unknown in (UnknownFields.DROPPED, UnknownFields.EMPTIED)
