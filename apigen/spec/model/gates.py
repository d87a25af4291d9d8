"""Feature gates, and what depends on them."""

from __future__ import annotations

from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.spec.model.values import LiteralNode, Located
from apigen.spec.paths import Condition, Path


class Stage(StrEnum):
    """Stages of a feature gate."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "ga"
    DEPRECATED = "deprecated"


class GateJoin(StrEnum):
    """How several gates of one mark count."""

    ALL = "all"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class GateSpec:
    """`featureGate:` of a field or enum value. One gate: `join` is ALL.

    `in_use`: "gate" (any field of the gate in the whole object), "field", "place" (the field at the same place of the old
    object), "never", or a condition on the old object. In rules of a hub type, no gates: nothing lets it in.
    """

    gates: tuple[Located[str], ...]
    join: GateJoin
    place: Place
    in_use: str | Condition = "gate"
    to: LiteralNode | None = None
    during: tuple[str, ...] | None = None
    prune: bool = False


@dataclass(frozen=True, slots=True)
class GateRuleSpec:
    """An entry of a hub type's `gates:`: what is dropped by path, and when."""

    gate: GateSpec
    drop: tuple[Path, ...]
    when: Condition | None


@dataclass(frozen=True, slots=True)
class FeatureStageSpec:
    """One stage of a gate, from `release` on, where no server is older than `min_compatibility`."""

    release: Located[str]
    stage: Stage
    default: bool
    locked: bool
    place: Place
    min_compatibility: Located[str] | None = None


@dataclass(frozen=True, slots=True)
class FeatureSpec:
    """A feature gate of `features.yaml`; `removed`: the release that has it no more.

    `series` names its release series: its own, or that of its file; empty where neither names one.
    """

    name: str
    place: Place
    owner: str | None
    doc: Located[str] | None
    stages: tuple[FeatureStageSpec, ...]
    depends_on: tuple[Located[str], ...] = ()
    removed: Located[str] | None = None
    ignore: tuple[tuple[Located[str], Located[str]], ...] = ()
    series: str = ""


@dataclass(frozen=True, slots=True)
class SeriesSpec:
    """`series:`: the name of a release series, and the release that its specs are of, where they say one."""

    name: Located[str]
    release: Located[str] | None = None


@dataclass(frozen=True, slots=True)
class FeaturesFile:
    """A `features.yaml`: its gates, and the series of them and of the groups below its folder."""

    features: tuple[FeatureSpec, ...]
    series: SeriesSpec | None = None
