"""Annotations of schemas."""

from __future__ import annotations

from apigen.review.changes.change import Added, Removed
from apigen.review.context import Context
from apigen.review.rules.rule import change_rule
from apigen.review.rules.selecting import added, removed
from apigen.review.surface import Branch, ElementKind
from apigen.review.verdict.verdict import Verdict

_VALIDATING = frozenset(
    {
        *("allOf", "anyOf", "oneOf", "oneOf (may overlap)", "not", "if", "contains", "enum", "definitions"),
        *("items", "keys", "values", "propertyNames", "patternProperties", "additionalProperties"),
        *("dependencies", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"),
        *("$dynamicRef", "$recursiveRef", "discriminator", "extends", "disallow", "divisibleBy"),
    }
)
"""Keywords of any draft of JSON Schema, or of OpenAPI, that values are judged by."""


@change_rule("schema-annotation-changed", added(ElementKind.BRANCH), removed(ElementKind.BRANCH), severities="I/I/I")
def schema_annotation_changed(change: Added | Removed, context: Context) -> Verdict | None:
    """Validators pass over keywords that they do not know; tools that know them do not."""
    branch = change.part
    if not isinstance(branch, Branch) or branch.keyword in _VALIDATING:
        return None
    holder = str(change.element).removesuffix(f"({branch.keyword}[{branch.label}])").rstrip(".")
    how = "says" if isinstance(change, Added) else "no longer says"
    return Verdict(f"{holder} {how} {branch.keyword} {branch.label}, which no validator looks at")
