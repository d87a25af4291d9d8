"""A value came in two steps: it is known, and not yet accepted."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import added
from apigen.compat.rules.enums.added_hits import added_hits_of_open
from apigen.compat.rules.enums.known import ValueChange, is_accepted, is_open, value_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("enum-value-rolled-out", added(ElementKind.ENUM_VALUE), severities="I/I/I")
def enum_value_rolled_out(change: AnyChange, context: Context) -> Verdict | None:
    """Tolerated where it is, or behind a gate that is off: nothing gets the value yet."""
    found = value_change(change, context)
    if found is None or not isinstance(change, Added) or is_accepted(found.value, context.new, change.element.group):
        return None
    gate = found.value.gate
    if gate is not None:
        when = f"where {(' or ' if gate.is_any else ' and ').join(gate.gates)} is switched on"
    else:
        when = f"from {found.value.lifecycle.introduced} on"
    message = f"{found.name} is a new value of `{change.element.type}`, accepted {when}"
    if is_open(found.old):
        return Verdict(
            f"{message}, and was text like any other",
            _of_open(found.name),
            severities=_REFUSED,
            examples=_sent(found),
        )
    return Verdict(
        message,
        {
            Direction.NEW_CLIENT: depends(f"a new client that sends {found.name} to a server of before is refused"),
            Direction.ROLLBACK: depends(f"the release before refuses an object that got {found.name} {when}"),
        },
    )


_REFUSED = Severities.of("W/W/W")


def _of_open(name: str) -> dict[Direction, Hit]:
    """Of a value that an open enum took for any text, which it refuses until the value is accepted."""
    return {
        **added_hits_of_open(name),
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {name} as a text of its own is refused"),
        Direction.STORED: depends(f"a stored object keeps {name}, and no other may get it"),
    }


def _sent(found: ValueChange) -> tuple[Example, ...]:
    return (Example(Side.OLD, found.json),)
