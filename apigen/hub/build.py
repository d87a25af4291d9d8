"""The hub stage: which hub type each type is, what the hubs look like, how versions convert, and that nothing is lost."""

from __future__ import annotations

from collections.abc import Collection

from apigen.diagnostics import Report
from apigen.hub.claims import hub_types_of
from apigen.hub.coverage import Coverage
from apigen.hub.faces import faces_of
from apigen.hub.model import HubModel
from apigen.hub.planner import Planner
from apigen.hub.shape import hub_shape
from apigen.ir.model import Api
from apigen.ir.types import TypeId


def build_hub(
    api: Api,
    report: Report,
    kept: Collection[TypeId] | None = None,
    values: Collection[TypeId] = (),
) -> HubModel:
    """Make the hubs of an API and the plans of all its versions. What is wrong is in `report`.

    `values` are types that only types of another release series hold, which have no hub types. With `kept`, only these types and their faces have plans: the others are there for the shape of the hubs.
    """
    known = report.error_count
    hub_of = {id_: hub for id_, hub in hub_types_of(api, report).items() if id_ not in values}
    if report.error_count > known:
        return HubModel()
    shape = hub_shape(api, hub_of, report)
    converted = kept if kept is None or not values else frozenset(kept).difference(values)
    faces = faces_of(api, shape, report, converted)
    types = {**api.types, **shape, **faces.structs}
    planned = None if converted is None else {*converted, *faces.structs}
    plans = Planner(api, types, {**hub_of, **faces.hub_of}, report).plans(planned)
    if report.error_count == known:
        Coverage(plans, types, report).check()
    if kept is not None:
        hub_of = {id_: hub for id_, hub in hub_of.items() if id_ in kept}
    named: dict[TypeId, TypeId] = {}
    for id_, hub in hub_of.items():
        named.setdefault(hub, id_)
    return HubModel(shape, hub_of, named, plans, faces.structs, frozenset(values))
