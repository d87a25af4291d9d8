"""A gate that nobody has on unless they asked for it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.gating import OF_TYPES, Use, first_on, mark_of, named
from apigen.compat.mitigations.mitigation import Considered, Mitigation
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction
from apigen.compat.verdict.severity import Severity
from apigen.compat.verdict.verdict import Verdict


class GateOff(Mitigation):
    """What changes stands behind a gate that is off by default in both releases, and was in all before them.

    The gate may be that of the element, or there is one on each way from a kind to it. Objects have it only where somebody
    switched the gate on, so nothing breaks for all; those who did are still concerned.
    """

    name = "gate off"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> Considered | None:
        """Whether it holds; None for elements without values, and for what no gate guards on either side."""
        element = change.element
        if element.kind not in OF_TYPES or not verdict.hits:
            return None
        uses = (context.old_openness.use(element), context.new_openness.use(element))
        marked = next((side for side in (context.new, context.old) if mark_of(element, side) is not None), None)
        if Use.NEVER not in uses:
            return None if marked is None else Considered(self.name, False, _why_on(element, marked, ""))
        if Use.OPEN in uses:
            side, which = (context.old, "old") if uses[0] is Use.OPEN else (context.new, "new")
            return Considered(self.name, False, _why_on(element, side, which))
        mark = None if marked is None else mark_of(element, marked)
        guard = f"every way to {element.type} is behind a gate that is"
        if mark is not None:
            guard = f"{named(mark.gates)} {'is' if len(mark.gates) == 1 else 'are'}"
        reason = f"{guard} off by default, now and in every release before"
        return Considered(self.name, True, reason, softens=frozenset(Direction), at_most=Severity.WARNING)


def _why_on(element: Element, side: Surface, which: str) -> str:
    mark = mark_of(element, side)
    if mark is None:
        return f"{element} is behind no gate on the {which} side"
    names = named(mark.gates)
    if not mark.is_dropped:
        return f"{names} only marks it: objects keep it with the gate off"
    since = first_on(mark, side)
    return f"the stages of {names} are not known" if since is None else f"{names} is on by default in {since}"
