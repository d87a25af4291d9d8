"""What a rejection must say to show a finding: it names the finding's own rule, and not another one at the same place."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.quoting import quote
from apigen.review.counterexamples.attributing import Refusals
from apigen.review.finding import Finding
from apigen.review.surface import ElementKind, Surface, slot_at

_UNKNOWN = ("unknown field",)
_NO_KIND = ("there is no kind ", "the server does not serve ", "the server serves no ")
_REQUIRED = ("Required value",)
_ENUM = ("Unsupported value",)
_PATTERN = ("must match the pattern",)
_DUPLICATE = ("Duplicate value",)
_LENGTH = ("Too long", "Too short", "Too many", "Too few")
_NUMBER = ("must be greater than", "must be less than", "must be a multiple of")
_TYPE = (": expected ",)
_KNOWN = (*_UNKNOWN, *_NO_KIND, *_REQUIRED, *_ENUM, *_PATTERN, *_DUPLICATE, *_LENGTH, *_NUMBER, *_TYPE)
"""Words by which a rejection says what rejected it. What has none of them may be anything."""

_BY_KEYWORD = {
    "maxLength": ("Too long",),
    "maxBytes": ("Too long",),
    "minLength": ("Too short",),
    "minBytes": ("Too short",),
    "maxItems": ("Too many",),
    "minItems": ("Too few",),
    "maxProperties": ("Too many",),
    "minProperties": ("Too few",),
    "minimum": ("must be greater than",),
    "exclusiveMinimum": ("must be greater than",),
    "maximum": ("must be less than",),
    "exclusiveMaximum": ("must be less than",),
    "multipleOf": ("must be a multiple of",),
}

_OF_WHOLES = frozenset({ElementKind.GROUP, ElementKind.VERSION, ElementKind.KIND})
_OWN = {
    "became-optional": _REQUIRED,
    "became-required": _REQUIRED,
    "default-added": _REQUIRED,
    "default-changed": _REQUIRED,
    "default-removed": _REQUIRED,
    "default-switched": _REQUIRED,
    "enum-constraint-added": _ENUM,
    "enum-constraint-removed": _ENUM,
    "field-added": _UNKNOWN,
    "field-added-required": (*_UNKNOWN, *_REQUIRED),
    "field-removed": _UNKNOWN,
    "field-removed-with-tombstone": _UNKNOWN,
    "list-type-associative": (*_DUPLICATE, *_REQUIRED),
    "list-type-atomic": (*_DUPLICATE, *_REQUIRED),
    "pattern-added": _PATTERN,
    "pattern-changed": _PATTERN,
    "pattern-removed": _PATTERN,
    "pattern-widened": _PATTERN,
    "uniqueness-added": _DUPLICATE,
    "uniqueness-removed": _DUPLICATE,
}
"""What a rejection says that is of a rule. Refusals of the rules that are not here may say anything."""


def refusals_of(finding: Finding, sides: tuple[Surface, Surface]) -> Refusals:
    """What a rejection must say to be of a finding's own rule."""
    element = finding.element
    if element.kind is ElementKind.RULE:
        return Refusals(tuple(dict.fromkeys(_messages(finding, sides))))
    own = _NO_KIND if element.kind in _OF_WHOLES else _OWN.get(finding.rule, ())
    if finding.rule in ("bound-tightened", "bound-loosened"):
        keyword = (finding.new or finding.old).partition(":")[0]
        own = _BY_KEYWORD.get(keyword, ())
    return Refusals(others=tuple(word for word in _KNOWN if word not in own)) if own else Refusals()


def _messages(finding: Finding, sides: tuple[Surface, Surface]) -> Iterator[str]:
    """How errors name the rules in CEL that a finding is about: the one of its element, and the one that it says this was, or became."""
    for side in sides:
        slot = slot_at(side, finding.element)
        for rule in () if slot is None else slot.rules:
            if finding.element.path.endswith(f"({rule.name})") or quote(rule.name) in finding.verdict.message:
                yield (rule.message or "").strip() or f"failed rule: {rule.text.strip()}"
