"""A CEL rule about fields that the old side does not have."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.cel.implication import clause_guards
from apigen.compat.rules.claims import added
from apigen.compat.rules.constraints.rule_change import rule_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.resolving import definition
from apigen.compat.surface.slots import slot_at
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Named, Slot, Struct
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("rule-on-new-fields", added(ElementKind.RULE), severities="I/I/I")
def rule_on_new_fields(change: AnyChange, context: Context) -> Verdict | None:
    """`!has(self.new) || …`: no object of before can break it."""
    found = rule_change(change, context)
    if found is None or not isinstance(change, Added) or not isinstance(change.holder, Slot):
        return None
    before = _struct(context.old, change, slot_at(context.old, change.element))
    now = _struct(context.new, change, change.holder)
    if before is None or now is None:
        return None
    fresh = now.fields.keys() - before.fields.keys()
    guards = clause_guards(found.rule.text)
    if not guards or not all(guard & fresh for guard in guards):
        return None
    names = " and ".join(f"`{name}`" for name in sorted(set().union(*guards) & fresh))
    hit = depends(
        f"a new client that sets {names} at a server of before finds the rule not asked and the field dropped"
    )
    return Verdict(f"the rule `{found.rule.text}` is about {names} alone, which is new", {Direction.NEW_CLIENT: hit})


def _struct(surface: Surface, change: Added, slot: Slot | None) -> Struct | None:
    """The struct that a rule judges: the one it stands on, or the one that is the value of its slot."""
    if slot is None:
        return None
    if isinstance(slot.type, Named):
        named = definition(surface, slot.type)
        if isinstance(named, Struct):
            return named
    held = surface.type(change.element.type_name)
    return held if isinstance(held, Struct) and change.element.path.startswith("(") else None
