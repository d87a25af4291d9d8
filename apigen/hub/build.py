"""The hub stage: the hub type of each type, the fields of hub types, conversion plans, and undeclared losses."""

from __future__ import annotations

from collections.abc import Collection

from apigen.diagnostics import Report
from apigen.hub.coverage import Coverage, with_unpreserved
from apigen.hub.field_homes import hub_types_of
from apigen.hub.planner import Planner
from apigen.hub.second_hub_views import as_seen, views_of
from apigen.hub.shape import hub_shape
from apigen.hub.steps import HubModel
from apigen.ir.model import Api, Struct, TypeId


def build_hub(
    api: Api,
    report: Report,
    kept: Collection[TypeId] | None = None,
    values: Collection[TypeId] = (),
) -> HubModel:
    """Build the hubs of an API and the plans of all its versions. Errors are added to `report`.

    `values` are types that only types of another release series contain; they have no hub types. With `kept`, only
    these types and their views of second hubs get plans; other types only add fields to the hubs.
    """
    known = report.error_count
    api = as_seen(api)
    hub_of = {id_: hub for id_, hub in hub_types_of(api, report).items() if id_ not in values}
    if report.error_count > known:
        return HubModel()
    shape = hub_shape(api, hub_of, report)
    converted = kept if kept is None or not values else frozenset(kept).difference(values)
    views = views_of(api, shape, report, converted)
    types = {**api.types, **shape, **views.structs}
    chosen = {
        id_: struct
        for id_, struct in api.types.items()
        if isinstance(struct, Struct) and id_.seen_as and (converted is None or id_.unseen in converted)
    }
    planned = None if converted is None else {*converted, *views.structs, *chosen}
    planner = Planner(api, types, {**hub_of, **views.hub_of}, report)
    plans = with_unpreserved(planner.plans(planned), types)
    followed = {group.folder: group.hub for group in api.groups if group.hub is not None}
    Coverage(plans, types, report, followed, planner.failed).check()
    hub_of = {id_: hub for id_, hub in hub_of.items() if not id_.seen_as and (kept is None or id_ in kept)}
    named: dict[TypeId, TypeId] = {}
    for id_, hub in hub_of.items():
        named.setdefault(hub, id_)
    return HubModel(shape, hub_of, named, plans, {**chosen, **views.structs}, frozenset(values))
