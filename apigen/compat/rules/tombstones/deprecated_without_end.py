"""Users are told that something ends, and neither when nor what comes instead."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.rules.tombstones.elements import living
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DeprecatedWithoutEnd(StateRule):
    """A warning that nobody can act on is read by nobody."""

    id = "deprecated-without-end"
    title = "something is deprecated without a replacement and without an end"
    severities = Severities.of("-/W/W")
    explanation = "A deprecation says what to use instead, or at least until when it can be used: else users can do nothing about it."
    fix = "say `replacement:`, or `removed:` with the release in which it goes"
    no_witness = "what is deprecated works as ever"

    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        for each in living(surface, context) if surface.tells_ends else ():
            life = each.life
            if life.tells_deprecated and life.removed is None and not life.replacement:
                message = f"{each.element} is deprecated, and neither its end nor its replacement is said"
                yield Issue(each.element, each.place, Verdict(message, {}, self.fix))
