"""Something deprecated sends its users to what promises less."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.guards import has_lifecycles
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.lifecycle import Lifecycle
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict
from apigen.compat.windows import is_inherited
from apigen.diagnostics import Place
from apigen.ir.stability import stability, version_rank

_WORD = re.compile(r"[^\s/]+")


@state_rule("replacement-is-less-stable", has_lifecycles, severities="W/E/E")
def replacement_is_less_stable(surface: Surface, context: Context) -> Iterator[Issue]:
    """Nobody is sent from what is stable to what may go tomorrow."""
    for group in surface.groups.values():
        for version in group.versions.values():
            element = Element(ElementKind.VERSION, group.name, version.name)
            yield from _of(element, version.lifecycle, version.place)
            for kind in version.kinds.values():
                if not is_inherited(kind.lifecycle, version.lifecycle):
                    below = Element(ElementKind.KIND, group.name, version.name, kind.kind)
                    yield from _of(below, kind.lifecycle, kind.place)


def _of(element: Element, life: Lifecycle, place: Place) -> Iterator[Issue]:
    named = [word for word in _WORD.findall(life.replacement or "") if version_rank(word) is not None]
    if not named or stability(named[0]) >= stability(element.version):
        return
    message = f"{element} is deprecated in favour of {life.replacement}, which is {stability(named[0])}"
    hit = depends(f"who follows the advice goes from {stability(element.version)} to {stability(named[0])}")
    yield Issue(
        element,
        place,
        Verdict(
            message,
            {Direction.OLD_CLIENT: hit},
        ),
        life.replacement or "",
    )
