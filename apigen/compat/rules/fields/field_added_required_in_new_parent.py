"""A required field was added where no object of before can miss it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import added
from apigen.compat.rules.fields.placing import added_field
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.arriving import example_of
from apigen.compat.values.member import member_of
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("field-added-required-in-new-parent", added(ElementKind.FIELD), severities="I/I/I")
def field_added_required_in_new_parent(change: AnyChange, context: Context) -> Verdict | None:
    """No kind led to the type before, so no object holds a value of it."""
    field, name = added_field(change), change.element.type_name
    if field is None or not field.required or context.depth or context.old.type(name) is None:
        return None
    if not context.new_known.kinds(name) or context.old_known.kinds(name):
        return None
    hits = {
        Direction.NEW_CLIENT: depends("a server of before drops the whole parent, which it does not know"),
        Direction.ROLLBACK: depends("the release before drops the whole parent when it writes the object again"),
    }
    examples = example_of(member_of(context.new, field), Side.NEW)
    return Verdict(f"{change.element} was added as required, in a type that no kind led to", hits, examples=examples)
