"""A field cannot be left out though its gate may be off."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.gating import is_never_on
from apigen.compat.rules.gates.guarded import guarded_fields
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.verdict import Verdict


@state_rule("gated-field-always-there", has_gates, severities="E/E/E")
def gated_field_always_there(surface: Surface, context: Context) -> Iterator[Issue]:
    """With the gate off the field has to look as if it did not exist."""
    for element, field, mark in guarded_fields(surface):
        if not is_never_on(mark, surface):
            continue
        problem = _problem(field, mark.gates)
        if problem:
            hit = breaks(f"{element.path} {problem}, and its gate is off")
            hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
            message = f"{element} is behind {' and '.join(mark.gates)}, which is off by default, and {problem}"
            yield Issue(
                element,
                field.place,
                Verdict(
                    message,
                    hits,
                ),
                problem,
            )


def _problem(field: Field, gates: tuple[str, ...]) -> str:
    if field.required:
        return "is required"
    default = field.slot.default
    if default is not None and not set(gates) & set(default.gates):
        return f"has the default {default.text}, which does not ask the gate"
    return ""
