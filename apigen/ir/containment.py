"""Finds structs that contain themselves without a way out: no value of them can ever be built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from apigen.diagnostics import Related
from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.model import Field, Presence, Struct
from apigen.ir.types import StructType, TypeId, underlying

_ALWAYS_BUILT = (Presence.PLAIN, Presence.OMIT_EMPTY)


def check_containment(structs: Mapping[TypeId, Struct], checks: Checks) -> None:
    """Report each knot of structs that are built whenever another of them is."""
    found = walk(structs, lambda id_: (inner for _, inner in _built_with(structs[id_]) if inner in structs))
    for cycle in found.cycles:
        round_trip = ring(cycle, lambda id_: structs[id_].place)
        steps = [_field_between(structs[outer], inner) for outer, inner in pairwise(round_trip)]
        path = ".".join(field.json_name for field in steps[:MOST_SHOWN])
        first = round_trip[0]
        checks.run.error(
            "AG0315",
            steps[0].place,
            f"`{first.name}` contains itself without a way out: `{path}` is a {quote(first.name)} again",
            hint="make one of these fields `optional: true`",
            related=[Related(field.place, f"{quote(field.json_name)} leads on") for field in steps[1:MOST_SHOWN]],
        )


def _built_with(struct: Struct) -> Iterator[tuple[Field, TypeId]]:
    for field in struct.fields:
        behind = underlying(field.type)
        if isinstance(behind, StructType) and field.presence in _ALWAYS_BUILT:
            yield field, behind.id


def _field_between(outer: Struct, inner: TypeId) -> Field:
    return next(field for field, id_ in _built_with(outer) if id_ == inner)
