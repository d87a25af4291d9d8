"""Checks that the replacement of a field or enum value exists in the same type."""

from __future__ import annotations

from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.model import Enum, EnumValue, Field, Struct


def check_replacements(type_: Struct | Enum, checks: Checks) -> None:
    """Report fields and values whose replacement does not exist."""
    elements: tuple[Field | EnumValue, ...] = type_.own_fields if isinstance(type_, Struct) else type_.values
    for element in elements:
        replacement = element.lifecycle.replacement
        if replacement is None:
            continue
        known = _names(type_)
        first = replacement.path.partition(".")[0].partition("[")[0] if isinstance(type_, Struct) else replacement.path
        if first not in known and not checks.may_have(type_.id, first):
            checks.run.error(
                "AG0542",
                element.place,
                f"`{type_.id.name}` has no element {quote(first)}, the replacement of {quote(_name(element))}",
                hint=checks.run.did_you_mean(first, known),
            )


def _names(type_: Struct | Enum) -> tuple[str, ...]:
    if isinstance(type_, Struct):
        return tuple(field.json_name for field in type_.fields)
    return tuple(value.value for value in type_.values)


def _name(element: Field | EnumValue) -> str:
    return element.json_name if isinstance(element, Field) else element.value
