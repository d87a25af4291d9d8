"""Fields that are added, removed, renamed or embedded, and unknown fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics.quoting import yaml_text
from apigen.ir.model import Release
from apigen.ir.names import proto_json_name
from apigen.ir.stability import stability
from apigen.ir.surface import (
    ElementKind,
    Field,
    GateMark,
    Keyword,
    Scalar,
    Scalars,
    Struct,
    Surface,
    UnknownFields,
    struct_of,
)
from apigen.review.changes.change import Added, Altered, Removed, Trait, Value, pairs_of
from apigen.review.changes.partners import same_number
from apigen.review.changes.words import from_to, value_words
from apigen.review.context import Context
from apigen.review.effects.member import Member, member_of
from apigen.review.effects.validation import (
    added_effects,
    effects_of_defaulted_struct,
    effects_under_conditions,
    example_of,
    is_always_present,
    rejection_of_default,
    rejection_of_update,
    removed_effects,
)
from apigen.review.gating import Use, is_enabled, named
from apigen.review.mitigations import added_everywhere, never_enabled, window_elapsed
from apigen.review.prover.regex import Undecidable
from apigen.review.prover.texts import machine
from apigen.review.results import (
    CLIENTS,
    WIRE,
    Direction,
    Effects,
    Example,
    Impact,
    Missing,
    Preset,
    RuleResult,
    Severities,
    Side,
    any_breaks,
    breaks,
    depends,
    everywhere,
    joined,
)
from apigen.review.rules.rule import about, added, altered, at, change_rule, release_before, removed, silent
from apigen.review.windows import NOTES, edit_instead_of_removal


def has_schemas(side: Surface) -> bool:
    """Return whether a server validates objects by the schemas of the side, as for CRDs."""
    return any(not each.is_all for each in side.schemas.values())


def field_in(change: Added | Removed, _: Context) -> Field | None:
    """Return the added or removed field; None for a schema that excludes a field by name."""
    field = change.part
    return field if isinstance(field, Field) and not is_excluded(field) else None


def is_excluded(field: Field) -> bool:
    """Return whether a schema forbids a field (`false`). A forbidden field of a spec has a type, and may be allowed later."""
    is_forbidden = Keyword.FORBIDDEN in field.slot.constraints and not field.required
    return is_forbidden and field.slot.type == Scalar(Scalars.ANYTHING)


def unknown_in(surface: Surface, change: Added | Removed, context: Context) -> tuple[UnknownFields, ...]:
    """Return how a side without the field treats it; several ways if it is not known."""
    struct = struct_of(surface, change.element)
    if struct is None and surface is context.new and isinstance(change.holder, Struct):
        struct = change.holder
    if struct is None:
        return (UnknownFields.DROPPED,)
    if struct.unknown is UnknownFields.EMPTIED:
        return (UnknownFields.DROPPED, UnknownFields.KEPT)
    if struct.unknown is not UnknownFields.REJECTED:
        return (struct.unknown,)
    try:
        is_named = any(machine(pattern).finds(change.element.path) for pattern in struct.patterns)
    except Undecidable:
        return (UnknownFields.REJECTED, UnknownFields.KEPT)
    return (UnknownFields.KEPT if is_named else UnknownFields.REJECTED,)


@dataclass(frozen=True, slots=True)
class _OneSided:
    """The effects of a field that only one side has: of the field itself, by how the other side treats unknown fields; and
    the texts for objects without the field, which the side rejects because of its default, in updates, or by a condition.
    """

    of_field: Callable[[Member, UnknownFields], Effects]
    by_default: Mapping[Direction, str]
    in_updates: tuple[Direction, str]
    under_conditions: Mapping[Direction, str]


_ONE_SIDED = {
    Side.NEW: _OneSided(
        added_effects,
        {
            Direction.OLD_CLIENT: "older clients, which do not send it, may be rejected",
            Direction.STORED: "updates of stored objects without it may be rejected",
        },
        (Direction.OLD_CLIENT, "older clients may be rejected when they update objects without it"),
        {
            Direction.OLD_CLIENT: "older clients, which do not send it, are rejected",
            Direction.STORED: "updates of stored objects without it are rejected",
        },
    ),
    Side.OLD: _OneSided(
        removed_effects,
        {
            Direction.NEW_CLIENT: "an older server may reject objects without it",
            Direction.ROLLBACK: "the previous release may reject objects without it",
        },
        (Direction.NEW_CLIENT, "an older server may reject updates without it"),
        {
            Direction.NEW_CLIENT: "newer clients that omit it are rejected by an older server",
            Direction.ROLLBACK: "the previous release rejects updates of objects without it",
        },
    ),
}
"""By the side that has the field."""


def _sides(change: Added | Removed, context: Context) -> tuple[Side, Surface, Surface]:
    """Return which side has an added or removed element, that side, and the other one."""
    if isinstance(change, Added):
        return Side.NEW, context.new, context.old
    return Side.OLD, context.old, context.new


def effects_of_field(member: Member, change: Added | Removed, context: Context) -> Effects:
    """Return the effects of a field that only one side has, and of its own default."""
    side, knows, other = _sides(change, context)
    effects = [_ONE_SIDED[side].of_field(member, each) for each in unknown_in(other, change, context)]
    holder = struct_of(knows, change.element)
    reason = "" if holder is None else rejection_of_default(member, holder, struct_of(other, change.element))
    # a side that ratchets does not validate unchanged stored objects
    texts = (
        (each, text) for each, text in _ONE_SIDED[side].by_default.items() if each in CLIENTS or not knows.ratchets
    )
    return joined((*effects, {each: depends(f"{text}: {reason}") for each, text in texts if reason}))


def _effects_in_objects(member: Member, change: Added | Removed, context: Context) -> tuple[Effects, Effects, Effects]:
    """Return the effects of a field that only one side has, on whole objects; of these, those on structs that an object omits and
    its default creates, and those of conditions that require the field.
    """
    side, knows, other = _sides(change, context)
    of_structs = effects_of_defaulted_struct(knows, other, change.element, side)
    reason, (direction, text) = rejection_of_update(member), _ONE_SIDED[side].in_updates
    in_updates = {direction: depends(f"{text}: {reason}")} if reason else {}
    holder, conditions = struct_of(knows, change.element), _ONE_SIDED[side].under_conditions
    demands = {} if holder is None else effects_under_conditions(member, holder, other, conditions)
    return joined((of_structs, effects_of_field(member, change, context), in_updates, demands)), of_structs, demands


def _removal(message: str, field: Field, change: Removed, context: Context, patch: str = "") -> RuleResult:
    """Return the result for a removed field: its effects, those of structs that its default created, and those on
    updates.
    """
    member = member_of(context.old_types, field)
    effects, _, _ = _effects_in_objects(member, change, context)
    due = "" if patch else NOTES
    fix = edit_instead_of_removal(field.lifecycle, change.element, context.old, context.new, due=due)
    return RuleResult(message, effects, fix, "" if fix else patch, examples=example_of(member, Side.OLD))


@change_rule("field-renamed", removed(ElementKind.FIELD), added(ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def field_renamed(change: Added | Removed, context: Context) -> RuleResult | None:
    """The field is the same in protobuf, but another field in JSON."""
    part, old, new = change.part, struct_of(context.old, change.element), struct_of(context.new, change.element)
    if not isinstance(part, Field) or old is None or new is None:
        return None
    if isinstance(change, Added):
        partner = same_number(part, old, new)
        return None if partner is None else silent(f"{change.element.words} was renamed from `{partner.name}`")
    partner = same_number(part, new, old)
    if partner is None:
        return None
    member = member_of(context.old_types, part)
    text = f"the JSON name changed from `{part.name}` to `{partner.name}`, so neither side finds the value of the other"
    effects = joined((everywhere(breaks(text)), removed_effects(member, new.unknown)))
    words = f"{change.element.words} was renamed to `{partner.name}` with the same number {part.number}"
    return RuleResult(words, effects, examples=example_of(member, Side.OLD))


@change_rule("field-added-required-in-new-parent", added(ElementKind.FIELD), severities="I/I/I")
@about(field_in)
def field_added_required_in_new_parent(change: Added, field: Field, context: Context) -> RuleResult | None:
    """No kind of the base uses the type, so no object contains it."""
    name = change.element.type_name
    if not field.required or context.depth or context.old.type(name) is None:
        return None
    if not context.new_facts.known.kinds(name) or context.old_facts.known.kinds(name):
        return None
    effects = {
        Direction.NEW_CLIENT: depends("an older server drops the parent field, which it does not know"),
        Direction.ROLLBACK: depends("the previous release drops the parent field when it writes the object"),
    }
    examples = example_of(member_of(context.new, field), Side.NEW)
    return RuleResult(
        f"required field {change.element.words} was added to a type that no kind used", effects, examples=examples
    )


@change_rule(
    "field-added-required",
    added(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(added_everywhere,),
    presets=WIRE,
)
@about(field_in)
def field_added_required(change: Added, field: Field, context: Context) -> RuleResult | None:
    """Older clients do not send the field, and stored objects do not contain it."""
    member = member_of(context.new, field)
    effects = effects_of_field(member, change, context)
    old_client = effects.get(Direction.OLD_CLIENT)
    if old_client is None or old_client.impact is not Impact.BREAKS:
        return None
    if field.required and not isinstance(member.default, Missing):
        return None
    message = (
        f"required field {change.element.words} was added"
        if field.required
        else f"{change.element.words} was added, and objects that omit it are rejected"
    )
    has_default = not isinstance(member.default, Missing)
    fix, patch = (
        (_ANOTHER_DEFAULT, "") if has_default else (_way_behind_a_gate(field, change, context), "optional: true")
    )
    return RuleResult(message, effects, fix, patch, examples=example_of(member, Side.NEW))


_ANOTHER_DEFAULT = "remove the default, or change it to a value that the server accepts"

_WITHOUT_DEFAULT = "remove the default, or make the other fields of its struct optional"

_NOT_REQUIRED = "change the conditions so that existing objects do not require the field, and do not reject its default"


@change_rule("gate-enabled-too-early", added(ElementKind.FIELD), severities="W/E/E")
@about(field_in)
def gate_enabled_too_early(change: Added, field: Field, context: Context) -> RuleResult | None:
    """The previous release does not know the field, and drops it from stored objects."""
    mark = field.gate
    if mark is None or not (is_enabled(mark, context.new) or not mark.is_dropped):
        return None
    path, gates = change.element.path, named(mark.gates)
    effects = {
        Direction.NEW_CLIENT: breaks(f"newer clients set `{path}`, and an older server drops it"),
        Direction.ROLLBACK: breaks(f"objects contain `{path}`, and the previous release drops it"),
    }
    member = member_of(context.new, field)
    how = f"{gates} is enabled by default" if mark.is_dropped else f"{gates} never drops it"
    release = context.new.release_in(change.element.group)
    message = f"{change.element.words} is new, and {how}{f' in {release}' if release else ''}"
    severities = at(gate_enabled_too_early.severities, stability(change.element.version))
    in_objects, _, _ = _effects_in_objects(member, change, context)
    effects = joined((in_objects, effects))
    fix = _begin_as_alpha(mark, release, change, context) if release is not None else ""
    return RuleResult(message, effects, fix, severities=severities, examples=example_of(member, Side.NEW))


def _begin_as_alpha(mark: GateMark, release: Release, change: Added, context: Context) -> str:
    """Return how a new field gets a gate that is disabled in its first release. The stages of a released gate cannot change."""
    gate, *others = mark.gates
    if others or gate in context.old.gates or not mark.is_dropped:
        return _behind_a_new_gate("featureGate: NAME", release, _where(change, context))
    return f"let `{gate}` begin as alpha, and enable it in a later release: `stages: [{_alpha(release)}]`"


@change_rule("field-added", added(ElementKind.FIELD), severities="I/I/I", mitigated_by=(added_everywhere,))
@about(field_in)
def field_added(change: Added, field: Field, context: Context) -> RuleResult | None:
    """Clients need not send the field, and older clients and servers drop it at worst."""
    member = member_of(context.new, field)
    is_rewritten = is_always_present(member)
    effects, of_structs, demanded = _effects_in_objects(member, change, context)
    is_ungated = field.gate is None and change.element.group in context.new_facts.gated_groups
    severities = Severities.of("I/I/W") if is_ungated or is_rewritten else None
    behind_a_gate = _way_behind_a_gate(field, change, context)
    if behind_a_gate:
        severities = Severities.of("I/E/E")
    if any_breaks(of_structs) or any_breaks(demanded):
        severities = Severities.of("W/E/E")
    doubt = ""
    if has_schemas(context.old) and UnknownFields.KEPT in unknown_in(context.old, change, context):
        doubt = "objects of the base may have a preserved field of this name with another value"
        severities = Severities.of("W/E/E")
    of_default = _WITHOUT_DEFAULT if of_structs else _NOT_REQUIRED if demanded else ""
    fix = "; ".join(filter(None, (of_default, behind_a_gate)))  # each removes one of two problems
    gate = "" if field.gate is None else f" behind {named(field.gate.gates)}"
    message = f"{change.element.words} was added{gate}{' and is always written' if is_rewritten else ''}"
    if behind_a_gate:
        message += f" without a feature gate, and servers of {release_before(context, change.element.group)} drop it"
    examples = example_of(member, Side.NEW)
    return RuleResult(message, effects, fix, severities=severities, examples=examples, not_verified=doubt)


def _way_behind_a_gate(field: Field, change: Added, context: Context) -> str:
    """Return how to put a new field behind a gate, so that a rollback to the recorded release does not lose it; empty if
    it is behind one, or that release has no objects that could contain it.
    """
    is_known = context.old.is_recorded and bool(context.old_facts.known.kinds(change.element.type_name))
    if field.gate is not None or not is_known or context.new_facts.openness.use(change.element) is not Use.OPEN:
        return ""
    release = context.new.release_in(change.element.group) or "RELEASE"
    return _behind_a_new_gate("optional: true, featureGate: NAME", release, _where(change, context))


def _where(change: Added, context: Context) -> str:
    """Return that a gate is declared in all versions, if several have the field."""
    element = change.element
    versions = (replace(element, version=version.name) for version in context.new.versions_of(element.group))
    fields = (struct_of(context.new, each) for each in versions)
    return ", in all versions" if sum(each is not None and element.path in each.fields for each in fields) > 1 else ""


def _behind_a_new_gate(keys: str, release: Release | str, where: str) -> str:
    return (
        f"put it behind a feature gate that is alpha in this release{where}: `{keys}`, and in features.yaml"
        f" `NAME: {{stages: [{_alpha(release)}]}}`"
    )


def _alpha(release: Release | str) -> str:
    """Return the first stage of a gate, as in features.yaml."""
    return f'{{release: "{release}", stage: alpha}}'


@change_rule(
    "field-removed-with-tombstone",
    removed(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(never_enabled, window_elapsed),
    presets=WIRE,
)
@about(field_in)
def field_removed_with_tombstone(change: Removed, field: Field, context: Context) -> RuleResult | None:
    """The tombstone reserves the name, but stored values are lost."""
    if _unreserved(change, field, context):
        return None
    how = "and is reserved" if context.new.form == "proto" else "with a tombstone"
    return _removal(f"{change.element.words} was removed {how}", field, change, context)


def _unreserved(change: Removed, field: Field, context: Context) -> list[str]:
    """Return which of the name and the number of a removed field no tombstone reserves."""
    tombstones = change.holder.tombstones if isinstance(change.holder, Struct) else ()
    names = (field.name, proto_json_name(field.wire_name))  # `reserved` has the name in the file, not a `json_name`
    has_name = context.preset is Preset.BYTES or any(
        tombstone.name in names for tombstone in tombstones if tombstone.name
    )
    number = field.number if context.new.form == "proto" else None
    has_number = number is None or any(
        tombstone.numbers is not None and number in tombstone.numbers for tombstone in tombstones
    )
    return [word for word, is_reserved in (("name", has_name), ("number", has_number)) if not is_reserved]


@change_rule(
    "field-removed", removed(ElementKind.FIELD), severities="W/E/E", mitigated_by=(window_elapsed,), presets=WIRE
)
@about(field_in)
def field_removed(change: Removed, field: Field, context: Context) -> RuleResult | None:
    """Stored values are lost, and another field can reuse the name."""
    if field.name == f"[{field.wire_name}]":  # numbers of extensions cannot be reserved
        fix = "restore the extension with `[deprecated = true]`"
        return replace(_removal(f"{change.element.words} was removed", field, change, context), fix=fix)
    if context.new.form == "proto":
        missing = " and ".join(_unreserved(change, field, context))
        message = f"{change.element.words} was removed without reserving its {missing}"
        reserved = f'`reserved {field.number}; reserved "{field.wire_name or field.name}";`'
        fix = f"restore the field with `[deprecated = true]`; if it must be removed, declare {reserved}"
        return replace(_removal(message, field, change, context), fix=fix)
    message = f"{change.element.words} was removed{_WITHOUT.get(context.new.form, ' without a tombstone')}"
    number = "" if field.number is None else f"protobuf: {field.number}, "
    release = context.new.release_in(change.element.group)
    removed_in = "" if release is None else f'removed: "{release}", '
    patch = f"tombstones:\n  {yaml_text(field.name)}: {{{number}{removed_in}reason: REASON}}"
    return _removal(message, field, change, context, patch)


_WITHOUT = {"go": "", "crd": "", "jsonschema": "", "openapi": ""}
"""By form of input, the end of the message about a removed field; in specs, a tombstone is missing."""


@change_rule(
    "embedding-changed",
    altered(Trait.INLINED, ElementKind.FIELD),
    altered(Trait.INLINES, ElementKind.STRUCT),
    severities="W/E/E",
    presets=WIRE,
)
def embedding_changed(change: Altered, context: Context) -> RuleResult:
    """JSON is unchanged; in protobuf, the fields are in another message."""
    if change.trait is Trait.INLINES:
        return _of_messages(change)
    if not context.is_on_wire(change.element):
        return silent(f"{change.element.words} has no protobuf number, and its JSON is unchanged")
    words = f"{change.element.words} moved from {_way(change.before)} to {_way(change.after)}"
    return RuleResult(words, everywhere(breaks("in protobuf, the field is in another message and is not read")))


def _way(via: Value) -> str:
    return f"the message `{value_words(via)}`" if via else "the message of the struct itself"


def _of_messages(change: Altered) -> RuleResult:
    """Report messages with another number. Fields that are added, removed or moved with a message are reported themselves."""
    # the values are `Type = number`
    before, after = (
        {name: message.rpartition(" = ")[2] for name, message in pairs_of(value).items()}
        for value in (change.before, change.after)
    )
    moved = [name for name, number in before.items() if after.get(name, number) != number]
    if not moved:
        return silent(f"inlined structs of {change.element.words} changed; their fields are reported one by one")
    name = moved[0]
    words = f"protobuf number of the inlined `{name}` in {change.element.words} changed from {before[name]} to {after[name]}"
    return RuleResult(words, everywhere(breaks("in protobuf, its fields are in another message and are not read")))


_FROM_STRICT_TO_OPEN = (UnknownFields.REJECTED, UnknownFields.DROPPED, UnknownFields.EMPTIED, UnknownFields.KEPT)


def _unknown_fields_changed(change: Altered, accepting: Side, effects: Effects) -> RuleResult | None:
    """Return the result if the `accepting` side accepts more undeclared fields."""
    old, new = (_FROM_STRICT_TO_OPEN.index(struct.unknown) for struct in change.both(Struct))
    if (new > old) is not (accepting is Side.NEW):
        return None
    message = f"unknown fields of {change.element.words} changed {from_to(change)}"
    return RuleResult(message, effects, examples=(Example(accepting, {"notKnown": 1}),))


@change_rule(
    "unknown-fields-opened", altered(Trait.UNKNOWN_FIELDS, ElementKind.STRUCT), severities="I/W/W", presets=WIRE
)
def unknown_fields_opened(change: Altered, context: Context) -> RuleResult | None:
    """Objects can contain fields without a schema, and older clients and servers drop them."""
    effects = {
        Direction.OLD_CLIENT: depends("older clients receive fields that they do not know"),
        Direction.NEW_CLIENT: breaks(f"on an older server, unknown fields are {change.before}"),
        Direction.ROLLBACK: breaks(f"in the previous release, unknown fields are {change.before}"),
    }
    return _unknown_fields_changed(change, Side.NEW, effects)


@change_rule(
    "unknown-fields-closed", altered(Trait.UNKNOWN_FIELDS, ElementKind.STRUCT), severities="W/E/E", presets=WIRE
)
def unknown_fields_closed(change: Altered, context: Context) -> RuleResult | None:
    """Undeclared fields of objects are dropped, or the objects are rejected."""
    effects = {
        Direction.OLD_CLIENT: breaks(f"undeclared fields that older clients send are {change.after}"),
        Direction.NEW_CLIENT: depends("newer clients receive fields that they do not know"),
        Direction.STORED: breaks(f"undeclared fields of stored objects are {change.after}"),
    }
    return _unknown_fields_changed(change, Side.OLD, effects)


@change_rule("field-order-changed", altered(Trait.ORDER, ElementKind.STRUCT), severities="-/I/I")
def field_order_changed(change: Altered, context: Context) -> RuleResult:
    """The order matters only to readers, and to tools that compare text."""
    before, after = change.before, change.after
    assert isinstance(before, tuple) and isinstance(after, tuple)
    moved = next(name for name, old in zip(after, before, strict=True) if name != old)
    return RuleResult(f"order of fields of {change.element.words} changed: `{moved}` moved")
