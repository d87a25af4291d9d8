"""A kind that is new in a version."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import added
from apigen.compat.rules.lifecycle.storing import left_behind, may_be_stored
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Kind, KindVersion
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_UNDER_A_PLURAL_OF_BEFORE = Severities.of("W/E/E")
_KEEP = "keep the name of the kind; a new kind needs a plural that no other had"


@change_rule("kind-added", added(ElementKind.KIND), severities="I/I/I")
def kind_added(change: AnyChange, context: Context) -> Verdict | None:
    """Clients that use it need a server that has it."""
    if not isinstance(change, Added):
        return None
    if isinstance(change.part, Kind):
        return silent(f"kind {change.part.name} is new in its group, as is told of each version")
    if not isinstance(change.part, KindVersion):
        return None
    where = f"{change.element.group or 'core'}/{change.element.version}"
    served = change.part.served
    hit = depends(f"a client that uses {change.part.kind} of {where} gets 404 Not Found from a server of before")
    hits = {Direction.NEW_CLIENT: hit} if served else {}
    message = f"kind {change.part.kind} is new in {where}{'' if served else ', and not served yet'}"
    before = _before(change, context) if change.part.storage else None
    if before is not None:
        hits[Direction.ROLLBACK] = _not_taken(change.part.kind, before)
        message = f"{message}; it has the plural {before.plural}, which was that of kind {before.name}"
        return Verdict(message, hits, _KEEP, severities=_UNDER_A_PLURAL_OF_BEFORE)
    if may_be_stored(change.part.kind, change.element, context):
        hits[Direction.ROLLBACK] = left_behind([change.part.kind], change.element)
    return Verdict(
        message,
        hits,
    )


def _before(change: Added, context: Context) -> Kind | None:
    """The kind of another name that had the plural of this one: its objects stand under the same keys."""
    old, new = context.old.groups.get(change.element.group), context.new.groups.get(change.element.group)
    kind = None if new is None else new.kinds.get(change.element.type)
    if old is None or kind is None or not kind.plural:
        return None
    return next((each for each in old.kinds.values() if each.plural == kind.plural and each.name != kind.name), None)


def _not_taken(kind: str, before: Kind) -> Hit:
    return breaks(f"{kind} objects stored under {before.plural} are no {before.name} objects to the release before")
