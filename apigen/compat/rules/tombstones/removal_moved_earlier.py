"""Something is to go sooner than users were told."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.tombstones.elements import LIVING
from apigen.compat.rules.tombstones.gone_before import gone_before_hits
from apigen.compat.rules.verdicts import of_version, silent
from apigen.compat.surface.lifecycle import NO_LIFECYCLE, Lifecycle
from apigen.compat.surface.surface import KindVersion, Version
from apigen.compat.surface.types import EnumValue, Field, Struct
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Release
from apigen.ir.stability import WINDOW, Stability, is_before

_IN_TIME = Severities.of("I/W/W")
"""Where users still have the time that they were promised, or more of it than anybody can say."""

"""What has a lifecycle."""


@change_rule("removal-moved-earlier", altered(Trait.REMOVED, *LIVING), severities="I/E/E")
def removal_moved_earlier(change: AnyChange, context: Context) -> Verdict | None:
    """Who planned by what was said is late."""
    if not isinstance(change, Altered) or not isinstance(change.before, Release):
        return None
    after = change.after
    if isinstance(after, Release):
        if after >= change.before:
            return None
        message = f"{change.element} is to go in {after}, and was to go in {change.before}"
        severities = _IN_TIME if _is_in_time(change, after) else None
    else:
        life = _life(change)
        if not life.tells_deprecated:
            return None
        severities = _IN_TIME
        message = f"{change.element} is deprecated, was to go in {change.before}, and now nobody knows when"
    if is_echo(change, context):
        return silent(message)
    hit = depends(f"who planned to move until {change.before} is late")
    hits = {Direction.OLD_CLIENT: hit, **(gone_before_hits(change, context) if after is None else {})}
    return Verdict(message, hits, patch=f'removed: "{change.before}"', severities=severities)


def _life(change: Altered) -> Lifecycle:
    part = change.new
    if isinstance(part, Version | KindVersion | Struct | Field | EnumValue):
        return part.lifecycle
    return NO_LIFECYCLE


def _is_in_time(change: Altered, end: Release) -> bool:
    """Whether users still have the time that beta promises, from the release that deprecates it."""
    deprecated = _life(change).deprecated
    is_beta = of_version(change.element) is Stability.BETA
    return is_beta and deprecated is not None and not is_before(end, deprecated, WINDOW)
