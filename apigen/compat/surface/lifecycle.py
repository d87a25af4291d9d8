"""Releases of a surface: gates, and when elements came and go."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.ir.model import Release
from apigen.ir.stability import one_before
from apigen.spec.model import Stage


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The releases in which an element came, was deprecated and went.

    `is_deprecated` where no release says when. `removed` is announced: the element is still there. `returned`: it had a
    tombstone, and came back as it was.
    """

    introduced: Release | None = None
    deprecated: Release | None = None
    removed: Release | None = None
    replacement: str | None = None
    is_deprecated: bool = False
    returned: Release | None = None

    @property
    def tells_deprecated(self) -> bool:
        """Whether the element is deprecated, or will be."""
        return self.is_deprecated or self.deprecated is not None


NO_LIFECYCLE = Lifecycle()
"""Where nothing is said: the one value that all share, so that most are told to be equal without a look at them."""


@dataclass(frozen=True, slots=True)
class GateStage:
    """A gate's stage from a release on; `min_compatibility`: where no server of the control plane is older."""

    release: Release
    stage: Stage
    default: bool
    locked: bool
    min_compatibility: Release | None = None

    def counts(self, release: Release, oldest: Release) -> bool:
        """Whether it has begun at a release, and no server is too old for it."""
        return self.release <= release and (self.min_compatibility is None or self.min_compatibility <= oldest)


@dataclass(frozen=True, slots=True)
class Gate:
    """A feature gate with all its stages, oldest first. `borrowed`: it came along, and is not what is reviewed."""

    name: str
    stages: tuple[GateStage, ...]
    place: Place = field(compare=False)
    removed: Release | None = None
    depends_on: tuple[str, ...] = ()
    borrowed: bool = field(default=False, compare=False)
    series: str = field(default="", compare=False)

    def at(self, release: Release | None, oldest: Release | None = None) -> GateStage | None:
        """Its stage at a release (None: the last one known); None before its first and after it was removed.

        `oldest` is the release of the oldest server of the control plane; left out, one minor release before, as servers take it.
        """
        if release is None:
            return self.stages[-1] if self.stages and self.removed is None else None
        if self._is_gone(release):
            return None
        least = one_before(release) if oldest is None else oldest
        return next((stage for stage in reversed(self.stages) if stage.counts(release, least)), None)

    def is_on(self, release: Release | None, oldest: Release | None = None) -> bool:
        """Whether it is on by default at a release. What one that was removed guards stays as its last stage left it."""
        stage = self.at(release, oldest)
        if stage is None and self._is_gone(release):
            return not self.stages or self.stages[-1].default
        return stage is not None and stage.default

    def may_be_on(self, release: Release | None) -> bool:
        """Whether it is on at a release where nobody switched it: by default, or where all servers are of that release."""
        return self.is_on(release) or self.is_on(release, release)

    def _is_gone(self, release: Release | None) -> bool:
        return self.removed is not None and (release is None or self.removed <= release)


@dataclass(frozen=True, slots=True)
class GateMark:
    """The gates that a field or value depends on: `all` of them, or any (`is_any`); `words`: what else the mark says.

    `is_dropped`: with the gates off, no object gets it. A mark that only tells, or drops in some operations, does not hold that.
    """

    gates: tuple[str, ...]
    is_any: bool = False
    words: str = ""
    place: Place = field(default=Place(""), compare=False)
    is_dropped: bool = True
