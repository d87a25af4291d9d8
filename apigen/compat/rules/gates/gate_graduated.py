"""A gate goes on as gates do."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.gates.stages import current, words
from apigen.compat.rules.gates.steps import step
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.lifecycle import Gate
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class GateGraduated(ChangeRule):
    """It is new, or promises more, or more is planned."""

    id = "gate-graduated"
    title = "a gate is new, or goes on to its next stage"
    severities = Severities.of("I/I/I")
    explanation = (
        "A gate begins as alpha and off, comes on with beta, and is locked with GA. Each step lets in what the release before can"
        " have, too, where somebody switches it on."
    )
    fix = "say in the release notes what is on now"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if isinstance(change, Added) and isinstance(change.part, Gate):
            stage = current(change.part, context.new.release_of(change.part.series))
            return note(f"gate {change.part.name} is new: {words(stage) if stage else 'not there yet'}", self.fix)
        if not isinstance(change, Altered) or not isinstance(change.old, Gate) or not isinstance(change.new, Gate):
            return None
        before, after = current(change.old, context.old.release_of(change.old.series)), current(
            change.new, context.new.release_of(change.new.series)
        )
        if before == after:
            return note(f"the plans of gate {change.new.name} changed: {value_words(change.after)}")
        return step(change.new.name, before, after, context, self.fix)
