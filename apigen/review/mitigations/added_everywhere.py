"""A field that is added to all served versions at once."""

from __future__ import annotations

from apigen.review.changes.change import Added, AnyChange
from apigen.review.context import Context
from apigen.review.mitigations.mitigation import Mitigation
from apigen.review.mitigations.time import counterparts
from apigen.review.results import MitigationResult, RuleResult
from apigen.review.surface import (
    ElementKind,
)


class AddedEverywhere(Mitigation):
    """All served versions get the field, so conversions preserve it. The mitigation makes no direction safe: it states
    that no version lacks the field.
    """

    name = "added everywhere"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether all versions have it; None for other changes, and if there is only one version."""
        if not isinstance(change, Added) or change.element.kind is not ElementKind.FIELD:
            return None
        found = list(counterparts(change.element, context.new))
        if len(found) < 2:
            return None
        lacking = [version.name for version, struct in found if change.element.path not in struct.fields]
        if lacking:
            reason = f"{' and '.join(lacking)} {'does' if len(lacking) == 1 else 'do'} not have the field"
            return MitigationResult(self.name, False, reason)
        return MitigationResult(self.name, True, f"{' and '.join(version.name for version, _ in found)} have the field")
