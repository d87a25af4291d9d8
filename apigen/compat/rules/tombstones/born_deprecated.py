"""A field is new, and deprecated."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.guards import has_lifecycles
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.rules.tombstones.elements import living
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Struct
from apigen.compat.verdict.verdict import Verdict


@state_rule("born-deprecated", has_lifecycles, severities="W/W/W")
def born_deprecated(surface: Surface, context: Context) -> Iterator[Issue]:
    """Nobody uses it yet: it need not come at all."""
    for each in living(surface, context) if surface is context.new else ():
        before = context.old.type(each.element.type_name)
        if each.field is None or not each.life.tells_deprecated or not isinstance(before, Struct):
            continue
        if each.field.name not in before.fields:
            message = f"{each.element} is new, and deprecated already"
            yield Issue(
                each.element,
                each.place,
                Verdict(
                    message,
                    {},
                ),
            )
