"""All of a spec folder."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.spec.broken import Broken
from apigen.spec.model.gates import FeatureSpec
from apigen.spec.model.groups import GroupSpec


@dataclass(frozen=True, slots=True)
class ApiSpec:
    """All of a spec folder, groups in order of folder name. `broken` names what could not be read."""

    groups: tuple[GroupSpec, ...]
    features: tuple[FeatureSpec, ...] = field(default=())
    broken: Broken = field(default_factory=Broken)
