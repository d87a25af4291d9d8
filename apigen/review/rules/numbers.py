"""Protobuf: numbers, names, encodings and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import wraps

from apigen.dataclass import dataclass, replace
from apigen.ir.surface import (
    Default,
    ElementKind,
    Enum,
    Field,
    Named,
    Scalar,
    Scalars,
    SourceFile,
    Struct,
    Surface,
    Union,
    struct_of,
)
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Added, Altered, Removed, Trait, pairs_of
from apigen.review.context import Context
from apigen.review.effects.member import shape
from apigen.review.effects.scalar_transfer import wire_form
from apigen.review.results import (
    ABSENT,
    CLIENTS,
    JSON,
    SOURCE,
    WIRE,
    Direction,
    Effect,
    Effects,
    Example,
    Impact,
    Preset,
    RuleResult,
    Severities,
    Side,
    depends,
    joined,
)
from apigen.review.rules.rule import INFO, added, altered, change_rule, removed, silent

_WRITTEN: Mapping[Direction, str] = {
    Direction.OLD_CLIENT: "data of an older client",
    Direction.NEW_CLIENT: "data that a newer client sends to an older server",
    Direction.STORED: "stored data",
    Direction.ROLLBACK: "data that the newer release stored and the previous one reads",
}


def effects_in(directions: Iterable[Direction], text: str, impact: Impact = Impact.BREAKS) -> Effects:
    """Return the same effect in several directions; the text continues "data of an older client"."""
    return {direction: Effect(impact, f"{_WRITTEN[direction]} {text}") for direction in directions}


@dataclass(frozen=True, slots=True)
class Option:
    """The values of an option on both sides; empty on a side without it."""

    name: str
    before: str
    after: str

    @classmethod
    def of(cls, change: Altered) -> Option:
        """Return the option of a change of the trait `options`."""
        before, after = pairs_of(change.before), pairs_of(change.after)
        name = next(iter({**before, **after}))
        return cls(name, before.get(name, ""), after.get(name, ""))

    @property
    def is_custom(self) -> bool:
        """Return whether an extension of `descriptor.proto` defines it."""
        return self.name.startswith("(")

    def change_in_words(self, change: Altered) -> str:
        """Return the change as a message."""
        return f"option {self.name} of {change.element.words} changed from {self.before or 'unset'} to {self.after or 'unset'}"


def of_option(
    name: str, *, one_sided: str = ""
) -> Callable[[Callable[[Altered, str, str], RuleResult]], Callable[[Altered, Context], RuleResult | None]]:
    """Make a function of a change and both values of an option evaluate changes of this option only.

    A value is empty on a side without the option. `one_sided` is the text for an element that has the option on one side
    only; such a change is silent.
    """

    def of_change(
        evaluate: Callable[[Altered, str, str], RuleResult],
    ) -> Callable[[Altered, Context], RuleResult | None]:
        @wraps(evaluate)
        def evaluated(change: Altered, context: Context) -> RuleResult | None:
            option = Option.of(change)
            if option.name != name:
                return None
            if one_sided and not (option.before and option.after):
                return silent(f"{change.element.words} {one_sided}")
            return evaluate(change, option.before, option.after)

        return evaluated

    return of_change


@change_rule("default-of-readers-changed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE)
def default_of_readers_changed(change: Altered, context: Context) -> RuleResult | None:
    """Encoded data does not contain the default."""
    before, after = change.before, change.after
    known = [each for each in (before, after) if isinstance(each, Default)]
    if not known or not all(each.of_readers for each in known):
        return None
    was, now = (each.text if isinstance(each, Default) else "zero" for each in (before, after))
    message = f"default of {change.element.words} for absent values changed from {was} to {now}"
    effects = effects_in(Direction, "without the field is read with another value")
    examples = (Example(Side.OLD, ABSENT), Example(Side.NEW, ABSENT))
    return RuleResult(message, effects, examples=examples)


@change_rule("enum-and-scalar-swapped", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def enum_and_scalar_swapped(change: Altered, context: Context) -> RuleResult | None:
    """Protobuf contains the number of an enum value, JSON its name."""
    sides = ((context.old, change.before), (context.new, change.after))
    if sorted(_form(surface, type_) for surface, type_ in sides) != ["enum", "scalar"]:
        return None
    message = f"type of {change.element.words} changed from {change.before} to {change.after}, and only one of them is an enum"
    scalar = change.before if isinstance(change.before, Scalar) else change.after
    is_number = isinstance(scalar, Scalar) and wire_form(scalar.name) == wire_form(Scalars.INT32)
    if is_number and context.preset is Preset.BYTES:
        text = "may contain a number without an enum value, or outside of the range of the scalar"
        return RuleResult(message, effects_in(Direction, text, Impact.DEPENDS), severities=Severities.of("I/W/W"))
    return RuleResult(message, effects_in(Direction, "is not readable in JSON, or in protobuf with another encoding"))


def _form(surface: Surface, type_: object) -> str:
    if isinstance(type_, Scalar):
        return "scalar"
    known = surface.type(type_.name) if isinstance(type_, Named) else None
    is_numbered = isinstance(known, Enum) and any(value.number is not None for value in known.values.values())
    return "enum" if is_numbered else "other"


@change_rule(
    "field-number-changed",
    altered(Trait.NUMBER, ElementKind.FIELD),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def field_number_changed(change: Altered, context: Context) -> RuleResult:
    """Protobuf identifies a field by its number only."""
    if change.after is None and context.old.is_of_specs and context.new.is_of_specs:
        return RuleResult(
            f"protobuf number {change.before} of {change.element.words} was removed, because its group has no protobuf encoding",
            effects_in(
                (Direction.OLD_CLIENT, Direction.STORED),
                "in protobuf is rejected, because the server does not support it",
            ),
            fix="remove `protobuf: none` from group.yaml",
        )
    found = _renumbered(change, "contains the field under a number that the reader treats as another field")
    return replace(found, number_of=change.element.path) if found.effects else found


def _renumbered(change: Altered, effect: str) -> RuleResult:
    if change.before is None or change.after is None:
        return silent(f"{change.element.words} has a number on one side only")
    message = f"protobuf number of {change.element.words} changed from {change.before} to {change.after}"
    return RuleResult(message, effects_in(Direction, effect))


@change_rule("field-number-reused", added(ElementKind.FIELD), severities="E/E/E", presets=WIRE, is_excusable=False)
def field_number_reused(change: Added, context: Context) -> RuleResult | None:
    """Data of the old field is read as the new one."""
    field, element = change.part, change.element
    old, new = struct_of(context.old, element), struct_of(context.new, element)
    if not isinstance(field, Field) or field.number is None or old is None or new is None:
        return None
    was = next((each for each in old.fields.values() if each.number == field.number and each.via == field.via), None)
    if was is None or (was.name not in new.fields and was.slot.type == field.slot.type):
        return None
    message = f"{element.words} reuses the protobuf number {field.number} of `{was.name}` ({was.slot.type})"
    effect = f"contains `{was.name}` or `{field.name}` under a number that the reader treats as the other field"
    names = (field.name, *(() if was.name in new.fields else (was.name,)))  # the reader reports errors at its own field
    return RuleResult(message, effects_in(Direction, effect), siblings=names, number_of=was.name)


_SAME_NUMBERS = (
    {Scalars.INT32, Scalars.SINT32, Scalars.SFIXED32},
    {Scalars.INT64, Scalars.SINT64, Scalars.SFIXED64},
    {Scalars.UINT32, Scalars.FIXED32},
    {Scalars.UINT64, Scalars.FIXED64},
)


@change_rule("wire-encoding-changed", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def wire_encoding_changed(change: Altered, context: Context) -> RuleResult | None:
    """JSON is unchanged, but the protobuf encoding is not."""
    before, after = change.before, change.after
    if not isinstance(before, Scalar) or not isinstance(after, Scalar) or not context.is_on_wire(change.element):
        return None
    if not any({before.name, after.name} <= kin for kin in _SAME_NUMBERS):
        return None
    message = f"type of {change.element.words} changed from {before} to {after}, which has another protobuf encoding"
    examples = (Example(Side.OLD, 5), Example(Side.NEW, 5))
    return RuleResult(message, effects_in(Direction, "is read as another number, or not at all"), examples=examples)


_WORDS = {"DELIMITED": "a group", "LENGTH_PREFIXED": "length-prefixed"}


@change_rule("message-encoding-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
@of_option("message_encoding", one_sided="is a message on one side only")
def message_encoding_changed(change: Altered, before: str, after: str) -> RuleResult:
    """A reader of one encoding skips the other as an unknown field."""
    message = f"encoding of {change.element.words} changed from {_WORDS[before]} to {_WORDS[after]}"
    return RuleResult(message, effects_in(Direction, "contains the message in an encoding that the reader skips"))


@change_rule("packing-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="I/I/W")
@of_option("packed", one_sided="is a list of scalars on one side only")
def packing_changed(change: Altered, before: str, after: str) -> RuleResult:
    """Parsers accept both encodings."""
    how = "is now packed" if after == "true" else "is no longer packed"
    return RuleResult(f"{change.element.words} {how}, which every parser reads")


@change_rule("utf8-validation-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
@of_option("utf8_validation", one_sided="is a string on one side only")
def utf8_validation_changed(change: Altered, before: str, after: str) -> RuleResult:
    """The side that checks rejects strings that are not valid UTF-8."""
    checks = after == "VERIFY"
    directions = (Direction.OLD_CLIENT, Direction.STORED) if checks else (Direction.NEW_CLIENT, Direction.ROLLBACK)
    message = f"UTF-8 of {change.element.words} is {'now' if checks else 'no longer'} validated"
    return RuleResult(message, effects_in(directions, "is rejected if its string is not UTF-8", Impact.DEPENDS))


@change_rule(
    "json-format-changed",
    altered(Trait.OPTIONS, ElementKind.STRUCT, ElementKind.ENUM),
    severities="W/E/E",
    presets=JSON,
)
@of_option("json_format")
def json_format_changed(change: Altered, before: str, after: str) -> RuleResult:
    """Each implementation handles its JSON differently; some messages of protobuf have a JSON of their own."""
    forms = [each if each.startswith("google.protobuf.") else "an object" for each in (before, after)]
    if forms != ["an object"] * 2:
        message = f"the JSON format of {change.element.words} changed from {forms[0]} to {forms[1]}"
        return RuleResult(message, effects_in(Direction, "in JSON is rejected"))
    if after != "LEGACY_BEST_EFFORT":
        return silent(f"the JSON format of {change.element.words} is now guaranteed")
    message = f"the JSON format of {change.element.words} is no longer guaranteed"
    return RuleResult(message, effects_in(Direction, "may be rejected in JSON", Impact.DEPENDS))


@change_rule("enum-openness-changed", altered(Trait.OPTIONS, ElementKind.ENUM), severities="W/E/E")
@of_option("enum_type", one_sided="is an enum of protobuf on one side only")
def enum_openness_changed(change: Altered, before: str, after: str) -> RuleResult:
    """Unknown numbers are kept as values of the field, or as unknown fields."""
    closed = "from open to closed: unknown numbers are kept as unknown fields"
    opened = "from closed to open: unknown numbers are kept as values"
    message = f"enum {change.element.words} changed {closed if after == 'CLOSED' else opened}"
    return RuleResult(message, effects_in(Direction, "with an unknown number has another meaning", Impact.DEPENDS))


@change_rule(
    "enum-zero-changed", altered(Trait.OPTIONS, ElementKind.ENUM), severities="E/E/E", presets=WIRE, is_excusable=False
)
@of_option("value of absence", one_sided="has values on one side only")
def enum_zero_changed(change: Altered, before: str, after: str) -> RuleResult:
    """An absent field is read as another value."""
    message = f"the value of absent fields of enum {change.element.words} changed from number {before} to {after}"
    return RuleResult(message, effects_in(Direction, "without the field is read with another value"))


@change_rule(
    "enum-number-changed",
    altered(Trait.NUMBER, ElementKind.ENUM_VALUE),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def enum_number_changed(change: Altered, context: Context) -> RuleResult:
    """Protobuf contains the number of a value."""
    return _renumbered(change, "contains the value as a number that the reader treats as another value")


@change_rule("wire-name-changed", altered(Trait.WIRE_NAME), severities="W/W/E")
def wire_name_changed(change: Altered, context: Context) -> RuleResult | None:
    """The name in the `.proto` file is accepted in JSON, and is used in field masks and the text format."""
    if not change.before or not change.after:
        return silent("one side has no protobuf names")
    message = f"protobuf name of {change.element.words} changed from {change.before} to {change.after}"
    if change.element.kind is not ElementKind.FIELD:
        return RuleResult(message, severities=INFO)
    effect = "that uses the name of the `.proto` file is not understood"
    return RuleResult(message, effects_in(CLIENTS, effect, Impact.DEPENDS))


@change_rule("oneof-membership-changed", altered(Trait.ONEOF, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def oneof_membership_changed(change: Altered, context: Context) -> RuleResult | None:
    """A oneof keeps only the member that was written last."""
    old, new = change.old, change.new
    before, after = (struct_of(side, change.element) for side in (context.old, context.new))
    if not isinstance(old, Field) or not isinstance(new, Field) or before is None or after is None:
        return None
    common = before.fields.keys() & after.fields.keys() - {old.name}
    were_beside, are_beside = _sharing_oneof(before, old, common), _sharing_oneof(after, new, common)
    gained, lost = are_beside - were_beside, were_beside - are_beside
    effects = joined(
        (
            _clearing(lost, (Direction.NEW_CLIENT, Direction.ROLLBACK), "an older client that reads new responses"),
            _clearing(
                gained,
                (Direction.OLD_CLIENT, Direction.STORED),
                "a newer client that reads responses of an older server",
            ),
        )
    )
    message = f"{change.element.words} {_moved_between_oneofs(str(change.before), str(change.after))}"
    if not effects:
        return RuleResult(f"{message}, which contains no other existing field", severities=Severities.of("I/I/W"))
    examples = (*_with_cleared(Side.OLD, before, old, gained), *_with_cleared(Side.NEW, after, new, lost))
    return RuleResult(message, effects, examples=examples)


def _sharing_oneof(struct: Struct, field: Field, names: Set[str]) -> frozenset[str]:
    """Return the fields with these names that are in the oneof of a field."""
    return frozenset(name for name in names if field.oneof and struct.fields[name].oneof == field.oneof)


def _moved_between_oneofs(before: str, after: str) -> str:
    if before and after:
        return f"moved from oneof {before} to oneof {after}"
    return f"was added to oneof {after}" if after else f"was removed from oneof {before}"


def _clearing(fields: frozenset[str], writing: tuple[Direction, Direction], reader: str) -> Effects:
    """Return the effects of a side that keeps only one of a field and `fields`, which the other side keeps together.

    Data in the directions `writing` is cleared; the `reader` may read responses without one of the fields.
    """
    if not fields:
        return {}
    text = f"together with {' or '.join(sorted(fields))} loses all fields but one"
    reading = Direction.OLD_CLIENT if Direction.NEW_CLIENT in writing else Direction.NEW_CLIENT
    return {
        **effects_in(writing, text),
        reading: depends(f"{reader} loses all fields but one of {', '.join(sorted(fields))} and this one"),
    }


def _with_cleared(side: Side, struct: Struct, field: Field, others: frozenset[str]) -> Iterator[Example]:
    """Return a message of a side with a field and a field that the other side clears."""
    if others:
        other = struct.fields[min(others)]
        value, other_value = _sample(field), _sample(other)
        if value is not None and other_value is not None:
            yield Example(side, value, ((other.name, other_value),))


def _sample(field: Field) -> JsonValue:
    """Return a value of a scalar field; None for other fields."""
    return shape(field.slot.type)[2] if isinstance(field.slot.type, Scalar) else None


@change_rule("oneof-member-added", altered(Trait.MEMBERS, ElementKind.UNION), severities="I/W/W")
def oneof_member_added(change: Altered, context: Context) -> RuleResult | None:
    """Readers that do not know the member see a oneof without a set member."""
    old, new, struct = change.old, change.new, struct_of(context.old, change.element)
    if not isinstance(old, Union) or not isinstance(new, Union) or not new.on_wire or struct is None:
        return None
    added_members = sorted(name for name in new.members if name not in old.members and name not in struct.fields)
    if not added_members:
        return silent(f"members of {change.element.words} changed with added or removed fields")
    effects = effects_in((Direction.NEW_CLIENT, Direction.ROLLBACK), "has no set member in the oneof for the reader")
    unset = depends("older clients that read a new response see no set member in the oneof")
    return RuleResult(
        f"member {', '.join(added_members)} was added to {change.element.words}",
        {Direction.OLD_CLIENT: unset, **effects},
    )


@change_rule("oneof-removed", removed(ElementKind.UNION), added(ElementKind.UNION), severities="I/W/E", presets=SOURCE)
def oneof_removed(change: Added | Removed, context: Context) -> RuleResult | None:
    """Generated code loses the oneof; effects on messages are reported at the fields."""
    if not isinstance(change.part, Union) or not change.part.on_wire:
        return None
    if isinstance(change, Added):
        return silent(f"oneof {change.element.words} was added")
    return RuleResult(f"oneof {change.element.words} was removed from generated code")


@change_rule("extension-range-narrowed", altered(Trait.OPTIONS, ElementKind.STRUCT), severities="W/E/E")
@of_option("extensions")
def extension_range_narrowed(change: Altered, before: str, after: str) -> RuleResult:
    """Extensions with these numbers can no longer be declared."""
    uncovered = _uncovered(before, after)
    if not uncovered:
        return silent(f"the extension ranges of {change.element.words} were extended")
    message = f"extension numbers {', '.join(uncovered)} of {change.element.words} were removed"
    directions = (Direction.OLD_CLIENT, Direction.STORED)
    return RuleResult(message, effects_in(directions, "with such an extension has an unknown field", Impact.DEPENDS))


_MOST = 2**29 - 1
"""The highest field number."""


def _uncovered(before: str, after: str) -> list[str]:
    """Return the parts of the ranges `before` that the ranges `after` do not cover."""
    uncovered: list[tuple[int, int]] = []
    for start, last in _ranges(before):
        first = start
        for low, high in _ranges(after):
            if high < first or low > last:
                continue
            if low > first:
                uncovered.append((first, low - 1))
            first = high + 1
        if first <= last:
            uncovered.append((first, last))
    return [f"{first} to {'max' if last == _MOST else last}" for first, last in uncovered]


def _ranges(text: str) -> list[tuple[int, int]]:
    parts = [part.split(" to ") for part in text.split(", ") if part]
    return sorted((int(first), _MOST if last == "max" else int(last)) for first, last in parts)


@change_rule(
    "message-set-changed",
    altered(Trait.OPTIONS, ElementKind.STRUCT),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
@of_option("message_set_wire_format")
def message_set_changed(change: Altered, before: str, after: str) -> RuleResult:
    """The two encodings are incompatible."""
    if (before == "true") == (after == "true"):
        return silent(f"{change.element.words} declares its previous message set format")
    words = "changed to a message set" if after == "true" else "changed from a message set to a message"
    return RuleResult(f"{change.element.words} {words}", effects_in(Direction, "has an encoding that the reader skips"))


_OF_GENERATED_CODE = (
    *("no_standard_descriptor_accessor", "deprecated_legacy_json_field_conflicts", "allow_alias"),
    *("ctype", "jstype", "lazy", "unverified_lazy", "weak", "debug_redact", "retention", "targets"),
    *("edition_defaults", "feature_support"),
)


@change_rule(
    "generated-code-option-changed",
    altered(Trait.OPTIONS, ElementKind.STRUCT, ElementKind.ENUM, ElementKind.FIELD),
    altered(Trait.OPTIONS, ElementKind.ENUM_VALUE, ElementKind.UNION),
    severities="I/W/W",
    presets=SOURCE,
)
def generated_code_option_changed(change: Altered, context: Context) -> RuleResult | None:
    """The encoding is unchanged."""
    option = Option.of(change)
    if option.name not in _OF_GENERATED_CODE and not option.name.startswith("features."):
        return None
    if (option.before or "false") == (option.after or "false"):
        return silent(f"option {option.name} of {change.element.words} declares its previous value")
    return RuleResult(option.change_in_words(change))


@change_rule("custom-option-changed", altered(Trait.OPTIONS), severities="I/W/W")
def custom_option_changed(change: Altered, context: Context) -> RuleResult | None:
    """Only code that reads the option knows its effect."""
    option = Option.of(change)
    if not option.is_custom:
        return None
    effects = effects_in(CLIENTS, "may be treated differently", Impact.DEPENDS)
    return RuleResult(option.change_in_words(change), effects, not_verified="the effect of the option is unknown")


@change_rule(
    "type-moved-to-another-file",
    altered(Trait.FILE, ElementKind.STRUCT, ElementKind.ENUM),
    severities="I/W/E",
    presets=SOURCE,
)
def type_moved_to_another_file(change: Altered, context: Context) -> RuleResult | None:
    """The encoding is unchanged; includes and imports are not."""
    if not change.before or not change.after:
        return silent(f"{change.element.words} is in a file on one side only")
    return RuleResult(f"{change.element.words} moved from {change.before} to {change.after}")


@change_rule("file-package-changed", removed(ElementKind.FILE), severities="W/E/E", presets=WIRE)
def file_package_changed(change: Removed, context: Context) -> RuleResult | None:
    """All elements of the file have another full name."""
    old, name = change.part, change.element.path
    new = next((version.files[name] for version in context.new.versions() if name in version.files), None)
    if new is None or not isinstance(old, SourceFile):
        return None
    message = f"package of {name} changed from {old.package or '(none)'} to {new.package or '(none)'}"
    effects = effects_in(
        CLIENTS, "with the full name of a type or method of the file is not understood", Impact.DEPENDS
    )
    return RuleResult(message, effects)


@change_rule("file-removed", removed(ElementKind.FILE), added(ElementKind.FILE), severities="I/W/E", presets=SOURCE)
def file_removed(change: Added | Removed, context: Context) -> RuleResult | None:
    """Imports of the file fail."""
    if isinstance(change, Added):
        return silent(f"{change.element.words} was added")
    return RuleResult(f"{change.element.words} was removed, so imports of it fail")


@change_rule("file-syntax-changed", altered(Trait.SYNTAX, ElementKind.FILE), severities="I/I/W", presets=SOURCE)
def file_syntax_changed(change: Altered, context: Context) -> RuleResult | None:
    """Effects on the elements of the file are reported at each."""
    return RuleResult(f"syntax of {change.element.words} changed from {change.before} to {change.after}")


@change_rule("file-option-changed", altered(Trait.OPTIONS, ElementKind.FILE), severities="I/W/E", presets=SOURCE)
def file_option_changed(change: Altered, context: Context) -> RuleResult | None:
    """Packages and classes of generated code have other names."""
    option = Option.of(change)
    return None if option.is_custom else RuleResult(option.change_in_words(change))
