"""Lint rules about the type, the name, the default and the merge strategy of a field."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.model import Alias, Api, Field, Struct
from apigen.ir.types import ListType, NamedType, Scalar, ScalarType, StructType, innermost_type, underlying
from apigen.lint.rule import Surroundings, field_rule, finding

_FLOATS = (ScalarType(Scalar.FLOAT32), ScalarType(Scalar.FLOAT64))
_UNSIGNED = (ScalarType(Scalar.UINT32), ScalarType(Scalar.UINT64))
_CAMEL_CASE = re.compile(r"[a-z][A-Za-z0-9]*")


def _camel_case(name: str) -> str:
    """Return a name in camelCase; an abbreviation at its start in lowercase."""
    first, *others = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word] or ["name"]
    capitals = re.match(r"[A-Z]+(?![a-z])|[A-Z]", first)
    start = first if capitals is None else capitals[0].lower() + first[capitals.end() :]
    return start + "".join(word[0].upper() + word[1:] for word in others)


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
        yield finding(field.place, message, f"write `{_camel_case(field.json_name)}`")


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
