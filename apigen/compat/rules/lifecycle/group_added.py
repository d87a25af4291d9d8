"""A group that is new."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.surface import Group
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class GroupAdded(ChangeRule):
    """Nobody of before knows it."""

    id = "group-added"
    title = "a group was added"
    severities = Severities.of("I/I/I")
    explanation = (
        "What nobody had cannot break. New clients find the group on new servers only, as they do with any new API."
    )
    fix = "nothing: say in the release notes that it is there"
    no_witness = "nobody had objects of it"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Added) or not isinstance(change.part, Group):
            return None
        versions = " and ".join(change.part.versions) or "no version"
        return note(f"group {change.element.group or 'core'} is new, with {versions}", self.fix)
