"""Users are told that something ends, and neither when nor what comes instead."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.guards import has_lifecycles
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.rules.tombstones.elements import living
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.verdict import Verdict


@state_rule("deprecated-without-end", has_lifecycles, severities="-/W/W")
def deprecated_without_end(surface: Surface, context: Context) -> Iterator[Issue]:
    """A warning that nobody can act on is read by nobody."""
    for each in living(surface, context) if surface.tells_ends else ():
        life = each.life
        if life.tells_deprecated and life.removed is None and not life.replacement:
            message = f"{each.element} is deprecated, and neither its end nor its replacement is said"
            yield Issue(
                each.element,
                each.place,
                Verdict(
                    message,
                    {},
                ),
            )
