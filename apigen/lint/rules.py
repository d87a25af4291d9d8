"""All lint rules, in the order in which they run: about types, about fields, and about a field in several versions. A rule is a
row with its code and the function that checks a type or a field.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Place, Related, Severity
from apigen.diagnostics.quoting import listing, quote
from apigen.hub.lenses.value import changes_type
from apigen.ir.model import (
    Alias,
    Api,
    Enum,
    Field,
    ListType,
    NamedType,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    TypeDef,
    TypeId,
    aliases_of,
    innermost_type,
    spell,
    underlying,
)
from apigen.ir.places import PathProblem, bind_steps
from apigen.ir.reachability import VersionName, messages_in
from apigen.language.model import NO_CONSTRAINTS, GateSpec, Located, Name


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The API around the checked element, the types that are used, and the versions that each version refers to."""

    api: Api
    used: frozenset[TypeId]
    below: Mapping[VersionName, frozenset[VersionName]]


TypeCheck = Callable[[TypeDef, Surroundings], Iterator[Diagnostic]]
FieldCheck = Callable[[Field, Struct, Surroundings], Iterator[Diagnostic]]


@dataclass(frozen=True, slots=True)
class TypeRule:
    """A rule about structs, enums and aliases."""

    code: str
    check: TypeCheck


@dataclass(frozen=True, slots=True)
class FieldRule:
    """A rule about the own fields of a struct."""

    code: str
    check: FieldCheck


Rule = TypeRule | FieldRule


def type_rule(code: str) -> Callable[[TypeCheck], TypeRule]:
    """Make a row of a function that checks a type."""
    return lambda check: TypeRule(code, check)


def field_rule(code: str) -> Callable[[FieldCheck], FieldRule]:
    """Make a row of a function that checks a field of a struct."""
    return lambda check: FieldRule(code, check)


def finding(place: Place, message: str, hint: str, related: Iterable[Related] = ()) -> Diagnostic:
    """Return a finding of a rule. Its code and severity are those in the row of the rule."""
    return Diagnostic("", Severity.WARNING, place, message, hint, tuple(related))


@type_rule("AG1105")
def growing_enum_has_unknown(type_: TypeDef, _around: Surroundings) -> Iterator[Diagnostic]:
    """Older clients receive the new value. (Kubernetes API changes, "Backward compatibility gotchas")"""
    if not isinstance(type_, Enum):
        return
    new = next((value for value in type_.values if value.is_rolled_out), None)
    if new is not None and type_.unknown is None and not type_.open and not type_.closed:
        message = f"enum `{type_.id.name}` has a new value, but no `unknown:` for older clients"
        yield finding(new.place, message, "add `unknown:` with a value that all clients know")


@type_rule("AG1109")
def types_are_used(type_: TypeDef, around: Surroundings) -> Iterator[Diagnostic]:
    """A type that no kind refers to is probably forgotten, or a field of that type is."""
    if type_.id not in around.used:
        yield finding(
            type_.place,
            f"type `{type_.id.name}` is not used by any kind",
            "delete it, or add the missing field that uses it"
            + (f", or declare `{type_.id.name}` in `kinds:` of group.yaml" if _looks_like_kind(type_) else ""),
        )


def _looks_like_kind(type_: TypeDef) -> bool:
    """Return whether a type has the metadata of a kind."""
    metadata = type_.field("metadata") if isinstance(type_, Struct) else None
    return metadata is not None and isinstance(metadata.type, StructType) and metadata.type.id.name == "ObjectMeta"


_FLOATS = (ScalarType(Scalar.FLOAT32), ScalarType(Scalar.FLOAT64))
_UNSIGNED = (ScalarType(Scalar.UINT32), ScalarType(Scalar.UINT64))
_CAMEL_CASE = re.compile(r"[a-z][A-Za-z0-9]*")


def _camel_case(name: str) -> str | None:
    """Return a name in camelCase, an abbreviation at its start in lowercase, and letters without diacritics.

    None if a letter has no form in ASCII, or no letter comes first.
    """
    plain = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    first, *others = [word for word in re.split(r"[\W_]+", plain) if word] or [""]
    capitals = re.match(r"[A-Z]+(?![a-z])|[A-Z]", first)
    start = first if capitals is None else capitals[0].lower() + first[capitals.end() :]
    found = start + "".join(word[0].upper() + word[1:] for word in others)
    return found if _CAMEL_CASE.fullmatch(found) else None


@field_rule("AG1101")
def no_floats(field: Field, _struct: Struct, _around: Surroundings) -> Iterator[Diagnostic]:
    """A round trip does not preserve floats in every language. (Kubernetes API conventions, "Primitive types")"""
    if innermost_type(field.type) in _FLOATS:
        yield finding(
            field.place,
            f"{quote(field.json_name)} is a floating-point number, which languages write and round differently",
            "use an integer in a smaller unit, or `Quantity`",
        )


@field_rule("AG1102")
def no_unsigned(field: Field, _struct: Struct, _around: Surroundings) -> Iterator[Diagnostic]:
    """Many clients have no unsigned integers. (Kubernetes API conventions, "Primitive types")"""
    if innermost_type(field.type) in _UNSIGNED:
        message = f"{quote(field.json_name)} is unsigned, which many languages do not support"
        yield finding(field.place, message, "use `int32` or `int64` with `minimum: 0`")


@field_rule("AG1103")
def camel_case_fields(field: Field, _struct: Struct, _around: Surroundings) -> Iterator[Diagnostic]:
    """`camelCase`, a lowercase letter first, no `_` or `-`. (Kubernetes API conventions, "Naming conventions")"""
    if not _CAMEL_CASE.fullmatch(field.json_name):
        message = f"{quote(field.json_name)} is not camelCase"
        name = _camel_case(field.json_name)
        hint = "use ASCII letters and digits, and a lowercase letter first" if name is None else f"write `{name}`"
        yield finding(field.place, message, hint)


@field_rule("AG1104")
def required_without_default(field: Field, _struct: Struct, _around: Surroundings) -> Iterator[Diagnostic]:
    """Tools that validate objects against the schema reject objects without a required field before it is defaulted."""
    if field.required and any(case.when is None and not case.overwrite for case in field.default):
        message = f"{quote(field.json_name)} has a default, but schemas require it"
        yield finding(field.place, message, "add `required: false`")


@field_rule("AG1107")
def list_type_is_given(field: Field, struct: Struct, around: Surroundings) -> Iterator[Diagnostic]:
    """Without a list type, two appliers overwrite each other's elements. (Kubernetes' API rule `list_type_missing`)"""
    behind = underlying(field.type)
    if not isinstance(behind, ListType) or field.merge.list_type is not None:
        return
    item = underlying(behind.item)
    is_list_of_objects = isinstance(item, StructType) and struct.id.name == f"{item.id.name}List"
    if isinstance(item, StructType) and not is_list_of_objects and not _alias_has_list_type(field, around.api):
        yield finding(
            field.place,
            f"{quote(field.json_name)} is a list of {behind.item} without a list type",
            "add `listType: map` with `listMapKeys`, or `listType: atomic`",
        )


@field_rule("AG1108")
def merge_keys_agree(field: Field, _struct: Struct, _around: Surroundings) -> Iterator[Diagnostic]:
    """Server-side apply and strategic merge patch must identify elements by the same key."""
    key, keys = field.merge.patch_merge_key, tuple(key.value for key in field.merge.list_map_keys)
    if key is not None and keys and key.value not in keys:
        message = (
            f"patches identify elements of {quote(field.json_name)} by {quote(key.value)}, appliers by {listing(keys)}"
        )
        yield finding(key.place, message, "use a key of `listMapKeys`")


def _alias_has_list_type(field: Field, api: Api) -> bool:
    alias = api.types.get(field.type.id) if isinstance(field.type, NamedType) else None
    return isinstance(alias, Alias) and alias.merge.list_type is not None


@field_rule("AG1110")
def versions_lead_one_way(field: Field, struct: Struct, around: Surroundings) -> Iterator[Diagnostic]:
    """A `.proto` file cannot import a file that imports it. (Protocol Buffers language guide, "Importing definitions")"""
    own = (struct.id.group, struct.id.version)
    for message in messages_in(field.type):
        referred = (message.group, message.version)
        if referred != own and own in around.below.get(referred, ()):
            yield finding(
                field.place,
                f"{quote(field.json_name)} refers to {'/'.join(referred)}, which refers back to {'/'.join(own)};"
                " protoc rejects files that import each other",
                "move the shared types into one of them, or into a separate version",
            )


@field_rule("AG1112")
def versions_agree(field: Field, struct: Struct, around: Surroundings) -> Iterator[Diagnostic]:
    """Gates and validation run on the hub, by the declarations of the version that the hub follows.

    Fields with a lens are skipped: their constraints may be declared on another field or in another unit.
    """
    followed = around.api.group(struct.id.group).hub
    if followed is None or followed == struct.id.version or field.hub is not None:
        return
    other = around.api.types.get(TypeId(struct.id.group, followed, struct.id.name))
    followed_field = other.field(field.json_name) if isinstance(other, Struct) else None
    if followed_field is None or followed_field.hub is not None:
        return
    for aspect, own_value, followed_value in (
        ("the feature gates", _gates(field.gate), _gates(followed_field.gate)),
        ("the constraints", _limits(field), _limits(followed_field)),
    ):
        if own_value != followed_value:
            yield finding(
                field.place,
                f"{aspect} of `{struct.id.name}.{field.json_name}` differ in {struct.id.version} and {followed}; only those of"
                f" {followed}, which the hub follows, are enforced",
                "declare the same in both versions",
                (Related(followed_field.place, f"the field in {followed}"),),
            )


@field_rule("AG1113")
def zero_is_not_defaulted(field: Field, struct: Struct, around: Surroundings) -> Iterator[Diagnostic]:
    """A server defaults each object that it reads, so a zero value that only the hub can hold is replaced by the default."""
    default = field.default[0].value if field.default and field.default[0].when is None else None
    other = _followed_field(field, struct, around.api)
    if other is None or field.can_be_none or not other[0].can_be_none:
        return
    (followed, name), own = other, f"{struct.id.version} `{struct.id.name}.{field.json_name}`"
    if not isinstance(default, Located) or not default.value or not _may_be_zero(followed, around.api):
        return
    zero = json.dumps(type(default.value)())
    yield finding(
        field.place,
        f"the default of {own} replaces {zero}, which {name} can hold: an object with {zero} gets"
        f" {json.dumps(default.value, ensure_ascii=False)} if a client of {struct.id.version} writes it",
        f"add `optional: true` to the field in {struct.id.version}, and remove `absent` from its lens",
        (Related(followed.place, name),),
    )


def _followed_field(field: Field, struct: Struct, api: Api) -> tuple[Field, str] | None:
    """Return the field, with its name, of the version that the hub follows which gets the values of a field of another
    version; None if it gets other values.
    """
    version = api.group(struct.id.group).hub
    followed = (
        None if version is None else api.types.get(TypeId(struct.id.group, version, struct.hub_name or struct.id.name))
    )
    if not isinstance(followed, Struct) or version == struct.id.version:
        return None
    lens = field.hub
    if lens is not None and (changes_type(lens) or isinstance(lens.absent, tuple)):
        return None
    steps = (Name(field.json_name),) if lens is None or lens.to is None else lens.to.steps
    bound = bind_steps(steps, followed, api.types, field.json_name)
    fields = None if isinstance(bound, PathProblem) else bound.fields
    return (fields[-1], f"{version} `{followed.id.name}.{spell(fields)}`") if fields else None


def _may_be_zero(field: Field, api: Api) -> bool:
    """Return whether the constraints of a field of a scalar type permit its zero value."""
    scalar = underlying(field.type)
    if not isinstance(scalar, ScalarType):
        return False
    limits = (field.constraints, *(alias.constraints for alias in aliases_of(field.type, api.types)))
    lower = [bound.value for each in limits for bound in (each.minimum, each.min_length) if bound is not None]
    return all(bound <= 0 for bound in lower) and not any(
        each.exclusive_minimum or each.pattern or each.format or each.not_value for each in limits
    )


def _gates(gate: GateSpec | None) -> object:
    return None if gate is None else (frozenset(name.value for name in gate.gates), gate.join)


_NOT_COMPARED = ("place", "rules", "enforced_by_hand")


def _limits(field: Field) -> object:
    all_limits = (field.constraints, field.item_constraints, field.key_constraints, field.value_constraints)
    return tuple(_NOTHING if limits == NO_CONSTRAINTS else _plain(limits) for limits in all_limits)


def _plain(value: object) -> object:
    """Return a value without places, and without parts that are compared elsewhere: CEL rules, hand-written code."""
    if isinstance(value, Located):
        return _plain(value.value)
    if isinstance(value, tuple):
        return tuple(_plain(each) for each in value)
    class_ = type(value)
    if class_ not in _NAMES:
        found = [each.name for each in fields(value) if each.name not in _NOT_COMPARED] if is_dataclass(value) else []
        _NAMES[class_] = tuple(found)
    names = _NAMES[class_]
    return tuple(_plain(getattr(value, name)) for name in names) if names else value


_NAMES: dict[type, tuple[str, ...]] = {}
"""The attributes to compare, by class, cached; none for a class without parts."""

_NOTHING = _plain(NO_CONSTRAINTS)


RULES: tuple[Rule, ...] = (
    no_floats,
    no_unsigned,
    camel_case_fields,
    required_without_default,
    growing_enum_has_unknown,
    list_type_is_given,
    merge_keys_agree,
    types_are_used,
    versions_lead_one_way,
    versions_agree,
    zero_is_not_defaulted,
)
