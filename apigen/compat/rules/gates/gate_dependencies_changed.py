"""A gate needs other gates than it did."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.gates.marks import is_off
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("gate-dependencies-changed", altered(Trait.DEPENDS_ON, ElementKind.GATE), severities="I/I/I")
def gate_dependencies_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Who sets gates by hand may have to set more of them."""
    if not isinstance(change, Altered):
        return None
    entries = Entries.of(change)
    name = change.element.path
    message = f"dependencies of gate {name} changed: {entries.words}"
    off = [gate for gate in entries.new if is_off(gate, context.new)]
    if not off:
        return Verdict(
            message,
            {},
        )
    hit = depends(f"a server that has {name} switched on by hand needs {off[0]}, too")
    return Verdict(message, {Direction.OLD_CLIENT: hit}, severities=Severities.of("W/W/W"))
