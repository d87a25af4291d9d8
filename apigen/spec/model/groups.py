"""A spec folder: its groups, their versions and kinds."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.spec.broken import Broken
from apigen.spec.model.gates import FeatureSpec, SeriesSpec
from apigen.spec.model.locks import LockFile
from apigen.spec.model.strategies import StrategySpec
from apigen.spec.model.types import LifecycleSpec, TypeSpec
from apigen.spec.model.values import Located
from apigen.spec.paths import Path


@dataclass(frozen=True, slots=True)
class GoneSpec:
    """A version or kind of a group that is gone; `migrated`: from which release on no object is stored in it."""

    name: str
    place: Place
    removed: Located[str] | None
    reason: Located[str] | None
    migrated: Located[str] | None = None


@dataclass(frozen=True, slots=True)
class VersionFile:
    """`<version>.yaml` or `hub.yaml`."""

    name: str
    place: Place
    types: tuple[TypeSpec, ...]


@dataclass(frozen=True, slots=True)
class VersionHeader:
    """An entry of `versions:` in group.yaml."""

    name: str
    place: Place
    lifecycle: LifecycleSpec
    storage: bool
    served: bool = True
    defaulted: bool = True
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class ScaleSpec:
    """Paths of the scale subresource."""

    spec_replicas_path: str
    status_replicas_path: str
    label_selector_path: str | None = None


@dataclass(frozen=True, slots=True)
class KindSpec:
    """An entry of `kinds:` in group.yaml."""

    name: str
    place: Place
    scope: Located[str] | None
    plural: Located[str] | None
    singular: Located[str] | None = None
    short_names: tuple[Located[str], ...] = ()
    categories: tuple[Located[str], ...] = ()
    subresources: tuple[Located[str], ...] = ()
    scale: ScaleSpec | None = None
    list: bool = True
    hub: Located[str] | None = None
    selectable_fields: tuple[tuple[Located[str], Path], ...] = ()
    strategy: StrategySpec = StrategySpec()
    type_meta: bool = True


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """One group folder. `folder` is how other specs name it; `group`, at `group_place`, is the name on the wire.

    `series` names its release series: its own, or that of the features.yaml above it; empty where neither names one.
    """

    folder: str
    group: str
    place: Place
    group_place: Place
    versions: tuple[VersionHeader, ...]
    hub: Located[str] | None
    kinds: tuple[KindSpec, ...]
    version_files: tuple[VersionFile, ...]
    hub_file: VersionFile | None = None
    locks: tuple[LockFile, ...] = ()
    gone_versions: tuple[GoneSpec, ...] = ()
    gone_kinds: tuple[GoneSpec, ...] = ()
    series: str = ""


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
