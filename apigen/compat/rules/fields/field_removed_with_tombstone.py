"""A field is gone, and its name and number never return."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.never_on import NeverOn
from apigen.compat.mitigations.window_elapsed import WindowElapsed
from apigen.compat.rules.fields.placing import holder_of, removed_field, tombstone_of
from apigen.compat.rules.fields.removal import removal_hits
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.arriving import example_of
from apigen.compat.values.member import member_of
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FieldRemovedWithTombstone(ChangeRule):
    """Nothing will ever be taken for it; but what was stored in it is lost all the same."""

    id = "field-removed-with-tombstone"
    title = "a field that is gone and left a tombstone"
    severities = Severities.of("W/E/E")
    explanation = (
        "A tombstone keeps name and number from being given to something else. It does not help those who set the field: their"
        " values are dropped. That hurts nobody who did not ask for it where the field's gate was off by default in every"
        " release, which is how Kubernetes gives up alpha fields of stable types: eight times from 1.17 to 1.36."
    )
    fix = "keep the field and deprecate it, until the deprecation policy lets it go with its version"
    presets = WIRE
    mitigations = (NeverOn(), WindowElapsed())

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims removed fields of which the holder keeps the name."""
        field = removed_field(change)
        if field is None or not tombstone_of(holder_of(change), field.name):
            return None
        member = member_of(context.old_types, field)
        hits = removal_hits(change, field, context)
        words = f"{change.element} was removed, and left a tombstone"
        return Verdict(words, hits, self.fix, examples=example_of(member, Side.OLD))
