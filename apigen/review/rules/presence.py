"""Presence of fields: required, optional, omitted if empty, pointers."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence
from apigen.ir.surface import Element, ElementKind, Field, Surface, field_at
from apigen.review.changes.change import Added, Altered, AnyChange, Trait
from apigen.review.context import Context
from apigen.review.effects.member import Computed, Form, Member, member_of, shown, slot_violation
from apigen.review.effects.rejections import rejection
from apigen.review.effects.transfer import Passed, passed
from apigen.review.effects.validation import effects_of_omission, example_of
from apigen.review.mitigations import ratcheting, read_time_default
from apigen.review.results import (
    JSON,
    WIRE,
    Direction,
    Effects,
    Missing,
    RuleResult,
    Severities,
    Severity,
    Side,
    any_breaks,
    breaks,
    depends,
    joined,
)
from apigen.review.rules.constraints.values import is_status_only
from apigen.review.rules.fields import effects_of_field, field_in
from apigen.review.rules.rule import INFO, Issue, about, added, altered, change_rule, state_rule

_POINTERS = (Presence.OPTIONAL, Presence.NULLABLE)


@dataclass(frozen=True, slots=True)
class MemberPair:
    """A field of both sides, and the effects in each direction of all its changes together."""

    old: Member
    new: Member
    passed: Passed

    @property
    def was_pointer(self) -> bool:
        """Return whether unset was distinct from zero, as for a pointer in Go."""
        return self.old.presence in _POINTERS

    @property
    def is_pointer(self) -> bool:
        """Return whether unset is distinct from zero now."""
        return self.new.presence in _POINTERS

    @property
    def breaks(self) -> bool:
        """Return whether any direction certainly breaks."""
        return any_breaks(self.passed.effects)

    @property
    def rejects(self) -> bool:
        """Return whether validation certainly rejects objects in any direction."""
        return any_breaks(self.passed.rejections)

    @property
    def not_verified(self) -> str:
        """The reason why the value of the field is unknown: a default is computed; empty if it is known."""
        return (
            "the computed default is not known"
            if any(isinstance(side.default, Computed) for side in (self.old, self.new))
            else ""
        )


def pair_of_change(change: Altered, context: Context) -> MemberPair:
    """Return the field of a change of a trait of fields."""
    return pair_of_fields(change, *change.both(Field), context)


def pair_of_fields(change: AnyChange, before: Field, after: Field, context: Context) -> MemberPair:
    """Return a field of both sides. A default that a containing type may set by path is unknown, so it counts as computed.

    It may not apply at this place, so the effects without it are included.
    """
    old, new = member_of(context.old_types, before), member_of(context.new, after)
    transferred = _passed(old, new, change, context)
    holder = change.element.type_name
    was_filled = (holder, before.name) in context.old_facts.outer_defaults.by_path
    is_filled = (holder, after.name) in context.new_facts.outer_defaults.by_path
    if was_filled or is_filled:
        from_above = Computed("a default from a type above, or its own")
        old = replace(old, default=from_above) if was_filled else old
        new = replace(new, default=from_above) if is_filled else new
        filled = _passed(old, new, change, context)
        transferred = Passed(
            joined((transferred.effects, filled.effects)),
            transferred.examples + filled.examples,
            joined((transferred.rejections, filled.rejections)),
        )
    return MemberPair(old, new, transferred)


def _passed(old: Member, new: Member, change: AnyChange, context: Context) -> Passed:
    name, sides = change.element.type_name, context.not_validated
    in_status = name in sides[0].in_status, name in sides[1].in_status
    has_wire = context.is_on_wire(change.element)
    found = passed(old, new, has_wire=has_wire, in_status=in_status)
    return replace(
        found, effects=joined((found.effects, effects_of_omission(old, new, name, sides, has_wire=has_wire)))
    )


@change_rule(
    "required-with-default-added",
    added(ElementKind.FIELD),
    severities="I/W/E",
    mitigated_by=(read_time_default,),
    presets=WIRE,
)
@about(field_in)
def required_with_default_added(change: Added, field: Field, context: Context) -> RuleResult | None:
    """The schema requires the field; whether requests without it are accepted depends on when the default is applied."""
    if not field.required:
        return None
    member = member_of(context.new, field)
    if isinstance(member.default, Missing):
        return None
    doubt = "the computed default may not always give a value" if isinstance(member.default, Computed) else ""
    default = member.default.text if isinstance(member.default, Computed) else shown(member.default)
    message = f"required field {change.element.words} was added with the default {default}"
    effects = {
        Direction.OLD_CLIENT: breaks("older clients do not send it, and the schema rejects their requests"),
        Direction.STORED: depends(f"stored objects do not contain it and get {default} by default"),
    }
    effects = joined((effects, effects_of_field(member, change, context)))
    examples = example_of(member, Side.NEW)
    return RuleResult(message, effects, patch="optional: true", examples=examples, not_verified=doubt)


def _presence_result(pair: MemberPair, message: str, effects: Effects, severities: Severities | None) -> RuleResult:
    """Return the result for a field of both sides; `severities` defaults to those of the rule."""
    examples, doubt = pair.passed.examples, pair.not_verified
    return RuleResult(message, effects, severities=severities, examples=examples, not_verified=doubt)


_IN_PROTOBUF = {Presence.OMIT_EMPTY: "implicit", Presence.OPTIONAL: "explicit"}


def _presence(member: Member) -> str:
    return _IN_PROTOBUF[member.presence] if member.surface.form == "proto" else f"`{member.presence.value}`"


@change_rule("empty-collapse-changed", altered(Trait.PRESENCE, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
@about(pair_of_change)
def empty_collapse_changed(change: Altered, pair: MemberPair, context: Context) -> RuleResult | None:
    """Some clients distinguish an empty list from an unset list."""
    if not {pair.old.form, pair.new.form} & {Form.CONTAINER, Form.BYTES}:
        return None
    message = f"presence of {change.element.words} changed from {_presence(pair.old)} to {_presence(pair.new)}"
    if not pair.passed.effects:
        return _presence_result(pair, f"{message}; readers see no difference", {}, INFO)
    # unset bytes that are now empty are as bad as an unset string
    is_lost = pair.old.form is pair.new.form is Form.BYTES and pair.was_pointer and not pair.is_pointer
    severities = Severities.of("W/E/E") if pair.breaks or is_lost else None
    return _presence_result(
        pair, f"{message}: empty and unset are distinguished differently", pair.passed.effects, severities
    )


@change_rule(
    "pointer-added",
    altered(Trait.PRESENCE, ElementKind.FIELD),
    severities="I/W/W",
    presets=WIRE,
    stops_from=Severity.WARNING,
)
@about(pair_of_change)
def pointer_added(change: Altered, pair: MemberPair, context: Context) -> RuleResult | None:
    """An omitted field was zero and is now unset."""
    if pair.was_pointer or not pair.is_pointer:
        return None
    message = f"presence of {change.element.words} changed from {_presence(pair.old)} to {_presence(pair.new)}: unset and {shown(pair.new.zero)} are now distinct"
    return _presence_result(pair, message, pair.passed.effects, Severities.of("W/E/E") if pair.breaks else None)


@change_rule(
    "pointer-removed",
    altered(Trait.PRESENCE, ElementKind.FIELD),
    severities="W/E/E",
    presets=WIRE,
    stops_from=Severity.WARNING,
)
@about(pair_of_change)
def pointer_removed(change: Altered, pair: MemberPair, context: Context) -> RuleResult | None:
    """An omitted field was unset and is now zero."""
    if not pair.was_pointer or pair.is_pointer:
        return None
    message = f"presence of {change.element.words} changed from {_presence(pair.old)} to {_presence(pair.new)}: unset and {shown(pair.old.zero)} are no longer distinct"
    return _presence_result(pair, message, pair.passed.effects, None if pair.passed.effects else INFO)


_WRITTEN_AND_OMITTED = {(Presence.PLAIN, Presence.OMIT_EMPTY), (Presence.NULLABLE, Presence.OPTIONAL)}
"""Pairs of presences: the first always writes the field, the second omits it if it is empty, and they decode it alike."""


def _empty_in_words(member: Member) -> str:
    return "null" if member.can_be_none else shown(member.zero)


@change_rule(
    "omit-empty-added",
    altered(Trait.PRESENCE, ElementKind.FIELD),
    severities="I/W/E",
    presets=JSON,
    stops_from=Severity.WARNING,
)
@about(pair_of_change)
def omit_empty_added(change: Altered, pair: MemberPair, context: Context) -> RuleResult | None:
    """Generated code decodes both alike; other clients do not find the key in the JSON."""
    if (pair.old.presence, pair.new.presence) not in _WRITTEN_AND_OMITTED:
        return None
    zero, effects = _empty_in_words(pair.old), pair.passed.effects
    if not pair.old.can_be_none and pair.new.form is not Form.MOMENT:
        text = f"older clients that read plain JSON do not find {zero}, which is now omitted"
        effects = joined((effects, {Direction.OLD_CLIENT: depends(text)}))
    severities = None if pair.breaks else Severities.of("I/W/W") if effects else INFO
    return _presence_result(
        pair, f"{zero} of {change.element.words} is now omitted instead of written", effects, severities
    )


@change_rule(
    "omit-empty-removed",
    altered(Trait.PRESENCE, ElementKind.FIELD),
    severities="I/W/W",
    presets=JSON,
    stops_from=Severity.WARNING,
)
@about(pair_of_change)
def omit_empty_removed(change: Altered, pair: MemberPair, context: Context) -> RuleResult | None:
    """Generated code decodes both alike; in server-side apply, clients own the fields that they send."""
    if (pair.new.presence, pair.old.presence) not in _WRITTEN_AND_OMITTED:
        return None
    zero, effects = _empty_in_words(pair.new), pair.passed.effects
    if not pair.new.can_be_none and pair.new.form is not Form.MOMENT:
        read = depends(f"older clients receive an explicit {zero}")
        owned = depends(f"stored objects contain {zero}, and clients that applied it own the field")
        effects = joined((effects, {Direction.OLD_CLIENT: read, Direction.ROLLBACK: owned}))
    severities = Severities.of("W/E/E") if pair.breaks else None if effects else INFO
    message = f"{zero} of {change.element.words} is now written instead of omitted"
    was_optional = pair.old.presence is Presence.OPTIONAL and context.new.is_of_specs
    result = _presence_result(pair, message, effects, severities)
    return replace(result, fix="restore `optional: true`") if was_optional else result


@change_rule(
    "status-became-required",
    altered(Trait.REQUIRED, ElementKind.FIELD),
    severities="I/I/W",
    mitigated_by=(read_time_default, ratcheting),
    presets=WIRE,
)
@about(pair_of_change)
def status_became_required(change: Altered, pair: MemberPair, context: Context) -> RuleResult | None:
    """Only the controllers of the API write status, and they are released with it."""
    if not pair.new.required or not is_status_only(change.element, context):
        return None
    message = f"{change.element.words} changed from optional to required, which only controllers write"
    return _required_or_not(pair, message, pair.passed.rejections)


@change_rule(
    "became-required",
    altered(Trait.REQUIRED, ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(read_time_default, ratcheting),
    presets=WIRE,
    stops_from=Severity.WARNING,
)
@about(pair_of_change)
def became_required(change: Altered, pair: MemberPair, context: Context) -> RuleResult | None:
    """Clients that omit the field are rejected."""
    if not pair.new.required:
        return None
    return _required_or_not(pair, f"{change.element.words} changed from optional to required", pair.passed.rejections)


def _required_or_not(pair: MemberPair, message: str, effects: Effects) -> RuleResult:
    lowered = Severities.of("I/W/W") if effects else INFO
    return _presence_result(pair, message, effects, None if pair.rejects else lowered)


@change_rule("became-optional", altered(Trait.REQUIRED, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
@about(pair_of_change)
def became_optional(change: Altered, pair: MemberPair, context: Context) -> RuleResult:
    """Clients may rely on the field, and older servers reject objects without it. The reverse is `became-required`."""
    effects = pair.passed.rejections
    if pair.new.presence not in (Presence.PLAIN, Presence.NULLABLE):
        text = "older clients that rely on the field receive objects without it"
        effects = joined((effects, {Direction.OLD_CLIENT: depends(text)}))
    return _required_or_not(pair, f"{change.element.words} changed from required to optional", effects)


@state_rule("zero-value-invalid", severities="I/W/W")
def zero_value_invalid(surface: Surface, context: Context) -> Iterator[Issue]:
    """Such a field is effectively required; only fields that both sides have are reported."""
    for struct in surface.structs(own=True):
        for field in struct.fields.values():
            if field.presence is Presence.PLAIN and field.slot.constraints:
                yield from _invalid_zero(Element(ElementKind.FIELD, *struct.name, field.name), field, surface, context)


def _invalid_zero(element: Element, field: Field, surface: Surface, context: Context) -> Iterator[Issue]:
    # hand-written validation may have rejected zero before the specs declare it
    reason = _reason(surface, field, by_hand=surface is context.old)
    if reason and all(field_at(side, element) is not None for side in (context.old, context.new)):
        zero = shown(member_of(surface, field).zero)
        message = f"{element.words} is {zero} if it is omitted, which its constraints reject: {reason}"
        sent = f"older clients that omit it, or send {zero}, are rejected"
        stored = f"updates of stored objects with {zero} are rejected unless validation ratchets"
        effects = {Direction.OLD_CLIENT: breaks(sent), Direction.STORED: depends(stored)}
        yield Issue(element, field.place, RuleResult(message, effects))


def _reason(surface: Surface, field: Field, *, by_hand: bool) -> str:
    member = member_of(surface, field, by_hand=by_hand)
    state = member.initial
    if isinstance(state, str | int | float | list | dict) and rejection(member, state):
        return slot_violation(member.slot, state)
    return ""
