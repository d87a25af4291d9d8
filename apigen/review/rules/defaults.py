"""Defaults of fields: added, removed, changed, and those that reject objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, replace
from apigen.ir.surface import (
    Default,
    Element,
    ElementKind,
    Enum,
    Field,
    Scalar,
    Slot,
    Struct,
    Surface,
    TypeDef,
    Version,
    defaulted_slots,
    definition,
    field_at,
    members_of,
    without_aliases,
)
from apigen.language.json_values import JsonValue, canonical_json
from apigen.review.changes.change import Altered, Trait
from apigen.review.context import Context
from apigen.review.effects.member import Computed, Form, default_value, shown, slot_violation
from apigen.review.effects.nested_defaults import completed_default
from apigen.review.effects.scalars import Rejected, outcome
from apigen.review.effects.validation import defaults_at, effects_of_defaulted_struct
from apigen.review.gating import named, switched_gates
from apigen.review.mitigations import default_gates_disabled
from apigen.review.results import (
    ABSENT,
    WIRE,
    Direction,
    Effect,
    Effects,
    Example,
    Missing,
    RuleResult,
    Severities,
    Severity,
    Side,
    breaks,
    depends,
    everywhere,
    joined,
)
from apigen.review.rules.constraints.values import is_status_only
from apigen.review.rules.fields import has_schemas
from apigen.review.rules.presence import MemberPair, pair_of_fields
from apigen.review.rules.rule import INFO, Issue, about, altered, change_rule, state_rule

if TYPE_CHECKING:  # its validation engine is slow to import
    from apigen.review.pipeline.absent_values import RejectingChange


def is_filled(element: Element, side: Surface, context: Context, gate: str = "") -> bool:
    """Return whether a default may set a field of a side, or something in its struct, if a client omits it.

    `gate`: defaults that depend on it do not count. A server that drops the field drops what the default sets before
    validation; otherwise it is validated.
    """
    found = defaults_at(side, element, context.facts(side).outer_defaults)
    return any(gate not in default.gates for default in found)


def omission_effect(path: str) -> Effect:
    """Return the effect of an older server that applies a default which the newer one drops, for newer clients."""
    return depends(f"newer clients omit `{path}`; an older server sets it by default and validates it")


@dataclass(frozen=True, slots=True)
class DefaultPair:
    """Both defaults, and the field on both sides if it declares them: a type that contains it may set one by path."""

    before: Default | None
    after: Default | None
    members: MemberPair | None

    @property
    def effects(self) -> Effects:
        """The effects; only possible effects if the place is not a field, or inside of a struct that is overwritten."""
        if self.members is None:
            return self._effects_of_unknown_place
        overwrites = any(each is not None and each.overwrites for each in (self.before, self.after))
        is_struct = Form.STRUCT in (self.members.old.form, self.members.new.form)
        return self._effects_of_unknown_place if overwrites and is_struct else self.members.passed.effects

    @property
    def texts(self) -> tuple[str, str]:
        """Both defaults as text, for messages."""
        before, after = ("unset" if each is None else each.text for each in (self.before, self.after))
        return before, after

    @property
    def are_computed(self) -> bool:
        """Return whether one of the defaults is computed."""
        return any(each is not None and each.is_computed for each in (self.before, self.after))

    @property
    def completed(self) -> JsonValue | Missing:
        """The value that a server stores for both, because it also sets the defaults of their fields; missing if there are two."""
        if self.members is None:
            return Missing()
        old, new = (completed_default(each) for each in (self.members.old, self.members.new))
        if isinstance(old, Missing | Computed) or isinstance(new, Missing | Computed):
            return Missing()
        return new if canonical_json(old) == canonical_json(new) else Missing()

    @property
    def _effects_of_unknown_place(self) -> Effects:
        before, after = self.texts
        text = f"the meaning of an omitted value changed from {before} to {after}"
        certain = breaks(text) if self.before is not None else depends(text)
        return {
            each: certain if each in (Direction.OLD_CLIENT, Direction.STORED) else depends(text) for each in Direction
        }

    @property
    def examples(self) -> tuple[Example, ...]:
        """Values for counterexamples."""
        return () if self.members is None else self.members.passed.examples

    @property
    def not_verified(self) -> str:
        """The reason why the meaning of an omitted value is unknown: a default is computed, or its place is not a
        field.
        """
        return "the default does not belong to a single field" if self.members is None else self.members.not_verified


def defaults_of(change: Altered, context: Context) -> DefaultPair:
    """Return both defaults of a change of a default."""
    before, after = (each if isinstance(each, Default) else None for each in (change.before, change.after))
    old, new = _field(change, context.old, before), _field(change, context.new, after)
    members = None if old is None or new is None else pair_of_fields(change, old, new, context)
    return DefaultPair(before, after, members)


def _field(change: Altered, surface: Surface, default: Default | None) -> Field | None:
    field = field_at(surface, change.element)
    return field if field is not None and field.slot.default == default else None


def version_defaults(version: Version) -> dict[str, Default]:
    """Return the defaults of a version by the name of the element."""
    return {element.name: default for element, default in _defaults_of(version.types.values())}


def _defaults_of(types: Iterable[TypeDef]) -> Iterator[tuple[Element, Default]]:
    """Return the defaults of slots, then those that structs declare by path."""
    known = tuple(types)
    for type_ in known:
        yield from ((element, default) for element, _, default in defaulted_slots(type_))
    for type_ in known:
        for path, slot in type_.defaults.items() if isinstance(type_, Struct) else ():
            if slot.default is not None:
                yield Element(ElementKind.FIELD, *type_.name, path), slot.default


_ZEROS = (0, "", False, "0", "0s", None)


def _is_zero(default: Default) -> bool:
    value = default_value(default)
    return (isinstance(value, list | dict) and not value) or any(value is each or value == each for each in _ZEROS)


def _pair_result(pair: DefaultPair, message: str, effects: Effects | None = None) -> RuleResult:
    """Return the result for two defaults; `effects` defaults to those of the pair. A change without effect is information."""
    effects = pair.effects if effects is None else effects
    severities, doubt = None if effects else INFO, pair.not_verified
    return RuleResult(message, effects, severities=severities, examples=pair.examples, not_verified=doubt)


@change_rule(
    "default-depends-on-gate",
    altered(Trait.DEFAULT),
    severities="W/W/E",
    mitigated_by=(default_gates_disabled,),
    presets=WIRE,
)
@about(defaults_of)
def default_depends_on_gate(change: Altered, pair: DefaultPair, context: Context) -> RuleResult | None:
    """The meaning of an object depends on the feature gates of the server."""
    was, now = (() if each is None else each.gates for each in (pair.before, pair.after))
    if was == now:
        return None
    message = f"feature gates of the default of {change.element.words} changed from {named(was) or 'none'} to {named(now) or 'none'}"
    return _pair_result(pair, message)


@change_rule("default-added", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE, stops_from=Severity.UNVERIFIED)
@about(defaults_of)
def default_added(change: Altered, pair: DefaultPair, context: Context) -> RuleResult | None:
    """An omitted value was unset, and is now the default."""
    if pair.before is not None or pair.after is None:
        return None
    of_structs = effects_of_defaulted_struct(context.new, context.old, change.element, Side.NEW)
    message = f"default {pair.after.text} was added to {change.element.words}"
    return _pair_result(pair, message, joined((of_structs, pair.effects)))


@change_rule(
    "default-removed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE, stops_from=Severity.UNVERIFIED
)
@about(defaults_of)
def default_removed(change: Altered, pair: DefaultPair, context: Context) -> RuleResult | None:
    """An omitted value was the default, and is now unset."""
    if pair.before is None or pair.after is not None:
        return None
    of_structs = effects_of_defaulted_struct(context.old, context.new, change.element, Side.OLD)
    message = f"default {pair.before.text} of {change.element.words} was removed"
    return _pair_result(pair, message, joined((of_structs, pair.effects)))


@change_rule("default-computed-changed", altered(Trait.DEFAULT), severities="I/W/W", presets=WIRE)
@about(defaults_of)
def default_computed_changed(change: Altered, pair: DefaultPair, context: Context) -> RuleResult | None:
    """The spec alone does not determine a computed default."""
    if pair.before is None or pair.after is None or not pair.are_computed:
        return None
    message = f"default of {change.element.words} changed from {pair.before.text} to {pair.after.text}"
    return _pair_result(pair, f"{message}; apigen cannot verify that both give the same value")


@change_rule(
    "default-zero-changed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE, stops_from=Severity.UNVERIFIED
)
@about(defaults_of)
def default_zero_changed(change: Altered, pair: DefaultPair, context: Context) -> RuleResult | None:
    """Many clients treat zero as unset, so this is worse than a change between two other numbers."""
    if pair.before is None or pair.after is None or pair.are_computed:
        return None
    is_swapped = _is_zero(pair.before) != _is_zero(pair.after)
    return _changed(pair, change, context) if is_swapped else None


def _changed(pair: DefaultPair, change: Altered, context: Context) -> RuleResult:
    before, after = pair.texts
    message = f"default of {change.element.words} changed from {before} to {after}"
    both = pair.completed
    if not isinstance(both, Missing):
        return RuleResult(f"{message}; with the defaults of its fields, both are {shown(both)}", severities=INFO)
    result = _pair_result(pair, message)
    if not result.effects or not is_status_only(change.element, context):
        return result
    # the default of a status applies only until a controller writes the status
    return replace(result, severities=Severities.of("I/W/W"))


@change_rule(
    "default-changed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE, stops_from=Severity.UNVERIFIED
)
@about(defaults_of)
def default_changed(change: Altered, pair: DefaultPair, context: Context) -> RuleResult | None:
    """An omitted value has another meaning."""
    return None if pair.before is None or pair.after is None else _changed(pair, change, context)


@state_rule("default-switched", severities="W/W/E")
def default_switched(surface: Surface, context: Context) -> Iterator[Issue]:
    """The default is the same, but its feature gate changed."""
    switched = switched_gates(context.old, context.new) if surface is context.new else {}
    if not switched:
        return
    known = dict(_defaults_of(context.old.types(own=True)))
    for element, default in _defaults_of(surface.types(own=True)):
        before = known.get(element)
        for gate in default.gates if before is not None else ():
            if gate in switched and before is not None and gate in before.gates:
                result = _result(element, default, gate, is_enabled=switched[gate])
                yield Issue(element, default.place, result, f"default by {gate}")


def _result(element: Element, default: Default, gate: str, *, is_enabled: bool) -> RuleResult:
    state, was = ("enabled", "disabled") if is_enabled else ("disabled", "enabled")
    text = f"an omitted value has the default with {gate} {state} on newer servers, and with it {was} on older ones"
    return RuleResult(
        f"feature gate `{gate}` of the default of {element.words} ({default.text}) changed from {was} to {state} by default",
        everywhere(depends(text)),
        not_verified="apigen does not compare the default with the gate enabled and disabled",
    )


@state_rule("default-invalid", severities="E/E/E")
def default_invalid(surface: Surface, context: Context) -> Iterator[Issue]:
    """Requests that omit the field get an invalid value."""
    for element, slot, default in chain.from_iterable(map(defaulted_slots, surface.types(own=True))):
        value = default_value(default)
        if isinstance(value, Missing | Computed) or default.of_readers:  # protoc accepts valid ones only
            continue
        reason = _rejection(surface, slot, value)
        if reason:
            shown_value = shown(value)
            effects = {
                Direction.OLD_CLIENT: breaks(f"older clients that omit it get {shown_value} and are rejected"),
                Direction.STORED: breaks(f"stored objects without it get {shown_value} and are not valid"),
            }
            message = f"default {shown_value} of {element.words} is rejected by its own constraints: {reason}"
            result = RuleResult(message, effects, examples=(Example(Side.OLD, ABSENT),))
            yield Issue(element, default.place, result, f"default: {default.text}; {reason}")


def _rejection(surface: Surface, slot: Slot, value: JsonValue) -> str:
    slot = without_aliases(surface, slot)
    if value is None:
        return ""
    known = definition(surface, slot.type)
    if isinstance(known, Enum) and not known.open and isinstance(value, str) and value not in known.values:
        return f"it is not one of {', '.join(known.values)}"
    if isinstance(slot.type, Scalar) and isinstance(outcome(slot.type.name, value), Rejected):
        return f"it is not a valid {slot.type}"
    return slot_violation(slot, value)


@state_rule("default-rejects-objects", severities="W/E/E")
def default_rejects_objects(surface: Surface, context: Context) -> Iterator[Issue]:
    """The server fills in the default before it validates the object, with alternatives, counts of fields and rules in CEL."""
    for change in _rejecting_changes(surface, context):
        element, field = _field_of(change, surface)
        if change.changed.is_null or field is None:
            continue
        default = field.slot.default
        default_words = "no default" if default is None else f"the default {default.text}"
        effects = _EFFECTS_OF_DEFAULT
        if change.violation is not None and not change.is_ratcheted:
            text = "an update of a stored object without the field is rejected"
            effects = {**effects, Direction.STORED: breaks(text)}
        result = _result_of(change, f"{element.words} has {default_words}", default_words, effects)
        place = field.place if default is None else default.place
        yield Issue(element, place, result, f"default: {'' if default is None else default.text}")


@state_rule("null-rejects-objects", severities="W/E/E")
def null_rejects_objects(surface: Surface, context: Context) -> Iterator[Issue]:
    """The server drops null where it is not allowed, and validates and counts it where it is."""
    for change in _rejecting_changes(surface, context):
        element, field = _field_of(change, surface)
        if not change.changed.is_null or field is None:
            continue
        effects: Effects = {Direction.OLD_CLIENT: breaks("an older client sends null, and its request is rejected")}
        if change.changed.was_nullable and change.violation is not None and not change.is_ratcheted:
            effects = {**effects, Direction.STORED: breaks("an update of a stored object with null is rejected")}
        result = _result_of(change, f"`nullable` of {element.words} changed", "null", effects)
        inside = "".join(change.changed.place[len(change.field) :])  # of the items or values of the field
        yield Issue(element, field.place, result, f"nullable{inside}")


def _rejecting_changes(surface: Surface, context: Context) -> tuple[RejectingChange, ...]:
    """Return the changes of the revision with which the server rejects objects, or may reject them."""
    # few inputs have schemas, and the validation engine is slow to import
    return context.cached(_changes_of_context) if surface is context.new and has_schemas(surface) else ()


def _changes_of_context(context: Context) -> tuple[RejectingChange, ...]:
    from apigen.review.pipeline.absent_values import rejecting_changes

    return tuple(rejecting_changes(context.old, context.new))


def _field_of(change: RejectingChange, surface: Surface) -> tuple[Element, Field | None]:
    group, _, version = change.version.rpartition("/")
    element = Element(ElementKind.FIELD, group, version, change.holder, change.field[-1])
    return element, field_at(surface, element)


def _result_of(change: RejectingChange, message: str, value: str, effects: Effects) -> RuleResult:
    """Return the result for a change, with the rejected object, or with the constraint that may reject one."""
    if change.violation is None:
        doubt = f"{change.observers[-1].described} may reject an object with {value}"
        return RuleResult(f"{message}, and another constraint reads it", effects, not_verified=doubt)
    text = f"{message}, with which the server rejects objects: {change.violation.error}"
    return RuleResult(text, effects, objects=(change.object,))


_EFFECTS_OF_DEFAULT: Effects = {
    Direction.OLD_CLIENT: breaks("an older client omits the field, gets the default, and its request is rejected"),
    Direction.STORED: depends("stored objects without the field get the default, and a copy of them is rejected"),
}


@state_rule("default-on-required-field", severities="W/W/W")
def default_on_required_field(surface: Surface, context: Context) -> Iterator[Issue]:
    """A client that omits the field is rejected, so the default has no effect; a server of CRDs applies it before."""
    structs = () if surface.form == "crd" else surface.structs(own=True)
    for element, field in chain.from_iterable(map(members_of, structs)):
        default = field.slot.default if isinstance(field, Field) and field.required else None
        if default is not None:
            words = f"{element.words} is required, so its default {default.text} has no effect"
            yield Issue(element, default.place, RuleResult(words))
