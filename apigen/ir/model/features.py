"""Feature gates."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.ir.model.fields import Ignored
from apigen.ir.model.lifecycle import Release
from apigen.spec.model import Stage


@dataclass(frozen=True, slots=True)
class FeatureStage:
    """A gate's stage from a release on.

    It counts only where no server of the control plane is older than `min_compatibility`, which may be that of a stage
    before it.
    """

    release: Release
    stage: Stage
    default: bool
    locked: bool
    min_compatibility: Release | None = None
    place: Place = field(default=Place(""), compare=False)


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature gate; `removed`: the release that has it no more.

    `series` is the release series that its releases are of; empty for the project's own.
    """

    name: str
    place: Place
    stages: tuple[FeatureStage, ...]
    owner: str | None = None
    doc: str | None = None
    depends_on: tuple[str, ...] = ()
    removed: Release | None = None
    ignore: Ignored = ()
    series: str = ""
