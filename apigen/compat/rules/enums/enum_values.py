"""Values of enums."""

from __future__ import annotations

import json
from collections.abc import Iterator

from apigen.compat.changes.change import Added, Altered, Part, Removed, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.mitigations.never_on import NeverOn
from apigen.compat.mitigations.ratcheting import RatchetingOfEnum
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.enums.known import (
    ValueChange,
    added_hits,
    added_hits_of_open,
    enum_at,
    example,
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
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.rule import Issue, change_rule, state_rule
from apigen.compat.surface.elements import Element, ElementKind, TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Alias, Enum, EnumValue, Named, Slot, Struct
from apigen.compat.values.enum_json import in_json
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.preset import JSON, WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "enum-value-renamed",
    removed(ElementKind.ENUM_VALUE),
    added(ElementKind.ENUM_VALUE),
    severities="W/E/E",
    presets=JSON,
)
def enum_value_renamed(change: Added | Removed, context: Context) -> Verdict | None:
    """Told once, where the old value was."""
    found = value_change(change, context)
    if found is None or found.old is None or found.new is None:
        return None
    if not isinstance(change, Removed):
        was = renamed_from(found.value, found.old, found.new)
        silent = Severities.of("-/-/-")
        return None if was is None else Verdict(f"{found.name} was {shown(was.value)}", {}, severities=silent)
    now = renamed_to(found.value, found.old, found.new)
    if now is None:
        return None
    hit = depends if is_open(found.new) and is_open(found.old) else breaks
    new = shown(now.value)
    return Verdict(
        f"{found.name} of `{change.element.type}` is spelt {new}",
        {
            Direction.OLD_CLIENT: hit(f"a client of before that sends {found.name} is refused or not understood"),
            Direction.NEW_CLIENT: hit(
                f"a new client that sends {new} to a server of before is refused or not understood"
            ),
            Direction.STORED: hit(f"{found.name} in a stored object is none of the known values"),
            Direction.ROLLBACK: hit(f"{new} in a stored object is none of the values that the release before knows"),
        },
        examples=(
            Example(Side.OLD, in_json(found.value.value, found.old)),
            Example(Side.NEW, in_json(now.value, found.new)),
        ),
    )


_ZERO = "the value of an absent field in protobuf"


@change_rule("default-enum-value-removed", removed(ElementKind.ENUM_VALUE), severities="E/E/E", presets=WIRE)
def default_enum_value_removed(change: Removed, context: Context) -> Verdict | None:
    """A default, what an unknown value is taken for, or the zero of protobuf."""
    found = value_change(change, context)
    if found is None or found.old is None or found.old.open:
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


@change_rule(
    "enum-value-removed",
    removed(ElementKind.ENUM_VALUE),
    severities="W/E/E",
    mitigated_by=(RatchetingOfEnum(), NeverOn()),
    presets=WIRE,
)
def enum_value_removed(change: Removed, context: Context) -> Verdict | None:
    """What had it is refused; of an open enum, it is no longer known."""
    found = value_change(change, context)
    if found is None:
        return None
    message = f"`{change.element.type}` no longer has the value {found.name}"
    if is_open(found.new):
        text = f"nothing acts on {found.name} any more, though it is accepted"
        hits = {Direction.OLD_CLIENT: depends(text), Direction.STORED: depends(text)}
        if is_open(found.old) and not is_accepted(found.value, context.old, change.element.group):
            hits[Direction.NEW_CLIENT] = breaks(
                f"a new client that sends {found.name} to a server of before is refused"
            )
            hits[Direction.ROLLBACK] = depends(
                f"the release before keeps {found.name}, and gives it to no other object"
            )
        return Verdict(f"{message}, and accepts any text", hits, severities=Severities.of("I/I/W"))
    return Verdict(
        message,
        {
            Direction.OLD_CLIENT: breaks(f"a client of before that sends {found.name} is refused"),
            Direction.STORED: breaks(f"a stored object with {found.name} is refused when it is judged again"),
        },
        patch=f'{found.value.value}: {{deprecated: "<this release>"}}',
        examples=(Example(Side.OLD, found.json),),
    )


@change_rule("enum-value-rolled-out", added(ElementKind.ENUM_VALUE), severities="I/I/I")
def enum_value_rolled_out(change: Added, context: Context) -> Verdict | None:
    """Tolerated where it is, or behind a gate that is off: nothing gets the value yet."""
    found = value_change(change, context)
    if found is None or is_accepted(found.value, context.new, change.element.group):
        return None
    gate = found.value.gate
    if gate is not None:
        when = f"where {(' or ' if gate.is_any else ' and ').join(gate.gates)} is switched on"
    else:
        when = f"from {found.value.lifecycle.introduced} on"
    message = f"{found.name} is a new value of `{change.element.type}`, accepted {when}"
    if is_open(found.old):
        return Verdict(
            f"{message}, and was text like any other", _of_open(found.name), severities=_REFUSED, examples=_sent(found)
        )
    return Verdict(
        message,
        {
            Direction.NEW_CLIENT: depends(f"a new client that sends {found.name} to a server of before is refused"),
            Direction.ROLLBACK: depends(f"the release before refuses an object that got {found.name} {when}"),
        },
    )


_REFUSED = Severities.of("W/W/W")


def _of_open(name: str) -> dict[Direction, Hit]:
    """Of a value that an open enum took for any text, which it refuses until the value is accepted."""
    return {
        **added_hits_of_open(name),
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {name} as a text of its own is refused"),
        Direction.STORED: depends(f"a stored object keeps {name}, and no other may get it"),
    }


def _sent(found: ValueChange) -> tuple[Example, ...]:
    return (Example(Side.OLD, found.json),)


@change_rule(
    "enum-value-enabled-at-once", added(ElementKind.ENUM_VALUE), severities="I/W/E", mitigated_by=(RatchetingBefore(),)
)
def enum_value_enabled_at_once(change: Added, context: Context) -> Verdict | None:
    """A gate that is on from the beginning protects nobody."""
    found = value_change(change, context)
    if found is None or found.value.gate is None:
        return None
    if not is_accepted(found.value, context.new, change.element.group):
        return None
    gates = " and ".join(found.value.gate.gates)
    return Verdict(
        f"{found.name} is a new value of `{change.element.type}`, and its gate {gates} is on at once",
        added_hits(found, context),
        examples=example(found),
    )


@change_rule(
    "enum-value-added-to-growing", added(ElementKind.ENUM_VALUE), severities="I/I/W", mitigated_by=(RatchetingBefore(),)
)
def enum_value_added_to_growing(change: Added, context: Context) -> Verdict | None:
    """Clients were told: `unknown:` says what to take the value for, `open: true` that any text is good."""
    found = value_change(change, context)
    if found is None or not may_grow(found.old):
        return None
    assert found.old is not None
    how = "any text" if found.old.open else f"what it does not know for `{found.old.unknown}`"
    return Verdict(
        f"{found.name} is a new value of `{change.element.type}`, of which a client of before takes {how}",
        added_hits(found, context),
        examples=example(found),
    )


@change_rule("enum-value-added", added(ElementKind.ENUM_VALUE), severities="I/W/E", mitigated_by=(RatchetingBefore(),))
def enum_value_added(change: Added, context: Context) -> Verdict | None:
    """The last rule about new values: nothing softens it."""
    found = value_change(change, context)
    if found is None:
        return None
    closed = found.old is not None and found.old.closed
    why = ", which said that it never gets another one" if closed else ", which did not say that it may grow"
    return Verdict(
        f"{found.name} is a new value of `{change.element.type}`{why}",
        added_hits(found, context),
        patch=f'{found.value.value}: {{tolerated: "<this release>", introduced: "<the next one>"}}',
        examples=example(found),
    )


@change_rule("enum-value-gate-changed", altered(Trait.GATE, ElementKind.ENUM_VALUE), severities="W/E/E")
def enum_value_gate_changed(change: Altered, context: Context) -> Verdict | None:
    """What counts is who may have the value by default, before and after."""
    if (
        not isinstance(change, Altered)
        or not isinstance(change.old, EnumValue)
        or not isinstance(change.new, EnumValue)
    ):
        return None
    before, after = is_accepted(change.old, context.old, change.element.group), is_accepted(
        change.new, context.new, change.element.group
    )
    name = shown(change.element.path)
    words = f"{name} of `{change.element.type}` has the gate {value_words(change.after)}, and had {value_words(change.before)}"
    value = in_json(change.element.path, enum_at(context.new, change.element))
    if before and not after:
        return Verdict(f"{words}: by default it is refused now", _lost(name), examples=(Example(Side.OLD, value),))
    if after and not before:
        return Verdict(f"{words}: by default it is accepted now", _won(name), examples=(Example(Side.NEW, value),))
    text = f"where the gates are not as by default, only one side may accept {name}"
    return Verdict(words, dict.fromkeys(Direction, depends(text)), severities=Severities.of("I/I/W"))


def _lost(name: str) -> dict[Direction, Hit]:
    return {
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {name} is refused"),
        Direction.STORED: depends(f"a stored object keeps {name}, and no other may get it"),
    }


def _won(name: str) -> dict[Direction, Hit]:
    return {
        Direction.OLD_CLIENT: depends(f"a client of before reads {name}, which it may not know"),
        Direction.NEW_CLIENT: breaks(f"a new client that sends {name} to a server of before is refused"),
        Direction.ROLLBACK: depends(f"the release before keeps {name} where it is, and refuses it elsewhere"),
    }


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


@change_rule(
    "enum-value-roll-out-changed",
    altered(Trait.TOLERATED, ElementKind.ENUM_VALUE),
    altered(Trait.INTRODUCED, ElementKind.ENUM_VALUE),
    severities="I/W/E",
)
def enum_value_roll_out_changed(change: Altered, context: Context) -> Verdict | None:
    """The second step of a roll-out, or one that was put off, or brought forward."""
    if (
        not isinstance(change, Altered)
        or not isinstance(change.old, EnumValue)
        or not isinstance(change.new, EnumValue)
    ):
        return None
    before, after = is_accepted(change.old, context.old, change.element.group), is_accepted(
        change.new, context.new, change.element.group
    )
    name = shown(change.element.path)
    words = (
        f"{change.trait} of {name} of `{change.element.type}` is {value_words(change.after)} instead of"
        f" {value_words(change.before)}"
    )
    if change.trait is Trait.INTRODUCED and change.old.tolerated != change.new.tolerated:
        return Verdict(words, {}, severities=Severities.of("-/-/-"))
    if before == after:
        return Verdict(words, {}, severities=Severities.of("I/I/I"))
    if before:
        hit = breaks(f"a client of before that sends {name} is refused")
        return Verdict(
            f"{words}: the value is not accepted any more", {Direction.OLD_CLIENT: hit, Direction.STORED: hit}
        )
    return Verdict(f"{words}: the value is accepted now", rolled_out_hits(name), severities=_NEXT_STEP)


_NEXT_STEP = Severities.of("I/I/I")


@change_rule("enum-growth-changed", altered(Trait.CLOSED, ElementKind.ENUM), severities="W/E/E")
def enum_growth_changed(change: Altered, context: Context) -> Verdict | None:
    """`open: false` came or went: a promise, and no validation."""
    name = change.element.type
    if change.after is True:
        return Verdict(f"`{name}` says that it never gets another value", {}, severities=Severities.of("I/I/I"))
    text = "a client of before handles all values and nothing else"
    return Verdict(f"`{name}` no longer says that it never gets another value", {Direction.OLD_CLIENT: depends(text)})


@change_rule("unknown-value-changed", altered(Trait.UNKNOWN_VALUE, ElementKind.ENUM), severities="I/W/W")
def unknown_value_changed(change: Altered, context: Context) -> Verdict | None:
    """Clients of two releases read the same object in two ways."""
    before, after = _treatment(change.old), _treatment(change.new)
    message = f"a client takes an unknown value of `{change.element.type}` for {after}, and took it for {before}"
    text = f"a client of before takes a value that it does not know for {before}, a new one for {after}"
    hits = {Direction.OLD_CLIENT: depends(text), Direction.ROLLBACK: depends(text)}
    return Verdict(message, hits, severities=Severities.of("I/I/I") if change.before is None else None)


def _treatment(enum: Part) -> str:
    """What an unknown value is to clients, as an enum says it."""
    if not isinstance(enum, Enum) or (enum.unknown is None and not enum.open):
        return "what each of them likes"
    return "what it is" if enum.open else f"`{enum.unknown}`"
