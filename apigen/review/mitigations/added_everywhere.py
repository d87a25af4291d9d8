"""A field that all served versions get at once."""

from __future__ import annotations

from apigen.review.changes.change import Added, AnyChange
from apigen.review.context import Context
from apigen.review.mitigations.mitigation import Mitigation, MitigationResult
from apigen.review.mitigations.time import counterparts
from apigen.review.surface import ElementKind
from apigen.review.verdict.verdict import Verdict


class AddedEverywhere(Mitigation):
    """Objects go from version to version with the new field. It makes no direction safe: it tells that none is worse for a
    version that lacks the field.
    """

    name = "added everywhere"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None for what is no new field, and where there is one version."""
        if not isinstance(change, Added) or change.element.kind is not ElementKind.FIELD:
            return None
        found = list(counterparts(change.element, context.new))
        if len(found) < 2:
            return None
        lacking = [version.name for version, struct in found if change.element.path not in struct.fields]
        if lacking:
            verb = "has" if len(lacking) == 1 else "have"
            reason = f"{' and '.join(lacking)} of the served versions {verb} no such field"
            return MitigationResult(self.name, False, reason)
        return MitigationResult(self.name, True, f"{' and '.join(version.name for version, _ in found)} have it")
