"""Types that no kind leads to."""

from __future__ import annotations

from apigen.review.changes.change import AnyChange
from apigen.review.context import Context
from apigen.review.gating import OF_TYPES
from apigen.review.mitigations.mitigation import Mitigation, MitigationResult
from apigen.review.surface import Element
from apigen.review.verdict.impact import CLIENTS, Direction
from apigen.review.verdict.severity import Severity
from apigen.review.verdict.verdict import Verdict


class Unreachable(Mitigation):
    """No kind that is served or stored on either side has the type, so no request and no object does.

    It says nothing of versions without kinds: types of a library, or an input that knows no kinds, are there for others. What
    a kind leads to that is no longer served may be stored since long ago: there, clients alone are safe.
    """

    name = "unreachable"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None where a kind leads to the type, and where there are no kinds."""
        element = change.element
        if element.kind not in OF_TYPES or not verdict.hits or not _has_kinds(element, context):
            return None
        name = element.type_name
        if context.old_reach.kinds(name) or context.new_reach.kinds(name):
            return None
        unserved = sorted(context.old_known.kinds(name) | context.new_known.kinds(name))
        if unserved:
            reason = f"only {unserved[0]} leads to {element.type}, which is not served: objects may be stored in it since long ago"
            return MitigationResult(self.name, True, reason, clears=frozenset(CLIENTS))
        reason = f"no kind that is served or stored leads to {element.type}"
        return MitigationResult(self.name, True, reason, clears=frozenset(Direction), at_most=Severity.INFO)


def _has_kinds(element: Element, context: Context) -> bool:
    """Whether the version of the element has kinds on all sides that have the version."""
    versions = (side.version(element.group, element.version) for side in (context.old, context.new))
    there = [version for version in versions if version is not None]
    return bool(there) and all(version.kinds for version in there)
