"""A field is in every object that is written, though its gate may be off."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.gating import is_never_on
from apigen.compat.rules.gates.guarded import guarded_fields
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Presence


@state_rule("gated-field-always-written", has_gates, severities="W/E/E")
def gated_field_always_written(surface: Surface, context: Context) -> Iterator[Issue]:
    """What cannot be absent cannot be dropped."""
    for element, field, mark in guarded_fields(surface):
        if field.presence is not Presence.PLAIN or not is_never_on(mark, surface):
            continue
        hits = {
            Direction.OLD_CLIENT: depends(f"clients of before get {element.path} in every object, and may not know it"),
            Direction.ROLLBACK: breaks(
                f"{element.path} is in every object that was written, and the release before drops it"
            ),
        }
        message = f"{element} is behind {' and '.join(mark.gates)}, which is off by default, and always written"
        yield Issue(element, field.place, Verdict(message, hits, patch="optional: true"))
