"""The hub stage: which hub type each type is, what the hubs look like, how versions convert, and that nothing is lost."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from apigen.diagnostics import Report
from apigen.hub.claims import hub_types_of
from apigen.hub.coverage import Coverage
from apigen.hub.faces import Faces, faces_of
from apigen.hub.model import HubModel
from apigen.hub.planner import Planner
from apigen.hub.shape import hub_shape
from apigen.ir.model import Api
from apigen.ir.types import TypeId


@dataclass(frozen=True, slots=True)
class _Wanted(Container[TypeId]):
    """The types that have plans: those that are kept, and their faces."""

    kept: Container[TypeId]
    faces: Faces

    def __contains__(self, id_: object) -> bool:
        return id_ in self.kept or id_ in self.faces.structs


def build_hub(api: Api, report: Report, kept: Container[TypeId] | None = None) -> HubModel:
    """Make the hubs of an API and the plans of all its versions. What is wrong is in `report`.

    With `kept`, only these types have plans: the others are there for the shape of the hubs.
    """
    known = report.error_count
    hub_of = hub_types_of(api, report)
    if report.error_count > known:
        return HubModel()
    shape = hub_shape(api, hub_of, report)
    faces = faces_of(api, shape, report, kept)
    types = {**api.types, **shape, **faces.structs}
    plans = Planner(api, types, {**hub_of, **faces.hub_of}, report).plans(
        _Wanted(kept, faces) if kept is not None else None
    )
    if report.error_count == known:
        Coverage(plans, types, report).check()
    if kept is not None:
        hub_of = {id_: hub for id_, hub in hub_of.items() if id_ in kept}
    named: dict[TypeId, TypeId] = {}
    for id_, hub in hub_of.items():
        named.setdefault(hub, id_)
    return HubModel(shape, hub_of, named, plans, faces.structs)
