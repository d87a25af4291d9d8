"""Check constraints: they apply to the type, can be satisfied, and refer to existing names. Constraints on updates, gates and
parts of a value are about something that the value has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.formats import FORMATS, RAW_FORMATS
from apigen.ir.model import (
    INTEGER_RANGES,
    Alias,
    Enum,
    EnumType,
    Field,
    ListType,
    MapType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    WellKnown,
    WellKnownType,
    is_bytes,
    is_text,
    struct_behind,
    underlying,
)
from apigen.ir.patterns import pattern_fix, pattern_problem
from apigen.language.habits import habitual_format
from apigen.language.model import NO_CONSTRAINTS, Constraints, Located, NamedConstraints
from apigen.language.shapes import declared, key_of

WordCheck = Callable[[Constraints, Type, str, Checks], None]
"""The check of the words about a value alone."""

_OF_ITEMS = frozenset({"noAddItem", "noRemoveItem"})
_OF_SETTING = frozenset({"noSet", "noUnset"})


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of constraints: its type, its description in messages, and which parts of it can change.

    `member`: the field whose value it is, if there is one. `pairs`: whether its old value is known (elements of lists
    without keys have none). `can_be_unset`: whether an explicit value differs from an unset one.
    """

    type: Type
    description: str
    member: Field | None = None
    pairs: bool = True
    can_be_unset: bool = True

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


def check_restrictions(constraints: Constraints, subject: Subject, checks: Checks, words: WordCheck) -> None:
    """Report keywords that do not apply to the value, and names that do not exist."""
    _check_numbers(constraints, subject, checks)
    _check_immutable(constraints, subject, checks)
    _check_update(constraints, subject, checks)
    _check_forbidden(constraints, subject, checks)
    _check_unique_by(constraints, subject, checks)
    for case in (*constraints.if_enabled, *constraints.if_disabled):
        if checks.know_gate(case.name):
            words(case.constraints, subject.type, subject.description, checks)
            check_restrictions(case.constraints, subject, checks, words)
    _check_subfields(constraints, subject, checks, words)


def check_modes(member: Field, struct: Struct, checks: Checks, words: WordCheck) -> None:
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
            words(mode.constraints, subject.type, subject.description, checks)
            check_restrictions(mode.constraints, subject, checks, words)


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


def _check_immutable(constraints: Constraints, subject: Subject, checks: Checks) -> None:
    immutable = constraints.immutable
    if immutable is not None and immutable.value and not subject.pairs:
        checks.run.error("AG0520", immutable.place, f"`immutable` requires an old value, but {_unpaired(subject)}")


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


def _check_forbidden(constraints: Constraints, subject: Subject, checks: Checks) -> None:
    for word, flag in (("forbidden", constraints.forbidden), ("required", constraints.required)):
        if flag is not None and flag.value and not subject.can_be_unset:
            checks.run.error(
                "AG0520",
                flag.place,
                f"`{word}` applies to fields that can be unset, but {subject.description} is always present",
            )


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


def _check_subfields(constraints: Constraints, subject: Subject, checks: Checks, words: WordCheck) -> None:
    behind = underlying(subject.type)
    for part in constraints.subfields:
        struct = struct_behind(behind, checks.types)
        if not isinstance(behind, StructType):
            _reject("subfields", part.name.place, "structs", subject, checks)
            return
        if struct is not None:
            _check_subfield(part, struct, subject, checks, words)


def _check_subfield(part: NamedConstraints, struct: Struct, subject: Subject, checks: Checks, words: WordCheck) -> None:
    member = checks.field_of(struct, part.name, "AG0524")
    if member is None:
        return
    found = field_subject(member)
    below = Subject(
        found.type, f"`{part.name.value}` of {subject.description}", member, can_be_unset=found.can_be_unset
    )
    words(part.constraints, below.type, below.description, checks)
    check_restrictions(part.constraints, below, checks, words)


def check_by_hand(constraints: Constraints, subject: Subject, checks: Checks, words: WordCheck) -> None:
    """Report errors in `enforcedByHand` in the constraints of a value."""
    by_hand = constraints.enforced_by_hand
    if by_hand is None:
        return
    words(by_hand, subject.type, subject.description, checks)
    check_restrictions(by_hand, subject, checks, words)
    generated = declared(constraints)
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
    if not struct.constraints.is_empty():
        _check_words(struct.constraints, None, f"`{struct.id.name}`", checks)
        check_restrictions(struct.constraints, _type_subject(StructType(struct.id)), checks, _check_words)
    check_by_hand(struct.constraints, _type_subject(StructType(struct.id)), checks, _check_of_struct)
    for field in struct.own_fields:
        if not field.constraints.is_empty():
            _check_words(field.constraints, field.type, quote(field.json_name), checks)
            check_restrictions(field.constraints, field_subject(field), checks, _check_words)
            check_modes(field, struct, checks, _check_words)
        check_by_hand(field.constraints, field_subject(field), checks, _check_words)
        _check_siblings(field, struct, checks)
        _check_inner(field, field.type, quote(field.json_name), checks)


def check_alias_constraints(alias: Alias, checks: Checks) -> None:
    """Report errors in the constraints of an alias."""
    if not alias.constraints.is_empty():
        _check_words(alias.constraints, alias.target, f"`{alias.id.name}`", checks)
        check_restrictions(alias.constraints, _type_subject(alias.target, f"`{alias.id.name}`"), checks, _check_words)
    check_by_hand(alias.constraints, _type_subject(alias.target, f"`{alias.id.name}`"), checks, _check_words)
    _check_inner(alias, alias.target, f"`{alias.id.name}`", checks)


def _type_subject(type_: Type, description: str = "") -> Subject:
    """Return a type as the subject of its constraints: fields and elements of the type change, not the type."""
    return Subject(type_, description or f"`{type_}`", pairs=False)


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
            each = f"each of the {word} of {description}"
            _check_words(constraints, inner_type, each, checks)
            pairs = word == "values" or (word == "items" and isinstance(holder, Field) and pairs_by_key(holder))
            check_restrictions(constraints, Subject(inner_type, each, pairs=pairs), checks, _check_words)
            check_by_hand(constraints, Subject(inner_type, each, pairs=pairs), checks, _check_words)


def _check_of_struct(constraints: Constraints, _: Type, description: str, checks: Checks) -> None:
    _check_words(constraints, None, description, checks)


def _check_words(constraints: Constraints, type_: Type | None, description: str, checks: Checks) -> None:
    for word in _WORDS:
        written = getattr(constraints, word.attribute)
        if isinstance(written, Located) and (type_ is None or not word.fits(type_)):
            is_of = f"is of type {type_}" if type_ is not None else "is a struct"
            checks.run.error(
                "AG0520",
                written.place,
                f"`{key_of(word.attribute)}` applies to {word.about}, but {description} {is_of}",
            )
            return
    for least_name, greatest_name, must_differ in _PAIRS:
        least, greatest = getattr(constraints, least_name), getattr(constraints, greatest_name)
        if not isinstance(least, Located) or not isinstance(greatest, Located):
            continue
        if least.value > greatest.value or (must_differ and least.value == greatest.value):
            message = f"no value is between {least.value} and {greatest.value}"
            checks.run.error("AG0521", greatest.place, message)
    _check_text(constraints, type_, checks)


def _check_text(constraints: Constraints, type_: Type | None, checks: Checks) -> None:
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
    known = RAW_FORMATS if type_ is not None and not is_text(type_) else FORMATS
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
