"""Fields that are added, removed, renamed or embedded, and unknown fields."""

from __future__ import annotations

import re
from collections.abc import Mapping

from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import visible
from apigen.review.changes.change import Added, Altered, Removed, Trait, Value, pairs_of
from apigen.review.changes.matching import same_number
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.effects.effects import any_breaks, everywhere, joined
from apigen.review.effects.member import Member, member_of
from apigen.review.effects.validation import (
    Beside,
    added_hits,
    example_of,
    hits_under_conditions,
    is_always_there,
    of_added,
    of_removed,
    refusal_of_default,
    refusal_of_update,
    removed_hits,
    woken,
)
from apigen.review.gating import named
from apigen.review.mitigations.added_everywhere import AddedEverywhere
from apigen.review.mitigations.gates import NeverOn
from apigen.review.mitigations.time import WindowElapsed
from apigen.review.prover.regex import Undecidable
from apigen.review.prover.texts import machine
from apigen.review.rules.rule import change_rule
from apigen.review.rules.selecting import added, altered, removed
from apigen.review.rules.verdicts import silent
from apigen.review.surface import (
    ElementKind,
    Field,
    Keyword,
    Scalar,
    Scalars,
    Struct,
    Surface,
    UnknownFields,
    struct_of,
)
from apigen.review.verdict.example import Example, Missing, Side
from apigen.review.verdict.impact import CLIENTS, Direction, Effects, Hit, Impact, breaks, depends
from apigen.review.verdict.preset import WIRE
from apigen.review.verdict.severity import Severities
from apigen.review.verdict.verdict import Verdict

_ORDER = (UnknownFields.REFUSED, UnknownFields.DROPPED, UnknownFields.EMPTIED, UnknownFields.KEPT)


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of such members on both sides."""

    before: UnknownFields
    after: UnknownFields

    @property
    def opens(self) -> bool:
        """Whether the new side takes more."""
        return _ORDER.index(self.after) > _ORDER.index(self.before)

    @property
    def in_words(self) -> str:
        """Both sides, for messages."""
        return f"{self.after}, and were {self.before}"


def step_of(change: Altered) -> Step:
    """The step of a struct that both sides have."""
    assert isinstance(change.old, Struct) and isinstance(change.new, Struct)
    return Step(change.old.unknown, change.new.unknown)


def field_in(change: Added | Removed) -> Field | None:
    """The field that was added or removed; None for a schema that excludes a field by name."""
    field = change.part
    return field if isinstance(field, Field) and not is_excluded(field) else None


def is_excluded(field: Field) -> bool:
    """Whether a schema names a member to say that there is none (`false`); one of specs has a type, and may come to be allowed."""
    is_forbidden = Keyword.FORBIDDEN in field.slot.constraints and not field.required
    return is_forbidden and field.slot.type == Scalar(Scalars.ANYTHING)


def unknown_in(surface: Surface, change: Added | Removed, context: Context) -> tuple[UnknownFields, ...]:
    """What a side without the field of a change does with it; several, if it is not known which."""
    found = struct_of(surface, change.element)
    if found is None and surface is context.new and isinstance(change.holder, Struct):
        found = change.holder
    if found is None:
        return (UnknownFields.DROPPED,)
    if found.unknown is UnknownFields.EMPTIED:
        return (UnknownFields.DROPPED, UnknownFields.KEPT)
    if found.unknown is not UnknownFields.REFUSED:
        return (found.unknown,)
    try:
        is_named = any(machine(pattern).finds(change.element.path) for pattern in found.patterns)
    except Undecidable:
        return (UnknownFields.REFUSED, UnknownFields.KEPT)
    return (UnknownFields.KEPT if is_named else UnknownFields.REFUSED,)


def hits_of_added(member: Member, change: Added, context: Context) -> dict[Direction, Hit]:
    """The effects of a field that the old side does not have."""
    hits = [added_hits(member, each) for each in unknown_in(context.old, change, context)]
    refused = {
        Direction.OLD_CLIENT: "a client of before, which does not send it, may be refused",
        Direction.STORED: "a stored object without it may be refused",
    }
    return joined((*hits, _hits_of_default(member, change, (context.new, context.old), refused)))


def hits_of_removed(member: Member, change: Removed, context: Context) -> dict[Direction, Hit]:
    """The effects of a field that the new side does not have."""
    hits = [removed_hits(member, each) for each in unknown_in(context.new, change, context)]
    refused = {
        Direction.NEW_CLIENT: "a server of before may refuse objects without it",
        Direction.ROLLBACK: "the release before may refuse objects without it",
    }
    return joined((*hits, _hits_of_default(member, change, (context.old, context.new), refused)))


def _hits_of_default(
    member: Member, change: Added | Removed, sides: tuple[Surface, Surface], refused: Mapping[Direction, str]
) -> Effects:
    """The effects of a default that the side with the field (the first) rejects; `refused` says in each direction who is.

    A side that ratchets does not validate stored objects again.
    """
    knows, other = sides
    holder = struct_of(knows, change.element)
    reason = "" if holder is None else refusal_of_default(member, holder, struct_of(other, change.element))
    told = refused if not knows.ratchets else {each: refused[each] for each in CLIENTS if each in refused}
    return {direction: depends(f"{text}: {reason}") for direction, text in told.items()} if reason else {}


def demands_of(
    member: Member, change: Added | Removed, sides: tuple[Surface, Surface], refused: Mapping[Direction, str]
) -> Effects:
    """What the side that knows a field (the first one) asks of it under conditions; `refused` says in each direction who is."""
    knows, other = sides
    holder = struct_of(knows, change.element)
    if holder is None:
        return {}
    return hits_under_conditions(member, Beside(knows, holder, other, struct_of(other, change.element)), refused)


def _removal(message: str, field: Field, change: Removed, context: Context, patch: str = "") -> Verdict:
    """The verdict on a removed field: its own effects, those of structs that its default woke, and those on updates."""
    name, member = change.element.type_name, member_of(context.old_types, field)
    hits = of_removed(
        hits_of_removed(member, change, context),
        woken(context.old, context.new, name, field),
        ratchets=context.old.ratchets,
    )
    of_update = refusal_of_update(member)
    if of_update:
        text = f"a server of before may refuse updates without it: {of_update}"
        hits = joined((hits, {Direction.NEW_CLIENT: depends(text)}))
    demands = {
        Direction.NEW_CLIENT: "a new client that leaves it out is refused by a server of before",
        Direction.ROLLBACK: "the release before refuses an object without it when it judges it again",
    }
    hits = joined((hits, demands_of(member, change, (context.old, context.new), demands)))
    return Verdict(message, hits, patch=patch, examples=example_of(member, Side.OLD))


@change_rule("field-renamed", removed(ElementKind.FIELD), added(ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def field_renamed(change: Added | Removed, context: Context) -> Verdict | None:
    """The field is the same in protobuf, and another field in JSON."""
    part, old, new = change.part, struct_of(context.old, change.element), struct_of(context.new, change.element)
    if not isinstance(part, Field) or old is None or new is None:
        return None
    if isinstance(change, Added):
        partner = same_number(part, old, new)
        return None if partner is None else silent(f"{change.element} was {partner.name} before")
    partner = same_number(part, new, old)
    if partner is None:
        return None
    member = member_of(context.old_types, part)
    text = f"{part.name} in JSON is {partner.name} now, so what one side writes the other does not find"
    hits = joined((everywhere(breaks(text)), removed_hits(member, new.unknown)))
    words = f"{change.element} was renamed to {partner.name}; the number {part.number} stays"
    return Verdict(words, hits, examples=example_of(member, Side.OLD))


@change_rule("field-added-required-in-new-parent", added(ElementKind.FIELD), severities="I/I/I")
def field_added_required_in_new_parent(change: Added, context: Context) -> Verdict | None:
    """No kind used the type before, so no object contains it."""
    field, name = field_in(change), change.element.type_name
    if field is None or not field.required or context.depth or context.old.type(name) is None:
        return None
    if not context.new_known.kinds(name) or context.old_known.kinds(name):
        return None
    hits = {
        Direction.NEW_CLIENT: depends("a server of before drops the whole parent, which it does not know"),
        Direction.ROLLBACK: depends("the release before drops the whole parent when it writes the object again"),
    }
    examples = example_of(member_of(context.new, field), Side.NEW)
    return Verdict(f"{change.element} was added as required, in a type that no kind led to", hits, examples=examples)


@change_rule(
    "field-added-required",
    added(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(AddedEverywhere(),),
    presets=WIRE,
)
def field_added_required(change: Added, context: Context) -> Verdict | None:
    """Older clients do not send the field, and stored objects do not contain it."""
    field = field_in(change)
    if field is None:
        return None
    member = member_of(context.new, field)
    hits = hits_of_added(member, change, context)
    old_client = hits.get(Direction.OLD_CLIENT)
    if old_client is None or old_client.impact is not Impact.BREAKS:
        return None
    if field.required and not isinstance(member.default, Missing):
        return None
    what = "is required" if field.required else "is refused when it is left out"
    return Verdict(
        f"{change.element} was added, and {what}", hits, patch="optional: true", examples=example_of(member, Side.NEW)
    )


_WITHOUT_DEFAULT = "leave out the default, or let what is in the struct with it be left out"

_REFUSED = {
    Direction.OLD_CLIENT: "a client of before, which does not send it, is refused",
    Direction.STORED: "a stored object without it is refused when it is judged again",
}
_NOT_REQUIRED = "let no condition that objects of before may meet ask for the field, or refuse its default"


@change_rule("field-added", added(ElementKind.FIELD), severities="I/I/I", mitigated_by=(AddedEverywhere(),))
def field_added(change: Added, context: Context) -> Verdict | None:
    """Clients need not send the field, and older clients and servers drop it at worst."""
    field = field_in(change)
    if field is None:
        return None
    member = member_of(context.new, field)
    is_rewritten = is_always_there(member)
    reason = woken(context.new, context.old, change.element.type_name, field)
    hits = of_added(hits_of_added(member, change, context), reason, ratchets=context.new.ratchets)
    of_update = refusal_of_update(member)
    if of_update:
        text = f"a client of before may be refused when it updates without it: {of_update}"
        hits = joined((hits, {Direction.OLD_CLIENT: depends(text)}))
    demanded = demands_of(member, change, (context.new, context.old), _REFUSED)
    is_ungated = field.gate is None and change.element.group in context.gated_groups
    severities = Severities.of("I/I/W") if is_ungated or is_rewritten else None
    if reason or any_breaks(demanded):
        severities = Severities.of("W/E/E")
    fix = _WITHOUT_DEFAULT if reason else _NOT_REQUIRED if demanded else ""
    gate = "" if field.gate is None else f", behind {named(field.gate.gates)}"
    message = f"{change.element} was added{gate}{', and is always there' if is_rewritten else ''}"
    return Verdict(message, joined((hits, demanded)), fix, severities=severities, examples=example_of(member, Side.NEW))


@change_rule(
    "field-removed-with-tombstone",
    removed(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(NeverOn(), WindowElapsed()),
    presets=WIRE,
)
def field_removed_with_tombstone(change: Removed, context: Context) -> Verdict | None:
    """No field can reuse the name, but stored values are lost."""
    field, holder = field_in(change), change.holder
    stones = holder.tombstones if isinstance(holder, Struct) else ()
    if field is None or not any(stone.name == field.name for stone in stones):
        return None
    return _removal(f"{change.element} was removed, and left a tombstone", field, change, context)


_PLAIN = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_OTHER_VALUES = frozenset({"null", "true", "false", "y", "n", "yes", "no", "on", "off"})


@change_rule(
    "field-removed", removed(ElementKind.FIELD), severities="W/E/E", mitigated_by=(WindowElapsed(),), presets=WIRE
)
def field_removed(change: Removed, context: Context) -> Verdict | None:
    """Stored values are lost, and another field can reuse the name."""
    field = field_in(change)
    if field is None:
        return None
    number = "" if field.number is None else f"protobuf: {field.number}, "
    patch = f'tombstones:\n  {_key(field.name)}: {{{number}removed: "<release>", reason: <why>}}'
    message = f"{change.element} was removed, and nothing keeps its name from coming back"
    return _removal(message, field, change, context, patch)


def _key(name: str) -> str:
    """A name as a key of YAML, of which no character acts."""
    if _PLAIN.fullmatch(name) and name.lower() not in _OTHER_VALUES:
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{visible(escaped)}"'


@change_rule(
    "embedding-changed",
    altered(Trait.INLINED, ElementKind.FIELD),
    altered(Trait.INLINES, ElementKind.STRUCT),
    severities="W/E/E",
    presets=WIRE,
)
def embedding_changed(change: Altered, context: Context) -> Verdict:
    """The JSON is the same; in protobuf the fields are in another message."""
    if change.trait is Trait.INLINES:
        return _of_messages(change)
    words = f"{change.element} stands {_way(change.after)} instead of {_way(change.before)}"
    return Verdict(words, everywhere(breaks("in protobuf it is in another message, where nobody looks for it")))


def _way(via: Value) -> str:
    return f"in the message {value_words(via)}" if via else "in the message of the struct itself"


def _of_messages(change: Altered) -> Verdict:
    """Messages that stay and got another number break; fields that come, go or move with one are told as such."""
    # the values are `Type = number`
    before, after = (
        {name: said.rpartition(" = ")[2] for name, said in pairs_of(value).items()}
        for value in (change.before, change.after)
    )
    moved = [name for name, number in before.items() if after.get(name, number) != number]
    if not moved:
        return silent(f"other structs stand inline in {change.element}, whose fields are told one by one")
    name = moved[0]
    words = f"what stands inline in {change.element} as {name} has the number {after[name]} instead of {before[name]}"
    return Verdict(words, everywhere(breaks("in protobuf its fields are in a message that nobody looks for there")))


@change_rule(
    "unknown-fields-opened", altered(Trait.UNKNOWN_FIELDS, ElementKind.STRUCT), severities="I/W/W", presets=WIRE
)
def unknown_fields_opened(change: Altered, context: Context) -> Verdict | None:
    """Objects can contain fields without a schema, and older clients and servers drop them."""
    step = step_of(change)
    if not step.opens:
        return None
    hits = {
        Direction.OLD_CLIENT: depends("a client of before meets members that it does not know"),
        Direction.NEW_CLIENT: breaks(f"on a server of before they are {step.before}"),
        Direction.ROLLBACK: breaks(f"in the release before they are {step.before}"),
    }
    words = f"members that {change.element} does not know are {step.in_words}"
    return Verdict(words, hits, examples=(Example(Side.NEW, {"notKnown": 1}),))


@change_rule(
    "unknown-fields-closed", altered(Trait.UNKNOWN_FIELDS, ElementKind.STRUCT), severities="W/E/E", presets=WIRE
)
def unknown_fields_closed(change: Altered, context: Context) -> Verdict | None:
    """Other content of objects is dropped, or the objects are rejected."""
    step = step_of(change)
    if step.opens:
        return None
    hits = {
        Direction.OLD_CLIENT: breaks(f"what a client of before sends besides the fields is {step.after}"),
        Direction.NEW_CLIENT: depends("a new client meets members that it does not know"),
        Direction.STORED: breaks(f"what stored objects hold besides the fields is {step.after}"),
    }
    words = f"members that {change.element} does not know are {step.in_words}"
    return Verdict(words, hits, examples=(Example(Side.OLD, {"notKnown": 1}),))


@change_rule("field-order-changed", altered(Trait.ORDER, ElementKind.STRUCT), severities="-/I/I")
def field_order_changed(change: Altered, context: Context) -> Verdict:
    """The order matters only to users, and to tools that compare text."""
    before, after = change.before, change.after
    assert isinstance(before, tuple) and isinstance(after, tuple)
    moved = next(name for name, old in zip(after, before, strict=True) if name != old)
    return Verdict(f"fields of {change.element} stand in another order: {moved} moved")
