"""Values of the hub that an annotation of `preserve:` does not restore: known once all types have their plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import replace
from apigen.hub.carried import drops_empty
from apigen.hub.coverage import uncovered
from apigen.hub.holding import structs_in_fields
from apigen.hub.kind_proof import paths_of
from apigen.hub.lenses.preserved import Preserved
from apigen.hub.losses import Plans, Types, nested_type
from apigen.hub.steps import Side, TypePlan
from apigen.ir.graphs import reached
from apigen.ir.model import Field, Struct, struct_of
from apigen.ir.types import TypeId, struct_in


def with_preserved_losses(plans: Mapping[TypeId, TypePlan], types: Types) -> dict[TypeId, TypePlan]:
    """Return the plans, each `preserve:` with the values that its JSON does not preserve."""
    return {id_: _with_losses(plan, plans, types) if plan.restores_hub() else plan for id_, plan in plans.items()}


def _with_losses(plan: TypePlan, plans: Plans, types: Types) -> TypePlan:
    steps = (
        (
            replace(step, unpreserved=tuple(_unpreserved(step, plan, plans, types)))
            if isinstance(step, Preserved)
            else step
        )
        for step in plan.steps
    )
    return replace(plan, steps=tuple(steps))


def _unpreserved(step: Preserved, plan: TypePlan, plans: Plans, types: Types) -> Iterator[tuple[Field, str]]:
    lost = dict(_lost(plan, plans, types, "", frozenset()))
    followed = plans.get(step.followed)
    lost_in_followed = dict(_lost(followed, plans, types, "", frozenset())) if followed is not None else {}
    hub = struct_of(plan.hub, types)
    for field in hub.fields:
        if field.json_name == "metadata":
            continue
        lost_in_field = {path: each for path, each in lost.items() if _top(path) == field.json_name}
        when = []
        if any(_has_empty(each, types) for each in lost_in_field.values()):
            when.append("an empty list or map that its JSON omits")
        if any(
            path.startswith(other) or other.startswith(path) for path in lost_in_field for other in lost_in_followed
        ):
            when.append(f"a value that {step.followed.version} does not preserve either")
        if when:
            yield field, f"it holds {' or '.join(when)}"


def _top(path: str) -> str:
    return path.partition(".")[0].partition("[")[0]


def _lost(
    plan: TypePlan, plans: Plans, types: Types, above: str, seen: frozenset[TypeId]
) -> Iterator[tuple[str, Field]]:
    """The fields of the hub that a version does not always preserve, apart from `preserve:`."""
    hub = types[plan.hub]
    if plan.version in seen or not isinstance(hub, Struct):
        return
    places = frozenset(place for step in plan.steps for place in step.hub_places())
    for place, field in uncovered(hub, "", places, types):
        yield above + place, field
    for step in plan.steps:
        for loss in step.losses() if not isinstance(step, Preserved) else ():
            top = hub.field(_top(loss.place))
            if loss.side is Side.HUB and top is not None:
                yield above + loss.place, _field_at(loss.place, top, types)
        inner = nested_type(step)
        if inner is not None:
            yield from _lost(plans[inner], plans, types, f"{above}{paths_of(step)[1]}.", seen | {plan.version})


def _field_at(place: str, field: Field, types: Types) -> Field:
    """The field at the end of a place that begins with `field`."""
    for name in place.replace("[]", "").split(".")[1:]:
        inner = struct_in(field.type)
        struct = types.get(inner) if inner is not None else None
        below = struct.field(name) if isinstance(struct, Struct) else None
        if below is None:
            break
        field = below
    return field


def _has_empty(field: Field, types: Types) -> bool:
    inner = struct_in(field.type)
    below = reached({inner}, lambda id_: structs_in_fields(id_, types)) if inner is not None else ()
    structs = (types.get(id_) for id_ in below)
    return drops_empty(field) or any(drops_empty(f) for s in structs if isinstance(s, Struct) for f in s.fields)
