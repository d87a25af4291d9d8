"""Enums that accept other values, and strings that become enums."""

from __future__ import annotations

import json
from fractions import Fraction

from apigen.dataclass import dataclass, replace
from apigen.ir.surface import Alias, ElementKind, Enum, Named, Scalar, Scalars, Slot, Surface, Unfolded, unfold
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.context import Context
from apigen.review.mitigations import ratcheting, ratcheting_before
from apigen.review.prover.domains import constraints_of, numbers_of, texts_of
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.review.prover.texts import texts_included
from apigen.review.results import Example, RuleResult, Severities, Severity, Side
from apigen.review.rules.constraints.values import Compared, loosened_effects, result_of, tightened_effects
from apigen.review.rules.enums.enum_values import unknown_text
from apigen.review.rules.rule import about, altered, change_rule, note

_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class TextAndEnum:
    """The enum, the side that has it, how both sides compare, and the type that accepts other values, in words."""

    enum: Enum
    is_enum_now: bool
    compared: Compared
    others: str = "string"

    @property
    def names(self) -> str:
        """Its values for messages, at most six."""
        values = [f"`{value}`" for value in self.enum.values]
        more = len(values) - _MOST_NAMED
        return ", ".join(values[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def text_and_enum(change: AnyChange, context: Context) -> TextAndEnum | None:
    """Return both sides of a change from a string, boolean or number to an enum of such values or the reverse; None for
    other changes.
    """
    if not isinstance(change, Altered) or change.trait not in (Trait.TYPE, Trait.FORM):
        return None
    old, new = _unfolded(change.old, context.old), _unfolded(change.new, context.new)
    if old is None or new is None:
        return None
    is_enum_now = isinstance(new.type, Enum)
    enum, scalar = (new.type, old.type) if is_enum_now else (old.type, new.type)
    if not isinstance(enum, Enum) or scalar != enum.base:
        return None
    if scalar != Scalar(Scalars.STRING):
        return _of_other_scalar(enum, (old, new), is_enum_now=is_enum_now)
    old_texts, new_texts = texts_of(old.type, constraints_of(old)), texts_of(new.type, constraints_of(new))
    return TextAndEnum(
        enum, is_enum_now, Compared(texts_included(old_texts, new_texts), texts_included(new_texts, old_texts))
    )


def _of_other_scalar(enum: Enum, sides: tuple[Unfolded, Unfolded], *, is_enum_now: bool) -> TextAndEnum | None:
    """Compare an enum of booleans or numbers with the boolean or number of the other side."""
    scalar = sides[0] if is_enum_now else sides[1]
    if (
        not isinstance(scalar.type, Scalar)
        or enum.open
        or any(each.number is not None for each in enum.values.values())
    ):
        return None
    values: list[JsonValue] = [json.loads(each) for each in enum.values]
    others: list[JsonValue] = [True, False]
    if scalar.type.name is not Scalars.BOOL:
        if not all(type(each) in (int, float) for each in values):
            return None
        near = (each + step for each in values if isinstance(each, int | float) for step in (1, -1))
        others = [each for each in near if numbers_of(scalar.type, constraints_of(scalar)).holds(Fraction(each))]
        wrong = [
            each for each in values if not numbers_of(scalar.type, constraints_of(scalar)).holds(Fraction(str(each)))
        ]
    else:
        wrong = [each for each in values if not isinstance(each, bool)]
    other = [each for each in others if each not in values]
    to_scalar: Inclusion = NotIncluded(wrong[0]) if wrong else INCLUDED
    to_enum: Inclusion = NotIncluded(other[0]) if other else INCLUDED
    if not other and scalar.type.name is not Scalars.BOOL:
        to_enum = NotProven("apigen cannot list the numbers that are accepted")
    compared = Compared(to_enum, to_scalar) if is_enum_now else Compared(to_scalar, to_enum)
    return TextAndEnum(enum, is_enum_now, compared, "boolean" if scalar.type.name is Scalars.BOOL else "number")


def _unfolded(part: object, surface: Surface) -> Unfolded | None:
    if isinstance(part, Slot):
        return unfold(part, surface)
    if isinstance(part, Alias):
        return unfold(part.slot, surface)
    return unfold(Slot(Named(part.name), part.place), surface) if isinstance(part, Enum) else None


@change_rule(
    "enum-constraint-added", altered(Trait.TYPE), altered(Trait.FORM), severities="W/E/E", mitigated_by=(ratcheting,)
)
@about(text_and_enum)
def enum_constraint_added(change: Altered, found: TextAndEnum, context: Context) -> RuleResult | None:
    """Values that the enum does not have are rejected."""
    if not found.is_enum_now:
        return None
    message = f"{change.element.words} changed from any {found.others} to one of {found.names}"
    if not found.compared.tightens:
        return note(f"{message}, to which it was already limited")
    return result_of(message, found.compared)


@change_rule(
    "enum-constraint-removed",
    altered(Trait.TYPE),
    altered(Trait.FORM),
    severities="I/W/E",
    mitigated_by=(ratcheting_before,),
)
@about(text_and_enum)
def enum_constraint_removed(change: Altered, found: TextAndEnum, context: Context) -> RuleResult | None:
    """Values that the enum does not have are accepted."""
    if found.is_enum_now:
        return None
    message = f"{change.element.words} changed from one of {found.names} to any {found.others}"
    if not found.compared.loosens and not found.compared.tightens:
        return note(f"{message}, which the open enum already accepted")
    severities = Severities.of("W/E/E") if found.compared.tightens else None
    if found.enum.base != Scalar(Scalars.STRING) and severities is None:
        severities = Severities.of("I/W/W")  # clients have the type of the values, as for a bound
    return replace(result_of(message, found.compared), severities=severities)


@change_rule("enum-opened", altered(Trait.OPEN, ElementKind.ENUM), severities="W/E/E")
def enum_opened(change: Altered, context: Context) -> RuleResult | None:
    """`open: true` was added."""
    if change.after is not True:
        return None
    other = unknown_text(change.old, change.new)
    message = f"enum `{change.element.type}` changed from closed to open"
    return RuleResult(message, loosened_effects(f'"{other}"'), examples=(Example(Side.NEW, other),))


@change_rule(
    "enum-closed",
    altered(Trait.OPEN, ElementKind.ENUM),
    severities="W/E/E",
    mitigated_by=(ratcheting,),
    stops_from=Severity.WARNING,
)
def enum_closed(change: Altered, context: Context) -> RuleResult:
    """`open: true` was removed. The reverse is `enum-opened`."""
    other = unknown_text(change.old, change.new)
    message = f"enum `{change.element.type}` changed from open to closed"
    return RuleResult(message, tightened_effects(f'"{other}"'), examples=(Example(Side.OLD, other),))
