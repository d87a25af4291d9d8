"""A field is new, and deprecated."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.rules.tombstones.elements import living
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Struct
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class BornDeprecated(StateRule):
    """Nobody uses it yet: it need not come at all."""

    id = "born-deprecated"
    title = "a new field is deprecated from the start"
    severities = Severities.of("W/W/W")
    explanation = (
        "What nobody has used needs no time to end. A field that is there only to be read from old objects says so by its gate or by"
        " a lens, not by a deprecation that clients see before the field."
    )
    fix = "leave the field away, or say since when it is there: `introduced:`"
    no_witness = "what is deprecated works as any field"

    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        for each in living(surface, context) if surface is context.new else ():
            before = context.old.type(each.element.type_name)
            if each.field is None or not each.life.tells_deprecated or not isinstance(before, Struct):
                continue
            if each.field.name not in before.fields:
                message = f"{each.element} is new, and deprecated already"
                yield Issue(each.element, each.place, Verdict(message, {}, self.fix))
