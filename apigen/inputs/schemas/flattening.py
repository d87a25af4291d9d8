"""Normalize a schema: `allOf` is merged into the schema where possible, `null` among alternatives becomes `nullable`, and the
alternatives of int-or-string are removed.

The same set of values in another form is then not a change.
"""

from __future__ import annotations

from apigen.inputs.schemas.words import (
    Words,
    as_node,
    is_schema,
    is_true,
    items_of,
    text_of,
    value_of,
    words_of,
)
from apigen.language.nodes import Entry, Mapping, Node, Scalar, Sequence
from apigen.runtime.structural.nodes import INT_OR_STRING

_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_TOGETHER = (
    frozenset({"if", "then", "else"}),
    frozenset({"contains", "minContains", "maxContains"}),
    frozenset({"items", "additionalItems", "prefixItems"}),
    frozenset({"minimum", "exclusiveMinimum"}),
    frozenset({"maximum", "exclusiveMaximum"}),
)
"""Keywords that depend on each other: all of them are merged, or none."""
_CLOSING = frozenset({"additionalProperties", "patternProperties"})
"""Keywords that apply to the properties that sibling keywords do not mention, and those that limit which these are."""
_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})
"""Keywords that apply to the parts that neither sibling keywords nor the schemas in these mention."""
_EVALUATING = frozenset({"$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "dependencies"})
"""Keywords whose schemas may mention properties of the same object."""
_ANNOTATIONS = frozenset({"description", "title", "$comment", "examples", "example"})
_ALTERNATIVES = '[{"type":"integer"},{"type":"string"}]'


def flattened(node: Mapping) -> dict[str, Node]:
    """The words of a schema in that form."""
    words = words_of(node)
    if "$ref" in words and "properties" in words:
        reference = as_node({"$ref": words.pop("$ref")}, node)
        all_of = Sequence((reference,), node.file, node.line, node.column)
        words["allOf"] = _joined(words.get("allOf"), all_of)
    if "allOf" in words:
        words = _with_all_of(words)
    if is_true(words, INT_OR_STRING):
        words = {name: value for name, value in words.items() if name != "anyOf" or text_of(value) != _ALTERNATIVES}
    for name in ("anyOf", "oneOf"):
        if name in words:
            words = _with_types(_without_null(words, name, node), name)
    return _with_plain_closing(words)


def _with_plain_closing(words: dict[str, Node]) -> dict[str, Node]:
    """Return the keywords with `additionalProperties` in place of `unevaluatedProperties` where both mean the same."""
    unevaluated = words.get("unevaluatedProperties")
    if unevaluated is None or not is_schema(unevaluated) or not _EVALUATING.isdisjoint(words):
        return words
    others = {name: value for name, value in words.items() if name != "unevaluatedProperties"}
    return {"additionalProperties": unevaluated, **others}


def _with_all_of(words: dict[str, Node]) -> dict[str, Node]:
    """The words with those of `allOf` that can is next to them."""
    all_of = words["allOf"]
    if not isinstance(all_of, Sequence):
        return words
    merged = {name: value for name, value in words.items() if name != "allOf"}
    kept: list[Node] = []
    waiting = list(reversed(all_of.items))
    while waiting:
        item = waiting.pop()
        if not isinstance(item, Mapping):
            kept.append(item)
            continue
        parts = _parts(item)
        if parts:
            waiting.extend(reversed(parts))
            continue
        if "$ref" in words_of(item):
            kept.append(item)
            continue
        inner = flattened(item)
        if is_true(words, "nullable"):  # valid regardless of the schemas in it
            inner = words_of(_with_null(as_node(inner, item)))
        rest = _taken_over(merged, inner)
        if rest.keys() - _ANNOTATIONS:
            kept.append(as_node(rest, item))
    references = sum("$ref" in words_of(item) for item in kept)
    if references == 1 and not merged.keys() & {"$ref", "type", "properties", "items", "enum", "additionalProperties"}:
        kept = _adopted(merged, kept)
    if kept:
        merged["allOf"] = Sequence(tuple(kept), all_of.file, all_of.line, all_of.column)
    return merged


def _parts(item: Mapping) -> list[Node]:
    """Return the schemas that a schema in `allOf` combines itself, each as one of `allOf`; none if it is one schema."""
    own = words_of(item)
    if not _UNEVALUATED.isdisjoint(own):
        return []
    nested = own.pop("allOf", None)
    parts: list[Node] = [*nested.items] if isinstance(nested, Sequence) else []
    if "$ref" in own and own.keys() - {"$ref"} - _ANNOTATIONS:
        parts.append(as_node({"$ref": own.pop("$ref")}, item))
    return [as_node(own, item), *parts] if parts else []


def _adopted(merged: dict[str, Node], items: list[Node]) -> list[Node]:
    """Return the schema after its only reference is inlined; its other keywords are dropped."""
    rest: list[Node] = []
    for item in items:
        own = words_of(item)
        if isinstance(item, Mapping) and "$ref" in own:
            merged["$ref"] = own.pop("$ref")
            item = as_node(own, item)
            if not own.keys() - _ANNOTATIONS:
                continue
        rest.append(item)
    return rest


def _taken_over(merged: dict[str, Node], words: Words) -> dict[str, Node]:
    """Merge keywords into `merged`, as far as possible; return the others."""
    if not _UNEVALUATED.isdisjoint(words):  # they apply to what their own schema does not mention
        return dict(words)
    rest: dict[str, Node] = {}
    is_closed = bool((merged.keys() | words.keys()) & _CLOSING)
    for name, value in words.items():
        if name in _ANNOTATIONS:
            continue
        if (is_closed and name in ("properties", *_CLOSING)) or not _fits(merged, words, name, value):
            rest[name] = value
        else:
            merged[name] = _merged_keyword(merged.get(name), value, name)
    if "properties" in merged and "properties" in words and not is_closed:
        rest.update(_clashing(merged, words["properties"]))
    return rest


def _fits(merged: Words, words: Words, name: str, value: Node) -> bool:
    together = next((each for each in _TOGETHER if name in each and len(each & words.keys()) > 1), None)
    if together is not None:
        return not together & merged.keys()
    if any(name in each and (each & merged.keys()) - {name} for each in _TOGETHER):
        return False
    present = merged.get(name)
    if present is None:
        return True
    if name in _UPPER | _LOWER:
        return _number(present) is not None and _number(value) is not None
    if name == "required":
        return isinstance(present, Sequence) and isinstance(value, Sequence)
    if name == "properties":
        return isinstance(present, Mapping) and isinstance(value, Mapping)
    return text_of(present) == text_of(value)


def _merged_keyword(present: Node | None, value: Node, name: str) -> Node:
    """Join a keyword of two schemas; of two bounds, return the stricter one."""
    if present is None:
        return value
    if name in _UPPER | _LOWER:
        least = min if name in _UPPER else max
        return least((present, value), key=lambda node: _number(node) or 0)
    if isinstance(present, Sequence) and isinstance(value, Sequence) and name == "required":
        known = {text_of(item) for item in present.items}
        added = tuple(item for item in value.items if text_of(item) not in known)
        return present._replace(items=(*present.items, *added))
    if isinstance(present, Mapping) and isinstance(value, Mapping) and name == "properties":
        names = {entry.key.text for entry in present.entries}
        return present._replace(
            entries=(*present.entries, *(each for each in value.entries if each.key.text not in names))
        )
    return present


def _clashing(merged: Words, properties: Node) -> dict[str, Node]:
    """Return the properties that both schemas have, with the second schema; none if they are equal."""
    present = merged["properties"]
    if not isinstance(present, Mapping) or not isinstance(properties, Mapping):
        return {}
    first = {entry.key.text: entry.value for entry in present.entries}
    clashing: list[Entry] = []
    for entry in properties.entries:
        other = first[entry.key.text]
        if other is not entry.value and text_of(other) != text_of(entry.value):
            clashing.append(entry)
    return {"properties": properties._replace(entries=tuple(clashing))} if clashing else {}


def _without_null(words: dict[str, Node], name: str, like: Mapping) -> dict[str, Node]:
    """Return the keywords with `nullable` in place of an alternative that is only `null`, if there is one other
    alternative, which is merged.
    """
    items = items_of(words, name)
    others = [item for item in items if not _is_null(item)]
    if len(others) == len(items) or "type" in words or (name == "oneOf" and not all(map(_excludes_null, others))):
        return words
    if len(others) != 1:  # a value of any type may be null: of several alternatives only they themselves tell
        return words
    alternatives, alone = words[name], others[0]
    result = {key: value for key, value in words.items() if key != name}
    is_null_one = not _values_without_null(words)
    if is_null_one:
        result["nullable"] = Scalar(True, "true", True, alternatives.file, alternatives.line, alternatives.column, 0)
    kept = Sequence((alone,), alternatives.file, alternatives.line, alternatives.column)
    alone_words = words_of(alone)
    description_words = {
        key: value for key, value in alone_words.items() if key in ("title", "description") and key not in result
    }
    if is_null_one and isinstance(alone, Mapping):
        kept = kept._replace(items=(_with_null(alone),))
    return flattened(as_node({**result, **description_words, "allOf": _joined(result.get("allOf"), kept)}, like))


def _values_without_null(words: Words) -> bool:
    """Return whether a schema lists its values without `null`."""
    listed = words.get("enum")
    values = [words["const"]] if "const" in words else listed.items if isinstance(listed, Sequence) else None
    return values is not None and not any(isinstance(each, Scalar) and each.value is None for each in values)


def _with_null(alone: Mapping) -> Mapping:
    """A schema that `null` is an alternative to: one of the values that it lists, if it lists any."""
    words = words_of(alone)
    if not _values_without_null(words):
        return alone
    name = "const" if "const" in words else "enum"
    listed = words.pop(name)
    values = listed.items if isinstance(listed, Sequence) and name == "enum" else (listed,)
    null = Scalar(None, "null", True, listed.file, listed.line, listed.column, 0)
    words["enum"] = Sequence((*values, null), listed.file, listed.line, listed.column)
    return as_node(words, alone)


def _with_types(words: dict[str, Node], name: str) -> dict[str, Node]:
    """The words, with a list of types for alternatives that are nothing but types."""
    alternatives = words.get(name)
    if "type" in words or not isinstance(alternatives, Sequence) or not alternatives.items:
        return words
    parts = (words_of(item) for item in alternatives.items if isinstance(item, Mapping))
    types = [part.get("type") for part in parts if not part.keys() - _ANNOTATIONS - {"type"}]
    names = {each.value for each in types if isinstance(each, Scalar) and isinstance(each.value, str)}
    overlap = name == "oneOf" and {"integer", "number"} <= names
    if len(names) < len(alternatives.items) or overlap:
        return words
    found = {key: value for key, value in words.items() if key != name}
    return {**found, "type": alternatives._replace(items=tuple(each for each in types if each is not None))}


def _joined(present: Node | None, more: Sequence) -> Sequence:
    return more._replace(items=(*present.items, *more.items)) if isinstance(present, Sequence) else more


def _is_null(node: Node) -> bool:
    value = value_of(node)
    return (
        isinstance(value, dict)
        and value.get("type") in ("null", ["null"])
        and not value.keys() - _ANNOTATIONS - {"type"}
    )


def _excludes_null(node: Node) -> bool:
    value = value_of(node)
    if not isinstance(value, dict) or value.get("nullable") is True:
        return False
    types = value.get("type")
    return (isinstance(types, str) and types != "null") or (isinstance(types, list) and "null" not in types)


def _number(node: Node) -> int | float | None:
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
