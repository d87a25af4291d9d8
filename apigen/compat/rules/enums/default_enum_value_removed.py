"""A value is gone that stands for what nobody says."""

from __future__ import annotations

import json
from collections.abc import Iterator

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.claims import removed
from apigen.compat.rules.enums.known import value_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind, TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Alias, Enum, Named, Slot, Struct
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict

_ZERO = "the value of an absent field in protobuf"


@change_rule("default-enum-value-removed", removed(ElementKind.ENUM_VALUE), severities="E/E/E", presets=WIRE)
def default_enum_value_removed(change: AnyChange, context: Context) -> Verdict | None:
    """A default, what an unknown value is taken for, or the zero of protobuf."""
    found = value_change(change, context)
    if found is None or not isinstance(change, Removed) or found.old is None or found.old.open:
        return None
    role = next(_roles(found.value.value, found.old, context), "")
    if not role:
        return None
    hits: dict[Direction, Hit] = {
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {found.name}, which is {role}, is refused"),
        Direction.NEW_CLIENT: depends(f"a new client reads {found.name}, which is {role}, and does not know it"),
        Direction.STORED: breaks(f"stored objects have {found.name}, which is {role}"),
    }
    if role == _ZERO:
        hits[Direction.ROLLBACK] = depends(f"the release before reads an absent field as {found.name}")
    return Verdict(
        f"`{change.element.type}` no longer has the value {found.name}, which is {role}",
        hits,
        examples=(Example(Side.OLD, found.json),),
    )


def _roles(value: str, enum: Enum, context: Context) -> Iterator[str]:
    if enum.unknown == value:
        yield "what clients take a value for that they do not know"
    if value in enum.values and enum.values[value].number == 0:
        yield _ZERO
    defaults = context.kept(_defaults)
    for text in (json.dumps(value, ensure_ascii=False), value):
        if (enum.name, text) in defaults:
            yield f"the default of {defaults[enum.name, text]}"


def _defaults(context: Context) -> dict[tuple[TypeName, str], str]:
    """The first place of the old side that has a default, by the type that it names and the text of the default."""
    found: dict[tuple[TypeName, str], str] = {}
    for owner, name, slot in _slots(context.old):
        if isinstance(slot.type, Named) and slot.default is not None and not slot.default.is_computed:
            found.setdefault((slot.type.name, slot.default.text), f"{owner}{name}")
    return found


def _slots(surface: Surface) -> Iterator[tuple[TypeName, str, Slot]]:
    for group in surface.groups.values():
        for version in group.versions.values():
            for type_ in version.types.values():
                if isinstance(type_, Struct):
                    yield from ((type_.name, f".{field.name}", field.slot) for field in type_.fields.values())
                elif isinstance(type_, Alias):
                    yield type_.name, "", type_.slot
