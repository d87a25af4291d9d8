"""Parts of a value that its JSON in an annotation does not preserve; known after all types have plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import replace
from apigen.hub.holding import fields_of, structs_in_fields
from apigen.hub.lenses.annotation import Carried
from apigen.hub.lenses.preserved import Snapshot
from apigen.hub.losses import KnownLosses, Plans, Types
from apigen.hub.steps import Side, TypePlan
from apigen.ir.graphs import reached
from apigen.ir.model import Field, Presence
from apigen.ir.types import TypeId, is_bytes, is_container, struct_in
from apigen.ir.value_conversions import Converted, innermost


def with_unpreserved(plans: Mapping[TypeId, TypePlan], types: Types) -> dict[TypeId, TypePlan]:
    """Return the plans; each value that is stored as JSON in an annotation has the parts that JSON does not
    preserve.
    """
    lossy = KnownLosses().lossy_types(plans, Side.HUB)
    return {id_: _with_unpreserved(plan, plans, types, lossy) for id_, plan in plans.items()}


def _with_unpreserved(plan: TypePlan, plans: Plans, types: Types, lossy: frozenset[TypeId]) -> TypePlan:
    if not any(isinstance(step, Carried | Snapshot) and step.wire is not None for step in plan.steps):
        return plan
    steps = (
        (
            replace(step, unpreserved=tuple(_unpreserved(step, plans, types, lossy)))
            if isinstance(step, Carried | Snapshot)
            else step
        )
        for step in plan.steps
    )
    return replace(plan, steps=tuple(steps))


def _unpreserved(step: Carried | Snapshot, plans: Plans, types: Types, lossy: frozenset[TypeId]) -> Iterator[str]:
    struct = struct_in(step.wire) if step.wire is not None else None
    if struct is None:
        return
    if any(
        drops_empty(field)
        for id_ in reached({struct}, lambda id_: structs_in_fields(id_, types))
        for field in fields_of(id_, types)
    ):
        yield "an empty list or map that its JSON omits"
    value = innermost(step.value)
    if isinstance(value, Converted) and value.version in lossy:
        yield f"a value that {value.version.version} `{value.version.name}` does not preserve"


def drops_empty(field: Field) -> bool:
    """Return whether JSON omits an empty value and an omitted one is `None`."""
    return field.presence is Presence.OMIT_EMPTY and (is_container(field.type) or is_bytes(field.type))
