"""A field cannot be left out though its gate may be off."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.gating import is_never_on
from apigen.compat.rules.gates.guarded import guarded_fields
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class GatedFieldAlwaysThere(StateRule):
    """With the gate off the field has to look as if it did not exist."""

    id = "gated-field-always-there"
    title = "a field behind a gate that is off is required, or has a default that does not ask the gate"
    severities = Severities.of("E/E/E")
    explanation = (
        "With the gate off, the field is cleared: a required one can then never be valid, and a default that does not ask the gate"
        " brings the field back into every object, in storage too, where the release before finds what it does not know. (Kubernetes,"
        " api_changes.md: alpha field in an existing version)"
    )
    fix = "make the field optional, and let its default ask the gate: `when: {gate: NAME}`"

    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        for element, field, mark in guarded_fields(surface):
            if not is_never_on(mark, surface):
                continue
            problem = _problem(field, mark.gates)
            if problem:
                hit = breaks(f"{element.path} {problem}, and its gate is off")
                hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
                message = f"{element} is behind {' and '.join(mark.gates)}, which is off by default, and {problem}"
                yield Issue(element, field.place, Verdict(message, hits, self.fix), problem)


def _problem(field: Field, gates: tuple[str, ...]) -> str:
    if field.required:
        return "is required"
    default = field.slot.default
    if default is not None and not set(gates) & set(default.gates):
        return f"has the default {default.text}, which does not ask the gate"
    return ""
