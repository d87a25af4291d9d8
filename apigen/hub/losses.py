"""The losses that plans declare or imply: by type and side, including those of nested types."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass, field
from apigen.hub.lenses.annotation import Carried
from apigen.hub.lenses.move import Move
from apigen.hub.lenses.named_list import NamedList
from apigen.hub.steps import Loss, Side, Step, TypePlan
from apigen.ir.expressions import Converted, innermost, variables
from apigen.ir.graphs import reached
from apigen.ir.model import TypeDef, TypeId, spell

Types = Mapping[TypeId, TypeDef]
Plans = Mapping[TypeId, TypePlan]


@dataclass(frozen=True, slots=True)
class KnownLosses:
    """The losses of each type itself, computed once."""

    _found: dict[TypeId, tuple[Loss, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def own(self, type_plan: TypePlan, side: Side) -> tuple[Loss, ...]:
        """The losses of a type itself on one side."""
        found = self._found.get(type_plan.version)
        if found is None:
            found = tuple(
                loss
                for step in type_plan.steps
                for loss in step.losses()
                if loss.rejects or not type_plan.is_restored(loss.side, step, loss.place)
            )
            self._found[type_plan.version] = found
        return tuple(loss for loss in found if loss.side is side)

    def has_rejections(self, type_plan: TypePlan, side: Side) -> bool:
        """Return whether an object of the type alone shows which of its own values are rejected; types below it are not
        considered.
        """
        rejecting = [loss for loss in self.own(type_plan, side) if loss.rejects]
        return bool(rejecting) and all(variables(loss.test).isdisjoint(("other", "back")) for loss in rejecting)

    def lossy_types(self, plans: Plans, side: Side) -> frozenset[TypeId]:
        """Return the version types that lose a value on one side, or contain a type that does."""
        return with_holders({id_ for id_, plan in plans.items() if self.own(plan, side)}, plans, side)


def with_holders(found: set[TypeId], plans: Plans, side: Side = Side.VERSION) -> frozenset[TypeId]:
    """Return the given version types, and the types that contain one of them, unless they restore it on this side."""
    holders: dict[TypeId, set[TypeId]] = {}
    for id_, type_plan in plans.items():
        for step in type_plan.steps:
            inner = carried_type(step) or nested_type(step)
            if inner is not None and not type_plan.is_restored(side, step, place_of(step, side)):
                holders.setdefault(inner, set()).add(id_)
    return reached(found, lambda id_: holders.get(id_, ()))


def place_of(step: Step, side: Side) -> str:
    """Return the place on a side that a step converts; empty without one."""
    if side is Side.VERSION:
        return spell(step.version) if isinstance(step, Move | NamedList) else ""
    return next(iter(step.hub_places()), "")


def carried_type(step: object) -> TypeId | None:
    """Return the version type of the structs that an annotation carries, if these convert."""
    value = innermost(step.value) if isinstance(step, Carried) else None
    return value.version if isinstance(value, Converted) else None


def nested_type(step: object) -> TypeId | None:
    """The version type that a step converts one by one, if it does."""
    if not isinstance(step, Move | NamedList):
        return None
    value = innermost(step.value)
    return value.version if isinstance(value, Converted) else None
