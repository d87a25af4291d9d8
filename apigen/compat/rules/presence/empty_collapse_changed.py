"""Whether a list, a map or bytes tell empty from nothing."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.presence.pair import MemberPair, members_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.member import Form
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EmptyCollapseChanged(ChangeRule):
    """An empty list and none at all are one to some, and two to others."""

    id = "empty-collapse-changed"
    title = "a list, map or bytes of which empty and left out became one, or two"
    severities = Severities.of("I/W/W")
    explanation = (
        "An empty list that is written, one that is left out, and null differ in JSON, and never in protobuf, where an empty"
        " list is not written. With another presence, what was empty comes back as nothing or the reverse, which shows where"
        " an empty selector means all and no selector none. Bytes that can no longer be nothing lose it as a text does."
    )
    fix = "keep the presence, or make empty and nothing mean the same to the server"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims changes of presence of lists, maps and bytes."""
        pair = members_of(change, context)
        if pair is None or not {pair.old.form, pair.new.form} & {Form.CONTAINER, Form.BYTES}:
            return None
        return Verdict(
            f"presence of {change.element} is {pair.new.presence.value} instead of {pair.old.presence.value}:"
            f" {'empty and nothing are no longer what they were' if pair.passed.hits else 'readers see no difference'}",
            pair.passed.hits,
            severities=_severities(pair),
            examples=pair.passed.examples,
            is_unproven=pair.is_unproven,
        )


def _severities(pair: MemberPair) -> Severities | None:
    """None for those of the rule. Bytes that were nothing and are empty from now on are as bad as a text."""
    if not pair.passed.hits:
        return Severities.of("I/I/I")
    is_lost = pair.old.form is pair.new.form is Form.BYTES and pair.was_pointer and not pair.is_pointer
    return Severities.of("W/E/E") if pair.breaks or is_lost else None
