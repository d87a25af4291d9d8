"""A field asks less of those beside it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.dependents import WORDS, broken_by, dependents, in_words
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("dependents-loosened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def dependents_loosened(change: AnyChange, context: Context) -> Verdict | None:
    """`requires` or `forbids` name fewer fields, or only fields that are new."""
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
