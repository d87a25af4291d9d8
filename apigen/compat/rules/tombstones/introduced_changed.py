"""Something is said to have come in another release."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait, Value
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.serving import hits_of_unserved
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.tombstones.elements import LIVING_TYPES
from apigen.compat.rules.verdicts import note, release_before, silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import EnumValue
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.compat.windows import acting_release
from apigen.ir.model import Release

"""What has a lifecycle, but for values of enums: those are accepted from a release on, and judged by rules of their own."""


@change_rule("introduced-changed", altered(Trait.INTRODUCED, *LIVING_TYPES), severities="I/I/I")
def introduced_changed(change: AnyChange, context: Context) -> Verdict | None:
    """When something came is a fact once the release is out."""
    if not isinstance(change, Altered) or isinstance(change.new, EnumValue):
        return None
    after = "no release" if change.after is None else value_words(change.after)
    was = "no release was said" if change.before is None else f"{value_words(change.before)} was said"
    message = f"{change.element} is said to come in {after}, and {was} before"
    if is_echo(change, context):
        return silent(message)
    release = acting_release(context.new, change.element.group)
    is_there = _is_served(change, change.after, context.new)
    was_there = _is_served(change, change.before, context.old)
    if is_there and not was_there:
        hit = depends(f"a client that speaks {change.element} gets 404 Not Found from a server of before")
        hits = {Direction.NEW_CLIENT: hit, **hits_of_unserved(change.element, context)}
        return Verdict(f"{message}: it is served now", hits, "nothing")
    if was_there and not is_there:
        hidden = breaks(f"a server of {release} does not serve it yet: who speaks it gets 404 Not Found")
        hits = {Direction.OLD_CLIENT: hidden, **hits_of_unserved(change.element, context)}
        return Verdict(message, hits, severities=Severities.of("W/E/E"))
    if change.before is None or not _is_out(change.before, context.old.release_in(change.element.group)):
        return note(message, "nothing")
    hit = depends(f"what {release_before(context, change.element.group)} shipped is said to come in {after}")
    return Verdict(message, {Direction.STORED: hit}, severities=Severities.of("W/W/W"))


def _is_served(change: Altered, said: Value, side: Surface) -> bool:
    """Whether a side serves what is `said` to come in a release; what is no version or kind is there whatever is said."""
    release = acting_release(side, change.element.group)
    if change.element.kind not in (ElementKind.VERSION, ElementKind.KIND) or release is None:
        return True
    return not isinstance(said, Release) or said <= release


def _is_out(release: object, shipped: Release | None) -> bool:
    return isinstance(release, Release) and shipped is not None and release <= shipped
