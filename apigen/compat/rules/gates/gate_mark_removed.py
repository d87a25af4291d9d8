"""A field is no longer behind its gate."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.gating import named
from apigen.compat.rules.claims import altered
from apigen.compat.rules.gates.marks import Marks
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at, of_version, release_of, series_of_gates
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.waking import is_filled_at, of_added, woken_at
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("gate-mark-removed", altered(Trait.GATE, ElementKind.FIELD), severities="W/E/E", is_excusable=False)
def gate_mark_removed(change: AnyChange, context: Context) -> Verdict | None:
    """The release before has the gate off still, and drops what the new one lets in."""
    if not isinstance(change, Altered):
        return None
    marks = Marks.of(change, context)
    open_ = marks.widening
    if not open_:
        return None
    path = change.element.path
    hits = {
        Direction.ROLLBACK: breaks(f"the release before has {named(open_)} to switch off, and drops {path} then"),
        Direction.NEW_CLIENT: breaks(
            f"a new client sets {path}, and a server of before with {named(open_)} off drops it"
        ),
    }
    if marks.may_take:
        taken = depends(f"what a client of before writes to {path} may be dropped or replaced, as its new mark says")
        hits |= {Direction.OLD_CLIENT: taken, Direction.STORED: taken}
    elif is_filled_at(context.new, change.element):
        found = f"a client of before that leaves {path} out finds its default there, which {named(open_)} kept away"
        hits[Direction.OLD_CLIENT] = depends(found)
    woken = woken_at(context.new, context.old, change.element)
    hits = of_added(hits, woken, ratchets=context.new.ratchets)
    message = f"{change.element} is not behind {named(open_)} any more, which is not GA and locked in {release_of(context, series_of_gates(open_, context))}"
    severities = at(gate_mark_removed.severities, of_version(change.element))
    return Verdict(message, hits, patch=f"featureGate: {open_[0]}", severities=severities)
