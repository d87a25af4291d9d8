"""Protobuf: numbers, names, encodings and options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.compat.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import SourceFile, Surface
from apigen.compat.surface.types import Default, Enum, Field, Named, Scalar, Scalars, Struct, Union
from apigen.compat.values.hits import joined
from apigen.compat.values.wire import is_on_wire, wire_form
from apigen.compat.verdict.example import ABSENT, Example, JsonValue, Side
from apigen.compat.verdict.impact import CLIENTS, Direction, Hit, Hits, Impact, depends
from apigen.compat.verdict.preset import JSON, SOURCE, WIRE, Preset
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_TEXTS = frozenset({Scalars.STRING, Scalars.BYTES})


def partners(element: Element, old: Field, new: Field, context: Context) -> tuple[frozenset[str], frozenset[str]]:
    """The fields that both sides have and that share a oneof with a field: on the old side, and on the new one."""
    before, after = (side.type(element.type_name) for side in (context.old, context.new))
    if not isinstance(before, Struct) or not isinstance(after, Struct):
        return frozenset(), frozenset()
    common = (before.fields.keys() & after.fields.keys()) - {old.name}
    return _sharing(before, old.oneof, common), _sharing(after, new.oneof, common)


def _sharing(struct: Struct, oneof: str, names: set[str]) -> frozenset[str]:
    return frozenset(name for name in names if oneof and struct.fields[name].oneof == oneof)


def examples(
    old: Field, new: Field, gained: frozenset[str], lost: frozenset[str], context: Context, element: Element
) -> tuple[Example, ...]:
    """Messages with the field and one that clears it on the other side."""
    sides = ((Side.OLD, context.old, old, gained), (Side.NEW, context.new, new, lost))
    found = []
    for side, surface, field, others in sides:
        struct = surface.type(element.type_name)
        if others and isinstance(struct, Struct):
            other = struct.fields[min(others)]
            mine, theirs = _sample(field), _sample(other)
            if mine is not None and theirs is not None:
                found.append(Example(side, mine, ((other.name, theirs),)))
    return tuple(found)


def _sample(field: Field) -> JsonValue:
    """A value of a scalar field; None of others."""
    type_ = field.slot.type
    if not isinstance(type_, Scalar):
        return None
    if type_.name is Scalars.BOOL:
        return True
    return "YQ==" if type_.name in _TEXTS else 1


_MAX = 2**29 - 1


def uncovered(before: str, after: str) -> list[str]:
    """The parts of the ranges of before that those of after leave out."""
    gone: list[str] = []
    theirs = _ranges(after)
    for start, last in _ranges(before):
        first = start
        for low, high in theirs:
            if high < first or low > last:
                continue
            if low > first:
                gone.append(_ranges_words(first, low - 1))
            first = high + 1
        if first <= last:
            gone.append(_ranges_words(first, last))
    return gone


def _ranges(text: str) -> list[tuple[int, int]]:
    parts = [part.split(" to ") for part in text.split(", ") if part]
    return sorted((int(first), _MAX if last == "max" else int(last)) for first, last in parts)


def _ranges_words(first: int, last: int) -> str:
    return f"{first} to {'max' if last == _MAX else last}"


EVERYWHERE = tuple(Direction)
NOTHING: Hits = {}
_SILENT = Severities.of("-/-/-")

_WRITTEN: Mapping[Direction, str] = {
    Direction.OLD_CLIENT: "what a client of before sends",
    Direction.NEW_CLIENT: "what a new client sends to a server of before",
    Direction.STORED: "what is stored",
    Direction.ROLLBACK: "what the new release stored, once the one before reads it,",
}


def hits_in(directions: Iterable[Direction], text: str, impact: Impact = Impact.BREAKS) -> Hits:
    """The same thing in several directions; the text goes on from "what a client of before sends"."""
    return {direction: Hit(impact, f"{_WRITTEN[direction]} {text}") for direction in directions}


def silent(message: str) -> Verdict:
    """A change that hurts nobody, and that nobody has to be told."""
    return Verdict(message, NOTHING, severities=_SILENT)


def option_of(change: AnyChange, *names: str) -> tuple[str, str | None, str | None] | None:
    """The name of the option that changed, and its values on both sides; None if it is none of `names` (none: any)."""
    if not isinstance(change, Altered) or change.trait is not Trait.OPTIONS:
        return None
    before, after = (_pair(value) for value in (change.before, change.after))
    known = before or after
    if known is None or (names and known[0] not in names):
        return None
    return known[0], before and before[1], after and after[1]


def _pair(value: object) -> tuple[str, str] | None:
    if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], tuple) and len(value[0]) == 2:
        return str(value[0][0]), str(value[0][1])
    return None


@change_rule("default-of-readers-changed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE)
def default_of_readers_changed(change: Altered, context: Context) -> Verdict | None:
    """Nothing on the wire tells the old default from the new one."""
    before, after = change.before, change.after
    known = [each for each in (before, after) if isinstance(each, Default)]
    if not known or not all(each.of_readers for each in known):
        return None
    was, now = (each.text if isinstance(each, Default) else "its zero" for each in (before, after))
    message = f"{change.element} is {now} where it is absent, and was {was}"
    hits = hits_in(EVERYWHERE, "without the field means another value to the reader")
    examples = (Example(Side.OLD, ABSENT), Example(Side.NEW, ABSENT))
    return Verdict(message, hits, examples=examples)


@change_rule("enum-and-scalar-swapped", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def enum_and_scalar_swapped(change: Altered, context: Context) -> Verdict | None:
    """Bytes have its number, JSON its name."""
    sides = ((context.old, change.before), (context.new, change.after))
    if sorted(_form(surface, type_) for surface, type_ in sides) != ["enum", "scalar"]:
        return None
    message = f"{change.element} is {change.after} instead of {change.before}: an enum on one side only"
    if context.preset is Preset.BYTES and any(_is_number(each) for each in (change.before, change.after)):
        text = "may be a number that is none of the enum's values, or beyond the range of the scalar"
        return Verdict(message, hits_in(EVERYWHERE, text, Impact.DEPENDS), severities=Severities.of("I/W/W"))
    return Verdict(message, hits_in(EVERYWHERE, "is not read where it is JSON, or bytes of another form"))


def _is_number(type_: object) -> bool:
    return isinstance(type_, Scalar) and wire_form(type_.name) == wire_form(Scalars.INT32)


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
def field_number_changed(change: Altered, context: Context) -> Verdict | None:
    """In bytes a field is its number and nothing else."""
    if change.before is None or change.after is None:
        return silent(f"{change.element} has a number on one side only")
    message = f"{change.element} has the number {change.after} instead of {change.before}"
    return Verdict(message, hits_in(EVERYWHERE, "has the field under a number that the reader takes for another field"))


@change_rule("field-number-reused", added(ElementKind.FIELD), severities="E/E/E", presets=WIRE, is_excusable=False)
def field_number_reused(change: Added, context: Context) -> Verdict | None:
    """Bytes of the old field are read as the new one."""
    field = change.part if isinstance(change, Added) else None
    if not isinstance(field, Field) or field.number is None:
        return None
    old, new = context.old.type(change.element.type_name), context.new.type(change.element.type_name)
    if not isinstance(old, Struct) or not isinstance(new, Struct):
        return None
    was = next((each for each in old.fields.values() if each.number == field.number and each.via == field.via), None)
    if was is None or (was.name not in new.fields and was.slot.type == field.slot.type):
        return None
    message = f"{change.element} has the number {field.number}, which was that of {was.name} ({was.slot.type})"
    return Verdict(
        message,
        hits_in(EVERYWHERE, f"has {was.name} or {field.name} under a number that is the other one to the reader"),
    )


_SAME_NUMBERS = (
    {Scalars.INT32, Scalars.SINT32, Scalars.SFIXED32},
    {Scalars.INT64, Scalars.SINT64, Scalars.SFIXED64},
    {Scalars.UINT32, Scalars.FIXED32},
    {Scalars.UINT64, Scalars.FIXED64},
)


@change_rule("wire-encoding-changed", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def wire_encoding_changed(change: Altered, context: Context) -> Verdict | None:
    """JSON stays as it is; what protobuf writes does not."""
    before, after = change.before, change.after
    if not isinstance(before, Scalar) or not isinstance(after, Scalar) or not is_on_wire(change.element, context):
        return None
    if not any({before.name, after.name} <= kin for kin in _SAME_NUMBERS):
        return None
    message = f"{change.element} is {after} instead of {before}, which writes the same numbers in other bytes"
    examples = (Example(Side.OLD, 5), Example(Side.NEW, 5))
    return Verdict(message, hits_in(EVERYWHERE, "is another number to the reader, or none"), examples=examples)


_WORDS = {"DELIMITED": "as a group", "LENGTH_PREFIXED": "with its length"}


@change_rule("message-encoding-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def message_encoding_changed(change: Altered, context: Context) -> Verdict | None:
    """A reader of one encoding skips the other as an unknown field."""
    option = option_of(change, "message_encoding")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} is a message on one side only")
    message = f"{change.element} is written {_WORDS[after]} instead of {_WORDS[before]}"
    return Verdict(message, hits_in(EVERYWHERE, "has the message in a form that the reader skips"))


@change_rule("packing-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="I/I/W")
def packing_changed(change: Altered, context: Context) -> Verdict | None:
    """Parsers take both forms."""
    option = option_of(change, "packed")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} is a list of scalars on one side only")
    words = "is packed now" if after == "true" else "is no longer packed"
    return Verdict(f"{change.element} {words}, which every parser reads", NOTHING)


@change_rule("utf8-validation-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
def utf8_validation_changed(change: Altered, context: Context) -> Verdict | None:
    """Text that is no UTF-8 is refused by the side that checks."""
    option = option_of(change, "utf8_validation")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} is a text on one side only")
    checks = after == "VERIFY"
    whom = (Direction.OLD_CLIENT, Direction.STORED) if checks else (Direction.NEW_CLIENT, Direction.ROLLBACK)
    message = f"{change.element} is {'now' if checks else 'no longer'} checked to be UTF-8"
    return Verdict(message, hits_in(whom, "is refused where its text is no UTF-8", Impact.DEPENDS))


@change_rule(
    "json-format-changed",
    altered(Trait.OPTIONS, ElementKind.STRUCT, ElementKind.ENUM),
    severities="W/E/E",
    presets=JSON,
)
def json_format_changed(change: Altered, context: Context) -> Verdict | None:
    """What implementations do with its JSON is up to each."""
    option = option_of(change, "json_format")
    if option is None:
        return None
    if option[2] != "LEGACY_BEST_EFFORT":
        return silent(f"the JSON of {change.element} is promised now")
    message = f"the JSON of {change.element} is by best effort only"
    return Verdict(message, hits_in(EVERYWHERE, "may be refused where it is JSON", Impact.DEPENDS))


@change_rule("enum-openness-changed", altered(Trait.OPTIONS, ElementKind.ENUM), severities="W/E/E")
def enum_openness_changed(change: Altered, context: Context) -> Verdict | None:
    """Numbers that the enum does not know are kept as values, or put aside."""
    option = option_of(change, "enum_type")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} is an enum of protobuf on one side only")
    words = (
        "closed, so that unknown numbers look absent"
        if after == "CLOSED"
        else "open, so that unknown numbers are values"
    )
    message = f"{change.element} is {words}"
    return Verdict(message, hits_in(EVERYWHERE, "means something else where its number is unknown", Impact.DEPENDS))


@change_rule(
    "enum-zero-changed", altered(Trait.OPTIONS, ElementKind.ENUM), severities="E/E/E", presets=WIRE, is_excusable=False
)
def enum_zero_changed(change: Altered, context: Context) -> Verdict | None:
    """A field that is absent reads as another value."""
    option = option_of(change, "value of absence")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} has values on one side only")
    message = f"absence of a {change.element} reads as the value with the number {after} instead of {before}"
    return Verdict(message, hits_in(EVERYWHERE, "without the field reads as another value"))


@change_rule(
    "enum-number-changed",
    altered(Trait.NUMBER, ElementKind.ENUM_VALUE),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def enum_number_changed(change: Altered, context: Context) -> Verdict | None:
    """In bytes a value is its number."""
    if change.before is None or change.after is None:
        return silent(f"{change.element} has a number on one side only")
    message = f"{change.element} has the number {change.after} instead of {change.before}"
    return Verdict(message, hits_in(EVERYWHERE, "has the value as a number that is another value to the reader"))


@change_rule("wire-name-changed", altered(Trait.WIRE_NAME), severities="W/W/E")
def wire_name_changed(change: Altered, context: Context) -> Verdict | None:
    """The name of the source is accepted in JSON, and stands in field masks and the text format."""
    if not change.before or not change.after:
        return silent("one side has no names in protobuf")
    message = f"{change.element} is called {change.after} instead of {change.before} in protobuf"
    if change.element.kind is not ElementKind.FIELD:
        return Verdict(message, NOTHING, severities=Severities.of("I/I/I"))
    return Verdict(
        message, hits_in(CLIENTS, "is not understood where it names the field as the `.proto` does", Impact.DEPENDS)
    )


@change_rule("oneof-membership-changed", altered(Trait.ONEOF, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def oneof_membership_changed(change: Altered, context: Context) -> Verdict | None:
    """Of a oneof only the member that was written last survives."""
    if not isinstance(change.old, Field) or not isinstance(change.new, Field):
        return None
    mine, theirs = partners(change.element, change.old, change.new, context)
    gained, lost = theirs - mine, mine - theirs
    hits = joined((_lost(lost), _gained(gained)))
    message = f"{change.element} {_oneof_membership_changed_words(str(change.before), str(change.after))}"
    if not hits:
        return Verdict(f"{message}, where no field of before is beside it", hits, severities=Severities.of("I/I/W"))
    return Verdict(message, hits, examples=examples(change.old, change.new, gained, lost, context, change.element))


def _oneof_membership_changed_words(before: str, after: str) -> str:
    if before and after:
        return f"went from oneof {before} to oneof {after}"
    return f"joined oneof {after}" if after else f"left oneof {before}"


def _gained(fields: frozenset[str]) -> Hits:
    """The new side clears what the old one may hold together."""
    if not fields:
        return NOTHING
    text = f"with {' or '.join(sorted(fields))} beside it loses all but one"
    broken = hits_in((Direction.OLD_CLIENT, Direction.STORED), text)
    return {**broken, Direction.NEW_CLIENT: depends(f"a new client that reads answers of before {text}")}


def _lost(fields: frozenset[str]) -> Hits:
    """The old side clears what the new one may hold together."""
    if not fields:
        return NOTHING
    text = f"with {' or '.join(sorted(fields))} beside it loses all but one"
    broken = hits_in((Direction.NEW_CLIENT, Direction.ROLLBACK), text)
    return {Direction.OLD_CLIENT: depends(f"a client of before that reads new answers {text}"), **broken}


@change_rule("oneof-member-added", altered(Trait.MEMBERS, ElementKind.UNION), severities="I/W/W")
def oneof_member_added(change: Altered, context: Context) -> Verdict | None:
    """Who does not know the member sees a oneof in which nothing is set."""
    if not isinstance(change.new, Union) or not isinstance(change.old, Union):
        return None
    struct = context.old.type(change.element.type_name)
    if not change.new.on_wire or not isinstance(struct, Struct):
        return None
    came = sorted(name for name in change.new.members if name not in change.old.members and name not in struct.fields)
    if not came:
        return silent(f"the members of {change.element} changed with the fields that came to it or went")
    text = "has nothing set in the oneof, as the reader sees it"
    hits = hits_in((Direction.NEW_CLIENT, Direction.ROLLBACK), text)
    seen = depends("a client of before that reads a new answer sees nothing set in the oneof")
    return Verdict(f"{change.element} has the new member {', '.join(came)}", {Direction.OLD_CLIENT: seen, **hits})


@change_rule("oneof-removed", removed(ElementKind.UNION), added(ElementKind.UNION), severities="I/W/E", presets=SOURCE)
def oneof_removed(change: Added | Removed, context: Context) -> Verdict | None:
    """Generated code loses the oneof; what messages lose is told at the fields."""
    union = change.part if isinstance(change, Added | Removed) else None
    if not isinstance(union, Union) or not union.on_wire:
        return None
    if isinstance(change, Added):
        return silent(f"oneof {change.element} is new")
    return Verdict(f"oneof {change.element} is gone from generated code", NOTHING)


@change_rule("extension-range-narrowed", altered(Trait.OPTIONS, ElementKind.STRUCT), severities="W/E/E")
def extension_range_narrowed(change: Altered, context: Context) -> Verdict | None:
    """Extensions with these numbers cannot be declared any more."""
    option = option_of(change, "extensions")
    if option is None:
        return None
    _, before, after = option
    gone = uncovered(before or "", after or "")
    if not gone:
        return silent(f"{change.element} has more numbers for extensions")
    message = f"{change.element} has no extensions {', '.join(gone)} any more"
    whom = (Direction.OLD_CLIENT, Direction.STORED)
    return Verdict(message, hits_in(whom, "has an unknown field where it holds such an extension", Impact.DEPENDS))


@change_rule(
    "message-set-changed",
    altered(Trait.OPTIONS, ElementKind.STRUCT),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def message_set_changed(change: Altered, context: Context) -> Verdict | None:
    """The two have nothing in common on the wire."""
    option = option_of(change, "message_set_wire_format")
    if option is None:
        return None
    _, before, after = option
    if (before == "true") == (after == "true"):
        return silent(f"{change.element} says of message sets what held anyway")
    words = "is a message set now" if after == "true" else "is no message set any more"
    return Verdict(f"{change.element} {words}", hits_in(EVERYWHERE, "is written in a form that the reader skips"))


_OPTIONS = (
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
def generated_code_option_changed(change: Altered, context: Context) -> Verdict | None:
    """Nothing on the wire changes."""
    option = option_of(change, *_OPTIONS)
    if option is None:
        other = option_of(change)
        option = other if other is not None and other[0].startswith("features.") else None
    if option is None:
        return None
    name, before, after = option
    if (before or "false") == (after or "false"):
        return silent(f"option {name} of {change.element} says what held anyway")
    return Verdict(f"option {name} of {change.element} is {after or 'gone'} instead of {before or 'nothing'}", NOTHING)


@change_rule("custom-option-changed", altered(Trait.OPTIONS), severities="I/W/W")
def custom_option_changed(change: Altered, context: Context) -> Verdict | None:
    """What it means is known to the code that reads it."""
    option = option_of(change)
    if option is None or not option[0].startswith("("):
        return None
    name, before, after = option
    message = f"option {name} of {change.element} is {after or 'gone'} instead of {before or 'nothing'}; what it does is not known"
    return Verdict(
        message,
        hits_in(CLIENTS, "may be treated otherwise", Impact.DEPENDS),
        is_unproven=True,
    )


@change_rule(
    "type-moved-to-another-file",
    altered(Trait.FILE, ElementKind.STRUCT, ElementKind.ENUM),
    severities="I/W/E",
    presets=SOURCE,
)
def type_moved_to_another_file(change: Altered, context: Context) -> Verdict | None:
    """Nothing on the wire changes; includes and imports do."""
    if not change.before or not change.after:
        return silent(f"{change.element} stands in a file on one side only")
    return Verdict(f"{change.element} is in {change.after} instead of {change.before}", NOTHING)


@change_rule("file-package-changed", removed(ElementKind.FILE), severities="W/E/E", presets=WIRE)
def file_package_changed(change: Removed, context: Context) -> Verdict | None:
    """All that it holds has another full name."""
    if not isinstance(change.part, SourceFile):
        return None
    name = change.part.name
    versions = (version for group in context.new.groups.values() for version in group.versions.values())
    found = next((version.files[name] for version in versions if name in version.files), None)
    if found is None:
        return None
    message = f"{name} has the package {found.package or '(none)'} instead of {change.part.package or '(none)'}"
    hits = hits_in(CLIENTS, "is not understood where it names a type or method of the file in full", Impact.DEPENDS)
    return Verdict(message, hits)


@change_rule("file-removed", removed(ElementKind.FILE), added(ElementKind.FILE), severities="I/W/E", presets=SOURCE)
def file_removed(change: Added | Removed, context: Context) -> Verdict | None:
    """Imports of it lead nowhere."""
    if isinstance(change, Added):
        return silent(f"{change.element} is new")
    return Verdict(f"{change.element} is gone, and imports of it lead nowhere", NOTHING)


@change_rule("file-syntax-changed", altered(Trait.SYNTAX, ElementKind.FILE), severities="I/I/W", presets=SOURCE)
def file_syntax_changed(change: Altered, context: Context) -> Verdict | None:
    """What follows for its elements is told at each."""
    return Verdict(f"{change.element} is {change.after} instead of {change.before}", NOTHING)


@change_rule("file-option-changed", altered(Trait.OPTIONS, ElementKind.FILE), severities="I/W/E", presets=SOURCE)
def file_option_changed(change: Altered, context: Context) -> Verdict | None:
    """Packages and classes of generated code are called otherwise."""
    option = option_of(change)
    if option is None or option[0].startswith("("):
        return None
    name, before, after = option
    return Verdict(f"option {name} of {change.element} is {after or 'gone'} instead of {before or 'nothing'}", NOTHING)
