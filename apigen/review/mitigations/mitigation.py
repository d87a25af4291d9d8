"""The base class of mitigations."""

from __future__ import annotations

from typing import ClassVar

from apigen.review.changes.change import AnyChange
from apigen.review.context import Context
from apigen.review.results import MitigationResult, RuleResult, Severity


class Mitigation:
    """A fact that lowers the severity of a change. One stateless class each; it is verified on both surfaces."""

    name: ClassVar[str]
    from_severity: ClassVar[Severity] = Severity.SILENT
    """The minimum severity of changes for which it is evaluated."""

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return the result; None if the mitigation is not relevant for the change."""
        raise NotImplementedError
