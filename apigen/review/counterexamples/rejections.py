"""The rejections that show a finding: those by the finding's own rule, and not by another one at the same place."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.quoting import quote
from apigen.review.counterexamples.outcome import NO_KIND, UNKNOWN_FIELD, Rejections
from apigen.review.finding import Finding
from apigen.review.surface import ElementKind, Surface, slot_at
from apigen.runtime.structural.engine import RULES
from apigen.runtime.structural.nodes import LIST_TYPE

_TEXTS = {
    UNKNOWN_FIELD: ("unknown field",),
    NO_KIND: ("there is no kind ", "the server does not serve ", "the server serves no "),
    "required": ("Required value",),
    "enum": ("Unsupported value",),
    "pattern": ("must match the pattern",),
    LIST_TYPE: ("Duplicate value",),
    "uniqueItems": ("Duplicate value",),
    **dict.fromkeys(("maxLength", "maxBytes"), ("Too long",)),
    **dict.fromkeys(("minLength", "minBytes"), ("Too short",)),
    **dict.fromkeys(("maxItems", "maxProperties"), ("Too many",)),
    **dict.fromkeys(("minItems", "minProperties"), ("Too few",)),
    **dict.fromkeys(("minimum", "exclusiveMinimum"), ("must be greater than",)),
    **dict.fromkeys(("maximum", "exclusiveMaximum"), ("must be less than",)),
    "multipleOf": ("must be a multiple of",),
    "type": (": expected ",),
}
"""Parts of the error messages of generated code, by keyword. Errors of other keywords are not recognized by their text.
"""

_OTHER_THAN_VALUES = frozenset({UNKNOWN_FIELD, NO_KIND, "type"})
_OF_WHOLES = frozenset({ElementKind.GROUP, ElementKind.VERSION, ElementKind.KIND})
_ALTERNATIVES = ("allOf", "anyOf", "oneOf", "not")
_OWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("became-optional", "became-required", "status-became-required"), ("required",)),
    **dict.fromkeys(("default-added", "default-changed", "default-removed", "default-switched"), ("required",)),
    **dict.fromkeys(("enum-constraint-added", "enum-constraint-removed"), ("enum",)),
    **dict.fromkeys(("field-added", "field-removed", "field-removed-with-tombstone"), (UNKNOWN_FIELD,)),
    "field-added-required": (UNKNOWN_FIELD, "required"),
    **dict.fromkeys(("list-type-associative", "list-type-atomic"), (LIST_TYPE, "required")),
    **dict.fromkeys(("pattern-added", "pattern-changed", "pattern-removed", "pattern-widened"), ("pattern",)),
    # a client that cannot read null is a finding of its own
    "null-rejects-objects": (*(each for each in _TEXTS if each not in _OTHER_THAN_VALUES), *_ALTERNATIVES, RULES),
    **dict.fromkeys(("uniqueness-added", "uniqueness-removed"), ("uniqueItems", LIST_TYPE)),
}
"""The keywords whose rejections show a finding of a rule. Findings of other rules may be shown by any rejection."""


def rejections_of(finding: Finding, sides: tuple[Surface, Surface]) -> Rejections:
    """Return the rejections that show a finding."""
    element = finding.element
    if element.kind is ElementKind.RULE:
        return Rejections(frozenset({RULES}), tuple(dict.fromkeys(_messages(finding, sides))))
    if finding.result.number_of:  # an unknown name in JSON is a finding of its own
        return Rejections(others=_TEXTS[UNKNOWN_FIELD])
    own = (NO_KIND,) if element.kind in _OF_WHOLES else _OWN.get(finding.rule, ())
    if finding.rule in ("bound-tightened", "bound-loosened"):
        own = ((finding.new or finding.old).partition(":")[0],)
    if element.kind is ElementKind.BRANCH:
        return Rejections(frozenset(_ALTERNATIVES))
    if not own:
        return Rejections()
    own_words = {word for keyword in own for word in _TEXTS.get(keyword, ())}
    others = {word: None for words in _TEXTS.values() for word in words if word not in own_words}
    return Rejections(frozenset(own), others=tuple(others) if own_words else ())


def _messages(finding: Finding, sides: tuple[Surface, Surface]) -> Iterator[str]:
    """Yield the error messages of the CEL rules that a finding is about: that of its element, and those that its
    message names.
    """
    for side in sides:
        slot = slot_at(side, finding.element)
        for rule in () if slot is None else slot.rules:
            if finding.element.path.endswith(f"({rule.name})") or quote(rule.name) in finding.result.message:
                yield (rule.message or "").strip() or f"failed rule: {rule.text.strip()}"
