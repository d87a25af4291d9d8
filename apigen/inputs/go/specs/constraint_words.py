"""Converts single validation tags to constraints of the spec language: a function each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from apigen.inputs.go.specs.constrained import Constrained
from apigen.inputs.go.specs.expressions import Form
from apigen.inputs.go.specs.marker_values import listed_values
from apigen.inputs.go.specs.markers import Tag, unquoted
from apigen.inputs.merging import Entries
from apigen.ir.formats import EMBEDDED_RESOURCE, FORMATS
from apigen.ir.patterns import pattern_problem

NO_WORD = "the spec language does not support it"
_PAIR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|`[^`]*`|true|false)')
_RULE_WORDS = ("message", "messageExpression", "reason", "fieldPath")
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")


def _format(of: Constrained, tag: Tag, into: Entries) -> str:
    name = unquoted(tag.value)
    if name not in FORMATS:
        return f"unknown format `{name}`"
    if of.misplaced("format"):
        return of.misplaced("format")
    into["format"] = name
    return ""


def _embedded_resource(of: Constrained, _: Tag, into: Entries) -> str:
    if of.form is not Form.RAW:
        return "it applies to raw JSON only"
    into["format"] = EMBEDDED_RESOURCE
    return ""


def _pattern(of: Constrained, tag: Tag, into: Entries) -> str:
    if of.misplaced("pattern"):
        return of.misplaced("pattern")
    text = unquoted(tag.value)
    problem = pattern_problem(text)
    if problem is not None:
        return f"invalid pattern: {problem}"
    into["pattern"] = text
    return ""


def _immutable(of: Constrained, tag: Tag, into: Entries) -> str:
    if of.is_of_elements(into) and not of.pairs_elements():
        return _NOT_PAIRED
    into["immutable"] = True
    return ""


_NOT_PAIRED = "its elements have no corresponding old value"
_UPDATES = {name.lower(): name for name in ("noSet", "noUnset", "noModify", "noAddItem", "noRemoveItem")}


def _update(of: Constrained, tag: Tag, into: Entries) -> str:
    word = _UPDATES.get(unquoted(tag.value).lower())
    if word is None:
        return NO_WORD
    if of.is_of_elements(into) and not of.pairs_elements():
        return _NOT_PAIRED
    there = into.get("update")
    into["update"] = [*(list(there) if isinstance(there, list) else []), word]
    return ""


def _forbidden(of: Constrained, tag: Tag, into: Entries) -> str:
    if into is not of.constraints:
        return NO_WORD
    into["forbidden"] = True
    return ""


def _monotonic(of: Constrained, tag: Tag, into: Entries) -> str:
    if of.is_of_elements(into):
        return NO_WORD
    into["monotonic"] = True
    return of.misplaced("minimum")


def _not(of: Constrained, tag: Tag, into: Entries) -> str:
    text, form = unquoted(tag.value), of.form
    if of.is_of_elements(into) or form not in (Form.TEXT, Form.WHOLE, Form.FLAG):
        return NO_WORD
    if form is Form.FLAG:
        into["not"] = text == "true"
    elif form is Form.WHOLE:
        if not NUMBER.fullmatch(text) or "." in text:
            return f"`{text}` is not an integer"
        into["not"] = int(text)
    else:
        into["not"] = text
    return ""


def _custom_unique(of: Constrained, tag: Tag, into: Entries) -> str:
    into["uniqueItems"] = False
    return of.misplaced("uniqueItems") if into is of.constraints else NO_WORD


def _unique(of: Constrained, tag: Tag, into: Entries) -> str:
    if tag.name == "k8s:unique" and tag.value == "map" and into is of.constraints:
        if not of.unique_keys:
            return "it has no `listMapKey`"
        into["uniqueBy"] = list(of.unique_keys)
        return ""
    if tag.name == "k8s:unique" and tag.value != "set":
        return NO_WORD
    if tag.name.startswith("kubebuilder") and tag.value != "true":
        return "" if tag.value == "false" else NO_WORD
    into["uniqueItems"] = True
    return of.misplaced("uniqueItems")


def _exclusive(of: Constrained, tag: Tag, into: Entries) -> str:
    word = tag.name.rpartition(":")[2]
    if tag.value == "true":
        into[word[0].lower() + word[1:]] = True
    return ""


def _siblings(of: Constrained, tag: Tag, into: Entries) -> str:
    if into is not of.constraints or not tag.first:
        return NO_WORD
    word = "requires" if tag.name == "k8s:dependentRequired" else "forbids"
    there = into.get(word)
    names = list(there) if isinstance(there, list) else []
    into[word] = [*names, tag.first]
    return ""


def _required(of: Constrained, tag: Tag, into: Entries) -> str:
    if into is not of.constraints:
        return NO_WORD
    of.required = tag.name.rpartition(":")[2].lower() == "required"
    return ""


def _rule(of: Constrained, tag: Tag, into: Entries) -> str:
    parts = dict(_PAIR.findall(tag.text.partition("XValidation")[2]))
    if "rule" not in parts:
        return NO_WORD
    rule: Entries = {"rule": _text(parts["rule"])}
    for word in _RULE_WORDS:
        if word in parts:
            rule[word] = _text(parts[word])
    if parts.get("optionalOldSelf") == "true":
        rule["optionalOldSelf"] = True
    there = into.get("rules")
    into["rules"] = [*(list(there) if isinstance(there, list) else []), rule]
    others = sorted(parts.keys() - {"rule", "optionalOldSelf", *_RULE_WORDS})
    return f"parts of it, {', '.join(f'`{name}`' for name in others)}: {NO_WORD}" if others else ""


def _one_of(of: Constrained, tag: Tag, into: Entries) -> str:
    """The values that are allowed, where no set of values has a place: of numbers, and of elements."""
    form = of.form
    texts = listed_values(tag.value)
    if form is Form.TEXT:
        values = [json.dumps(text, ensure_ascii=False) for text in texts]
    elif form in (Form.WHOLE, Form.FLOAT) and all(NUMBER.fullmatch(text) for text in texts):
        values = texts if form is Form.WHOLE else [f"{float(text)}" for text in texts]
    elif form is Form.FLAG and {"true", "false"}.issuperset(texts):
        values = texts
    else:
        return NO_WORD
    there = into.get("rules")
    rule: Entries = {"rule": f"self in [{', '.join(values)}]", "message": f"must be one of {', '.join(texts)}"}
    into["rules"] = [*(list(there) if isinstance(there, list) else []), rule]
    return ""


def _text(quoted: str) -> str:
    if quoted.startswith('"'):
        try:
            return str(json.loads(quoted))
        except ValueError:
            return unquoted(quoted)
    return unquoted(quoted)


Handler = Callable[[Constrained, Tag, Entries], str]
WORDS_OF_TAGS: Mapping[str, Handler] = {
    "k8s:format": _format,
    "kubebuilder:validation:Format": _format,
    **dict.fromkeys(
        ("kubebuilder:validation:EmbeddedResource", "kubebuilder:validation:XEmbeddedResource"), _embedded_resource
    ),
    "kubebuilder:validation:Pattern": _pattern,
    "k8s:immutable": _immutable,
    "k8s:update": _update,
    "k8s:forbidden": _forbidden,
    "k8s:monotonic": _monotonic,
    "k8s:neq": _not,
    "k8s:customUnique": _custom_unique,
    "k8s:unique": _unique,
    "kubebuilder:validation:UniqueItems": _unique,
    "kubebuilder:validation:ExclusiveMinimum": _exclusive,
    "kubebuilder:validation:ExclusiveMaximum": _exclusive,
    "k8s:dependentRequired": _siblings,
    "k8s:dependentForbidden": _siblings,
    "k8s:required": _required,
    "k8s:optional": _required,
    "kubebuilder:validation:Required": _required,
    "kubebuilder:validation:Optional": _required,
    "kubebuilder:validation:XValidation": _rule,
    "kubebuilder:validation:Enum": _one_of,
}
