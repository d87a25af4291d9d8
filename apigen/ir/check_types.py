"""All checks of complete types, in the order in which they run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.constraints import check_alias_constraints, check_struct_constraints
from apigen.ir.containment import check_containment
from apigen.ir.defaults import check_defaults
from apigen.ir.gates import check_enum_gates, check_struct_gates
from apigen.ir.merges import check_alias_merges, check_struct_merges
from apigen.ir.model import Alias, Enum, Struct
from apigen.ir.names import is_identifier
from apigen.ir.replacements import check_replacements
from apigen.ir.reserved import TYPE_META, TYPE_META_PY
from apigen.ir.types import TypeId, struct_in

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
