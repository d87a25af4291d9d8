"""A value of an enum is gone."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.mitigations.never_on import NeverOn
from apigen.compat.mitigations.ratcheting import RatchetingOfEnum
from apigen.compat.rules.claims import removed
from apigen.compat.rules.enums.known import is_accepted, is_open, value_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "enum-value-removed",
    removed(ElementKind.ENUM_VALUE),
    severities="W/E/E",
    mitigated_by=(RatchetingOfEnum(), NeverOn()),
    presets=WIRE,
)
def enum_value_removed(change: AnyChange, context: Context) -> Verdict | None:
    """What had it is refused; of an open enum, it is no longer known."""
    found = value_change(change, context)
    if found is None or not isinstance(change, Removed):
        return None
    message = f"`{change.element.type}` no longer has the value {found.name}"
    if is_open(found.new):
        text = f"nothing acts on {found.name} any more, though it is accepted"
        hits = {Direction.OLD_CLIENT: depends(text), Direction.STORED: depends(text)}
        if is_open(found.old) and not is_accepted(found.value, context.old, change.element.group):
            hits[Direction.NEW_CLIENT] = breaks(
                f"a new client that sends {found.name} to a server of before is refused"
            )
            hits[Direction.ROLLBACK] = depends(
                f"the release before keeps {found.name}, and gives it to no other object"
            )
        return Verdict(f"{message}, and accepts any text", hits, severities=Severities.of("I/I/W"))
    return Verdict(
        message,
        {
            Direction.OLD_CLIENT: breaks(f"a client of before that sends {found.name} is refused"),
            Direction.STORED: breaks(f"a stored object with {found.name} is refused when it is judged again"),
        },
        patch=f'{found.value.value}: {{deprecated: "<this release>"}}',
        examples=(Example(Side.OLD, found.json),),
    )
