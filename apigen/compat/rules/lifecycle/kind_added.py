"""A kind that is new in a version."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule, added
from apigen.compat.rules.verdicts import silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Kind, KindVersion
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class KindAdded(ChangeRule):
    """Clients that use it need a server that has it."""

    id = "kind-added"
    title = "a kind was added to a version"
    severities = Severities.of("I/I/I")
    explanation = (
        "Who uses the kind needs a server that serves it: one of before answers `404 Not Found`. Nobody else sees it."
    )
    fix = "nothing: new clients ask a server for what it serves before they use it"
    claims = (added(ElementKind.KIND),)
    no_witness = "the other side does not have the kind: there is nothing that an object could be tried with"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Added):
            return None
        if isinstance(change.part, Kind):
            return silent(f"kind {change.part.name} is new in its group, as is told of each version")
        if not isinstance(change.part, KindVersion):
            return None
        where = f"{change.element.group or 'core'}/{change.element.version}"
        served = change.part.served
        hit = depends(f"a client that uses {change.part.kind} of {where} gets 404 Not Found from a server of before")
        message = f"kind {change.part.kind} is new in {where}{'' if served else ', and not served yet'}"
        return Verdict(message, {Direction.NEW_CLIENT: hit} if served else {}, self.fix)
