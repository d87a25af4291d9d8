"""A field asks less of those beside it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.dependents import WORDS, broken_by, dependents, in_words
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DependentsLoosened(ChangeRule):
    """`requires` or `forbids` name fewer fields, or only fields that are new."""

    id = "dependents-loosened"
    title = "a field that asks less of the fields beside it"
    severities = Severities.of("I/W/W")
    explanation = (
        "A combination of fields that was refused is accepted: clients may not expect it, and servers of the release before refuse"
        " it. Where `forbids` only names fields that are new or gone, no object is judged differently."
    )
    fix = "accept the combination in updates of objects that have it for a release, then everywhere"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims names that went, and what hurts nobody."""
        found = constraint_change(change, *WORDS)
        if found is None:
            return None
        named = dependents(found, context)
        if not named.went:
            return Verdict(f"{change_in_words(found)}, which no object of before can break", {}, severities=_HARMLESS)
        hits = loosened_hits(in_words(found, named.went))
        examples = broken_by(found, named.went, Side.NEW, context)
        return Verdict(change_in_words(found), hits, examples=examples, beside=named.went)


_HARMLESS = Severities.of("I/I/I")
