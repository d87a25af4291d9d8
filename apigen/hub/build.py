"""The hub stage: which hub type each type is, what the hubs look like, how versions convert, and that nothing is lost."""

from __future__ import annotations

from apigen.diagnostics import Report
from apigen.hub.claims import hub_types_of
from apigen.hub.coverage import Coverage
from apigen.hub.model import HubModel
from apigen.hub.planner import Planner
from apigen.hub.shape import hub_shape
from apigen.ir.model import Api
from apigen.ir.types import TypeId


def build_hub(api: Api, report: Report) -> HubModel:
    """Make the hubs of an API and the plans of all its versions. What is wrong is in `report`."""
    known = report.error_count
    hub_of = hub_types_of(api, report)
    if report.error_count > known:
        return HubModel()
    shape = hub_shape(api, hub_of, report)
    types = {**api.types, **shape}
    plans = Planner(api, types, hub_of, report).plans()
    if report.error_count == known:
        Coverage(plans, types, report).check()
    named: dict[TypeId, TypeId] = {}
    for id_, hub in hub_of.items():
        named.setdefault(hub, id_)
    return HubModel(shape, hub_of, named, plans)
