"""The zero value of a field that is zero when left out violates the field's own constraints."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.guards import has_constraints_of_what_is_written
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, Struct
from apigen.compat.values.handling import filled, refusal, violation
from apigen.compat.values.member import member_of
from apigen.compat.values.text import shown
from apigen.compat.verdict.impact import Direction, Hits, breaks, depends
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Presence


@state_rule("zero-value-invalid", has_constraints_of_what_is_written, severities="I/W/W")
def zero_value_invalid(surface: Surface, context: Context) -> Iterator[Issue]:
    """Such a field is required, whatever its schema says; only fields that both sides have are told."""
    for group in (each for each in surface.groups.values() if not each.borrowed):
        for version in group.versions.values():
            for struct in version.types.values():
                if isinstance(struct, Struct):
                    yield from _of_struct(struct, surface, context)


def _of_struct(struct: Struct, surface: Surface, context: Context) -> Iterator[Issue]:
    for field in struct.fields.values():
        if field.presence is not Presence.PLAIN or not field.slot.constraints:
            continue
        # code by hand may have refused zero for long when the specs begin to say so
        reason = _reason(surface, field, by_hand=surface is context.old)
        element = Element(ElementKind.FIELD, struct.name.group, struct.name.version, struct.name.name, field.name)
        if reason and all(_has(side, struct, field) for side in (context.old, context.new)):
            zero = shown(member_of(surface, field).zero)
            words = f"{element} is {zero} when it is left out, which is refused: {reason}"
            yield Issue(
                element,
                field.place,
                Verdict(
                    words,
                    _hits(zero),
                ),
            )


def _reason(surface: Surface, field: Field, *, by_hand: bool) -> str:
    member = member_of(surface, field, by_hand=by_hand)
    state = filled(member, member.start)
    if isinstance(state, str | int | float | list | dict) and refusal(member, state):
        return violation(member, state)
    return ""


def _has(side: Surface, struct: Struct, field: Field) -> bool:
    found = side.type(struct.name)
    return isinstance(found, Struct) and field.name in found.fields


def _hits(zero: str) -> Hits:
    text = f"a client of before that leaves it out, or sends {zero}, is refused"
    stored = f"stored objects with {zero} are refused where validation judges again what is unchanged"
    return {Direction.OLD_CLIENT: breaks(text), Direction.STORED: depends(stored)}
