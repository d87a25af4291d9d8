"""Finds structs that lead from one to the next so far that no reader of their objects would follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.ir.checks import Checks
from apigen.ir.model import Struct
from apigen.ir.types import ListType, MapType, NamedType, StructType, Type, TypeId

MAX_NESTING = 256
"""Structs in a row: readers of protobuf follow a hundred, the stages after this one some five hundred."""


def check_nesting(structs: Mapping[TypeId, Struct], checks: Checks) -> None:
    """Report where a walk by the fields, from the kinds first, is more structs away from its start than `MAX_NESTING`."""
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
                path.append(_led_to(structs[id_]))


def _report(root: TypeId, id_: TypeId, structs: Mapping[TypeId, Struct], checks: Checks) -> None:
    checks.run.error(
        "AG0332",
        structs[id_].place,
        f"structs lead on from `{root.name}` to `{id_.name}`, more than {MAX_NESTING} in a row",
        hint="let fields lead to structs that are nearer to the kind",
    )


def _led_to(struct: Struct) -> Iterator[TypeId]:
    return (id_ for field in struct.fields if (id_ := _inside(field.type)) is not None)


def _inside(type_: Type) -> TypeId | None:
    """The struct that a type is, or that its elements are."""
    while not isinstance(type_, StructType):
        match type_:
            case NamedType(target=inner) | ListType(item=inner) | MapType(value=inner):
                type_ = inner
            case _:
                return None
    return type_.id
