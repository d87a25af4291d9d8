"""What could be left out can be left out."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.shipped_fields import fields_in_use
from apigen.lint.rule import finding


class FieldStaysOptional(EvolutionRule):
    """Which fields are required does not change. (api_changes.md, "On compatibility")

    Where the presence has changed, that is said (AG1380), as it is what makes the field required.
    """

    code = "AG1381"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in fields_in_use(evolution):
            if step.now.required and not step.before.required and step.now.presence is step.before.presence:
                message = f"`{step.name}` could be left out in {step.release}, and requests without it are refused now"
                yield finding(step.now.place, message, "say `required: false`, and give it a default", step.shipped)
