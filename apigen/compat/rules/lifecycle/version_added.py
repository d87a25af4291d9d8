"""A version of a group that is new."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule, added
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Version
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class VersionAdded(ChangeRule):
    """Clients that use it need a server that has it."""

    id = "version-added"
    title = "a version was added to a group"
    severities = Severities.of("I/I/I")
    explanation = (
        "A version may come at any time. Who uses it needs a server that serves it; objects are not stored in it before the next"
        " release. (Kubernetes deprecation policy, rule 4b)"
    )
    fix = "let clients ask what a server serves, and let storage stay where it is for this release"
    claims = (added(ElementKind.VERSION),)
    no_witness = "the other side does not have the version: there is nothing that an object could be tried with"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Added) or not isinstance(change.part, Version):
            return None
        kinds = f" with {', '.join(change.part.kinds)}" if change.part.kinds else ""
        message = f"version {change.part} is new{kinds}{'' if change.part.served else ', and not served yet'}"
        if not change.part.served or not change.part.kinds:
            return Verdict(message, {}, self.fix)
        hit = depends(f"a client that speaks {change.part} gets 404 Not Found from a server of before")
        return Verdict(message, {Direction.NEW_CLIENT: hit}, self.fix)
