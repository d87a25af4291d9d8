"""A member that a schema names to say that no object has it, where the other side does not name it."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.constraints.effects import loosened_hits, tightened_hits
from apigen.compat.rules.fields.placing import is_excluded, unknown_in
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.types import Field, UnknownFields
from apigen.compat.verdict.verdict import Verdict

_VALUE = "a member of this name"


def came_excluded(change: AnyChange, context: Context) -> Verdict | None:
    """The verdict on a member that is excluded now; None for all else."""
    if not isinstance(change, Added) or not isinstance(change.part, Field) or not is_excluded(change.part):
        return None
    if unknown_in(context.old, change, context) == (UnknownFields.REFUSED,):
        return note(f"{change.element} is excluded by name, and was refused with all that is not named")
    return Verdict(f"{change.element} is excluded by name", tightened_hits(_VALUE))


def was_excluded(change: AnyChange, context: Context) -> Verdict | None:
    """The verdict on a member that is no longer excluded by name; None for all else."""
    if not isinstance(change, Removed) or not isinstance(change.part, Field) or not is_excluded(change.part):
        return None
    if unknown_in(context.new, change, context) == (UnknownFields.REFUSED,):
        return note(f"{change.element} is no longer excluded by name, and is refused with all that is not named")
    return Verdict(f"{change.element} is no longer excluded by name", loosened_hits(_VALUE))
