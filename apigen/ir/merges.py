"""Check the merge options: list types match their lists, and list map keys exist and are always set."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.checks import Checks
from apigen.ir.model import Alias, Field, Struct, struct_behind
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    ScalarType,
    StructType,
    Type,
    WellKnown,
    WellKnownType,
    is_bytes,
    underlying,
)
from apigen.language.model import NO_MERGE, Located, MergeSpec

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
