"""A keyword that says nothing of values came, went or says something else."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.branches.nesting import ALTERNATIVES, CONDITIONS, TOLD, branch_of, place_name
from apigen.compat.rules.rule import ChangeRule, added, removed
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class AnnotationChanged(ChangeRule):
    """Validators pass over keywords that they do not know; tools that know them do not."""

    id = "schema-annotation-changed"
    title = "a keyword changed that no validator looks at (`x-…`, `contentEncoding`, `definitions`)"
    severities = Severities.of("I/I/I")
    explanation = (
        "JSON Schema leaves unknown keywords to whoever knows them, and an API server drops them: which values are valid does not"
        " depend on them. A tool that reads them may still do something else, so they are told."
    )
    fix = "look whether a tool of yours reads the keyword"
    no_witness = "no value is valid or invalid for it"
    claims = (added(ElementKind.BRANCH), removed(ElementKind.BRANCH))

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """A verdict without hits."""
        branch = branch_of(change)
        if branch is None or branch.keyword in ALTERNATIVES | CONDITIONS:
            return None
        holder = place_name(change.element, branch)
        how = "says" if isinstance(change, Added) else "no longer says"
        why = "which says nothing of values by itself" if branch.keyword in TOLD else "which no validator looks at"
        return Verdict(f"{holder} {how} {branch.keyword} {branch.label}, {why}", {}, self.fix)
