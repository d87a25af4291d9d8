"""Values of the hub that JSON in an annotation does not preserve, for lenses that store it: known once all types have plans."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import replace
from apigen.hub.coverage import uncovered
from apigen.hub.holding import fields_of, structs_in_fields
from apigen.hub.kind_proof import paths_of
from apigen.hub.lenses.annotation import Carried
from apigen.hub.lenses.preserved import Preserved, Snapshot
from apigen.hub.losses import KnownLosses, Plans, Types, nested_type
from apigen.hub.steps import Side, Step, TypePlan
from apigen.ir.expressions import Converted, innermost
from apigen.ir.graphs import reached
from apigen.ir.model import Field, Presence, Struct, TypeId, is_bytes, is_container, struct_in, struct_of


def with_unpreserved(plans: Plans, types: Types) -> dict[TypeId, TypePlan]:
    """Return the plans; their steps that store JSON in an annotation know what it does not preserve.

    First those of single values: their losses are part of what the JSON of whole objects (`preserve:`) does not preserve.
    """
    lossy = KnownLosses().lossy_types(plans, Side.HUB)
    of_values = {
        id_: replace(plan, steps=tuple(_with_values(step, plans, types, lossy) for step in plan.steps))
        for id_, plan in plans.items()
    }
    return {
        id_: replace(plan, steps=tuple(_with_objects(step, plan, of_values, types) for step in plan.steps))
        for id_, plan in of_values.items()
    }


def _with_values(step: Step, plans: Plans, types: Types, lossy: frozenset[TypeId]) -> Step:
    if not isinstance(step, Carried | Snapshot):
        return step
    return replace(step, unpreserved=tuple(_of_value(step, plans, types, lossy)))


def _with_objects(step: Step, plan: TypePlan, plans: Plans, types: Types) -> Step:
    if not isinstance(step, Preserved):
        return step
    return replace(step, unpreserved=tuple(_of_object(step, plan, plans, types)))


def _of_value(step: Carried | Snapshot, plans: Plans, types: Types, lossy: frozenset[TypeId]) -> Iterator[str]:
    struct = struct_in(step.wire) if step.wire is not None else None
    if struct is None:
        return
    if any(
        _drops_empty(field)
        for id_ in reached({struct}, lambda id_: structs_in_fields(id_, types))
        for field in fields_of(id_, types)
    ):
        yield "an empty list or map that its JSON omits"
    value = innermost(step.value)
    if isinstance(value, Converted) and value.version in lossy:
        yield f"a value that {value.version.version} `{value.version.name}` does not preserve"


def _drops_empty(field: Field) -> bool:
    """Return whether JSON omits an empty value and an omitted one is `None`."""
    return field.presence is Presence.OMIT_EMPTY and (is_container(field.type) or is_bytes(field.type))


def _of_object(step: Preserved, plan: TypePlan, plans: Plans, types: Types) -> Iterator[tuple[Field, str]]:
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
    return _drops_empty(field) or any(_drops_empty(f) for s in structs if isinstance(s, Struct) for f in s.fields)
