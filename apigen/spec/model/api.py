"""All of a spec folder."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.spec.broken import Broken
from apigen.spec.model.gates import FeatureSpec, SeriesSpec
from apigen.spec.model.groups import GroupSpec


@dataclass(frozen=True, slots=True)
class ApiSpec:
    """All of a spec folder, groups in order of folder name. `broken` names what could not be read.

    `own_series` is the name of the project's own release series, empty if it has none: the series that the features.yaml at
    the root of the folder names. `series` are all that are declared, with their releases.
    """

    groups: tuple[GroupSpec, ...]
    features: tuple[FeatureSpec, ...] = field(default=())
    broken: Broken = field(default_factory=Broken)
    own_series: str = ""
    series: tuple[SeriesSpec, ...] = ()

    def is_own(self, series: str) -> bool:
        """Whether a group or gate of a series belongs to the project's own series."""
        return series in ("", self.own_series)
