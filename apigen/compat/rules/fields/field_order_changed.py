"""The fields of a struct stand in another order."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule("field-order-changed", altered(Trait.ORDER, ElementKind.STRUCT), severities="-/I/I")
def field_order_changed(change: AnyChange, context: Context) -> Verdict | None:
    """No reader minds the order; people and texts that are compared do."""
    if not isinstance(change, Altered) or not isinstance(change.before, tuple):
        return None
    moved = _moved([str(name) for name in change.before], change.after)
    return Verdict(f"fields of {change.element} stand in another order: {moved} moved", {})


def _moved(before: list[str], after: object) -> str:
    """The first field that is not where it was."""
    names = [str(name) for name in after] if isinstance(after, tuple) else []
    return next((name for name, old in zip(names, before, strict=False) if name != old), "one")
