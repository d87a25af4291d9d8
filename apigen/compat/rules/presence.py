"""Presence of fields: required, optional, omitted when empty, pointers."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.change import Added, Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.read_time_default import ReadTimeDefault
from apigen.compat.rules.claims import added, altered
from apigen.compat.rules.fields import added_field, hits_of_added
from apigen.compat.rules.guards import has_constraints_of_what_is_written
from apigen.compat.rules.once_per_change import once_per_change
from apigen.compat.rules.rule import Issue, change_rule, state_rule
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.resolving import unfolded
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, ListOf, MapOf, Slot, Struct
from apigen.compat.values.arriving import example_of
from apigen.compat.values.handling import filled, refusal, violation
from apigen.compat.values.hits import everywhere, joined
from apigen.compat.values.member import Computed, Form, Member, member_of
from apigen.compat.values.passing import Passed, passed
from apigen.compat.values.text import shown
from apigen.compat.values.unjudged import hits_left_out
from apigen.compat.values.wire import is_on_wire
from apigen.compat.verdict.example import Missing, Side
from apigen.compat.verdict.impact import Direction, Hits, Impact, breaks, depends
from apigen.compat.verdict.preset import JSON, WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence


def wire_hits(change: AnyChange, context: Context) -> Hits:
    """In protobuf a list or map that may be null in a map is a message of its own; nothing else has another form."""
    if not isinstance(change, Altered) or not isinstance(change.new, Slot):
        return {}
    type_ = unfolded(context.new, change.new).type
    if not isinstance(type_, ListOf | MapOf) or not is_on_wire(change.element, context):
        return {}
    return everywhere(breaks("in protobuf a list or map that may be null is a message of its own"))


_POINTERS = (Presence.OPTIONAL, Presence.NULLABLE)


@dataclass(frozen=True, slots=True)
class MemberPair:
    """A field before and after, and what each direction does to it. All that changed of it at once is in that."""

    old: Member
    new: Member
    passed: Passed

    @property
    def form(self) -> Form:
        """The form of its values; after the change where that differs."""
        return self.new.form

    @property
    def was_pointer(self) -> bool:
        """Whether it could be nothing, which was not zero, as a pointer in Go can."""
        return self.old.presence in _POINTERS

    @property
    def is_pointer(self) -> bool:
        """Whether it can be nothing now."""
        return self.new.presence in _POINTERS

    @property
    def breaks(self) -> bool:
        """Whether any direction surely breaks."""
        return any(hit.impact is Impact.BREAKS for hit in self.passed.hits.values())

    @property
    def refuses(self) -> bool:
        """Whether any direction is refused by validation itself."""
        return any(hit.impact is Impact.BREAKS for hit in self.passed.refusals.values())

    @property
    def is_unproven(self) -> bool:
        """Whether a default has to be computed, which is not done here."""
        return any(isinstance(side.default, Computed) for side in (self.old, self.new))


@once_per_change
def members_of(change: AnyChange, context: Context) -> MemberPair | None:
    """The field of a change that both sides have; None for all else."""
    if not isinstance(change, Altered) or not isinstance(change.old, Field) or not isinstance(change.new, Field):
        return None
    return pair_of_fields(change, change.old, change.new, context)


def pair_of_fields(change: AnyChange, before: Field, after: Field, context: Context) -> MemberPair:
    """Two fields that are one. A default that a type above may give is not known here, so it counts as computed.

    It need not be for this place: what the fields do without it counts as well.
    """
    old, new = member_of(context.old_types, before), member_of(context.new, after)
    found = _passed(old, new, change, context)
    above = context.filled_from_above
    if before.name in above[0] or after.name in above[1]:
        old = _from_above(old) if before.name in above[0] else old
        new = _from_above(new) if after.name in above[1] else new
        filled = _passed(old, new, change, context)
        found = Passed(
            joined((found.hits, filled.hits)),
            found.examples + filled.examples,
            joined((found.refusals, filled.refusals)),
        )
    return MemberPair(old, new, found)


def _passed(old: Member, new: Member, change: AnyChange, context: Context) -> Passed:
    name, sides = change.element.type_name, context.unjudged
    in_status = name in sides[0].in_status, name in sides[1].in_status
    has_wire = is_on_wire(change.element, context)
    found = passed(old, new, has_wire=has_wire, in_status=in_status)
    return replace(found, hits=joined((found.hits, hits_left_out(old, new, name, sides, has_wire=has_wire))))


def _from_above(member: Member) -> Member:
    return replace(member, default=Computed("a default from a type above, or its own"))


@change_rule(
    "required-with-default-added",
    added(ElementKind.FIELD),
    severities="I/W/E",
    mitigated_by=(ReadTimeDefault(),),
    presets=WIRE,
)
def required_with_default_added(change: Added, context: Context) -> Verdict | None:
    """By contract nobody may leave it out; whether anybody can depends on when the default is filled in."""
    field = added_field(change)
    if field is None or not field.required:
        return None
    member = member_of(context.new, field)
    if isinstance(member.default, Missing):
        return None
    is_computed = isinstance(member.default, Computed)
    default = member.default.text if isinstance(member.default, Computed) else shown(member.default)
    hits = joined((_required_with_default_added_hits(default), hits_of_added(member, change, context)))
    words = f"{change.element} was added as required, with the default {default}"
    unproven = f"{words}, and it is not known whether that always gives a value" if is_computed else words
    examples = example_of(member, Side.NEW)
    return Verdict(unproven, hits, patch="optional: true", examples=examples, is_unproven=is_computed)


def _required_with_default_added_hits(default: str) -> Hits:
    return {
        Direction.OLD_CLIENT: breaks("a client of before does not send it, which the schema refuses"),
        Direction.STORED: depends(f"stored objects do not hold it, and mean {default} once it is filled in"),
    }


@change_rule("empty-collapse-changed", altered(Trait.PRESENCE, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
def empty_collapse_changed(change: Altered, context: Context) -> Verdict | None:
    """An empty list and none at all are one to some, and two to others."""
    pair = members_of(change, context)
    if pair is None or not {pair.old.form, pair.new.form} & {Form.CONTAINER, Form.BYTES}:
        return None
    return Verdict(
        f"presence of {change.element} is {pair.new.presence.value} instead of {pair.old.presence.value}:"
        f" {'empty and nothing are no longer what they were' if pair.passed.hits else 'readers see no difference'}",
        pair.passed.hits,
        severities=_severities(pair),
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )


def _severities(pair: MemberPair) -> Severities | None:
    """None for those of the rule. Bytes that were nothing and are empty from now on are as bad as a text."""
    if not pair.passed.hits:
        return Severities.of("I/I/I")
    is_lost = pair.old.form is pair.new.form is Form.BYTES and pair.was_pointer and not pair.is_pointer
    return Severities.of("W/E/E") if pair.breaks or is_lost else None


@change_rule("pointer-added", altered(Trait.PRESENCE, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
def pointer_added(change: Altered, context: Context) -> Verdict | None:
    """Zero was what a field left out meant; from now on the two differ."""
    pair = members_of(change, context)
    if pair is None or pair.was_pointer or not pair.is_pointer:
        return None
    return Verdict(
        f"{change.element} can be nothing, and was zero when left out",
        pair.passed.hits,
        severities=Severities.of("W/E/E") if pair.breaks else None,
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )


@change_rule("pointer-removed", altered(Trait.PRESENCE, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def pointer_removed(change: Altered, context: Context) -> Verdict | None:
    """Who left the field out meant something else than zero, and can no longer say so."""
    pair = members_of(change, context)
    if pair is None or not pair.was_pointer or pair.is_pointer:
        return None
    return Verdict(
        f"{change.element} is zero when left out, and was nothing",
        pair.passed.hits,
        severities=None if pair.passed.hits else Severities.of("I/I/I"),
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )


_OMIT_EMPTY_ADDED_STEPS = {(Presence.PLAIN, Presence.OMIT_EMPTY), (Presence.NULLABLE, Presence.OPTIONAL)}


@change_rule("omit-empty-added", altered(Trait.PRESENCE, ElementKind.FIELD), severities="I/W/E", presets=JSON)
def omit_empty_added(change: Altered, context: Context) -> Verdict | None:
    """Generated code reads both alike; those who look at the JSON miss the member."""
    pair = members_of(change, context)
    if pair is None or (pair.old.presence, pair.new.presence) not in _OMIT_EMPTY_ADDED_STEPS:
        return None
    hits = joined((pair.passed.hits, _omit_empty_added_readers(pair)))
    zero = "null" if pair.old.can_be_none else shown(pair.old.zero)
    return Verdict(
        f"{change.element} is left out when it is {zero}, and was written",
        hits,
        severities=None if pair.breaks else Severities.of("I/W/W" if hits else "I/I/I"),
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )


def _omit_empty_added_readers(pair: MemberPair) -> Hits:
    if pair.old.can_be_none or pair.form is Form.MOMENT:
        return {}
    text = (
        f"a client of before that reads the JSON without types does not find {shown(pair.old.zero)}, which is left out"
    )
    return {Direction.OLD_CLIENT: depends(text)}


_OMIT_EMPTY_REMOVED_STEPS = {(Presence.OMIT_EMPTY, Presence.PLAIN), (Presence.OPTIONAL, Presence.NULLABLE)}


@change_rule("omit-empty-removed", altered(Trait.PRESENCE, ElementKind.FIELD), severities="I/W/W", presets=JSON)
def omit_empty_removed(change: Altered, context: Context) -> Verdict | None:
    """Generated code reads both alike; in server-side apply, who sends a member owns it."""
    pair = members_of(change, context)
    if pair is None or (pair.old.presence, pair.new.presence) not in _OMIT_EMPTY_REMOVED_STEPS:
        return None
    hits = joined((pair.passed.hits, _omit_empty_removed_readers(pair)))
    zero = "null" if pair.new.can_be_none else shown(pair.new.zero)
    return Verdict(
        f"{change.element} is written as {zero} when there is nothing in it, and was left out",
        hits,
        severities=Severities.of("W/E/E") if pair.breaks else None if hits else Severities.of("I/I/I"),
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )


def _omit_empty_removed_readers(pair: MemberPair) -> Hits:
    if pair.new.can_be_none or pair.form is Form.MOMENT:
        return {}
    shown_zero = shown(pair.new.zero)
    return {
        Direction.OLD_CLIENT: depends(f"a client of before finds {shown_zero} that nobody has set"),
        Direction.ROLLBACK: depends(f"stored objects hold {shown_zero}, and whoever applied it owns the field"),
    }


@change_rule(
    "became-required",
    altered(Trait.REQUIRED, ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(ReadTimeDefault(), Ratcheting()),
    presets=WIRE,
)
def became_required(change: Altered, context: Context) -> Verdict | None:
    """Who left the field out, and might, is refused."""
    pair = members_of(change, context)
    if pair is None or not pair.new.required:
        return None
    milder = Severities.of("I/W/W" if pair.passed.refusals else "I/I/I")
    return Verdict(
        f"{change.element} is required, and was not",
        pair.passed.refusals,
        severities=None if pair.refuses else milder,
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )


@change_rule("became-optional", altered(Trait.REQUIRED, ElementKind.FIELD), severities="I/W/E", presets=WIRE)
def became_optional(change: Altered, context: Context) -> Verdict | None:
    """Who counts on the field meets objects without it, and a server of before refuses them."""
    pair = members_of(change, context)
    if pair is None or pair.new.required:
        return None
    hits = joined((pair.passed.refusals, _became_optional_readers(pair)))
    milder = Severities.of("I/W/W" if hits else "I/I/I")
    return Verdict(
        f"{change.element} may be left out, and was required",
        hits,
        severities=None if pair.refuses else milder,
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )


def _became_optional_readers(pair: MemberPair) -> Hits:
    if pair.new.presence in (Presence.PLAIN, Presence.NULLABLE):
        return {}
    return {Direction.OLD_CLIENT: depends("a client of before that counts on the field meets objects without it")}


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
            yield Issue(element, field.place, Verdict(words, _zero_value_invalid_hits(zero)))


def _reason(surface: Surface, field: Field, *, by_hand: bool) -> str:
    member = member_of(surface, field, by_hand=by_hand)
    state = filled(member, member.start)
    if isinstance(state, str | int | float | list | dict) and refusal(member, state):
        return violation(member, state)
    return ""


def _has(side: Surface, struct: Struct, field: Field) -> bool:
    found = side.type(struct.name)
    return isinstance(found, Struct) and field.name in found.fields


def _zero_value_invalid_hits(zero: str) -> Hits:
    text = f"a client of before that leaves it out, or sends {zero}, is refused"
    stored = f"stored objects with {zero} are refused where validation judges again what is unchanged"
    return {Direction.OLD_CLIENT: breaks(text), Direction.STORED: depends(stored)}
