"""A keyword that says nothing of values came, went or says something else."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Branch
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_VALIDATING = frozenset(
    {
        *("allOf", "anyOf", "oneOf", "oneOf (may overlap)", "not", "if", "contains", "enum", "definitions"),
        *("items", "keys", "values", "propertyNames", "patternProperties", "additionalProperties"),
        *("dependencies", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"),
        *("$dynamicRef", "$recursiveRef", "discriminator", "extends", "disallow", "divisibleBy"),
    }
)
"""Keywords of any draft of JSON Schema, or of OpenAPI, that values are judged by."""


class SchemaAnnotationChanged(ChangeRule):
    """Validators pass over keywords that they do not know; tools that know them do not."""

    id = "schema-annotation-changed"
    title = "a keyword changed that no validator looks at (`x-…`, `contentEncoding`)"
    severities = Severities.of("I/I/I")
    explanation = (
        "JSON Schema leaves unknown keywords to whoever knows them, and an API server drops them: which values are valid does not"
        " depend on them. A tool that reads them may still do something else, so they are told."
    )
    fix = "look whether a tool of yours reads the keyword"
    no_witness = "no value is valid or invalid for it"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """A verdict without hits."""
        branch = change.part if isinstance(change, Added | Removed) else None
        if not isinstance(branch, Branch) or branch.keyword in _VALIDATING:
            return None
        holder = str(change.element).removesuffix(f"({branch.keyword}[{branch.label}])").rstrip(".")
        how = "says" if isinstance(change, Added) else "no longer says"
        return Verdict(f"{holder} {how} {branch.keyword} {branch.label}, which no validator looks at", {}, self.fix)
