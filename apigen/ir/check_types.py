"""All checks of complete types, in the order in which they run.

Among them: replacements exist in the same type, merge options match their types (list types match their lists, and list map
keys exist and are always set), and no struct contains itself without a way out, because no value of it could be built, or be
given its defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.checks import Checks
from apigen.ir.conditions import check_defaults, check_enum_gates, check_struct_gates
from apigen.ir.constraints import check_alias_constraints, check_struct_constraints
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.model import (
    Alias,
    Enum,
    EnumType,
    EnumValue,
    Field,
    ListType,
    MapType,
    Presence,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    is_bytes,
    struct_behind,
    struct_in,
    underlying,
)
from apigen.ir.names import TYPE_META, TYPE_META_PY, is_identifier
from apigen.language.model import NO_MERGE, Items, LiteralNode, Located, MergeSpec, Object

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
                hint=checks.run.did_you_mean(first, known),
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
            checks.run.error("AG0413", field.place, message, hint="declare `protobuf: none` in this group, too")


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


STRUCT_CHECKS = (
    check_struct_names,
    check_struct_protobuf,
    check_defaults,
    check_struct_gates,
    check_struct_constraints,
    check_struct_merges,
    check_replacements,
)
ENUM_CHECKS = (check_enum_names, check_enum_gates, check_replacements)
ALIAS_CHECKS = (check_alias_constraints, check_alias_merges)


def check_types(checks: Checks) -> None:
    """Report all errors of types whose names, fields and unions are bound."""
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
