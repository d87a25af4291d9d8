"""What nobody is to use any more has to be set."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.rules.tombstones.elements import living
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DeprecatedAndRequired(StateRule):
    """Users can do as they are told only if the field may be left out."""

    id = "deprecated-and-required"
    title = "a deprecated field is required"
    severities = Severities.of("W/W/E")
    explanation = (
        "A field that has to be set cannot be given up by anybody: it becomes optional before it is deprecated."
    )
    fix = "let it be left out: `optional: true` or `required: false`"
    no_witness = "what is deprecated works as ever"

    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        for each in living(surface, context):
            if each.field is not None and each.field.required and each.life.tells_deprecated:
                hit = depends("a client that stops to set it is refused")
                message = f"{each.element} is deprecated, and required"
                verdict = Verdict(message, {Direction.OLD_CLIENT: hit}, self.fix, "required: false")
                yield Issue(each.element, each.place, verdict)
