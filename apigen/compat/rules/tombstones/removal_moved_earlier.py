"""Something is to go sooner than users were told."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule, altered
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.verdicts import silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Release

LIVING = (ElementKind.VERSION, ElementKind.KIND, ElementKind.STRUCT, ElementKind.FIELD, ElementKind.ENUM_VALUE)
"""What has a lifecycle."""


class RemovalMovedEarlier(ChangeRule):
    """Who planned by what was said is late."""

    id = "removal-moved-earlier"
    title = "the announced end of something is sooner than it was, or said no longer while it is deprecated"
    severities = Severities.of("I/E/E")
    explanation = (
        "Users plan by the release that was announced. It may be put off, and not brought forward; one that is not said any more"
        " leaves them without a date, while what they use is deprecated still."
    )
    fix = "say the release again that was announced, or a later one"
    claims = (altered(Trait.REMOVED, *LIVING),)
    no_witness = "what is announced works as ever until then"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered) or not isinstance(change.before, Release):
            return None
        after = change.after
        if isinstance(after, Release):
            if after >= change.before:
                return None
            message = f"{change.element} is to go in {after}, and was to go in {change.before}"
        else:
            life = getattr(change.new, "lifecycle", None)
            if life is None or not life.tells_deprecated:
                return None
            message = f"{change.element} is deprecated, was to go in {change.before}, and now nobody knows when"
        if is_echo(change, context):
            return silent(message)
        hit = depends(f"who planned to move until {change.before} is late")
        return Verdict(message, {Direction.OLD_CLIENT: hit}, self.fix, f'removed: "{change.before}"')
