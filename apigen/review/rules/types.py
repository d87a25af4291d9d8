"""Types that are replaced, restricted, extended or generalized."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from apigen.dataclass import dataclass, replace
from apigen.ir.graphs import walk
from apigen.ir.surface import (
    Alias,
    Element,
    ElementKind,
    Enum,
    Keyword,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Several,
    Slot,
    Struct,
    Surface,
    Type,
    TypeDef,
    TypeName,
    UnknownFields,
    behind,
    definition,
    field_at,
    type_as_text,
    without_aliases,
)
from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.comparing import FORMS, slot_changes, type_changes
from apigen.review.changes.words import change_words
from apigen.review.context import Context
from apigen.review.effects.scalar_transfer import passed_in_bytes, passed_scalars
from apigen.review.effects.transfer import Passed
from apigen.review.results import (
    JSON,
    WIRE,
    Direction,
    Effects,
    Example,
    Impact,
    NestedChange,
    Preset,
    RuleResult,
    Severities,
    Side,
    breaks,
    depends,
    everywhere,
    joined,
)
from apigen.review.rules.rule import INFO, ChangeRule, Issue, about, altered, change_rule, silent, state_rule

_OF_NAMES = frozenset({Trait.WIRE_NAME, Trait.FILE, Trait.HUB_NAME, Trait.DOC})
"""Differences of two types that exist because they are two, and that no object contains."""

_DEEPEST = 16
"""The maximum nesting of replaced types."""


def slot_differences(element: Element, old: Slot, new: Slot) -> Iterator[AnyChange]:
    """Yield the differences of two slots besides their types; lists and maps are compared by their elements."""
    is_nested = isinstance(old.type, ListOf | MapOf) and type(old.type) is type(new.type)
    for change in slot_changes(element, old, new if is_nested else replace(new, type=old.type)):
        if not (isinstance(change, Altered) and change.trait is Trait.DOC):
            yield change


def type_differences(old: TypeDef, new: TypeDef) -> Iterator[AnyChange]:
    """Yield the differences of two types that replace each other, without the names of types and messages."""
    element = Element(FORMS[type(new)], new.name.group, new.name.version, new.name.name)
    for change in type_changes(element, old, new):
        is_name = isinstance(change, Altered) and change.trait in _OF_NAMES and isinstance(change.old, Struct | Slot)
        if not is_name:
            yield change


def evaluate_differences(changes: Iterable[AnyChange], context: Context) -> tuple[NestedChange, ...]:
    """Evaluate each difference by the rules of the comparison."""
    return tuple(context.evaluate(change, context) for change in changes)


def effects_of(inner: Iterable[NestedChange]) -> Effects:
    """Return the worst effect of all in each direction."""
    return joined(each.effects for each in inner)


def severities_of(inner: Iterable[NestedChange], floor: Severities) -> Severities:
    """Return the worst severity of all at each stability, and at least `floor`."""
    found = [floor, *(each.severities for each in inner)]
    return Severities(
        max(each.alpha for each in found), max(each.beta for each in found), max(each.stable for each in found)
    )


def words_of(inner: Iterable[NestedChange], most: int = 3) -> str:
    """Return the first few differences as text."""
    listed = [each for each in inner if each.effects] or list(inner)
    words = [each.result.message or change_words(each.change) for each in listed[:most]]
    more = len(listed) - len(words)
    return "; ".join(words) + (f"; and {more} more" if more > 0 else "")


def differences_behind(old: Slot, new: Slot, context: Context) -> tuple[NestedChange, ...] | None:
    """Return the evaluated differences of the definitions of two unfolded slots; None if they are not of the same form.

    Two types that are already being compared, or that have the same name, are treated as equal: a recursive type is
    compared once.
    """
    one, other = behind(context.old_types, old.type), behind(context.new, new.type)
    if not isinstance(one, Named) or not isinstance(other, Named):
        return None
    old_type, new_type = context.old_types.type(one.name), context.new.type(other.name)
    if old_type is None or new_type is None or type(old_type) is not type(new_type):
        return None
    return _of_pair((one.name, other.name), old_type, new_type, context)


def _of_pair(
    names: tuple[TypeName, TypeName], old: TypeDef, new: TypeDef, context: Context
) -> tuple[NestedChange, ...]:
    """Cache only complete comparisons: a nested one omits what the outer ones report."""
    if names in context.compared:
        return context.compared[names]
    if names in context.comparing:
        return context.comparing[names]
    if context.depth >= _DEEPEST:
        return (_too_deep(old, new),)
    context.comparing[names] = ()
    differences = evaluate_differences(type_differences(old, new), context.for_replacement(old, new.name))
    context.comparing[names] = differences
    if not context.depth:
        context.comparing.clear()
        context.compared[names] = differences
    return differences


def _too_deep(old: TypeDef, new: TypeDef) -> NestedChange:
    element = Element(FORMS[type(new)], new.name.group, new.name.version, new.name.name)
    change = Altered(element, old.place, new.place, Trait.TYPE, old, new, Named(old.name), Named(new.name))
    effects = everywhere(breaks("the nested types may differ in any way"))
    words = f"`{new.name.name}` and `{old.name.name}` differ in a deeply nested type"
    return NestedChange(
        change,
        RuleResult(words, effects, not_verified="the types are nested too deeply"),
        effects,
        Severities.of("E/E/E"),
    )


INTEGERS = frozenset(
    {Scalars.INT32, Scalars.INT64, Scalars.UINT32, Scalars.UINT64, Scalars.INTEGER, Scalars.SINT32, Scalars.SINT64}
    | {Scalars.FIXED32, Scalars.FIXED64, Scalars.SFIXED32, Scalars.SFIXED64}
)
NUMBERS = frozenset({Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64})


@dataclass(frozen=True, slots=True)
class TypePair:
    """Both sides of a change of type: as written, unfolded, and their definitions."""

    before: str
    after: str
    old: Slot
    new: Slot
    old_definition: TypeDef | None
    new_definition: TypeDef | None

    @property
    def scalars(self) -> tuple[Scalars, Scalars] | None:
        """The scalars, if both sides are one."""
        if isinstance(self.old.type, Scalar) and isinstance(self.new.type, Scalar):
            return self.old.type.name, self.new.type.name
        return None

    @property
    def shapes(self) -> tuple[str, str]:
        """The forms of both types."""
        return _shape(self.old, self.old_definition), _shape(self.new, self.new_definition)

    @property
    def is_same_form(self) -> bool:
        """Return whether both are structs, enums, lists or maps, or the same scalar."""
        return self.shapes[0] == self.shapes[1]

    @property
    def are_comparable(self) -> bool:
        """Return whether both have the same form, and known definitions."""
        return self.is_same_form and _UNKNOWN not in self.shapes


_UNKNOWN = "unknown type"


def _shape(slot: Slot, definition: TypeDef | None) -> str:
    """Return the form of a type in a word."""
    match slot.type:
        case ListOf():
            return "list"
        case MapOf():
            return "map"
        case Named():
            return _UNKNOWN if definition is None else type(definition).__name__.lower()
        case Scalar(name):
            return name.value
        case _:
            return str(slot.type)


def pair_of(change: Altered, context: Context) -> TypePair:
    """Return the types of a change of type or form."""
    old, new = _slot(change.old, change.before), _slot(change.new, change.after)
    old_slot, new_slot = _as_validated(context.old_types, old), _as_validated(context.new, new)
    definitions = _definition(context.old_types, old_slot.type), _definition(context.new, new_slot.type)
    if change.trait is Trait.FORM:
        return TypePair(str(change.before), str(change.after), old_slot, new_slot, *definitions)
    before, after = str(old.type), str(new.type)
    if before == after:
        before, after = type_as_text(old.type, str), type_as_text(new.type, str)
    return TypePair(before, after, old_slot, new_slot, *definitions)


def _as_validated(surface: Surface, slot: Slot) -> Slot:
    """Unfold a slot. An integer in a schema has no width if the value may also be a string."""
    unfolded = without_aliases(surface, slot)
    if surface.has_wide_integers and unfolded.type == Scalar(Scalars.INT_OR_STRING):
        return replace(unfolded, type=Scalar(Scalars.WIDE_INT_OR_STRING))
    return unfolded


def _slot(part: object, type_: object) -> Slot:
    """Return the slot that has the type: for a definition, a slot that refers to it."""
    if isinstance(part, Slot):
        return part
    if isinstance(part, Alias):
        return part.slot
    assert isinstance(part, Struct | Enum)
    return Slot(type_ if isinstance(type_, Type) else Named(part.name), part.place)


def _definition(surface: Surface, type_: Type) -> TypeDef | None:
    return surface.type(type_.name) if isinstance(type_, Named) else None


def inner_of(change: Altered, pair: TypePair, context: Context) -> tuple[NestedChange, ...]:
    """Return the differences other than the type itself: constraints, defaults and so on, and those of the definitions."""
    inside = evaluate_differences(slot_differences(change.element, pair.old, pair.new), context)
    return (*inside, *(differences_behind(pair.old, pair.new, context) or ()))


def scalar_result(change: Altered, pair: TypePair, context: Context, besides: Effects | None = None) -> RuleResult:
    """Return the result for a scalar that replaced another: the effects on values of each side that the other one
    decodes.

    The effects of other differences of the slots are included, and so are the effects `besides`.
    """
    found = passed(change, pair, context)
    effects = joined((found.effects, besides or {}, effects_of(inner_of(change, pair, context))))
    return RuleResult(message(change, pair), effects, examples=found.examples)


def passed(change: Altered, pair: TypePair, context: Context) -> Passed:
    """Return the effects of decoding the values of one scalar as another, in the formats of the review."""
    scalars = pair.scalars
    assert scalars is not None
    has_wire = context.is_on_wire(change.element)
    if has_wire and context.preset is Preset.BYTES:
        return passed_in_bytes(*scalars)
    return passed_scalars(*scalars, has_wire=has_wire)


def message(change: Altered, pair: TypePair) -> str:
    """Return the change as a message."""
    return f"type of {change.element.words} changed from {pair.before} to {pair.after}"


def is_within(old: Scalars, new: Scalars) -> bool:
    """Return whether the other scalar decodes each value of a scalar unchanged, in JSON."""
    return Direction.STORED not in passed_scalars(old, new, has_wire=False).effects


def of_another_wire_form(element: Element, context: Context) -> Effects:
    """Return the effects if both types are encoded differently in protobuf."""
    return everywhere(breaks("protobuf encodes the types differently")) if context.is_on_wire(element) else {}


_ANYTHING = Scalar(Scalars.ANYTHING)
_OF_ANY_VALUE = frozenset({Scalars.ANYTHING, Scalars.RAW_EXTENSION, Scalars.FIELDS_V1})


def accepts(reader: Type, writer: Type) -> bool:
    """Return whether the reader certainly decodes values of the writer. Lists, maps and definitions only if they are
    equal.
    """
    match reader, writer:
        case Several(types), Several(others):
            return all(any(accepts(each, other) for each in types) for other in others)
        case Several(types), _:
            return any(accepts(each, writer) for each in types)
        case _, Several(others):
            return all(accepts(reader, other) for other in others)
        case Scalar(name), Scalar(other):
            return is_within(other, name)
        case Scalar(name), _:
            return name in _OF_ANY_VALUE
        case _:
            return reader == writer


def _comparable_of(change: Altered, context: Context) -> TypePair | None:
    """Return the types of a change if they are comparable."""
    pair = context.latest(pair_of, change, context)
    return pair if pair.are_comparable else None


@change_rule("type-renamed", altered(Trait.TYPE), altered(Trait.FORM), severities="-/I/I")
@about(_comparable_of)
def type_renamed(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
    """Encoded values do not contain names of types; both types are compared field by field."""
    if effects_of(inner_of(change, pair, context)):
        return None
    return RuleResult(f"{message(change, pair)}, which has the same fields")


@change_rule("type-extended", altered(Trait.TYPE), altered(Trait.FORM), severities="I/W/W", presets=WIRE)
@about(_comparable_of)
def type_extended(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
    """Handle a type whose older values are decoded as before; older clients and servers drop new parts."""
    inner = inner_of(change, pair, context)
    effects = effects_of(inner)
    old_client = effects.get(Direction.OLD_CLIENT)
    if Direction.STORED in effects or (old_client is not None and old_client.impact is Impact.BREAKS):
        return None
    words = f"{message(change, pair)}, which has more: {words_of(inner)}"
    return RuleResult(words, effects, not_verified=_not_verified(inner))


def _not_verified(inner: tuple[NestedChange, ...]) -> str:
    """Return why the differences are not verified; empty if the verified ones are as severe as all of them."""
    found = [each for each in inner if each.effects]
    decided = [each for each in found if not each.result.not_verified]
    if severities_of(decided, INFO) == severities_of(found, INFO):
        return ""
    return ", and ".join(dict.fromkeys(each.result.not_verified for each in found if each.result.not_verified))


@change_rule("type-replaced", altered(Trait.TYPE), altered(Trait.FORM), severities="W/E/E", presets=WIRE)
@about(_comparable_of)
def type_replaced(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
    """Both definitions are compared, and each difference is evaluated like a change of one definition."""
    inner = inner_of(change, pair, context)
    words = f"{message(change, pair)}, which differs: {words_of(inner)}"
    severities = severities_of((each for each in inner if each.effects), INFO)
    return RuleResult(words, effects_of(inner), severities=severities, not_verified=_not_verified(inner))


@change_rule("integer-widened", altered(Trait.TYPE), severities="W/W/E", presets=WIRE)
@about(pair_of)
def integer_widened(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
    """All older integers are valid; older clients and servers cannot decode integers beyond the old range."""
    if pair.scalars is None or not INTEGERS.issuperset(pair.scalars):
        return None
    if not is_within(*pair.scalars) or is_within(*reversed(pair.scalars)):
        return None
    text = "older clients read numbers outside of their range, and the JSON of protobuf has strings for 64 bits"
    besides = {} if context.preset is Preset.BYTES else {Direction.OLD_CLIENT: depends(text)}
    return scalar_result(change, pair, context, besides)


_FORMATTED_STRINGS = frozenset({Scalars.TIME, Scalars.MICRO_TIME, Scalars.DURATION, Scalars.QUANTITY})
"""The well-known types that are strings of a certain format."""


def _scalar_rule(id_: str, applies: Callable[[Scalars, Scalars], bool], *, severities: str) -> ChangeRule:
    """Return the rule about two scalars for which `applies` is true."""

    @about(pair_of)
    def evaluate(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
        return scalar_result(change, pair, context) if pair.scalars is not None and applies(*pair.scalars) else None

    return change_rule(id_, altered(Trait.TYPE), severities=severities, presets=WIRE)(evaluate)


integer_narrowed = _scalar_rule(
    "integer-narrowed",
    lambda old, new: {old, new} <= INTEGERS and not is_within(old, new),  # decoders reject numbers, and truncate none
    severities="W/E/E",
)
number_kind_changed = _scalar_rule(
    "number-kind-changed",
    # JSON has one type of number, readers several: a fraction is not an integer, a large integer not an exact double
    lambda old, new: {old, new} <= INTEGERS | NUMBERS,
    severities="W/E/E",
)
bytes_and_text_swapped = _scalar_rule(
    "bytes-and-text-swapped",
    lambda old, new: {old, new} == {Scalars.STRING, Scalars.BYTES},  # bytes are base64 in JSON
    severities="W/E/E",
)
canonical_form_changed = _scalar_rule(
    "canonical-form-changed",
    lambda old, new: {old, new} <= _FORMATTED_STRINGS,  # all are strings in JSON
    severities="W/E/E",
)
text_format_changed = _scalar_rule(
    "text-format-changed",
    # still a string in JSON; protobuf has messages for these types
    lambda old, new: Scalars.STRING in (old, new) and not _FORMATTED_STRINGS.isdisjoint((old, new)),
    severities="I/W/E",
)


@change_rule("list-and-single-swapped", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
@about(pair_of)
def list_and_single_swapped(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
    """No reader accepts a list in JSON instead of a single value, or the reverse."""
    if pair.shapes.count("list") != 1 or {"map", "anything", _UNKNOWN} & set(pair.shapes):
        return None
    read = f"neither side reads values of the other one: {pair.before} and {pair.after}"
    if context.preset is Preset.BYTES and _has_same_items(pair) and context.is_on_wire(change.element):
        return RuleResult(message(change, pair), _in_bytes(is_list_new=pair.shapes[1] == "list"))
    empty = Side.OLD if pair.shapes[0] == "list" else Side.NEW
    return RuleResult(message(change, pair), everywhere(breaks(read)), examples=(Example(empty, []),))


def _has_same_items(pair: TypePair) -> bool:
    old, new = (type_.item.type if isinstance(type_, ListOf) else type_ for type_ in (pair.old.type, pair.new.type))
    return old == new


def _in_bytes(*, is_list_new: bool) -> Effects:
    """Return the effects in protobuf: a single value is a list of one; a reader of one value takes the last one, or
    none if packed.
    """
    text = "of several values, only one is read, or none"
    if is_list_new:
        return {
            Direction.OLD_CLIENT: depends(f"older clients read lists: {text}"),
            Direction.NEW_CLIENT: breaks(f"newer clients send a list to an older server: {text}"),
            Direction.ROLLBACK: breaks(f"the previous release reads a list that the newer one stored: {text}"),
        }
    return {
        Direction.OLD_CLIENT: breaks(f"older clients send a list: {text}"),
        Direction.NEW_CLIENT: depends(f"newer clients read lists of an older server: {text}"),
        Direction.STORED: breaks(f"stored lists are read: {text}"),
    }


_READ_BY_NEW = (Direction.OLD_CLIENT, Direction.STORED)
_BY_MAP = "fields that are not valid values of the map are rejected"
_BY_STRUCT = {
    UnknownFields.DROPPED: "keys that are not fields are dropped, and invalid values of fields are rejected",
    UnknownFields.EMPTIED: "keys that are not fields lose their content, and invalid values of fields are rejected",
    UnknownFields.KEPT: "invalid values of fields are rejected",
    UnknownFields.REJECTED: "keys that are not fields are rejected, and so are invalid values of fields",
}


@change_rule("struct-and-map-swapped", altered(Trait.TYPE), altered(Trait.FORM), severities="W/E/E", presets=WIRE)
@about(pair_of)
def struct_and_map_swapped(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
    """Both are objects in JSON, but a struct has certain fields, and a map any keys."""
    if set(pair.shapes) != {"struct", "map"}:
        return None
    by_new = breaks(_text(pair.new.type, pair.new_definition, context.new))
    by_old = breaks(_text(pair.old.type, pair.old_definition, context.old))
    effects = {each: by_new if each in _READ_BY_NEW else by_old for each in Direction}
    side = Side.OLD if pair.shapes[0] == "map" else Side.NEW
    return RuleResult(message(change, pair), effects, examples=(Example(side, {"any.key": "a"}),))


def _text(type_: Type, read_as: TypeDef | None, surface: Surface) -> str:
    """Return the effects of a reader with a type on values of the other one."""
    if isinstance(read_as, Struct):
        text, inside = _BY_STRUCT[read_as.unknown], [field.slot.type for field in read_as.fields.values()]
    else:
        text, inside = _BY_MAP, [type_.value.type] if isinstance(type_, MapOf) else []
    return f"{text}, or values lose undeclared fields" if any(_drops(each, surface) for each in inside) else text


def _drops(type_: Type, surface: Surface) -> bool:
    """Return whether values of a type lose undeclared fields."""
    found, seen = behind(surface, type_), set[int]()
    while isinstance(found, ListOf | MapOf) and id(found) not in seen:
        seen.add(id(found))
        found = behind(surface, found.item.type if isinstance(found, ListOf) else found.value.type)
    struct = definition(surface, found)
    return isinstance(struct, Struct) and struct.unknown in (UnknownFields.DROPPED, UnknownFields.EMPTIED)


def _one_side_accepts(
    change: Altered, pair: TypePair, context: Context, accepting: Side, effects: Effects
) -> RuleResult | None:
    """Return the result for two types of which only that of the `accepting` side decodes all values of the other."""
    if pair.is_same_form:
        return None
    if _accepts_nothing(pair.old) or _accepts_nothing(pair.new):
        return silent(f"{message(change, pair)}, as one side accepts no value")
    by_old, by_new = accepts(pair.old.type, pair.new.type), accepts(pair.new.type, pair.old.type)
    if by_old == by_new or by_old is not (accepting is Side.OLD):
        return None
    if pair.scalars is not None:
        return scalar_result(change, pair, context)
    by_wire, nested = of_another_wire_form(change.element, context), effects_of(inner_of(change, pair, context))
    return RuleResult(message(change, pair), joined((by_wire, effects, nested)))


def _accepts_nothing(slot: Slot) -> bool:
    """Return whether a slot has the schema `false`, whose constraint has a finding of its own."""
    return slot.type == _ANYTHING and Keyword.FORBIDDEN in slot.constraints


@change_rule("type-generalized", altered(Trait.TYPE), severities="W/W/E", presets=WIRE)
@about(pair_of)
def type_generalized(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
    """Older values are read as before, in JSON; readers of the old type cannot read new values."""
    other = f"values other than {pair.before}"
    effects = {
        Direction.OLD_CLIENT: depends(f"older clients cannot read {other}"),
        Direction.NEW_CLIENT: breaks(f"newer clients that send {other} to an older server are rejected"),
        Direction.ROLLBACK: breaks(f"the previous release cannot read {other} in stored objects"),
    }
    return _one_side_accepts(change, pair, context, Side.NEW, effects)


@change_rule("type-restricted", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
@about(pair_of)
def type_restricted(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
    """Readers of the old type can read new values; older values may not be readable."""
    other = f"values other than {pair.after}"
    effects = {
        Direction.OLD_CLIENT: breaks(f"older clients that send {other} are rejected"),
        Direction.NEW_CLIENT: depends(f"newer clients cannot read {other} of older clients"),
        Direction.STORED: breaks(f"{other} in stored objects cannot be read"),
    }
    return _one_side_accepts(change, pair, context, Side.OLD, effects)


@change_rule("type-changed", altered(Trait.TYPE), altered(Trait.FORM), severities="W/E/E", presets=WIRE)
@about(pair_of)
def type_changed(change: Altered, pair: TypePair, context: Context) -> RuleResult | None:
    """The last rule about types: the types are not compatible."""
    if pair.scalars is not None:
        result = scalar_result(change, pair, context)
        return replace(result, severities=None if result.effects else INFO)
    text = f"neither side reads values of the other one: {pair.before} and {pair.after}"
    reason = "one of the definitions is unknown" if _UNKNOWN in pair.shapes else ""
    return RuleResult(message(change, pair), everywhere(breaks(text)), not_verified=reason)


@change_rule("nullable-added", altered(Trait.NULLABLE), severities="I/W/E", presets=JSON)
def nullable_added(change: Altered, context: Context) -> RuleResult | None:
    """null is a valid value only for newer clients and servers."""
    if not change.after:
        return None
    effects = {
        Direction.OLD_CLIENT: depends("older clients may not be able to read null"),
        Direction.NEW_CLIENT: breaks("newer clients that send null to an older server are rejected"),
        Direction.ROLLBACK: breaks("the previous release rejects null in objects that the newer one stored"),
    }
    return _nullable_changed(change, effects, context)


def _nullable_changed(change: Altered, effects: Effects, context: Context) -> RuleResult:
    old, new = change.both(Slot)
    how = "changed to nullable" if change.after else "is no longer nullable"
    side, nullable, other = (Side.NEW, new, old) if change.after else (Side.OLD, old, new)
    if nullable.type == _ANYTHING and (other.type != _ANYTHING or _accepts_nothing(other)):
        # the change of the type, or of a schema that accepts no value, has a finding of its own
        return silent(f"{change.element.words} {how} with its type")
    if _drops_null(change, context):
        return RuleResult(f"{change.element.words} {how}", _of_dropped(effects), severities=Severities.of("I/W/W"))
    if isinstance(without_aliases(context.new, new).type, ListOf | MapOf) and context.is_on_wire(change.element):
        effects = everywhere(breaks("in protobuf, a nullable list or map is a message of its own"))
    return RuleResult(f"{change.element.words} {how}", effects, examples=(Example(side, None),))


def _drops_null(change: Altered, context: Context) -> bool:
    """Return whether the side that does not accept null drops such a field, and does not require it."""
    rejecting = context.old if change.after else context.new
    slot = change.old if change.after else change.new
    if not rejecting.drops_null or change.element.kind not in (ElementKind.FIELD, ElementKind.VALUE):
        return False
    field = field_at(rejecting, change.element)
    return field is None or not field.required or (isinstance(slot, Slot) and slot.default is not None)


def _of_dropped(effects: Effects) -> Effects:
    """Return the effects on a server that drops null, while others reject it."""
    text = "null is dropped, and the default applied if there is one, so the object has another meaning"
    return {
        direction: depends(text) if effect.impact is Impact.BREAKS else effect for direction, effect in effects.items()
    }


@change_rule("nullable-removed", altered(Trait.NULLABLE), severities="W/E/E", presets=JSON)
def nullable_removed(change: Altered, context: Context) -> RuleResult:
    """null was a valid value, and is rejected. The reverse is `nullable-added`."""
    effects = {
        Direction.OLD_CLIENT: breaks("older clients that send null are rejected"),
        Direction.NEW_CLIENT: depends("newer clients may not be able to read null of older clients"),
        Direction.STORED: breaks("null in stored objects is rejected"),
    }
    return _nullable_changed(change, effects, context)


@state_rule("recursion-introduced", severities="W/E/E")
def recursion_introduced(surface: Surface, context: Context) -> Iterator[Issue]:
    """Only types that both sides have are reported."""
    for name in () if surface.describes_recursion else _in_circles(surface, context):
        type_ = surface.type(name)
        if type_ is None or context.old.type(name) is None or context.new.type(name) is None:
            continue
        element = Element(FORMS[type(type_)], name.group, name.version, name.name)
        effect = depends("clients generated from the schema may not be able to describe the type")
        yield Issue(
            element, type_.place, RuleResult(f"{element.words} became recursive", {Direction.OLD_CLIENT: effect})
        )


def _in_circles(surface: Surface, context: Context) -> Iterator[TypeName]:
    """Return the types of a side that contain themselves through its own types."""
    links = context.facts(surface).links
    own = {type_.name: None for type_ in surface.types(own=True)}
    knots = walk(own, lambda name: tuple(each for each in links.of(name) if each in own)).knots
    circling = frozenset(name for knot in knots for name in knot)
    yield from (name for name in own if name in circling)
