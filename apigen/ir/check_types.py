"""All checks of complete types, in the order in which they run.

Among them: constraints apply to the type, can be satisfied, and refer to existing names; constraints on updates, gates and
parts of a value are about something that the value has; replacements exist in the same type; merge options match their types
(list types match their lists, and list map keys exist and are always set); and no struct contains itself without a way out,
because no value of it could be built, or be given its defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.checks import Checks
from apigen.ir.conditions import check_condition, report_literal
from apigen.ir.defaults import check_defaults
from apigen.ir.formats import FORMATS, RAW_FORMATS
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.literals import Limits
from apigen.ir.model import (
    INTEGER_RANGES,
    Alias,
    Enum,
    EnumType,
    EnumValue,
    Field,
    Group,
    ListType,
    MapType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    is_bytes,
    is_text,
    struct_behind,
    struct_in,
    underlying,
)
from apigen.ir.names import TYPE_META, TYPE_META_PY, is_identifier
from apigen.ir.patterns import pattern_fix, pattern_problem
from apigen.language.habits import habitual_format
from apigen.language.model import (
    NO_CONSTRAINTS,
    NO_MERGE,
    Constraints,
    GateEnabled,
    GateSpec,
    Items,
    LiteralNode,
    Located,
    MergeSpec,
    NamedConstraints,
    Object,
)
from apigen.language.shapes import declared, key_of
from apigen.language.walking import parts

_OF_ITEMS = frozenset({"noAddItem", "noRemoveItem"})
_OF_SETTING = frozenset({"noSet", "noUnset"})


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of constraints: its type, its description in messages, and which parts of it can change.

    `member`: the field whose value it is, if there is one. `pairs`: whether its old value is known (elements of lists
    without keys have none). `can_be_unset`: whether an explicit value differs from an unset one. `is_struct`: it is the
    struct that declares the constraints, not a value of its type.
    """

    type: Type
    description: str
    member: Field | None = None
    pairs: bool = True
    can_be_unset: bool = True
    is_struct: bool = False

    @property
    def is_container(self) -> bool:
        """Return whether it is a list or a map."""
        return isinstance(underlying(self.type), ListType | MapType)


def has_identity(member: Field) -> bool:
    """Return whether the elements of a field's list can be identified, or its map has keys."""
    behind = underlying(member.type)
    if isinstance(behind, MapType):
        return True
    if pairs_by_key(member):
        return True
    list_type, unique = member.merge.list_type, member.constraints.unique_items
    is_set = (list_type is not None and list_type.value == "set") or (unique is not None and unique.value)
    item = underlying(behind.item) if isinstance(behind, ListType) else behind
    return is_set and not isinstance(item, StructType | ListType | MapType)


def pairs_by_key(member: Field) -> bool:
    """Return whether an element of a field's list is paired with the old one of the same keys."""
    list_type = member.merge.list_type
    return bool(member.constraints.unique_by) or (list_type is not None and list_type.value == "map")


def field_subject(member: Field) -> Subject:
    """A field as the subject of its constraints."""
    is_struct = isinstance(underlying(member.type), StructType)
    can_be_unset = not is_struct or member.presence is not Presence.PLAIN
    return Subject(member.type, quote(member.json_name), member, can_be_unset=can_be_unset)


def check_constraints(constraints: Constraints, subject: Subject, checks: Checks) -> None:
    """Report keywords that do not apply to the value or that no value satisfies, and names that do not exist."""
    if constraints == NO_CONSTRAINTS:
        return
    _check_words(constraints, subject, checks)
    _check_numbers(constraints, subject, checks)
    immutable = constraints.immutable
    if immutable is not None and immutable.value and not subject.pairs:
        checks.run.error("AG0520", immutable.place, f"`immutable` requires an old value, but {_unpaired(subject)}")
    _check_update(constraints, subject, checks)
    for word, flag in (("forbidden", constraints.forbidden), ("required", constraints.required)):
        if flag is not None and flag.value and not subject.can_be_unset:
            message = f"`{word}` applies to fields that can be unset, but {subject.description} is always present"
            checks.run.error("AG0520", flag.place, message)
    _check_unique_by(constraints, subject, checks)
    for case in (*constraints.if_enabled, *constraints.if_disabled):
        if checks.know_gate(case.name):
            check_constraints(case.constraints, subject, checks)
    _check_subfields(constraints, subject, checks)
    if constraints.enforced_by_hand is not None:
        _check_by_hand(constraints.enforced_by_hand, declared(constraints), subject, checks)


def _check_modes(member: Field, struct: Struct, checks: Checks) -> None:
    """Report fields in `ifMode` that do not exist or cannot select modes, and modes that they never have."""
    subject = field_subject(member)
    for each in member.constraints.if_mode:
        if not subject.can_be_unset:
            place = each.discriminator.place
            checks.run.error(
                "AG0520",
                place,
                f"`ifMode` applies to fields that can be unset, but {subject.description} is always present",
            )
        other = checks.field_of(struct, each.discriminator, "AG0524")
        if other is None:
            continue
        if not _chooses(other):
            message = f"a mode must be a string or a boolean, but {quote(other.json_name)} is of type {other.type}"
            checks.run.error("AG0520", each.discriminator.place, message)
            continue
        for mode in each.modes:
            _check_mode(mode, other, checks)
            check_constraints(mode.constraints, subject, checks)


def _chooses(member: Field) -> bool:
    behind = underlying(member.type)
    is_flag = isinstance(behind, ScalarType) and behind.scalar is Scalar.BOOL
    return is_text(member.type) or (is_flag and not member.can_be_none)


def _check_mode(mode: NamedConstraints, discriminator: Field, checks: Checks) -> None:
    behind = underlying(discriminator.type)
    enum = checks.types.get(behind.id) if isinstance(behind, EnumType) else None
    known: tuple[str, ...] = ()
    if isinstance(enum, Enum) and not enum.open:
        known = tuple(value.value for value in enum.values)
    elif isinstance(behind, ScalarType) and behind.scalar is Scalar.BOOL:
        known = ("true", "false")
    if known and mode.name.value not in known:
        hint = checks.run.did_you_mean(mode.name.value, known)
        message = f"{quote(discriminator.json_name)} is never {quote(mode.name.value)}"
        checks.run.error("AG0521", mode.name.place, message, hint=hint)


def _reject(word: str, place: Place, about: str, subject: Subject, checks: Checks) -> None:
    message = f"`{word}` applies to {about}, but {subject.description} is of type {subject.type}"
    checks.run.error("AG0520", place, message)


def _check_numbers(constraints: Constraints, subject: Subject, checks: Checks) -> None:
    behind = underlying(subject.type)
    monotonic, other = constraints.monotonic, constraints.not_value
    if monotonic is not None and not (isinstance(behind, ScalarType) and behind.scalar in INTEGER_RANGES):
        _reject("monotonic", monotonic.place, "integers", subject, checks)
    elif monotonic is not None and subject.member is None:
        checks.run.error(
            "AG0520", monotonic.place, f"`monotonic` applies to fields, but {subject.description} is not a field"
        )
    if other is None:
        return
    python_type: type | None = None
    if is_text(subject.type) or isinstance(behind, EnumType):
        python_type = str
    elif isinstance(behind, ScalarType) and behind.scalar is Scalar.BOOL:
        python_type = bool
    elif isinstance(behind, ScalarType) and behind.scalar in INTEGER_RANGES:
        python_type = int
    if python_type is None:
        _reject("not", other.place, "strings, integers and booleans", subject, checks)
    elif not isinstance(other, Located) or type(other.value) is not python_type:
        message = f"{subject.description} of type {subject.type} can never have this value"
        checks.run.error("AG0521", other.place, message)


def _unpaired(subject: Subject) -> str:
    return f"{subject.description} has none: only fields, elements of list maps and values of maps have a corresponding old value"


def _check_update(constraints: Constraints, subject: Subject, checks: Checks) -> None:
    about = subject.description
    for word in constraints.update:
        is_of_items, is_of_setting = word.value in _OF_ITEMS, word.value in _OF_SETTING
        problems = (
            (
                is_of_items and not subject.is_container,
                f"applies to lists and maps, but {about} is of type {subject.type}",
            ),
            (
                is_of_items and (subject.member is None or not has_identity(subject.member)),
                f"requires a map, or a list with `listType: map` or `set`, but {about} is neither",
            ),
            (
                is_of_setting and subject.member is None,
                f"applies to fields, but {about} cannot be set or unset",
            ),
            (
                not is_of_items and not subject.pairs,
                f"requires an old value, but {_unpaired(subject)}",
            ),
            (
                word.value == "noModify" and subject.is_container,
                f"does not apply to whole lists and maps: declare it on the elements of {about}, with `items` or `values`",
            ),
            (
                is_of_setting and not subject.can_be_unset,
                f"applies to fields that can be unset, but {about} is always present",
            ),
        )
        problem = next((problem for is_so, problem in problems if is_so), None)
        if problem is not None:
            checks.run.error("AG0520", word.place, f"`{word.value}` {problem}")


def _check_unique_by(constraints: Constraints, subject: Subject, checks: Checks) -> None:
    if not constraints.unique_by:
        return
    behind = underlying(subject.type)
    item = underlying(behind.item) if isinstance(behind, ListType) else None
    place = constraints.unique_by[0].place
    struct = struct_behind(item, checks.types)
    if struct is None:
        if item is None or not isinstance(item, StructType):
            _reject("uniqueBy", place, "lists of structs", subject, checks)
        return
    list_type = subject.member.merge.list_type if subject.member is not None else None
    if list_type is not None and list_type.value in ("set", "map"):
        checks.run.error("AG0520", place, f"`listType: {list_type.value}` already declares the identity of elements")
    for key in constraints.unique_by:
        checks.field_of(struct, key, "AG0524")


def _check_subfields(constraints: Constraints, subject: Subject, checks: Checks) -> None:
    behind = underlying(subject.type)
    for part in constraints.subfields:
        struct = struct_behind(behind, checks.types)
        if not isinstance(behind, StructType):
            _reject("subfields", part.name.place, "structs", subject, checks)
            return
        member = None if struct is None else checks.field_of(struct, part.name, "AG0524")
        if member is not None:
            below = replace(field_subject(member), description=f"`{part.name.value}` of {subject.description}")
            check_constraints(part.constraints, below, checks)


def _check_by_hand(by_hand: Constraints, generated: Mapping[str, object], subject: Subject, checks: Checks) -> None:
    """Report errors in `enforcedByHand` in the constraints of a value; `generated` are the others, by keyword."""
    check_constraints(by_hand, subject, checks)
    for word, value in declared(by_hand).items():
        if isinstance(value, Located) and value.value is False:
            code = "AG0529"
            message = f"`{word}: false` of {subject.description} rejects no value, so hand-written validation cannot enforce it"
        elif _same(value, generated.get(word)):
            code = "AG0528"
            message = f"`{word}` is also declared on {subject.description} itself, so it is generated"
        else:
            continue
        place = value[0].place if isinstance(value, tuple) else value.place
        checks.run.error(code, place, message, hint=f"remove `{word}` from `enforcedByHand`")


def _same(one: object, other: object) -> bool:
    """Return whether two values are equal; for lists, whether the second one contains all words of the first one."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return {each.value for each in one} <= {each.value for each in other}
    return isinstance(one, Located) and isinstance(other, Located) and one.value == other.value


_NO_NUMBERS = frozenset({Scalar.STRING, Scalar.BOOL, Scalar.BYTES})


@dataclass(frozen=True, slots=True)
class _Word:
    """A constraint: its attribute in `Constraints`, and the values to which it applies."""

    attribute: str
    about: str
    fits: Callable[[Type], bool]


def _is_number(type_: Type) -> bool:
    behind = underlying(type_)
    return isinstance(behind, ScalarType) and behind.scalar not in _NO_NUMBERS


def _is_list(type_: Type) -> bool:
    return isinstance(underlying(type_), ListType)


def _is_map(type_: Type) -> bool:
    return isinstance(underlying(type_), MapType)


def _has_bytes(type_: Type) -> bool:
    return is_text(type_) or is_bytes(type_)


def _has_format(type_: Type) -> bool:
    return is_text(type_) or underlying(type_) == WellKnownType(WellKnown.RAW_EXTENSION)


_WORDS = (
    _Word("minimum", "numbers", _is_number),
    _Word("maximum", "numbers", _is_number),
    _Word("exclusive_minimum", "numbers", _is_number),
    _Word("exclusive_maximum", "numbers", _is_number),
    _Word("multiple_of", "numbers", _is_number),
    _Word("min_length", "strings", is_text),
    _Word("max_length", "strings", is_text),
    _Word("max_bytes", "strings and bytes", _has_bytes),
    _Word("pattern", "strings", is_text),
    _Word("format", "strings and raw JSON", _has_format),
    _Word("min_items", "lists", _is_list),
    _Word("max_items", "lists", _is_list),
    _Word("unique_items", "lists", _is_list),
    _Word("min_properties", "maps", _is_map),
    _Word("max_properties", "maps", _is_map),
)
_PAIRS = (
    ("minimum", "maximum", False),
    ("minimum", "exclusive_maximum", True),
    ("exclusive_minimum", "maximum", True),
    ("exclusive_minimum", "exclusive_maximum", True),
    ("min_length", "max_length", False),
    ("min_items", "max_items", False),
    ("min_properties", "max_properties", False),
)
"""A lower bound, its upper one, and whether they must differ."""


def check_struct_constraints(struct: Struct, checks: Checks) -> None:
    """Report errors in the constraints of a struct and its own fields."""
    subject = Subject(StructType(struct.id), f"`{struct.id.name}`", pairs=False, is_struct=True)
    check_constraints(struct.constraints, subject, checks)
    for field in struct.own_fields:
        check_constraints(field.constraints, field_subject(field), checks)
        _check_modes(field, struct, checks)
        _check_siblings(field, struct, checks)
        _check_inner(field, field.type, quote(field.json_name), checks)


def check_alias_constraints(alias: Alias, checks: Checks) -> None:
    """Report errors in the constraints of an alias."""
    description = f"`{alias.id.name}`"
    check_constraints(alias.constraints, Subject(alias.target, description, pairs=False), checks)
    _check_inner(alias, alias.target, description, checks)


def _check_inner(holder: Field | Alias, type_: Type, description: str, checks: Checks) -> None:
    behind = underlying(type_)
    inner = (
        ("items", holder.item_constraints, behind.item if isinstance(behind, ListType) else None),
        ("keys", holder.key_constraints, behind.key if isinstance(behind, MapType) else None),
        ("values", holder.value_constraints, behind.value if isinstance(behind, MapType) else None),
    )
    for word, constraints, inner_type in inner:
        if constraints == NO_CONSTRAINTS:
            continue
        if inner_type is None:
            place = next(_places(constraints), holder.place)
            container = "list" if word == "items" else "map"
            checks.run.error(
                "AG0520",
                place,
                f"`{word}` applies to the elements of a {container}, but {description} is of type {type_}",
            )
        else:
            pairs = word == "values" or (word == "items" and isinstance(holder, Field) and pairs_by_key(holder))
            each = Subject(inner_type, f"each of the {word} of {description}", pairs=pairs)
            check_constraints(constraints, each, checks)


def _check_words(constraints: Constraints, subject: Subject, checks: Checks) -> None:
    for word in _WORDS:
        written = getattr(constraints, word.attribute)
        if isinstance(written, Located) and not word.fits(subject.type):
            is_of = "is a struct" if subject.is_struct else f"is of type {subject.type}"
            checks.run.error(
                "AG0520",
                written.place,
                f"`{key_of(word.attribute)}` applies to {word.about}, but {subject.description} {is_of}",
            )
            return
    for least_name, greatest_name, must_differ in _PAIRS:
        least, greatest = getattr(constraints, least_name), getattr(constraints, greatest_name)
        if not isinstance(least, Located) or not isinstance(greatest, Located):
            continue
        if least.value > greatest.value or (must_differ and least.value == greatest.value):
            message = f"no value is between {least.value} and {greatest.value}"
            checks.run.error("AG0521", greatest.place, message)
    _check_text(constraints, subject.type, checks)


def _check_text(constraints: Constraints, type_: Type, checks: Checks) -> None:
    step = constraints.multiple_of
    if step is not None and step.value <= 0:
        checks.run.error("AG0521", step.place, "`multipleOf` must be greater than 0")
    pattern = constraints.pattern
    problem = pattern_problem(pattern.value) if pattern else None
    if pattern is not None and problem is not None:
        place = pattern.place_of(1, problem.offset + 1)
        message = f"invalid pattern {quote(pattern.value)}: {problem}"
        checks.run.error("AG0522", place, message, hint=pattern_fix(problem))
    format_ = constraints.format
    known = FORMATS if is_text(type_) else RAW_FORMATS
    if format_ is not None and format_.value not in known:
        hint = (
            checks.run.did_you_mean(format_.value, known)
            or habitual_format(format_.value)
            or f"known formats: {', '.join(known)}"
        )
        checks.run.error("AG0523", format_.place, f"unknown format {quote(format_.value)}", hint=hint)


def _check_siblings(field: Field, struct: Struct, checks: Checks) -> None:
    by_hand = field.constraints.enforced_by_hand or NO_CONSTRAINTS
    sibling_lists = (field.constraints.requires, field.constraints.forbids, by_hand.requires, by_hand.forbids)
    for sibling in (each for siblings in sibling_lists for each in siblings):
        if sibling.value == field.json_name:
            checks.run.error("AG0524", sibling.place, f"{quote(sibling.value)} is the field itself")
        else:
            checks.field_of(struct, sibling, "AG0524")


def _places(constraints: Constraints) -> Iterator[Place]:
    for word in _WORDS:
        written = getattr(constraints, word.attribute)
        if isinstance(written, Located):
            yield written.place
    yield from (rule.rule.place for rule in constraints.rules)
    if constraints.enforced_by_hand is not None:
        yield from _places(constraints.enforced_by_hand)


_ALWAYS_BUILT = (Presence.PLAIN, Presence.OMIT_EMPTY)


def check_containment(structs: Mapping[TypeId, Struct], checks: Checks) -> None:
    """Report each knot of structs that are built whenever another of them is, or is given its defaults."""
    walked = walk(structs, lambda id_: (inner for _, inner in _built_with(structs[id_], structs) if inner in structs))
    for cycle in walked.cycles:
        round_trip = ring(cycle, lambda id_: structs[id_].place)
        steps = [_field_between(structs[outer], inner, structs) for outer, inner in pairwise(round_trip)]
        path = ".".join(field.json_name for field in steps[:MOST_SHOWN])
        first = round_trip[0]
        checks.run.error(
            "AG0315",
            steps[0].place,
            f"`{first.name}` contains itself without an optional field: `{path}` is of type {quote(first.name)}",
            hint=_hint(steps),
            related=[Related(field.place, f"by the field {quote(field.json_name)}") for field in steps[1:MOST_SHOWN]],
        )


def _hint(steps: list[Field]) -> str:
    by_default = [field for field in steps if not _is_always_built(field)]
    if not by_default:
        return "make one of these fields `optional: true`"
    return f"remove the default of {quote(by_default[0].json_name)}, or make it depend on a condition (`when`)"


def _is_always_built(field: Field) -> bool:
    return isinstance(underlying(field.type), StructType) and field.presence in _ALWAYS_BUILT


def _built_with(struct: Struct, structs: Mapping[TypeId, Struct]) -> Iterator[tuple[Field, TypeId]]:
    """Yield the structs that a defaulted struct always contains, and the fields that contain them."""
    for field in struct.fields:
        behind = underlying(field.type)
        if isinstance(behind, StructType) and _is_always_built(field):
            yield field, behind.id
        for case in field.default:
            if case.when is None and case.value is not None:
                for id_ in _built_by(case.value, behind, structs):
                    yield field, id_
            # the new struct has a value to copy again, as often as its type contains itself
            is_copied_on = case.when is None and case.into is not None and str(case.from_path) == case.into.value
            if is_copied_on and isinstance(behind, StructType):
                yield field, behind.id


def _built_by(literal: LiteralNode, type_: Type, structs: Mapping[TypeId, Struct]) -> Iterator[TypeId]:
    """Yield the structs in the value of a literal."""
    match underlying(type_), literal:
        case StructType(id_), Object(members):
            yield id_
            struct = structs.get(id_)
            for name, member in members:
                field = struct.field(name.value) if struct is not None else None
                if field is not None:
                    yield from _built_by(member, field.type, structs)
        case ListType(item), Items(items):
            for element in items:
                yield from _built_by(element, item, structs)
        case MapType(_, value), Object(members):
            for _, member in members:
                yield from _built_by(member, value, structs)


def _field_between(outer: Struct, inner: TypeId, structs: Mapping[TypeId, Struct]) -> Field:
    return next(field for field, id_ in _built_with(outer, structs) if id_ == inner)


def check_replacements(type_: Struct | Enum, checks: Checks) -> None:
    """Report fields and values whose replacement does not exist."""
    elements: tuple[Field | EnumValue, ...] = type_.own_fields if isinstance(type_, Struct) else type_.values
    for element in elements:
        replacement = element.lifecycle.replacement
        if replacement is None:
            continue
        known = _names(type_)
        first = replacement.path.partition(".")[0].partition("[")[0] if isinstance(type_, Struct) else replacement.path
        if first not in known and not checks.may_have(type_.id, first):
            checks.run.error(
                "AG0542",
                element.place,
                f"`{type_.id.name}` has no element {quote(first)}, the replacement of {quote(_name(element))}",
                hint=checks.run.did_you_mean(first, known)
                or f"name an element of {type_.id.version} `{type_.id.name}`, or add {quote(first)} to it",
            )


def _names(type_: Struct | Enum) -> tuple[str, ...]:
    if isinstance(type_, Struct):
        return tuple(field.json_name for field in type_.fields)
    return tuple(value.value for value in type_.values)


def _name(element: Field | EnumValue) -> str:
    return element.json_name if isinstance(element, Field) else element.value


_KEY_KINDS = frozenset({WellKnown.INT_OR_STRING, WellKnown.QUANTITY, WellKnown.DURATION})


def check_struct_merges(struct: Struct, checks: Checks) -> None:
    """Report errors in the merge options of a struct and its own fields."""
    if struct.merge != NO_MERGE:
        _check(struct.merge, StructType(struct.id), checks)
    for field in struct.own_fields:
        if field.merge != NO_MERGE:
            _check(field.merge, field.type, checks)


def check_alias_merges(alias: Alias, checks: Checks) -> None:
    """Report errors in the merge options of an alias."""
    if alias.merge != NO_MERGE:
        _check(alias.merge, alias.target, checks)


def _check(merge: MergeSpec, type_: Type, checks: Checks) -> None:
    behind = underlying(type_)
    for word, value, about in _misfits(merge, behind):
        checks.run.error("AG0525", value.place, f"`{word}` applies to {about}, but this is of type {type_}")
        return
    _check_list_type(merge, behind, checks)
    if isinstance(behind, ListType) and merge.patch_merge_key is not None:
        _key_field(merge.patch_merge_key, behind.item, checks)


def _misfits(merge: MergeSpec, behind: Type) -> Iterator[tuple[str, Located[str], str]]:
    written = (
        ("listType", merge.list_type, ListType, "lists"),
        ("listMapKeys", next(iter(merge.list_map_keys), None), ListType, "lists"),
        ("patchMergeKey", merge.patch_merge_key, ListType, "lists"),
        ("mapType", merge.map_type, MapType, "maps"),
        ("structType", merge.struct_type, StructType, "structs"),
        ("patchStrategy", merge.patch_strategy, ListType | MapType | StructType, "lists, maps and structs"),
    )
    for word, value, type_, about in written:
        if value is not None and not isinstance(behind, type_):
            yield word, value, about


def _check_list_type(merge: MergeSpec, behind: Type, checks: Checks) -> None:
    list_type = merge.list_type.value if merge.list_type else None
    if merge.list_map_keys and list_type != "map":
        place = merge.list_map_keys[0].place
        checks.run.error("AG0525", place, "`listMapKeys` requires `listType: map`", hint="add `listType: map`")
    if merge.list_type is None or not isinstance(behind, ListType):
        return
    if list_type == "set" and not _is_key(behind.item):
        message = f"a set contains strings or numbers, but this is a list of {behind.item}"
        checks.run.error("AG0525", merge.list_type.place, message, hint="use `listType: map` with keys instead")
    if list_type != "map":
        return
    if not merge.list_map_keys:
        message = "a list with `listType: map` needs `listMapKeys`"
        checks.run.error("AG0525", merge.list_type.place, message, hint="write `listMapKeys: [name]`")
    keys = [(key, field) for key in merge.list_map_keys if (field := _key_field(key, behind.item, checks)) is not None]
    for key, field in keys:
        if not _is_key(field.type):
            message = f"a list map key must be a string or a number, but {quote(key.value)} is of type {field.type}"
            checks.run.error("AG0526", key.place, message, related=_here(field.place, key.value))
    if keys and len(keys) == len(merge.list_map_keys):
        _check_a_key_is_set(keys, behind.item, checks)


def _check_a_key_is_set(keys: list[tuple[Located[str], Field]], item: Type, checks: Checks) -> None:
    """An element with keys has one of them at least; of the others, None is a value like any other."""
    owner = struct_behind(item, checks.types)
    if owner is None:
        return
    if not all(field.can_be_none and not checks.is_defaulted(field.json_name, owner) for _, field in keys):
        return
    key, field = keys[0]
    names = listing(tuple(key.value for key, _ in keys), "and")
    may = "may be" if len(keys) == 1 else "may all be"
    checks.run.error(
        "AG0527",
        key.place,
        f"{names} {may} None, but at least one key of an element must always be set",
        hint="add a `default:`, or remove `optional` or `nullable`",
        related=_here(field.place, key.value),
    )


def _key_field(key: Located[str], item: Type, checks: Checks) -> Field | None:
    struct = struct_behind(item, checks.types)
    if struct is None:
        checks.run.error("AG0526", key.place, f"elements of a list map must be structs, but this is a list of {item}")
        return None
    return checks.field_of(struct, key, "AG0526", " that can be a key")


def _is_key(type_: Type) -> bool:
    behind = underlying(type_)
    if isinstance(behind, WellKnownType):
        return behind.known in _KEY_KINDS
    return isinstance(behind, ScalarType | EnumType) and not is_bytes(behind)


def _here(place: Place, name: str) -> list[Related]:
    return [Related(place, f"{quote(name)} is declared here")]


_Named = tuple[str, str, Place]
"""The name in JSON, the name in Python or protobuf, and the place."""


def check_struct_names(struct: Struct, checks: Checks) -> None:
    """Report fields of a struct that have one name in Python, or one in its protobuf message."""
    fields = [(field.json_name, field.py_name, field.place) for field in struct.fields]
    _check_twice("AG0310", "in Python", "pyName", fields, checks)
    message = [(f.json_name, f.protobuf_name, f.place) for f in struct.own_fields]
    message += [(i.name, i.protobuf_name, i.place) for i in struct.inlines if not i.via]
    for name, protobuf_name, place in message:
        if not is_identifier(protobuf_name):
            checks.run.error("AG0411", place, f"{quote(name)} cannot be named {quote(protobuf_name)} in protobuf")
    _check_twice("AG0411", "in protobuf", "protobufName", message, checks)
    if struct.has_type_meta:
        for name, py_name, place in fields:
            if name in TYPE_META or py_name in TYPE_META_PY:
                checks.run.error(
                    "AG0317",
                    place,
                    f"{quote(name)} of `{struct.id.name}` must be renamed: every kind and list has the fields `apiVersion` and `kind`",
                    hint="delete the field; it exists without a declaration",
                )


def check_struct_protobuf(struct: Struct, checks: Checks) -> None:
    """Report numbered fields whose type belongs to a group without protobuf."""
    for field in struct.own_fields:
        struct_id = struct_in(field.type)
        other = checks.types.get(struct_id) if struct_id is not None and field.number is not None else None
        if isinstance(other, Struct) and not other.is_numbered:
            message = f"{quote(field.json_name)} is encoded in protobuf, but the group of {other.id} declares `protobuf: none`"
            checks.run.error(
                "AG0413",
                field.place,
                message,
                hint="declare `protobuf: none` in this group, too, or remove it from the other group",
            )


def check_enum_names(enum: Enum, checks: Checks) -> None:
    """Report values of an enum that have one name in Python."""
    values = [(value.value, value.py_name, value.place) for value in enum.values]
    _check_twice("AG0310", "in Python", "pyName", values, checks)


def _check_twice(code: str, where: str, word: str, named: Iterable[_Named], checks: Checks) -> None:
    for (first, _, first_place), (second, name, place) in _repeated(named):
        checks.run.error(
            code,
            place,
            f"{quote(first)} and {quote(second)} both become `{name}` {where}",
            hint=f"set `{word}:` on one of them",
            related=[Related(first_place, f"{quote(first)} is declared here")],
        )


def _repeated(named: Iterable[_Named]) -> Iterator[tuple[_Named, _Named]]:
    seen: dict[str, _Named] = {}
    for one in named:
        first = seen.setdefault(one[1], one)
        if first is not one:
            yield first, one


MAX_NESTING = 256
"""Structs in a row: readers of protobuf follow a hundred, the stages after this one some five hundred."""


def check_nesting(structs: Mapping[TypeId, Struct], checks: Checks) -> None:
    """Report structs that are nested more than `MAX_NESTING` levels deep, starting from the kinds."""
    seen: set[TypeId] = set()
    for root in sorted(structs, key=lambda id_: structs[id_].kind is None):
        path: list[Iterator[TypeId]] = [iter((root,))]
        while path:
            id_ = next(path[-1], None)
            if id_ is None:
                path.pop()
            elif id_ in structs and id_ not in seen:
                if len(path) > MAX_NESTING:
                    _report(root, id_, structs, checks)
                    return
                seen.add(id_)
                path.append(_nested_structs(structs[id_]))


def _report(root: TypeId, id_: TypeId, structs: Mapping[TypeId, Struct], checks: Checks) -> None:
    checks.run.error(
        "AG0332",
        structs[id_].place,
        f"structs lead on from `{root.name}` to `{id_.name}`, more than {MAX_NESTING} in a row",
        hint="use structs with fewer levels",
    )


def _nested_structs(struct: Struct) -> Iterator[TypeId]:
    return (id_ for field in struct.fields if (id_ := struct_in(field.type)) is not None)


def check_gated_fields(struct: Struct, checks: Checks) -> None:
    """Report fields with a feature gate that cannot be cleared, and errors in their values and conditions."""
    for field in struct.own_fields:
        gate = field.gate
        if gate is None:
            continue
        if gate.to is not None:
            report_literal(gate.to, field.type, checks, Limits().and_of(field))
        elif field.presence is Presence.PLAIN and not field.can_be_none:
            checks.run.error(
                "AG0555",
                gate.place,
                f"{quote(field.json_name)} is always present, so its feature gate cannot clear it",
                hint="set `optional: true`, `omitEmpty: true` or `nullable: true`, or declare its replacement with `to:`",
            )
        if not isinstance(gate.in_use, str):
            check_condition(gate.in_use, struct, struct, checks)


def check_gate_names(groups: tuple[Group, ...], checks: Checks) -> None:
    """Report the gates that marks and conditions of groups, fields, values and lenses name and that do not exist."""
    declaring: list[object] = [groups]
    for type_ in checks.types.values():
        match type_:
            case Struct():
                declaring += (type_.lenses, type_.hub_only)
                for field in type_.own_fields:
                    declaring += (field.gate, field.hub)
            case Enum():
                declaring += [value.gate for value in type_.values]
    for part in parts(tuple(declaring), GateSpec, GateEnabled):
        if isinstance(part, GateSpec):
            checks.know_mark(part)
        else:
            checks.know_gate(Located(part.gate, part.place))


STRUCT_CHECKS = (
    check_struct_names,
    check_struct_protobuf,
    check_defaults,
    check_gated_fields,
    check_struct_constraints,
    check_struct_merges,
    check_replacements,
)
ENUM_CHECKS = (check_enum_names, check_replacements)
ALIAS_CHECKS = (check_alias_constraints, check_alias_merges)


def check_types(groups: tuple[Group, ...], checks: Checks) -> None:
    """Report all errors of types whose names, fields and unions are bound, and gates in groups that do not exist."""
    check_gate_names(groups, checks)
    for type_ in checks.types.values():
        match type_:
            case Struct():
                for check_struct in STRUCT_CHECKS:
                    check_struct(type_, checks)
            case Enum():
                for check_enum in ENUM_CHECKS:
                    check_enum(type_, checks)
            case Alias():
                for check_alias in ALIAS_CHECKS:
                    check_alias(type_, checks)
    structs = {id_: t for id_, t in checks.types.items() if isinstance(t, Struct)}
    check_containment(structs, checks)
    check_nesting(structs, checks)
