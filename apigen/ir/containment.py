"""Finds structs that contain themselves without a way out: no value of them can be built, or be given its defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from apigen.diagnostics import Related
from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.model import Field, Presence, Struct
from apigen.ir.types import ListType, MapType, StructType, Type, TypeId, underlying
from apigen.language.model import Items, LiteralNode, Object

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
