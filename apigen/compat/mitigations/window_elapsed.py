"""A removal that was announced, and waited for."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Removed, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.mitigation import Considered, Mitigation
from apigen.compat.surface.lifecycle import Lifecycle
from apigen.compat.surface.surface import KindVersion, Version
from apigen.compat.surface.types import EnumValue, Field
from apigen.compat.verdict.severity import Severity
from apigen.compat.verdict.verdict import Verdict
from apigen.compat.windows import too_early


class WindowElapsed(Mitigation):
    """What goes was deprecated for as long as its stability asks. (Deprecation policy, rule 4a)

    Users were told, and had the time to move: it still breaks who did not. CRDs and `.proto` files have no releases, so there
    it cannot be verified.
    """

    name = "window elapsed"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> Considered | None:
        """Whether it holds; None for what was not removed, or has no lifecycle."""
        life = _life(change)
        if life is None:
            return None
        element = change.element
        old, new = (side.release_in(element.group) for side in (context.old, context.new))
        problem = too_early(life, element.version, old, new)
        if problem:
            return Considered(self.name, False, problem)
        reason = "alpha may go at any time"
        if life.deprecated is not None:
            reason = f"it was deprecated in {life.deprecated}, and its time is over"
        return Considered(self.name, True, reason, at_most=Severity.WARNING)


def _life(change: AnyChange) -> Lifecycle | None:
    """What was said of the time of what is gone, or is served no longer."""
    match change:
        case Removed(part=Version() | KindVersion() | Field() | EnumValue() as part):
            return part.lifecycle
        case Altered(old=Version() | KindVersion() as part, trait=Trait.SERVED):
            return part.lifecycle
    return None
