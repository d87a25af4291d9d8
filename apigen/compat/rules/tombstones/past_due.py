"""Something was to be gone by now."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.defaults.filled import is_filled, left_out_hit
from apigen.compat.rules.guards import has_lifecycles
from apigen.compat.rules.lifecycle.serving import hits_of_unserved
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.rules.tombstones.elements import Living, living
from apigen.compat.rules.verdicts import at, of_version
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.compat.windows import acting_release, too_early
from apigen.ir.model import Release

_TOO_EARLY = Severities.of("I/E/E")


@state_rule("past-due", has_lifecycles, severities="I/I/W")
def past_due(surface: Surface, context: Context) -> Iterator[Issue]:
    """From the release that `removed:` names, servers act as if it were gone: it is written down still, and works no more."""
    for each in living(surface, context):
        end, release = each.life.removed, acting_release(surface, each.element.group)
        if end is None or release is None or end > release or not _is_there(each, surface):
            continue
        old = context.old.release_in(each.element.group) if surface is context.new else None
        problem = too_early(each.life, each.element.version, old, release)
        severities = at(_TOO_EARLY, of_version(each.element)) if problem else None
        message = f"{each.element} was to go in {end}, and is there in {release}{f': {problem}' if problem else ''}"
        verdict = Verdict(message, _hits(each, release, surface, context), severities=severities)
        yield Issue(each.element, each.place, verdict, str(end))


def _is_there(each: Living, surface: Surface) -> bool:
    """Whether it is served: what is kept for stored objects alone is not late."""
    version = surface.version(each.element.group, each.element.version)
    return version is not None and version.served


def _hits(each: Living, release: Release, surface: Surface, context: Context) -> dict[Direction, Hit]:
    if each.field is not None:
        path = each.element.path
        hits = {
            Direction.OLD_CLIENT: breaks(f"a client of before sets {path}, and a server of {release} drops it"),
            Direction.STORED: depends(f"on writes: objects that use {path} keep it, and others cannot get it"),
        }
        if is_filled(each.field, surface, context):
            hits[Direction.NEW_CLIENT] = left_out_hit(path)
        return hits
    if each.element.kind in (ElementKind.VERSION, ElementKind.KIND):
        unknown = breaks(f"who speaks {each.element} gets 404 Not Found from a server of {release}")
        return {Direction.OLD_CLIENT: unknown, **hits_of_unserved(each.element, context)}
    return {}
