"""Constraints that depend on a mode or a feature gate."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.change import Altered, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.comparing import (
    CONDITIONAL,
    change_in_words,
    constraint_change,
    loosened_hits,
    tightened_hits,
)
from apigen.compat.rules.constraints.schemas import Nested, nested_change
from apigen.compat.rules.enums.known import switched_gates
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.rule import Issue, change_rule, state_rule
from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Alias, Slot, Struct, TypeDef
from apigen.compat.values.conditions import nested_in
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "conditional-constraint-tightened",
    altered(Trait.CONSTRAINT),
    severities="W/E/E",
    mitigated_by=(Ratcheting(), RatchetingBefore()),
)
def conditional_constraint_tightened(change: Altered, context: Context) -> Verdict | None:
    """`ifEnabled`, `ifDisabled`, `ifMode` or `subfields` say more."""
    found = constraint_change(change, *CONDITIONAL)
    nested = None if found is None else nested_change(found, context)
    if found is None or nested is None or not nested.tighter:
        return None
    hits = dict(tightened_hits(f"a value against {_listing(nested.tighter)}"))
    if nested.looser:
        hits = {**loosened_hits(f"a value that {_listing(nested.looser)} refused"), **hits}
    return Verdict(in_words(found, nested), hits, is_unproven=bool(nested.doubts))


def in_words(change: Altered, nested: Nested) -> str:
    """What a block says in another way."""
    words = f"{change.keyword} of {change.element} says something else of {_listing((*nested.tighter, *nested.looser))}"
    return f"{words}; not proven: {', and '.join(nested.doubts)}" if nested.doubts else words


def _listing(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))


@change_rule(
    "conditional-constraint-loosened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),)
)
def conditional_constraint_loosened(change: Altered, context: Context) -> Verdict | None:
    """`ifEnabled`, `ifDisabled`, `ifMode` or `subfields` say less."""
    found = constraint_change(change, *CONDITIONAL)
    if found is None:
        return None
    nested = nested_change(found, context)
    if not nested.looser:
        return Verdict(f"{change_in_words(found)}, which says the same", {}, severities=_HARMLESS)
    names = ", ".join(f"`{name}`" for name in nested.looser)
    hits = loosened_hits(f"a value that {names} refused")
    return Verdict(in_words(found, nested), hits, is_unproven=bool(nested.doubts))


_HARMLESS = Severities.of("I/I/I")


_IN_FORCE = {Keyword.IF_ENABLED: True, Keyword.IF_DISABLED: False}


@state_rule("conditional-constraint-switched", has_gates, severities="W/E/E")
def conditional_constraint_switched(surface: Surface, context: Context) -> Iterator[Issue]:
    """`ifEnabled` and `ifDisabled` say the same, and their gate does not."""
    switched = switched_gates(context) if surface is context.new else {}
    if not switched:
        return
    for group in surface.groups.values():
        for version in group.versions.values():
            for type_ in version.types.values():
                known = dict(_slots(context.old.type(type_.name)))
                for element, slot in _slots(type_):
                    old = known.get(element)
                    if old is not None:
                        yield from _of_slot(element, old, slot, switched, context)


def _of_slot(element: Element, old: Slot, new: Slot, switched: dict[str, bool], context: Context) -> Iterator[Issue]:
    for word, in_force in _IN_FORCE.items():
        before, after = nested_in(old.constraints, word), nested_in(new.constraints, word)
        for gate in sorted(before.keys() & after.keys() & switched.keys()):
            is_in_force = switched[gate] is in_force
            yield Issue(
                element,
                new.constraints[word].place,
                _verdict(element, gate, switched[gate], is_in_force, context),
                f"{word} {gate}",
            )


def _verdict(element: Element, gate: str, is_on: bool, is_in_force: bool, context: Context) -> Verdict:
    state = "on" if is_on else "off"
    if not is_in_force:
        hits = loosened_hits(f"what was refused while {gate} was {'off' if is_on else 'on'}")
        message = f"what {element} had to be no longer holds by default, as {gate} is {state}"
        return Verdict(message, hits, severities=Severities.of("I/W/W"))
    message = f"{element} has more to satisfy by default, as {gate} is {state}"
    return Verdict(message, tightened_hits(f"what is refused while {gate} is {state}"))


def _slots(type_: TypeDef | None) -> Iterator[tuple[Element, Slot]]:
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            name = type_.name
            yield Element(ElementKind.FIELD, name.group, name.version, name.name, field.name), field.slot
    elif isinstance(type_, Alias):
        yield Element(ElementKind.ALIAS, type_.name.group, type_.name.version, type_.name.name), type_.slot
