"""Something is announced to go before its time is over."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.guards import has_lifecycles
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.rules.tombstones.elements import Living, living
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.stability import WINDOW, Stability, is_before, releases_later, stability


@state_rule("removal-before-window", has_lifecycles, severities="-/E/E")
def removal_before_window(surface: Surface, context: Context) -> Iterator[Issue]:
    """Beta stays for three releases after it was deprecated, stable as long as the major version."""
    for each in living(surface, context):
        problem, patch = _problem(each)
        if problem:
            hit = depends(f"who uses {each.element} has less time than was promised")
            hits = {Direction.OLD_CLIENT: hit, Direction.STORED: hit}
            message = f"{each.element} is to go in {each.life.removed}: {problem}"
            yield Issue(each.element, each.place, Verdict(message, hits, patch=patch), f"{each.life.removed}")


def _problem(each: Living) -> tuple[str, str]:
    life, promise = each.life, stability(each.element.version)
    if life.removed is None or promise is Stability.ALPHA:
        return "", ""
    if promise is Stability.STABLE:
        since = life.introduced or life.deprecated or life.removed
        is_within = life.removed.major == since.major
        # a field behind a gate that never came on was promised to nobody
        if not is_within or (each.field is not None and each.field.gate is not None):
            return "", ""
        return f"what is stable stays as long as {since.major}.x", ""
    if life.deprecated is None:
        return "no release says that it is deprecated", ""
    end = releases_later(life.deprecated)
    if is_before(life.removed, life.deprecated, WINDOW):
        return f"it is deprecated in {life.deprecated}, and beta stays until {end}", f'removed: "{end}"'
    return "", ""
