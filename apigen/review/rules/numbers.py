"""Protobuf: numbers, names, encodings and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import wraps

from apigen.dataclass import dataclass
from apigen.review.changes.change import Added, Altered, Removed, Trait, pairs_of
from apigen.review.context import Context
from apigen.review.effects.effects import joined
from apigen.review.effects.wire import is_on_wire, wire_form
from apigen.review.rules.rule import change_rule
from apigen.review.rules.selecting import added, altered, removed
from apigen.review.rules.verdicts import INFO, silent
from apigen.review.surface import (
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
from apigen.review.verdict.example import ABSENT, Example, JsonValue, Side
from apigen.review.verdict.impact import CLIENTS, Direction, Effects, Hit, Impact, depends
from apigen.review.verdict.preset import JSON, SOURCE, WIRE, Preset
from apigen.review.verdict.severity import Severities
from apigen.review.verdict.verdict import Verdict

_WRITTEN: Mapping[Direction, str] = {
    Direction.OLD_CLIENT: "what a client of before sends",
    Direction.NEW_CLIENT: "what a new client sends to a server of before",
    Direction.STORED: "what is stored",
    Direction.ROLLBACK: "what the new release stored, once the one before reads it,",
}


def hits_in(directions: Iterable[Direction], text: str, impact: Impact = Impact.BREAKS) -> Effects:
    """The same effect in several directions; the text continues "what a client of before sends"."""
    return {direction: Hit(impact, f"{_WRITTEN[direction]} {text}") for direction in directions}


@dataclass(frozen=True, slots=True)
class Option:
    """The values of an option on both sides; empty on a side without it."""

    name: str
    before: str
    after: str

    @classmethod
    def of(cls, change: Altered) -> Option:
        """Of a change of the trait `options`."""
        before, after = pairs_of(change.before), pairs_of(change.after)
        name = next(iter({**before, **after}))
        return cls(name, before.get(name, ""), after.get(name, ""))

    @property
    def is_custom(self) -> bool:
        """Whether an extension of `descriptor.proto` defines it."""
        return self.name.startswith("(")

    def change_in_words(self, change: Altered) -> str:
        """The change as a message."""
        now, was = self.after or "gone", self.before or "nothing"
        return f"option {self.name} of {change.element} is {now} instead of {was}"


def of_option(
    name: str, *, one_sided: str = ""
) -> Callable[[Callable[[Altered, str, str], Verdict]], Callable[[Altered, Context], Verdict | None]]:
    """Make a function of a change and both values of an option evaluate changes of this option only.

    A value is empty on a side without the option. `one_sided` says what an element is that has the option on one side
    only; such a change is silent.
    """

    def of_change(judge: Callable[[Altered, str, str], Verdict]) -> Callable[[Altered, Context], Verdict | None]:
        @wraps(judge)
        def judged(change: Altered, context: Context) -> Verdict | None:
            option = Option.of(change)
            if option.name != name:
                return None
            if one_sided and not (option.before and option.after):
                return silent(f"{change.element} {one_sided}")
            return judge(change, option.before, option.after)

        return judged

    return of_change


@change_rule("default-of-readers-changed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE)
def default_of_readers_changed(change: Altered, context: Context) -> Verdict | None:
    """Nothing on the wire tells the old default from the new one."""
    before, after = change.before, change.after
    known = [each for each in (before, after) if isinstance(each, Default)]
    if not known or not all(each.of_readers for each in known):
        return None
    was, now = (each.text if isinstance(each, Default) else "its zero" for each in (before, after))
    message = f"{change.element} is {now} where it is absent, and was {was}"
    hits = hits_in(Direction, "without the field means another value to the reader")
    examples = (Example(Side.OLD, ABSENT), Example(Side.NEW, ABSENT))
    return Verdict(message, hits, examples=examples)


@change_rule("enum-and-scalar-swapped", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def enum_and_scalar_swapped(change: Altered, context: Context) -> Verdict | None:
    """Bytes have its number, JSON its name."""
    sides = ((context.old, change.before), (context.new, change.after))
    if sorted(_form(surface, type_) for surface, type_ in sides) != ["enum", "scalar"]:
        return None
    message = f"{change.element} is {change.after} instead of {change.before}: an enum on one side only"
    scalar = change.before if isinstance(change.before, Scalar) else change.after
    is_number = isinstance(scalar, Scalar) and wire_form(scalar.name) == wire_form(Scalars.INT32)
    if is_number and context.preset is Preset.BYTES:
        text = "may be a number that is none of the enum's values, or beyond the range of the scalar"
        return Verdict(message, hits_in(Direction, text, Impact.DEPENDS), severities=Severities.of("I/W/W"))
    return Verdict(message, hits_in(Direction, "is not read where it is JSON, or bytes of another form"))


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
def field_number_changed(change: Altered, context: Context) -> Verdict:
    """In bytes a field is its number and nothing else."""
    return _renumbered(change, "has the field under a number that the reader takes for another field")


def _renumbered(change: Altered, effect: str) -> Verdict:
    if change.before is None or change.after is None:
        return silent(f"{change.element} has a number on one side only")
    message = f"{change.element} has the number {change.after} instead of {change.before}"
    return Verdict(message, hits_in(Direction, effect))


@change_rule("field-number-reused", added(ElementKind.FIELD), severities="E/E/E", presets=WIRE, is_excusable=False)
def field_number_reused(change: Added, context: Context) -> Verdict | None:
    """Bytes of the old field are read as the new one."""
    field, element = change.part, change.element
    old, new = struct_of(context.old, element), struct_of(context.new, element)
    if not isinstance(field, Field) or field.number is None or old is None or new is None:
        return None
    was = next((each for each in old.fields.values() if each.number == field.number and each.via == field.via), None)
    if was is None or (was.name not in new.fields and was.slot.type == field.slot.type):
        return None
    message = f"{element} has the number {field.number}, which was that of {was.name} ({was.slot.type})"
    effect = f"has {was.name} or {field.name} under a number that is the other one to the reader"
    return Verdict(message, hits_in(Direction, effect))


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
    return Verdict(message, hits_in(Direction, "is another number to the reader, or none"), examples=examples)


_WORDS = {"DELIMITED": "as a group", "LENGTH_PREFIXED": "with its length"}


@change_rule("message-encoding-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
@of_option("message_encoding", one_sided="is a message on one side only")
def message_encoding_changed(change: Altered, before: str, after: str) -> Verdict:
    """A reader of one encoding skips the other as an unknown field."""
    message = f"{change.element} is written {_WORDS[after]} instead of {_WORDS[before]}"
    return Verdict(message, hits_in(Direction, "has the message in a form that the reader skips"))


@change_rule("packing-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="I/I/W")
@of_option("packed", one_sided="is a list of scalars on one side only")
def packing_changed(change: Altered, before: str, after: str) -> Verdict:
    """Parsers accept both forms."""
    how = "is packed now" if after == "true" else "is no longer packed"
    return Verdict(f"{change.element} {how}, which every parser reads")


@change_rule("utf8-validation-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
@of_option("utf8_validation", one_sided="is a text on one side only")
def utf8_validation_changed(change: Altered, before: str, after: str) -> Verdict:
    """The side that checks rejects strings that are not valid UTF-8."""
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
@of_option("json_format")
def json_format_changed(change: Altered, before: str, after: str) -> Verdict:
    """What implementations do with its JSON is up to each."""
    if after != "LEGACY_BEST_EFFORT":
        return silent(f"the JSON of {change.element} is promised now")
    message = f"the JSON of {change.element} is by best effort only"
    return Verdict(message, hits_in(Direction, "may be refused where it is JSON", Impact.DEPENDS))


@change_rule("enum-openness-changed", altered(Trait.OPTIONS, ElementKind.ENUM), severities="W/E/E")
@of_option("enum_type", one_sided="is an enum of protobuf on one side only")
def enum_openness_changed(change: Altered, before: str, after: str) -> Verdict:
    """Numbers that the enum does not know are kept as values, or put aside."""
    closed, opened = "closed, so that unknown numbers look absent", "open, so that unknown numbers are values"
    message = f"{change.element} is {closed if after == 'CLOSED' else opened}"
    return Verdict(message, hits_in(Direction, "means something else where its number is unknown", Impact.DEPENDS))


@change_rule(
    "enum-zero-changed", altered(Trait.OPTIONS, ElementKind.ENUM), severities="E/E/E", presets=WIRE, is_excusable=False
)
@of_option("value of absence", one_sided="has values on one side only")
def enum_zero_changed(change: Altered, before: str, after: str) -> Verdict:
    """A field that is absent reads as another value."""
    message = f"absence of a {change.element} reads as the value with the number {after} instead of {before}"
    return Verdict(message, hits_in(Direction, "without the field reads as another value"))


@change_rule(
    "enum-number-changed",
    altered(Trait.NUMBER, ElementKind.ENUM_VALUE),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def enum_number_changed(change: Altered, context: Context) -> Verdict:
    """In bytes a value is its number."""
    return _renumbered(change, "has the value as a number that is another value to the reader")


@change_rule("wire-name-changed", altered(Trait.WIRE_NAME), severities="W/W/E")
def wire_name_changed(change: Altered, context: Context) -> Verdict | None:
    """The name of the source is accepted in JSON, and stands in field masks and the text format."""
    if not change.before or not change.after:
        return silent("one side has no names in protobuf")
    message = f"{change.element} is called {change.after} instead of {change.before} in protobuf"
    if change.element.kind is not ElementKind.FIELD:
        return Verdict(message, severities=INFO)
    effect = "is not understood where it names the field as the `.proto` does"
    return Verdict(message, hits_in(CLIENTS, effect, Impact.DEPENDS))


@change_rule("oneof-membership-changed", altered(Trait.ONEOF, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def oneof_membership_changed(change: Altered, context: Context) -> Verdict | None:
    """Of a oneof only the member that was written last is kept."""
    old, new = change.old, change.new
    before, after = (struct_of(side, change.element) for side in (context.old, context.new))
    if not isinstance(old, Field) or not isinstance(new, Field) or before is None or after is None:
        return None
    common = before.fields.keys() & after.fields.keys() - {old.name}
    were_beside, are_beside = _sharing_oneof(before, old, common), _sharing_oneof(after, new, common)
    gained, lost = are_beside - were_beside, were_beside - are_beside
    hits = joined(
        (
            _clearing(lost, (Direction.NEW_CLIENT, Direction.ROLLBACK), "a client of before that reads new answers"),
            _clearing(gained, (Direction.OLD_CLIENT, Direction.STORED), "a new client that reads answers of before"),
        )
    )
    message = f"{change.element} {_moved_between_oneofs(str(change.before), str(change.after))}"
    if not hits:
        return Verdict(f"{message}, where no field of before is beside it", severities=Severities.of("I/I/W"))
    examples = (*_with_cleared(Side.OLD, before, old, gained), *_with_cleared(Side.NEW, after, new, lost))
    return Verdict(message, hits, examples=examples)


def _sharing_oneof(struct: Struct, field: Field, names: Set[str]) -> frozenset[str]:
    """The fields of some names that are in the oneof of a field."""
    return frozenset(name for name in names if field.oneof and struct.fields[name].oneof == field.oneof)


def _moved_between_oneofs(before: str, after: str) -> str:
    if before and after:
        return f"went from oneof {before} to oneof {after}"
    return f"joined oneof {after}" if after else f"left oneof {before}"


def _clearing(fields: frozenset[str], writing: tuple[Direction, Direction], reader: str) -> Effects:
    """The effects of a side that keeps only one of a field and `fields`, which the other side keeps together.

    What is written in the directions `writing` is cleared; `reader` may read answers in which one field is missing.
    """
    if not fields:
        return {}
    text = f"with {' or '.join(sorted(fields))} beside it loses all but one"
    reading = Direction.OLD_CLIENT if Direction.NEW_CLIENT in writing else Direction.NEW_CLIENT
    return {**hits_in(writing, text), reading: depends(f"{reader} {text}")}


def _with_cleared(side: Side, struct: Struct, field: Field, others: frozenset[str]) -> Iterator[Example]:
    """A message of a side with a field and a field that the other side clears."""
    if others:
        other = struct.fields[min(others)]
        mine, theirs = _sample(field), _sample(other)
        if mine is not None and theirs is not None:
            yield Example(side, mine, ((other.name, theirs),))


def _sample(field: Field) -> JsonValue:
    """A value of a scalar field; None for other fields."""
    type_ = field.slot.type
    if not isinstance(type_, Scalar):
        return None
    if type_.name is Scalars.BOOL:
        return True
    return "YQ==" if type_.name in (Scalars.STRING, Scalars.BYTES) else 1


@change_rule("oneof-member-added", altered(Trait.MEMBERS, ElementKind.UNION), severities="I/W/W")
def oneof_member_added(change: Altered, context: Context) -> Verdict | None:
    """Who does not know the member sees a oneof in which nothing is set."""
    old, new, struct = change.old, change.new, struct_of(context.old, change.element)
    if not isinstance(old, Union) or not isinstance(new, Union) or not new.on_wire or struct is None:
        return None
    came = sorted(name for name in new.members if name not in old.members and name not in struct.fields)
    if not came:
        return silent(f"the members of {change.element} changed with the fields that came to it or went")
    hits = hits_in((Direction.NEW_CLIENT, Direction.ROLLBACK), "has nothing set in the oneof, as the reader sees it")
    seen = depends("a client of before that reads a new answer sees nothing set in the oneof")
    return Verdict(f"{change.element} has the new member {', '.join(came)}", {Direction.OLD_CLIENT: seen, **hits})


@change_rule("oneof-removed", removed(ElementKind.UNION), added(ElementKind.UNION), severities="I/W/E", presets=SOURCE)
def oneof_removed(change: Added | Removed, context: Context) -> Verdict | None:
    """Generated code loses the oneof; what messages lose is told at the fields."""
    if not isinstance(change.part, Union) or not change.part.on_wire:
        return None
    if isinstance(change, Added):
        return silent(f"oneof {change.element} is new")
    return Verdict(f"oneof {change.element} is gone from generated code")


@change_rule("extension-range-narrowed", altered(Trait.OPTIONS, ElementKind.STRUCT), severities="W/E/E")
@of_option("extensions")
def extension_range_narrowed(change: Altered, before: str, after: str) -> Verdict:
    """Extensions with these numbers cannot be declared any more."""
    gone = _uncovered(before, after)
    if not gone:
        return silent(f"{change.element} has more numbers for extensions")
    message = f"{change.element} has no extensions {', '.join(gone)} any more"
    whom = (Direction.OLD_CLIENT, Direction.STORED)
    return Verdict(message, hits_in(whom, "has an unknown field where it holds such an extension", Impact.DEPENDS))


_MOST = 2**29 - 1
"""The highest number of a field."""


def _uncovered(before: str, after: str) -> list[str]:
    """The parts of the ranges `before` that the ranges `after` do not cover."""
    gone: list[tuple[int, int]] = []
    for start, last in _ranges(before):
        first = start
        for low, high in _ranges(after):
            if high < first or low > last:
                continue
            if low > first:
                gone.append((first, low - 1))
            first = high + 1
        if first <= last:
            gone.append((first, last))
    return [f"{first} to {'max' if last == _MOST else last}" for first, last in gone]


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
def message_set_changed(change: Altered, before: str, after: str) -> Verdict:
    """The two have nothing in common on the wire."""
    if (before == "true") == (after == "true"):
        return silent(f"{change.element} says of message sets what held anyway")
    words = "is a message set now" if after == "true" else "is no message set any more"
    return Verdict(f"{change.element} {words}", hits_in(Direction, "is written in a form that the reader skips"))


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
def generated_code_option_changed(change: Altered, context: Context) -> Verdict | None:
    """Nothing on the wire changes."""
    option = Option.of(change)
    if option.name not in _OF_GENERATED_CODE and not option.name.startswith("features."):
        return None
    if (option.before or "false") == (option.after or "false"):
        return silent(f"option {option.name} of {change.element} says what held anyway")
    return Verdict(option.change_in_words(change))


@change_rule("custom-option-changed", altered(Trait.OPTIONS), severities="I/W/W")
def custom_option_changed(change: Altered, context: Context) -> Verdict | None:
    """What it means is known to the code that reads it."""
    option = Option.of(change)
    if not option.is_custom:
        return None
    hits = hits_in(CLIENTS, "may be treated otherwise", Impact.DEPENDS)
    return Verdict(option.change_in_words(change), hits, not_verified="what it does is not known")


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
    return Verdict(f"{change.element} is in {change.after} instead of {change.before}")


@change_rule("file-package-changed", removed(ElementKind.FILE), severities="W/E/E", presets=WIRE)
def file_package_changed(change: Removed, context: Context) -> Verdict | None:
    """All that it holds has another full name."""
    old, name = change.part, change.element.path
    new = next((version.files[name] for version in context.new.versions() if name in version.files), None)
    if new is None or not isinstance(old, SourceFile):
        return None
    message = f"{name} has the package {new.package or '(none)'} instead of {old.package or '(none)'}"
    hits = hits_in(CLIENTS, "is not understood where it names a type or method of the file in full", Impact.DEPENDS)
    return Verdict(message, hits)


@change_rule("file-removed", removed(ElementKind.FILE), added(ElementKind.FILE), severities="I/W/E", presets=SOURCE)
def file_removed(change: Added | Removed, context: Context) -> Verdict | None:
    """Imports of it lead nowhere."""
    if isinstance(change, Added):
        return silent(f"{change.element} is new")
    return Verdict(f"{change.element} is gone, and imports of it lead nowhere")


@change_rule("file-syntax-changed", altered(Trait.SYNTAX, ElementKind.FILE), severities="I/I/W", presets=SOURCE)
def file_syntax_changed(change: Altered, context: Context) -> Verdict | None:
    """What follows for its elements is told at each."""
    return Verdict(f"{change.element} is {change.after} instead of {change.before}")


@change_rule("file-option-changed", altered(Trait.OPTIONS, ElementKind.FILE), severities="I/W/E", presets=SOURCE)
def file_option_changed(change: Altered, context: Context) -> Verdict | None:
    """Packages and classes of generated code are called otherwise."""
    option = Option.of(change)
    return None if option.is_custom else Verdict(option.change_in_words(change))
