"""Something was to be gone by now."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.rules.tombstones.elements import living
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PastDue(StateRule):
    """What ends only on paper is believed by nobody next time."""

    id = "past-due"
    title = "something is there in the release in which it was to go"
    severities = Severities.of("-/I/W")
    explanation = (
        "The release that `removed:` names has come, and the element is there: either it is removed now, with a tombstone, or users"
        " are told that it stays longer. It is told in the first release in which that is so."
    )
    fix = "remove it and leave a tombstone, or say a later `removed:`"
    no_witness = "it works as ever"

    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        for each in living(surface) if surface.release is not None else ():
            end = each.life.removed
            if end is None or surface.release is None or end > surface.release:
                continue
            version = surface.version(each.element.group, each.element.version)
            if each.element.kind is ElementKind.VERSION and version is not None and not version.served:
                continue
            message = f"{each.element} was to go in {end}, and is there in {surface.release}"
            yield Issue(each.element, each.place, Verdict(message, {}, self.fix), str(end))
