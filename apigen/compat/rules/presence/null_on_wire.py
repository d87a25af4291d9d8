"""What null does where a schema speaks of it."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.surface.resolving import unfolded
from apigen.compat.surface.types import ListOf, MapOf, Slot
from apigen.compat.values.hits import everywhere
from apigen.compat.values.wire import is_on_wire
from apigen.compat.verdict.impact import Hits, breaks


def wire_hits(change: AnyChange, context: Context) -> Hits:
    """In protobuf a list or map that may be null in a map is a message of its own; nothing else has another form."""
    if not isinstance(change, Altered) or not isinstance(change.new, Slot):
        return {}
    type_ = unfolded(context.new, change.new).type
    if not isinstance(type_, ListOf | MapOf) or not is_on_wire(change.element, context):
        return {}
    return everywhere(breaks("in protobuf a list or map that may be null is a message of its own"))
