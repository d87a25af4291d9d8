"""A gate goes on as gates do."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, altered
from apigen.compat.rules.gates.stages import current, words
from apigen.compat.rules.gates.steps import step
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.lifecycle import Gate
from apigen.compat.verdict.verdict import Verdict


@change_rule("gate-graduated", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE), severities="I/I/I")
def gate_graduated(change: AnyChange, context: Context) -> Verdict | None:
    """It is new, or promises more, or more is planned."""
    if isinstance(change, Added) and isinstance(change.part, Gate):
        stage = current(change.part, context.new.release_of(change.part.series))
        return note(f"gate {change.part.name} is new: {words(stage) if stage else 'not there yet'}", "")
    if not isinstance(change, Altered) or not isinstance(change.old, Gate) or not isinstance(change.new, Gate):
        return None
    before, after = current(change.old, context.old.release_of(change.old.series)), current(
        change.new, context.new.release_of(change.new.series)
    )
    if before == after:
        return note(f"the plans of gate {change.new.name} changed: {value_words(change.after)}")
    return step(change.new.name, before, after, context, "")
