"""Types that no kind uses."""

from __future__ import annotations

from apigen.review.changes.change import AnyChange
from apigen.review.context import Context
from apigen.review.gating import OF_TYPES
from apigen.review.mitigations.mitigation import Mitigation
from apigen.review.results import CLIENTS, Direction, MitigationResult, RuleResult, Severity
from apigen.review.surface import Element


class Unreachable(Mitigation):
    """No served or stored kind of either side uses the type, so no request and no object contains it.

    It does not apply to versions without kinds: other projects may use types of a library, or of an input without kinds.
    Objects of a kind that is no longer served may still be stored: then only clients are safe.
    """

    name = "unused type"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether it applies; None if a kind uses the type, and if there are no kinds."""
        element = change.element
        if element.kind not in OF_TYPES or not result.effects or not _has_kinds(element, context):
            return None
        name = element.type_name
        if context.old_facts.reach.kinds(name) or context.new_facts.reach.kinds(name):
            return None
        unserved = sorted(context.old_facts.known.kinds(name) | context.new_facts.known.kinds(name))
        if unserved:
            reason = f"only {unserved[0]} uses `{element.type}` and is not served, but objects may be stored"
            return MitigationResult(self.name, True, reason, clears=frozenset(CLIENTS))
        reason = f"no served or stored kind uses `{element.type}`"
        return MitigationResult(self.name, True, reason, clears=frozenset(Direction), at_most=Severity.INFO)


def _has_kinds(element: Element, context: Context) -> bool:
    """Return whether the version of the element has kinds on all sides that have the version."""
    versions = (side.version(element.group, element.version) for side in (context.old, context.new))
    existing = [version for version in versions if version is not None]
    return bool(existing) and all(version.kinds for version in existing)
