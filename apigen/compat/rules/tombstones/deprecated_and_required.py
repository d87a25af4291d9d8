"""What nobody is to use any more has to be set."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.guards import has_lifecycles
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.rules.tombstones.elements import living
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@state_rule("deprecated-and-required", has_lifecycles, severities="W/W/E")
def deprecated_and_required(surface: Surface, context: Context) -> Iterator[Issue]:
    """Users can do as they are told only if the field may be left out."""
    for each in living(surface, context):
        if each.field is not None and each.field.required and each.life.tells_deprecated:
            hit = depends("a client that stops to set it is refused")
            message = f"{each.element} is deprecated, and required"
            verdict = Verdict(message, {Direction.OLD_CLIENT: hit}, patch="required: false")
            yield Issue(each.element, each.place, verdict)
