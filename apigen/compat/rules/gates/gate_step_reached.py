"""A gate is at another stage because the release is another one."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.gates.stages import current, words
from apigen.compat.rules.gates.steps import step, went_off_hits
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.rules.verdicts import flat
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.lifecycle import GateStage
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.severity import Severity
from apigen.compat.verdict.verdict import Verdict


@state_rule("gate-step-reached", has_gates, severities="I/I/I")
def gate_step_reached(surface: Surface, context: Context) -> Iterator[Issue]:
    """Nothing was written anew: what was planned for a release comes with it."""
    for name, gate in surface.gates.items() if surface is context.new else ():
        known = context.old.gates.get(name)
        old, new = context.old.release_of(gate.series), context.new.release_of(gate.series)
        if old is None or new is None or known is None or known.stages != gate.stages or gate.borrowed:
            continue
        before, after = current(known, old), current(gate, new)
        if before != after:
            element = Element(ElementKind.GATE, path=name)
            verdict = _verdict(name, before, after, context)
            yield Issue(element, gate.place, verdict, words(after) if after else "gone")


def _verdict(name: str, before: GateStage | None, after: GateStage | None, context: Context) -> Verdict:
    verdict = step(name, before, after, context, "")
    if before is None or not before.default or after is None or after.default:
        return verdict
    severity = Severity.WARNING if before.locked or after.locked else Severity.ERROR
    return Verdict(verdict.message, went_off_hits(name, context), severities=flat(severity))
