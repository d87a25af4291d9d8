"""The result of the hub stage: hub types, the hub type of each version type, and conversion plans."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass, field
from apigen.hub.steps import TypePlan
from apigen.ir.model import Struct, TypeDef, TypeId


@dataclass(frozen=True, slots=True)
class HubModel:
    """The hubs of all groups.

    `hub_of` gives the hub type of each version type that has one; `named` the reverse for the version that the hub
    follows (the paths and constraints of validation). A type of a group without a hub is its own hub. `plans` has
    the conversion of each version type with another hub type; `faces` are version types seen as types of a second hub,
    which have plans of their own. `values` are version types that only types of another release series hold: they are their
    own hub types, too.
    """

    types: Mapping[TypeId, TypeDef] = field(default_factory=dict)
    hub_of: Mapping[TypeId, TypeId] = field(default_factory=dict)
    named: Mapping[TypeId, TypeId] = field(default_factory=dict)
    plans: Mapping[TypeId, TypePlan] = field(default_factory=dict)
    faces: Mapping[TypeId, Struct] = field(default_factory=dict)
    values: frozenset[TypeId] = frozenset()
