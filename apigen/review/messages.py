"""Effects of changes of requests and responses.

Rules determine whether values of one side are valid on the other. A request is written by a client and read by a server; a
response is written by a server, so an older client reads values of the revision. Messages are not stored.
"""

from __future__ import annotations

from collections.abc import Mapping

from apigen.review.changes.change import Added, Altered, AnyChange
from apigen.review.context import Context
from apigen.review.results import Direction, Effect, Impact, Severity, breaks, depends
from apigen.review.surface import Element, ElementKind, Messages

_TYPES = frozenset({ElementKind.STRUCT, ElementKind.ENUM, ElementKind.ALIAS, ElementKind.KIND})

_STORED = {Direction.OLD_CLIENT: Direction.STORED, Direction.NEW_CLIENT: Direction.ROLLBACK}
"""The direction of storage that corresponds to each client direction, in which rules report effects on written values."""

_READS = {
    Direction.OLD_CLIENT: "older clients may read a response that their schema does not accept",
    Direction.NEW_CLIENT: "newer clients may read a response of an older server that their schema does not accept",
}
_IGNORES = {
    Direction.OLD_CLIENT: "older clients may read a response that is incomplete or has another meaning",
    Direction.NEW_CLIENT: "newer clients may read a response of an older server that is incomplete or has another meaning",
}
_SEVERITIES = {Impact.BREAKS: Severity.ERROR, Impact.DEPENDS: Severity.WARNING}


def group_messages(element: Element, context: Context) -> Messages | None:
    """Return whether an element is part of requests, responses or both; None for types of stored objects."""
    for side in (context.new, context.old):
        group = side.groups.get(element.group)
        if group is not None and group.messages is not None:
            return group.messages
    return None


def of_messages(
    change: AnyChange, messages: Messages, effects: Mapping[Direction, Effect], severity: Severity
) -> tuple[dict[Direction, Effect], Severity]:
    """Return the effects and the severity of a change of requests or responses, given those for values in general.

    An added or removed type does not change a message; the field that refers to it does.
    """
    if change.element.kind in _TYPES and not isinstance(change, Altered):
        return {}, Severity.SILENT
    if not effects:
        return {}, severity
    old, new = _of_writer(effects, Direction.OLD_CLIENT), _of_writer(effects, Direction.NEW_CLIENT)
    if messages is Messages.REQUEST:
        found = {Direction.OLD_CLIENT: old, Direction.NEW_CLIENT: new}
    else:
        is_growth = isinstance(change, Added) and change.element.kind is ElementKind.ENUM_VALUE
        found = {
            Direction.OLD_CLIENT: effects.get(Direction.OLD_CLIENT) if is_growth else _reads(Direction.OLD_CLIENT, new),
            Direction.NEW_CLIENT: _reads(Direction.NEW_CLIENT, old),
        }
    left = {direction: effect for direction, effect in found.items() if effect is not None}
    hurt = left.get(Direction.OLD_CLIENT)
    worst = Severity.INFO if hurt is None else _SEVERITIES[hurt.impact]
    return left, min(severity, worst) if severity in (Severity.SILENT, Severity.UNVERIFIED) else worst


def _of_writer(effects: Mapping[Direction, Effect], client: Direction) -> Effect | None:
    """The effects on values that a client writes. If stored values are safe, only clients that read them are affected."""
    stored, effect = effects.get(_STORED[client]), effects.get(client)
    if effect is not None and effect.impact is Impact.BREAKS:
        return effect
    return None if stored is None else effect or stored


def _reads(reader: Direction, written: Effect | None) -> Effect | None:
    """Return the effect on a reader of responses with values that the other side writes."""
    if written is None:
        return None
    return breaks(_READS[reader]) if written.impact is Impact.BREAKS else depends(_IGNORES[reader])
