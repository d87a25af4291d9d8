"""A field is in every object that is written, though its gate may be off."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.gating import is_never_on
from apigen.compat.rules.gates.guarded import guarded_fields
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Presence


class GatedFieldAlwaysWritten(StateRule):
    """What cannot be absent cannot be dropped."""

    id = "gated-field-always-written"
    title = "a field behind a gate that is off is written even when it is empty"
    severities = Severities.of("W/E/E")
    explanation = (
        "A field that is always written is in every object from the first release on, gate or not: with its zero value, which"
        " clients of before do not know, and which the release before drops. (Kubernetes, api_changes.md: an alpha field is a"
        " pointer, or has `omitempty`)"
    )
    fix = "let it be left out: `optional: true` or `omitEmpty: true`"
    no_witness = "specs that say so cannot be compiled: a gate could not take the field away"

    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        for element, field, mark in guarded_fields(surface):
            if field.presence is not Presence.PLAIN or not is_never_on(mark, surface):
                continue
            hits = {
                Direction.OLD_CLIENT: depends(
                    f"clients of before get {element.path} in every object, and may not know it"
                ),
                Direction.ROLLBACK: breaks(
                    f"{element.path} is in every object that was written, and the release before drops it"
                ),
            }
            message = f"{element} is behind {' and '.join(mark.gates)}, which is off by default, and always written"
            yield Issue(element, field.place, Verdict(message, hits, self.fix, "optional: true"))
