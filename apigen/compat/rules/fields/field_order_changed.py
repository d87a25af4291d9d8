"""The fields of a struct stand in another order."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FieldOrderChanged(ChangeRule):
    """No reader minds the order; people and texts that are compared do."""

    id = "field-order-changed"
    title = "fields in another order"
    severities = Severities.of("-/I/I")
    explanation = (
        "JSON objects have no order to their readers, and protobuf goes by number. The order shows in documentation, in texts"
        " that are compared byte for byte, and in code that passes fields by position."
    )
    fix = "add new fields at the end, and leave the others where they are"
    no_witness = "no reader minds the order of members"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every change of order."""
        if not isinstance(change, Altered) or not isinstance(change.before, tuple):
            return None
        moved = _moved([str(name) for name in change.before], change.after)
        return Verdict(f"fields of {change.element} stand in another order: {moved} moved", {})


def _moved(before: list[str], after: object) -> str:
    """The first field that is not where it was."""
    names = [str(name) for name in after] if isinstance(after, tuple) else []
    return next((name for name, old in zip(names, before, strict=False) if name != old), "one")
