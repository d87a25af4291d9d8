"""A field that may be left out was added."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.added_everywhere import AddedEverywhere
from apigen.compat.rules.claims import added
from apigen.compat.rules.fields.placing import added_field, demands_of, hits_of_added
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Field
from apigen.compat.values.arriving import example_of, is_always_there
from apigen.compat.values.hits import joined
from apigen.compat.values.member import Member, member_of
from apigen.compat.values.unjudged import refusal_of_update
from apigen.compat.values.waking import of_added, woken
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.impact import Direction, Impact, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_REFUSES = Severities.of("W/E/E")
_WITHOUT_DEFAULT = "leave out the default, or let what is in the struct with it be left out"

_REFUSED = {
    Direction.OLD_CLIENT: "a client of before, which does not send it, is refused",
    Direction.STORED: "a stored object without it is refused when it is judged again",
}
_NOT_REQUIRED = "let no condition that objects of before may meet ask for the field, or refuse its default"


@change_rule("field-added", added(ElementKind.FIELD), severities="I/I/I", mitigated_by=(AddedEverywhere(),))
def field_added(change: AnyChange, context: Context) -> Verdict | None:
    """The way an API grows: nobody has to send it, and those who do not know it lose it at worst."""
    field = added_field(change)
    if field is None:
        return None
    member = member_of(context.new, field)
    is_rewritten = is_always_there(member)
    reason = woken(context.new, context.old, change.element.type_name, field)
    hits = of_added(hits_of_added(member, change, context), reason, ratchets=context.new.ratchets)
    of_update = refusal_of_update(member)
    if of_update:
        text = f"a client of before may be refused when it updates without it: {of_update}"
        hits = joined((hits, {Direction.OLD_CLIENT: depends(text)}))
    demanded = demands_of(member, change, (context.new, context.old), _REFUSED)
    is_refused = any(hit.impact is Impact.BREAKS for hit in demanded.values())
    hits = joined((hits, demanded))
    is_ungated = field.gate is None and change.element.group in context.gated_groups
    return Verdict(
        _message(change, field, member),
        hits,
        _WITHOUT_DEFAULT if reason else _NOT_REQUIRED if demanded else "",
        severities=(
            _REFUSES if reason or is_refused else Severities.of("I/I/W") if is_ungated or is_rewritten else None
        ),
        examples=example_of(member, Side.NEW),
    )


def _message(change: AnyChange, field: Field, member: Member) -> str:
    gate = "" if field.gate is None else f", behind {' and '.join(field.gate.gates)}"
    always = ", and is always there" if is_always_there(member) else ""
    return f"{change.element} was added{gate}{always}"
