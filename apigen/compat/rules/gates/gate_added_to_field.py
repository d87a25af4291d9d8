"""A field that everybody had is behind a gate now."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.gating import named
from apigen.compat.rules.claims import altered
from apigen.compat.rules.gates.marks import Marks, was_off
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at, flat, of_version, release_of, series_of_gates
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.waking import is_filled_at, of_removed, woken_at
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severity
from apigen.compat.verdict.verdict import Verdict


@change_rule("gate-added-to-field", altered(Trait.GATE, ElementKind.FIELD), severities="W/E/E", is_excusable=False)
def gate_added_to_field(change: AnyChange, context: Context) -> Verdict | None:
    """What clients set is dropped without a word, where the gate is off."""
    if not isinstance(change, Altered):
        return None
    marks = Marks.of(change, context)
    off = marks.narrowing
    if not off:
        return None
    path = change.element.path
    promised = {
        Direction.OLD_CLIENT: breaks(f"a client of before sets {path}, and a server with {named(off)} off drops it"),
        Direction.STORED: depends(f"on writes: objects that use {path} keep it, and others cannot get it"),
    }
    if is_filled_at(context.old, change.element):
        found = f"a new client that leaves {path} out finds its default there, from a server of before"
        promised[Direction.NEW_CLIENT] = depends(found)
    woken = woken_at(context.old, context.new, change.element)
    hits = of_removed(promised, woken, ratchets=context.old.ratchets)
    message = f"{change.element} is behind {named(off)} now, which is off by default in {release_of(context, series_of_gates(off, context))}"
    promise = of_version(change.element) if marks.before is None else context.stability(change.element)
    severities = at(gate_added_to_field.severities, promise)
    if all(was_off(gate, context.old) for gate in off):
        message += ", and was in the release before: whether it guarded the field there without a mark is not proven"
        return Verdict(message, hits, severities=flat(Severity.WARNING), is_unproven=True)
    return Verdict(message, hits, severities=severities)
