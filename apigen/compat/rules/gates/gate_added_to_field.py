"""A field that everybody had is behind a gate now."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.gating import named
from apigen.compat.rules.gates.marks import Marks, was_off
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import at, flat, of_version, release_of, series_of_gates
from apigen.compat.values.waking import is_filled_at, of_removed, woken_at
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities, Severity
from apigen.compat.verdict.verdict import Verdict


class GateAddedToField(ChangeRule):
    """What clients set is dropped without a word, where the gate is off."""

    id = "gate-added-to-field"
    title = "a field was put behind a gate that is off by default"
    severities = Severities.of("W/E/E")
    explanation = (
        "With the gate off, the strategy clears the field on create, and clients that set it are answered as if they had not."
        " (Kubernetes, api_changes.md: calls that succeeded before still succeed.) The field is judged by what it promised without"
        " the gate. Where the gate was there before, and off, the mark may only say what was so all along: that is a warning."
    )
    fix = "leave the mark away; a field that is to end gets a gate that begins as GA and on"
    is_excusable = False

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        marks = Marks.of(change, context)
        off = marks.narrowing
        if not off:
            return None
        path = change.element.path
        promised = {
            Direction.OLD_CLIENT: breaks(
                f"a client of before sets {path}, and a server with {named(off)} off drops it"
            ),
            Direction.STORED: depends(f"on writes: objects that use {path} keep it, and others cannot get it"),
        }
        if is_filled_at(context.old, change.element):
            found = f"a new client that leaves {path} out finds its default there, from a server of before"
            promised[Direction.NEW_CLIENT] = depends(found)
        woken = woken_at(context.old, context.new, change.element)
        hits = of_removed(promised, woken, ratchets=context.old.ratchets)
        message = f"{change.element} is behind {named(off)} now, which is off by default in {release_of(context, series_of_gates(off, context))}"
        promise = of_version(change.element) if marks.before is None else context.stability(change.element)
        severities = at(self.severities, promise)
        if all(was_off(gate, context.old) for gate in off):
            message += (
                ", and was in the release before: whether it guarded the field there without a mark is not proven"
            )
            return Verdict(message, hits, self.fix, severities=flat(Severity.WARNING), is_unproven=True)
        return Verdict(message, hits, self.fix, severities=severities)
