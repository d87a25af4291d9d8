"""Values of enums."""

from __future__ import annotations

import json
from collections.abc import Iterator

from apigen.review.changes.change import Added, Altered, Part, Removed, Trait
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.effects.effects import alike, everywhere
from apigen.review.effects.enum_json import in_json
from apigen.review.gating import named
from apigen.review.mitigations.gates import NeverOn
from apigen.review.mitigations.time import RatchetingBefore, RatchetingOfEnum
from apigen.review.rules.enums.known import (
    ValueChange,
    added_hits,
    added_hits_of_open,
    enum_at,
    is_accepted,
    is_open,
    may_grow,
    renamed_from,
    renamed_to,
    rolled_out_hits,
    shown,
    switched_gates,
    value_change,
)
from apigen.review.rules.guards import has_gates
from apigen.review.rules.rule import Issue, change_rule, state_rule
from apigen.review.rules.selecting import added, altered, removed
from apigen.review.rules.verdicts import INFO, note, silent
from apigen.review.surface import Element, ElementKind, Enum, EnumValue, GateMark, Named, Surface, TypeName, slots_of
from apigen.review.verdict.example import Example, JsonValue, Side
from apigen.review.verdict.impact import Direction, Hit, breaks, depends
from apigen.review.verdict.preset import JSON, WIRE
from apigen.review.verdict.severity import Severities
from apigen.review.verdict.verdict import Verdict


@change_rule(
    "enum-value-renamed",
    removed(ElementKind.ENUM_VALUE),
    added(ElementKind.ENUM_VALUE),
    severities="W/E/E",
    presets=JSON,
)
def enum_value_renamed(change: Added | Removed, context: Context) -> Verdict | None:
    """Reported once, for the old value."""
    found = value_change(change, context)
    if found.old is None or found.new is None:
        return None
    if isinstance(change, Added):
        was = renamed_from(found.value, found.old, found.new)
        return None if was is None else silent(f"{found.name} was {shown(was.value)}")
    now = renamed_to(found.value, found.old, found.new)
    if now is None:
        return None
    hit = depends if is_open(found.new) and is_open(found.old) else breaks
    new = shown(now.value)
    hits = {
        Direction.OLD_CLIENT: hit(f"a client of before that sends {found.name} is refused or not understood"),
        Direction.NEW_CLIENT: hit(f"a new client that sends {new} to a server of before is refused or not understood"),
        Direction.STORED: hit(f"{found.name} in a stored object is none of the known values"),
        Direction.ROLLBACK: hit(f"{new} in a stored object is none of the values that the release before knows"),
    }
    mine, theirs = in_json(found.value.value, found.old), in_json(now.value, found.new)
    examples = (Example(Side.OLD, mine), Example(Side.NEW, theirs))
    return Verdict(f"{found.name} of `{change.element.type}` is spelt {new}", hits, examples=examples)


_ZERO = "the value of an absent field in protobuf"


@change_rule("default-enum-value-removed", removed(ElementKind.ENUM_VALUE), severities="E/E/E", presets=WIRE)
def default_enum_value_removed(change: Removed, context: Context) -> Verdict | None:
    """A default, what an unknown value is taken for, or the zero of protobuf."""
    found = value_change(change, context)
    role = "" if found.old is None or found.old.open else next(_roles(found.value.value, found.old, context), "")
    if not role:
        return None
    hits: dict[Direction, Hit] = {
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {found.name}, which is {role}, is refused"),
        Direction.NEW_CLIENT: depends(f"a new client reads {found.name}, which is {role}, and does not know it"),
        Direction.STORED: breaks(f"stored objects have {found.name}, which is {role}"),
    }
    if role == _ZERO:
        hits[Direction.ROLLBACK] = depends(f"the release before reads an absent field as {found.name}")
    message = f"`{change.element.type}` no longer has the value {found.name}, which is {role}"
    return Verdict(message, hits, examples=found.examples(Side.OLD))


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
    for type_ in context.old.types():
        for element, slot in slots_of(type_):
            if isinstance(slot.type, Named) and slot.default is not None and not slot.default.is_computed:
                found.setdefault((slot.type.name, slot.default.text), str(element))
    return found


@change_rule(
    "enum-value-removed",
    removed(ElementKind.ENUM_VALUE),
    severities="W/E/E",
    mitigated_by=(RatchetingOfEnum(), NeverOn()),
    presets=WIRE,
)
def enum_value_removed(change: Removed, context: Context) -> Verdict:
    """Objects with the value are rejected; if the enum is open, nothing acts on the value."""
    found = value_change(change, context)
    name, message = found.name, f"`{change.element.type}` no longer has the value {found.name}"
    if is_open(found.new):
        ignored = depends(f"nothing acts on {name} any more, though it is accepted")
        hits = alike(ignored, Direction.OLD_CLIENT, Direction.STORED)
        if is_open(found.old) and not is_accepted(found.value, context.old, change.element.group):
            hits[Direction.NEW_CLIENT] = breaks(f"a new client that sends {name} to a server of before is refused")
            hits[Direction.ROLLBACK] = depends(f"the release before keeps {name}, and gives it to no other object")
        return Verdict(f"{message}, and accepts any text", hits, severities=Severities.of("I/I/W"))
    hits = {
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {name} is refused"),
        Direction.STORED: breaks(f"a stored object with {name} is refused when it is judged again"),
    }
    patch = f'{found.value.value}: {{deprecated: "<this release>"}}'
    return Verdict(message, hits, patch=patch, examples=found.examples(Side.OLD))


@change_rule("enum-value-rolled-out", added(ElementKind.ENUM_VALUE), severities="I/I/I")
def enum_value_rolled_out(change: Added, context: Context) -> Verdict | None:
    """The value is tolerated, or its gate is disabled: no object gets the value yet."""
    found = value_change(change, context)
    if is_accepted(found.value, context.new, change.element.group):
        return None
    name, gate, when = found.name, found.value.gate, f"from {found.value.lifecycle.introduced} on"
    if gate is not None:
        when = f"where {(' or ' if gate.is_any else ' and ').join(gate.gates)} is switched on"
    message = f"{_new_value(found, change)}, accepted {when}"
    if is_open(found.old):
        # until the value is accepted, the enum rejects it, although it accepts any other string
        own_text = breaks(f"a client of before that sends {name} as a text of its own is refused")
        hits = {**added_hits_of_open(name), **_refused_hits(name), Direction.OLD_CLIENT: own_text}
        message, severities = f"{message}, and was text like any other", Severities.of("W/W/W")
        return Verdict(message, hits, severities=severities, examples=found.examples(Side.OLD))
    hits = {
        Direction.NEW_CLIENT: depends(f"a new client that sends {name} to a server of before is refused"),
        Direction.ROLLBACK: depends(f"the release before refuses an object that got {name} {when}"),
    }
    return Verdict(message, hits)


def _new_value(found: ValueChange, change: Added) -> str:
    return f"{found.name} is a new value of `{change.element.type}`"


def _refused_hits(name: str) -> dict[Direction, Hit]:
    """Of a value that is no longer accepted by default."""
    return {
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {name} is refused"),
        Direction.STORED: depends(f"a stored object keeps {name}, and no other may get it"),
    }


@change_rule(
    "enum-value-enabled-at-once", added(ElementKind.ENUM_VALUE), severities="I/W/E", mitigated_by=(RatchetingBefore(),)
)
def enum_value_enabled_at_once(change: Added, context: Context) -> Verdict | None:
    """A gate that is enabled from the beginning protects no client."""
    found = value_change(change, context)
    if found.value.gate is None or not is_accepted(found.value, context.new, change.element.group):
        return None
    message = f"{_new_value(found, change)}, and its gate {named(found.value.gate.gates)} is on at once"
    return Verdict(message, added_hits(found), examples=found.examples(Side.NEW))


@change_rule(
    "enum-value-added-to-growing", added(ElementKind.ENUM_VALUE), severities="I/I/W", mitigated_by=(RatchetingBefore(),)
)
def enum_value_added_to_growing(change: Added, context: Context) -> Verdict | None:
    """Clients know how to treat unknown values, by `unknown:` or by `open: true`."""
    found = value_change(change, context)
    if found.old is None or not may_grow(found.old):
        return None
    how = "any text" if found.old.open else f"what it does not know for `{found.old.unknown}`"
    message = f"{_new_value(found, change)}, of which a client of before takes {how}"
    return Verdict(message, added_hits(found), examples=found.examples(Side.NEW))


@change_rule("enum-value-added", added(ElementKind.ENUM_VALUE), severities="I/W/E", mitigated_by=(RatchetingBefore(),))
def enum_value_added(change: Added, context: Context) -> Verdict:
    """The last rule about new values, without anything that lowers the severity."""
    found = value_change(change, context)
    is_closed = found.old is not None and found.old.closed
    why = "which said that it never gets another one" if is_closed else "which did not say that it may grow"
    patch = f'{found.value.value}: {{tolerated: "<this release>", introduced: "<the next one>"}}'
    message = f"{_new_value(found, change)}, {why}"
    return Verdict(message, added_hits(found), patch=patch, examples=found.examples(Side.NEW))


@change_rule("enum-value-gate-changed", altered(Trait.GATE, ElementKind.ENUM_VALUE), severities="W/E/E")
def enum_value_gate_changed(change: Altered, context: Context) -> Verdict:
    """The effect depends on whether the value is accepted by default, before and after."""
    before, after = _are_accepted(change, context)
    name = shown(change.element.path)
    words = f"{name} of `{change.element.type}` has the gate {value_words(change.after)}, and had {value_words(change.before)}"
    value = in_json(change.element.path, enum_at(context.new, change.element))
    if before and not after:
        message = f"{words}: by default it is refused now"
        return Verdict(message, _refused_hits(name), examples=(Example(Side.OLD, value),))
    if after and not before:
        hits = {
            Direction.OLD_CLIENT: depends(f"a client of before reads {name}, which it may not know"),
            Direction.NEW_CLIENT: breaks(f"a new client that sends {name} to a server of before is refused"),
            Direction.ROLLBACK: depends(f"the release before keeps {name} where it is, and refuses it elsewhere"),
        }
        return Verdict(f"{words}: by default it is accepted now", hits, examples=(Example(Side.NEW, value),))
    text = f"where the gates are not as by default, only one side may accept {name}"
    return Verdict(words, everywhere(depends(text)), severities=Severities.of("I/I/W"))


def _are_accepted(change: Altered, context: Context) -> tuple[bool, bool]:
    """Whether every object can have a value by default, on both sides."""
    old, new, group = change.old, change.new, change.element.group
    assert isinstance(old, EnumValue) and isinstance(new, EnumValue)
    return is_accepted(old, context.old, group), is_accepted(new, context.new, group)


@state_rule("enum-value-gate-switched", has_gates, severities="I/I/I")
def enum_value_gate_switched(surface: Surface, context: Context) -> Iterator[Issue]:
    """The second step of a roll-out with a gate: the same value is accepted by default, or no longer."""
    if surface is not context.new or not switched_gates(context):
        return
    for after in surface.types():
        before = context.old.type(after.name)
        for name, value in after.values.items() if isinstance(after, Enum) else ():
            old = before.values.get(name) if isinstance(before, Enum) else None
            if old is None or value.gate is None or old.gate != value.gate:
                continue
            is_on = is_accepted(value, context.new, after.name.group)
            if is_on != is_accepted(old, context.old, after.name.group):
                element = Element(ElementKind.ENUM_VALUE, *after.name, name)
                verdict = _switched(element, value.gate, in_json(name, enum_at(surface, element)), is_on)
                yield Issue(element, value.place, verdict, "on" if is_on else "off")


def _switched(element: Element, gate: GateMark, value: JsonValue, is_on: bool) -> Verdict:
    name = shown(element.path)
    if is_on:
        message = f"{name} of `{element.type}` is accepted by default, as {named(gate.gates)} is on"
        read = depends(f"a client of before reads {name}, which it may not handle")
        hits = {**rolled_out_hits(name), Direction.OLD_CLIENT: read}
        return Verdict(message, hits, examples=(Example(Side.NEW, value),))
    message = f"{name} of `{element.type}` is refused by default, as {named(gate.gates)} is off"
    severities, examples = Severities.of("W/E/E"), (Example(Side.OLD, value),)
    return Verdict(message, _refused_hits(name), severities=severities, examples=examples)


@change_rule(
    "enum-value-roll-out-changed",
    altered(Trait.TOLERATED, ElementKind.ENUM_VALUE),
    altered(Trait.INTRODUCED, ElementKind.ENUM_VALUE),
    severities="I/W/E",
)
def enum_value_roll_out_changed(change: Altered, context: Context) -> Verdict:
    """The second step of a roll-out, or a step that was moved to another release."""
    old, new, name = change.old, change.new, shown(change.element.path)
    assert isinstance(old, EnumValue) and isinstance(new, EnumValue)
    was, now = value_words(change.before), value_words(change.after)
    words = f"{change.trait} of {name} of `{change.element.type}` is {now} instead of {was}"
    if change.trait is Trait.INTRODUCED and old.tolerated != new.tolerated:
        return silent(words)
    before, after = _are_accepted(change, context)
    if before == after:
        return note(words)
    if before:
        hit = breaks(f"a client of before that sends {name} is refused")
        hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED)
        return Verdict(f"{words}: the value is not accepted any more", hits)
    return Verdict(f"{words}: the value is accepted now", rolled_out_hits(name), severities=INFO)


@change_rule("enum-growth-changed", altered(Trait.CLOSED, ElementKind.ENUM), severities="W/E/E")
def enum_growth_changed(change: Altered, context: Context) -> Verdict:
    """`open: false` is a promise and is not validated."""
    name = change.element.type
    if change.after is True:
        return note(f"`{name}` says that it never gets another value")
    text = "a client of before handles all values and nothing else"
    return Verdict(f"`{name}` no longer says that it never gets another value", {Direction.OLD_CLIENT: depends(text)})


@change_rule("unknown-value-changed", altered(Trait.UNKNOWN_VALUE, ElementKind.ENUM), severities="I/W/W")
def unknown_value_changed(change: Altered, context: Context) -> Verdict:
    """Older and newer clients decode the same object differently."""
    before, after = _treatment(change.old), _treatment(change.new)
    message = f"a client takes an unknown value of `{change.element.type}` for {after}, and took it for {before}"
    text = f"a client of before takes a value that it does not know for {before}, a new one for {after}"
    hits = alike(depends(text), Direction.OLD_CLIENT, Direction.ROLLBACK)
    return Verdict(message, hits, severities=INFO if change.before is None else None)


def _treatment(enum: Part) -> str:
    """What an unknown value is to clients, as an enum says it."""
    if not isinstance(enum, Enum) or (enum.unknown is None and not enum.open):
        return "what each of them likes"
    return "what it is" if enum.open else f"`{enum.unknown}`"
