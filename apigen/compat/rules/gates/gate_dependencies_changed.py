"""A gate needs other gates than it did."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.gates.marks import is_off
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class GateDependenciesChanged(ChangeRule):
    """Who sets gates by hand may have to set more of them."""

    id = "gate-dependencies-changed"
    title = "what a gate depends on changed"
    severities = Severities.of("I/I/I")
    explanation = (
        "A gate cannot be switched on without those that it depends on. A new dependency that is off by default stops servers that"
        " were started with the gate alone."
    )
    fix = "say in the release notes which gates have to be set together"
    no_witness = "gates are switches of a server, and stand in no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        entries = Entries.of(change)
        name = change.element.path
        message = f"dependencies of gate {name} changed: {entries.words}"
        off = [gate for gate in entries.new if is_off(gate, context.new)]
        if not off:
            return Verdict(message, {}, self.fix)
        hit = depends(f"a server that has {name} switched on by hand needs {off[0]}, too")
        return Verdict(message, {Direction.OLD_CLIENT: hit}, self.fix, severities=Severities.of("W/W/W"))
