"""The gate of a value of an enum comes on, or goes off."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.enums.known import is_accepted, shown
from apigen.compat.rules.enums.switched import switched_gates
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, EnumValue
from apigen.compat.values.enum_json import in_json
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@state_rule("enum-value-gate-switched", has_gates, severities="I/I/I")
def enum_value_gate_switched(surface: Surface, context: Context) -> Iterator[Issue]:
    """The second step of a roll-out with a gate: the value is what it was, and who may have it is not."""
    switched = switched_gates(context) if surface is context.new else {}
    if not switched:
        return
    for group in surface.groups.values():
        for version in group.versions.values():
            for type_ in version.types.values():
                before = context.old.type(type_.name) if isinstance(type_, Enum) else None
                if isinstance(type_, Enum) and isinstance(before, Enum):
                    yield from _of_enum(before, type_, context)


def _of_enum(before: Enum, after: Enum, context: Context) -> Iterator[Issue]:
    for name, value in after.values.items():
        old = before.values.get(name)
        if old is None or old.gate is None or old.gate != value.gate:
            continue
        was, is_on = is_accepted(old, context.old, after.name.group), is_accepted(value, context.new, after.name.group)
        if was != is_on:
            element = Element(ElementKind.ENUM_VALUE, after.name.group, after.name.version, after.name.name, name)
            yield Issue(element, value.place, _verdict(value, after, is_on), "on" if is_on else "off")


def _verdict(value: EnumValue, enum: Enum, is_on: bool) -> Verdict:
    name, json = shown(value.value), in_json(value.value, enum)
    gates = " and ".join(value.gate.gates) if value.gate else ""
    if is_on:
        return Verdict(
            f"{name} of `{enum.name.name}` is accepted by default, as {gates} is on",
            {
                Direction.OLD_CLIENT: depends(f"a client of before reads {name}, which it may not handle"),
                Direction.NEW_CLIENT: breaks(
                    f"a new client that gives {name} to an object at a server of before is refused"
                ),
                Direction.ROLLBACK: depends(
                    f"the release before keeps {name} where it is, and gives it to no other object"
                ),
            },
            examples=(Example(Side.NEW, json),),
        )
    return Verdict(
        f"{name} of `{enum.name.name}` is refused by default, as {gates} is off",
        {
            Direction.OLD_CLIENT: breaks(f"a client of before that sends {name} is refused"),
            Direction.STORED: depends(f"a stored object keeps {name}, and no other may get it"),
        },
        severities=Severities.of("W/E/E"),
        examples=(Example(Side.OLD, json),),
    )
