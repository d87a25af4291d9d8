"""A required field was added where no object of before can miss it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.fields.placing import added_field
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.arriving import example_of
from apigen.compat.values.member import member_of
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FieldAddedRequiredInNewParent(ChangeRule):
    """No kind led to the type before, so no object holds a value of it."""

    id = "field-added-required-in-new-parent"
    title = "a required field in a type that no object could hold before"
    severities = Severities.of("I/I/I")
    explanation = (
        "The type is there on both sides, but no kind of the old side leads to it: whoever sets the new parent knows its"
        " required fields as well. That is the rule of required fields below a new optional one."
    )
    fix = "nothing has to be done"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims required fields of types that are part of kinds now and were not before."""
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
        return Verdict(
            f"{change.element} was added as required, in a type that no kind led to", hits, examples=examples
        )
