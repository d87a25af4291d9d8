"""Annotations of schemas."""

from __future__ import annotations

from apigen.review.changes.change import Added, Removed
from apigen.review.context import Context
from apigen.review.results import RuleResult
from apigen.review.rules.rule import added, change_rule, removed
from apigen.review.surface import Branch, ElementKind

_VALIDATING = frozenset(
    {
        *("allOf", "anyOf", "oneOf", "oneOf (may overlap)", "not", "if", "contains", "enum", "definitions"),
        *("items", "keys", "values", "propertyNames", "patternProperties", "additionalProperties"),
        *("dependencies", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"),
        *("$dynamicRef", "$recursiveRef", "discriminator", "extends", "disallow", "divisibleBy"),
    }
)
"""Keywords of any draft of JSON Schema, or of OpenAPI, that affect validation."""


@change_rule("schema-annotation-changed", added(ElementKind.BRANCH), removed(ElementKind.BRANCH), severities="I/I/I")
def schema_annotation_changed(change: Added | Removed, context: Context) -> RuleResult | None:
    """Validators ignore unknown keywords; tools that know them do not."""
    branch = change.part
    if not isinstance(branch, Branch) or branch.keyword in _VALIDATING:
        return None
    holder = str(change.element).removesuffix(f"({branch.keyword}[{branch.label}])").rstrip(".")
    how = "was added to" if isinstance(change, Added) else "was removed from"
    return RuleResult(f"annotation {branch.keyword} {branch.label} {how} {holder}, without effect on validation")
