"""The values of enums: added, removed, renamed, behind a gate, and whether an enum may grow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain, count

from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import yaml_text
from apigen.ir.stability import next_release, stability
from apigen.ir.surface import (
    Element,
    ElementKind,
    Enum,
    EnumValue,
    GateMark,
    Named,
    Surface,
    TypeName,
    may_grow,
    slots_of,
)
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Added, Altered, Part, Removed, Trait
from apigen.review.changes.words import from_to
from apigen.review.context import Context
from apigen.review.effects.scalars import in_json
from apigen.review.gating import is_accepted, is_enabled, named, switched_gates
from apigen.review.mitigations import never_enabled, ratcheting_before, ratcheting_of_enum, window_elapsed
from apigen.review.results import (
    JSON,
    WIRE,
    Direction,
    Effect,
    Example,
    RuleResult,
    Severities,
    Severity,
    Side,
    alike,
    breaks,
    depends,
    everywhere,
)
from apigen.review.rules.gates import Marks
from apigen.review.rules.rule import (
    INFO,
    Issue,
    about,
    added,
    altered,
    at,
    change_rule,
    note,
    removed,
    silent,
    state_rule,
)
from apigen.review.windows import NOTES, edit_instead_of_removal


@dataclass(frozen=True, slots=True)
class ValueChange:
    """An added or removed value; `old` and `new` are its enum on both sides, None if it is unknown."""

    value: EnumValue
    old: Enum | None
    new: Enum | None

    @property
    def name(self) -> str:
        """The value, for messages."""
        return shown(self.value.value)

    @property
    def json(self) -> JsonValue:
        """The value in JSON."""
        return in_json(self.value.value, self.new or self.old)

    def examples(self, side: Side) -> tuple[Example, ...]:
        """Return the value, written by a side."""
        return (Example(side, self.json),)


def shown(value: str) -> str:
    """Return a value for messages."""
    return f"`{value}`" if value else '`""`'


def value_change(change: Added | Removed, context: Context) -> ValueChange:
    """Return the value that a change adds or removes."""
    assert isinstance(change.part, EnumValue)
    new = change.holder if isinstance(change.holder, Enum) else enum_at(context.new, change.element)
    return ValueChange(change.part, enum_at(context.old, change.element), new)


def enum_at(surface: Surface, element: Element) -> Enum | None:
    """Return the enum of an element, or None."""
    found = surface.type(element.type_name)
    return found if isinstance(found, Enum) else None


def is_open(enum: Enum | None) -> bool:
    """Return whether an enum accepts undeclared values."""
    return enum is not None and enum.open


def added_effects(of: ValueChange) -> dict[Direction, Effect]:
    """Return the effects of a new value that every object may have."""
    name = of.name
    if is_open(of.old):
        return added_effects_of_open(name)
    return {
        Direction.OLD_CLIENT: depends(f"older clients receive {name}, which they do not know"),
        Direction.NEW_CLIENT: breaks(f"newer clients that send {name} to an older server are rejected"),
        Direction.ROLLBACK: breaks(f"the previous release rejects updates of objects with {name}"),
    }


def added_effects_of_open(name: str) -> dict[Direction, Effect]:
    """Return the effects of a new value that the enum accepted as an arbitrary string before; `name` for messages."""
    return {
        Direction.OLD_CLIENT: depends(f"older clients receive {name}, and do not know its meaning"),
        Direction.NEW_CLIENT: depends(f"an older server treats {name} as an arbitrary string"),
        Direction.ROLLBACK: depends(f"the previous release keeps {name} as an arbitrary string"),
    }


def rolled_out_effects(name: str) -> dict[Direction, Effect]:
    """Return the effects of a value that the previous release tolerated, and every object may have now; `name` for messages."""
    return {
        Direction.OLD_CLIENT: depends(
            f"older clients receive {name}, which only those of the release that tolerates it know"
        ),
        Direction.NEW_CLIENT: breaks(f"newer clients that add {name} to an object on an older server are rejected"),
        Direction.ROLLBACK: depends(
            f"the previous release keeps {name} in objects that have it, and rejects it in others"
        ),
    }


_SEPARATORS = re.compile(r"[-_./\s]")


def _renames(old: Enum, new: Enum) -> tuple[Mapping[str, EnumValue], Mapping[str, EnumValue]]:
    """Return the values that were renamed in all probability: by the old value the new one, and the reverse."""
    forth: dict[str, EnumValue] = {}
    back: dict[str, EnumValue] = {}
    added_values = [value for value in new.values.values() if value.value not in old.values]
    same: dict[object, int] = {}
    for position, value in enumerate(added_values):
        for key in _keys(value):
            same.setdefault(key, position)
    for value in old.values.values():
        positions = [same[key] for key in _keys(value) if key in same]
        if value.value not in new.values and positions:
            forth[value.value] = added_values[min(positions)]
            back.setdefault(added_values[min(positions)].value, value)
    return forth, back


def _keys(value: EnumValue) -> list[object]:
    """Return the properties by which differently spelled values are the same: their number, or their letters."""
    letters = _SEPARATORS.sub("", value.value).casefold()
    return [key for key in (value.number, letters or None) if key is not None]


def unknown_text(*enums: Part) -> str:
    """Return a string that is not a value of any of the enums."""
    known = {value for enum in enums if isinstance(enum, Enum) for value in enum.values}
    candidates = chain(["Other"], (f"Other{number}" for number in count(2)))
    return next(text for text in candidates if text not in known)


@change_rule(
    "enum-value-renamed",
    removed(ElementKind.ENUM_VALUE),
    added(ElementKind.ENUM_VALUE),
    severities="W/E/E",
    presets=JSON,
)
@about(value_change)
def enum_value_renamed(change: Added | Removed, found: ValueChange, context: Context) -> RuleResult | None:
    """Reported once, for the old value."""
    if found.old is None or found.new is None:
        return None
    forth, back = context.latest(_renames, found.old, found.new)  # enums may have very many values
    if isinstance(change, Added):
        was = back.get(found.value.value)
        return None if was is None else silent(f"{found.name} was renamed from {shown(was.value)}")
    now = forth.get(found.value.value)
    if now is None:
        return None
    effect = depends if is_open(found.new) and is_open(found.old) else breaks
    new = shown(now.value)
    effects = {
        Direction.OLD_CLIENT: effect(f"older clients that send {found.name} are rejected or misunderstood"),
        Direction.NEW_CLIENT: effect(f"newer clients that send {new} to an older server are rejected or misunderstood"),
        Direction.STORED: effect(f"{found.name} in stored objects is not a known value"),
        Direction.ROLLBACK: effect(f"{new} in stored objects is not a known value of the previous release"),
    }
    old_value, new_value = in_json(found.value.value, found.old), in_json(now.value, found.new)
    examples = (Example(Side.OLD, old_value), Example(Side.NEW, new_value))
    return RuleResult(
        f"value {found.name} of enum `{change.element.type}` was renamed to {new}", effects, examples=examples
    )


_ZERO = "the value of an absent field in protobuf"


@change_rule("default-enum-value-removed", removed(ElementKind.ENUM_VALUE), severities="E/E/E", presets=WIRE)
@about(value_change)
def default_enum_value_removed(change: Removed, found: ValueChange, context: Context) -> RuleResult | None:
    """A default, the `unknown:` value that clients substitute, or the zero of protobuf."""
    role = "" if found.old is None or found.old.open else next(_roles(found.value.value, found.old, context), "")
    if not role:
        return None
    effects: dict[Direction, Effect] = {
        Direction.OLD_CLIENT: breaks(f"older clients that send {found.name}, which is {role}, are rejected"),
        Direction.NEW_CLIENT: depends(f"newer clients receive {found.name}, which is {role}, and do not know it"),
        Direction.STORED: breaks(f"stored objects contain {found.name}, which is {role}"),
    }
    if role == _ZERO:
        effects[Direction.ROLLBACK] = depends(f"the previous release reads an absent field as {found.name}")
    message = f"value {found.name} of enum `{change.element.type}` was removed, but it is {role}"
    return RuleResult(message, effects, examples=found.examples(Side.OLD))


def _roles(value: str, enum: Enum, context: Context) -> Iterator[str]:
    if enum.unknown == value:
        yield "the value that clients substitute for unknown ones"
    if value in enum.values and enum.values[value].number == 0:
        yield _ZERO
    defaults = context.cached(_defaults)
    for text in (json.dumps(value, ensure_ascii=False), value):
        if (enum.name, text) in defaults:
            yield f"the default of {defaults[enum.name, text]}"


def _defaults(context: Context) -> dict[tuple[TypeName, str], str]:
    """Return the first place of the base that has a default, by the enum and the text of the default."""
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
    mitigated_by=(ratcheting_of_enum, never_enabled, window_elapsed),
    presets=WIRE,
)
@about(value_change)
def enum_value_removed(change: Removed, found: ValueChange, context: Context) -> RuleResult:
    """Objects with the value are rejected; if the enum is open, no server recognizes the value."""
    name, message = found.name, f"value {found.name} of enum `{change.element.type}` was removed"
    if is_open(found.new):
        ignored = depends(f"servers accept {name}, but no longer recognize it")
        effects = alike(ignored, Direction.OLD_CLIENT, Direction.STORED)
        if is_open(found.old) and not is_accepted(found.value, context.old, change.element.group):
            effects[Direction.NEW_CLIENT] = breaks(f"newer clients that send {name} to an older server are rejected")
            effects[Direction.ROLLBACK] = depends(
                f"the previous release keeps {name} in objects that have it, and rejects it in others"
            )
        return RuleResult(f"{message}; the enum accepts any string", effects, severities=Severities.of("I/I/W"))
    effects = {
        Direction.OLD_CLIENT: breaks(f"older clients that send {name} are rejected"),
        Direction.STORED: breaks(f"updates of stored objects with {name} are rejected"),
    }
    fix = edit_instead_of_removal(found.value.lifecycle, change.element, context.old, context.new, due=NOTES)
    patch = "" if fix else f"{yaml_text(found.value.value)}: {{}}"
    return RuleResult(message, effects, fix, patch, examples=found.examples(Side.OLD))


@change_rule(
    "enum-growth-undeclared",
    added(ElementKind.ENUM_VALUE),
    severities="I/W/W",
    is_excusable=False,
    stops_from=Severity.WARNING,
)
@about(value_change)
def enum_growth_undeclared(change: Added, found: ValueChange, context: Context) -> RuleResult | None:
    """The value is accepted later, but the clients of that release still handle the declared values only."""
    if found.old is None or is_accepted(found.value, context.new, change.element.group):
        return None
    undeclared = _undeclared_growth(found.old, context)
    if not undeclared:
        return None
    effects = {
        Direction.OLD_CLIENT: depends(f"older clients will receive {found.name}, and have no rule for unknown values"),
        **(_effects_of_formerly_open(found.name) if is_open(found.old) else _planned_effects(found)),
    }
    message = f"{_new_value(found, change)}, {undeclared}; it is accepted {_when_accepted(found.value)}"
    # the gate of the value does not protect clients from it once the gate is enabled
    severities = Severities.of("I/W/E") if found.old.closed else enum_growth_undeclared.severities
    return RuleResult(message, effects, severities=at(severities, stability(change.element.version)))


def _undeclared_growth(enum: Enum | None, context: Context) -> str:
    """Return how an enum did not declare in its first release that it may grow, for messages; empty if it did."""
    late = None if enum is None else context.old.growth_declared_late.get(enum.name)
    if late is not None:
        return f"which did not declare in {late}, its first release, that it may grow"
    if enum is not None and may_grow(enum):
        return ""
    is_closed = enum is not None and enum.closed
    return "which declares `open: false`" if is_closed else "which does not declare that it may grow"


def _when_accepted(value: EnumValue) -> str:
    """Return when a value is accepted that is not accepted yet, for messages."""
    if value.gate is not None:
        return f"if {(' or ' if value.gate.is_any else ' and ').join(value.gate.gates)} is enabled"
    introduced = value.lifecycle.introduced
    return "in no release yet" if introduced is None else f"from {introduced} on"


def _planned_effects(found: ValueChange) -> dict[Direction, Effect]:
    """Return the effects of a value that is not accepted yet, and was not valid before."""
    rejected = f"the previous release rejects objects that got {found.name} {_when_accepted(found.value)}"
    return {
        Direction.NEW_CLIENT: depends(f"newer clients that send {found.name} to an older server are rejected"),
        Direction.ROLLBACK: depends(rejected),
    }


def _effects_of_formerly_open(name: str) -> dict[Direction, Effect]:
    """Return the effects of a value that is not accepted yet, although the enum accepts any other string."""
    own_text = breaks(f"older clients that send {name} as an arbitrary string are rejected")
    return {**added_effects_of_open(name), **_rejected_effects(name), Direction.OLD_CLIENT: own_text}


@change_rule("enum-value-rolled-out", added(ElementKind.ENUM_VALUE), severities="I/I/I")
@about(value_change)
def enum_value_rolled_out(change: Added, found: ValueChange, context: Context) -> RuleResult | None:
    """The value is tolerated, or its gate is disabled: no object gets the value yet."""
    if is_accepted(found.value, context.new, change.element.group):
        return None
    name, message = found.name, f"{_new_value(found, change)}, and is accepted {_when_accepted(found.value)}"
    if is_open(found.old):
        effects = _effects_of_formerly_open(name)
        message, severities = f"{message}; the enum accepted it before as an arbitrary string", Severities.of("W/W/W")
        return RuleResult(message, effects, severities=severities, examples=found.examples(Side.OLD))
    return RuleResult(message, _planned_effects(found))


def _new_value(found: ValueChange, change: Added) -> str:
    return f"value {found.name} was added to enum `{change.element.type}`"


def _rejected_effects(name: str) -> dict[Direction, Effect]:
    """Return the effects of a value that is no longer accepted by default."""
    return {
        Direction.OLD_CLIENT: breaks(f"older clients that send {name} are rejected"),
        Direction.STORED: depends(f"stored objects keep {name}, but no other object can get it"),
    }


@change_rule(
    "enum-value-enabled-at-once",
    added(ElementKind.ENUM_VALUE),
    severities="I/W/E",
    mitigated_by=(ratcheting_before,),
    stops_from=Severity.WARNING,
)
@about(value_change)
def enum_value_enabled_at_once(change: Added, found: ValueChange, context: Context) -> RuleResult | None:
    """A gate that is enabled in the first release protects no client."""
    if found.value.gate is None or is_open(found.old) or _undeclared_growth(found.old, context):
        return None
    on = tuple(each for each in found.value.gate.gates if is_enabled(GateMark((each,)), context.new))
    message = f"{_new_value(found, change)}, and its feature gate {named(on)} is enabled at once"
    return RuleResult(message, added_effects(found), examples=found.examples(Side.NEW))


@change_rule(
    "enum-value-added-to-growing",
    added(ElementKind.ENUM_VALUE),
    severities="I/W/W",
    mitigated_by=(ratcheting_before,),
    stops_from=Severity.WARNING,
)
@about(value_change)
def enum_value_added_to_growing(change: Added, found: ValueChange, context: Context) -> RuleResult | None:
    """Clients know how to treat unknown values, by `unknown:` or by `open: true`."""
    if found.old is None or _undeclared_growth(found.old, context):
        return None
    how = "accept any string" if found.old.open else f"read unknown values as `{found.old.unknown}`"
    message = f"{_new_value(found, change)}, whose older clients {how}"
    examples = found.examples(Side.NEW)
    if found.old.open:  # servers of the previous release accept the value, too
        return RuleResult(message, added_effects(found), severities=INFO, examples=examples)
    patch = _in_two_releases(found.value, change, context)
    return RuleResult(message, added_effects(found), patch=patch, examples=examples)


def _in_two_releases(value: EnumValue, change: Added, context: Context) -> str:
    """Return a value that the next release tolerates, and the one after it accepts, as in the spec language; empty if the next
    release is unknown.
    """
    release = context.new.release_in(change.element.group)
    if release is None:
        return ""
    return f'{yaml_text(value.value)}: {{tolerated: "{release}", introduced: "{next_release(release)}"}}'


def _name_in_json(found: ValueChange) -> str | None:
    """Return the name that older clients know for the number of a new value (`allow_alias` of protobuf), if encoders
    still write it: they write the first name of a number, and binary data has only the number.
    """
    if found.value.number is None or found.old is None or found.new is None:
        return None
    names = (each.value for each in found.new.values.values() if each.number == found.value.number)
    first = found.old.values.get(next(names))
    return first.value if first is not None and first.number == found.value.number else None


@change_rule(
    "enum-value-added",
    added(ElementKind.ENUM_VALUE),
    severities="I/W/E",
    mitigated_by=(ratcheting_before,),
    stops_from=Severity.WARNING,
)
@about(value_change)
def enum_value_added(change: Added, found: ValueChange, context: Context) -> RuleResult:
    """The last rule about new values, without anything that lowers the severity."""
    known = _name_in_json(found)
    if known is not None:
        message = f"{_new_value(found, change)}, as another name of {shown(known)}, which encoders still write in JSON"
        text = f"newer clients that send the name {found.name} in JSON to an older server are rejected"
        return RuleResult(message, {Direction.NEW_CLIENT: depends(text)}, severities=Severities.of("I/I/W"))
    message = f"{_new_value(found, change)}, {_undeclared_growth(found.old, context)}"
    return RuleResult(message, added_effects(found), examples=found.examples(Side.NEW))


@change_rule("enum-value-gate-changed", altered(Trait.GATE, ElementKind.ENUM_VALUE), severities="W/E/E")
def enum_value_gate_changed(change: Altered, context: Context) -> RuleResult:
    """The effect depends on whether the value is accepted by default, before and after."""
    before, after = _are_accepted(change, context)
    name = shown(change.element.path)
    words = f"feature gates of value {name} of enum `{change.element.type}` changed {from_to(change, 'none')}"
    value = in_json(change.element.path, enum_at(context.new, change.element))
    if before and not after:
        message = f"{words}: it is now rejected by default"
        # the new gate is unstable, but clients rely on the value without it
        severities = (
            None if change.before else at(enum_value_gate_changed.severities, stability(change.element.version))
        )
        return RuleResult(message, _rejected_effects(name), severities=severities, examples=(Example(Side.OLD, value),))
    if after and not before:
        effects = {
            Direction.OLD_CLIENT: depends(f"older clients receive {name}, which they may not know"),
            Direction.NEW_CLIENT: breaks(f"newer clients that send {name} to an older server are rejected"),
            Direction.ROLLBACK: depends(
                f"the previous release keeps {name} in objects that have it, and rejects it in others"
            ),
        }
        message, examples = f"{words}: it is now accepted by default", (Example(Side.NEW, value),)
        if isinstance(change.before, GateMark) and not change.before.keeps_in_use:
            rejected = breaks(f"the previous release rejects every update of an object with {name}")
            severities = at(enum_value_gate_changed.severities, stability(change.element.version))
            effects[Direction.ROLLBACK] = rejected
            return RuleResult(message, effects, severities=severities, examples=examples)
        return RuleResult(message, effects, examples=examples)
    marks = Marks.of(change, context)
    if marks.is_settled:
        return note(words if marks.after is not None else f"{words}; it was locked", "no action is needed")
    text = f"servers with other gate settings may accept {name} on one side only"
    return RuleResult(words, everywhere(depends(text)), severities=Severities.of("I/I/W"))


def _are_accepted(change: Altered, context: Context) -> tuple[bool, bool]:
    """Return whether every object can have a value by default, on both sides."""
    (old, new), group = change.both(EnumValue), change.element.group
    return is_accepted(old, context.old, group), is_accepted(new, context.new, group)


@state_rule("enum-value-gate-switched", severities="I/I/I")
def enum_value_gate_switched(surface: Surface, context: Context) -> Iterator[Issue]:
    """The second step of a roll-out with a gate: the same value is accepted by default, or no longer."""
    if surface is not context.new or not switched_gates(context.old, context.new):
        return
    for after in surface.types():
        before = context.old.type(after.name)
        for name, value in after.values.items() if isinstance(after, Enum) else ():
            old = before.values.get(name) if isinstance(before, Enum) else None
            if old is None or value.gate is None or old.gate != value.gate:
                continue
            is_enabled = is_accepted(value, context.new, after.name.group)
            if is_enabled != is_accepted(old, context.old, after.name.group):
                element = Element(ElementKind.ENUM_VALUE, *after.name, name)
                result = _switched(element, value.gate, in_json(name, enum_at(surface, element)), is_enabled)
                yield Issue(element, value.place, result, "on" if is_enabled else "off")


def _switched(element: Element, gate: GateMark, value: JsonValue, is_enabled: bool) -> RuleResult:
    name = shown(element.path)
    if is_enabled:
        message = (
            f"value {name} of enum `{element.type}` is now accepted, because {named(gate.gates)} is enabled by default"
        )
        read = depends(f"older clients receive {name}, which they may not handle")
        effects = {**rolled_out_effects(name), Direction.OLD_CLIENT: read}
        return RuleResult(message, effects, examples=(Example(Side.NEW, value),))
    message = (
        f"value {name} of enum `{element.type}` is now rejected, because {named(gate.gates)} is disabled by default"
    )
    severities, examples = Severities.of("W/E/E"), (Example(Side.OLD, value),)
    return RuleResult(message, _rejected_effects(name), severities=severities, examples=examples)


@change_rule(
    "enum-value-roll-out-changed",
    altered(Trait.TOLERATED, ElementKind.ENUM_VALUE),
    altered(Trait.INTRODUCED, ElementKind.ENUM_VALUE),
    severities="I/W/E",
)
def enum_value_roll_out_changed(change: Altered, context: Context) -> RuleResult:
    """The second step of a roll-out, or a step that was moved to another release."""
    (old, new), name = change.both(EnumValue), shown(change.element.path)
    words = f"`{change.trait}` of value {name} of enum `{change.element.type}` changed {from_to(change)}"
    if change.trait is Trait.INTRODUCED and old.tolerated != new.tolerated:
        return silent(words)
    before, after = _are_accepted(change, context)
    if before == after:
        return note(words)
    if before:
        effect = breaks(f"older clients that send {name} are rejected")
        effects = alike(effect, Direction.OLD_CLIENT, Direction.STORED)
        severities = Severities.of("W/E/E")
        patch = "" if change.before is None else f'{change.trait}: "{change.before}"'
        fix = f"restore `{patch}`" if patch else f"delete `{change.trait}:`"
        return RuleResult(f"{words}: the value is no longer accepted", effects, fix, patch, severities=severities)
    return RuleResult(f"{words}: the value is now accepted", rolled_out_effects(name), severities=INFO)


@change_rule("enum-growth-changed", altered(Trait.CLOSED, ElementKind.ENUM), severities="W/E/E")
def enum_growth_changed(change: Altered, context: Context) -> RuleResult:
    """`open: false` declares the future, and is not validated."""
    name = change.element.type
    if change.after is True:
        return note(f"`open: false` was added to enum `{name}`")
    text = "older clients handle only the declared values"
    return RuleResult(f"`open: false` was removed from enum `{name}`", {Direction.OLD_CLIENT: depends(text)})


@change_rule(
    "unknown-value-changed",
    altered(Trait.UNKNOWN_VALUE, ElementKind.ENUM),
    severities="I/W/W",
    stops_from=Severity.WARNING,
)
def unknown_value_changed(change: Altered, context: Context) -> RuleResult:
    """Older and newer clients decode the same object differently."""
    before, after = _treatment(change.old), _treatment(change.new)
    message = f"handling of unknown values of enum `{change.element.type}` changed from {before} to {after}"
    text = f"clients handle an unknown value differently: older ones {before}, newer ones {after}"
    effects = alike(depends(text), Direction.OLD_CLIENT, Direction.ROLLBACK)
    if change.before is None:
        return RuleResult(message, effects, severities=INFO)
    patch = f"unknown: {yaml_text(str(change.before))}"
    return RuleResult(message, effects, f"restore `{patch}`", patch)


def _treatment(enum: Part) -> str:
    """Return how clients handle an unknown value of an enum."""
    if not isinstance(enum, Enum) or (enum.unknown is None and not enum.open):
        return "as each client chooses"
    return "as it is" if enum.open else f"as `{enum.unknown}`"
