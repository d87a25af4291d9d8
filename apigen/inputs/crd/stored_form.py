"""The schema of a CRD as plain JSON Schema of the objects that a server stores and returns unchanged.

A server prunes unknown fields, drops `null` where it is not allowed, applies defaults, then validates. A stored object
therefore has every field with a default, has no dropped fields, and `null` is only restricted by the type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from apigen.dataclass import dataclass, field
from apigen.files.hashing import sha256
from apigen.inputs.schemas.constraints import RULES
from apigen.inputs.schemas.scope import CRD
from apigen.inputs.schemas.words import canonical
from apigen.ir.surface import CONDITIONS
from apigen.language.json_values import JsonValue
from apigen.runtime.structural.nodes import EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, PRESERVE

_UNKNOWN: dict[str, JsonValue] = {"x-kubernetes-unknown": True}
"""A schema of which nothing is known."""

_WITHOUT_MEMBERS: JsonValue = {"anyOf": [{"type": ["boolean", "number", "string"]}, _UNKNOWN]}
"""The possible values of a field that `additionalProperties: true` accepts: contents of objects are dropped."""

_ALL_BUT_NULL: list[JsonValue] = ["boolean", "number", "string", "array", "object"]
_OBJECT_FIELDS = ("apiVersion", "kind", "metadata")
_BOUNDS = frozenset(
    {
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern", "format"),
        *("minItems", "maxItems", "minProperties", "maxProperties"),
    }
)
_NESTED = frozenset({"allOf", "anyOf", "oneOf", "not"})
_ANNOTATIONS = frozenset({"description", "title", "example", "externalDocs", "default", "x-kubernetes-map-type"})
_READ = frozenset(
    {
        *(
            *_BOUNDS,
            *_NESTED,
            *_ANNOTATIONS,
            "type",
            "nullable",
            "enum",
            "multipleOf",
            "required",
            "properties",
            "items",
        ),
        *("additionalProperties", INT_OR_STRING, PRESERVE, RULES, LIST_TYPE, LIST_MAP_KEYS),
    }
)
_OF_TYPES = frozenset(
    {"type", "format", "nullable", "properties", "items", "additionalProperties", INT_OR_STRING, PRESERVE}
    | {LIST_TYPE, LIST_MAP_KEYS, EMBEDDED, "x-kubernetes-map-type"}
)
"""The keywords from which the types for CEL rules are built."""

Words = dict[str, JsonValue]

_ById = dict[int, tuple[JsonValue, JsonValue]]
"""Results for schemas by their `id()`; each is stored with its schema, which keeps the id valid."""


@dataclass(frozen=True, slots=True)
class StoredForms:
    """Converts schemas, each once: the form of a place is part of the forms of the places that contain it."""

    _by_id: _ById = field(default_factory=dict)
    _types: _ById = field(default_factory=dict)

    def of(self, schema: JsonValue) -> JsonValue:
        """The schema of a place for values."""
        return _once(self._by_id, schema, self._form)

    def of_root(self, schema: JsonValue) -> JsonValue:
        """Return the schema of a whole object, with `apiVersion`, `kind` and `metadata` even if the schema does not declare them."""
        if not isinstance(schema, dict):
            return _UNKNOWN
        properties = schema.get("properties")
        own = properties if isinstance(properties, dict) else {}
        fields = (own.get(name) for name in _OBJECT_FIELDS)  # which have constraints besides their types
        if any(isinstance(each, dict) and each.keys() - _ANNOTATIONS - {"type"} for each in fields):
            return _UNKNOWN
        others: dict[str, JsonValue] = {name: value for name, value in own.items() if name not in _OBJECT_FIELDS}
        form = self._form({**schema, "properties": others, "nullable": False})
        if not isinstance(form, dict) or form is _UNKNOWN:
            return _UNKNOWN
        members, required = form.get("properties"), form.get("required")
        return {
            **form,
            "properties": {**(members if isinstance(members, dict) else {}), **dict.fromkeys(_OBJECT_FIELDS, True)},
            "required": [*(required if isinstance(required, list) else []), *_OBJECT_FIELDS],
        }

    def _form(self, schema: JsonValue) -> JsonValue:
        if not isinstance(schema, dict):
            return _UNKNOWN
        types = _types(schema)
        if types is None:
            return _UNKNOWN
        core: dict[str, JsonValue] = {**_constraint_words(schema), "type": types, **self._members(schema)}
        if isinstance(items := schema.get("items"), dict):
            core["items"] = self.of(items)
        elif types == ["array"]:
            core["items"] = _UNKNOWN
        _keep_to_64_bits(core)
        if conditions := list(self._conditions(schema)):
            core[CONDITIONS] = [*conditions]
        return {"anyOf": [{"type": "null"}, core]} if schema.get("nullable") is True and _lists_null(schema) else core

    def _members(self, schema: Words) -> dict[str, JsonValue]:
        """Return the keywords of an object: its properties, which are required, and that there are no others."""
        words: dict[str, JsonValue] = {}
        properties, required = schema.get("properties"), schema.get("required")
        members = properties if isinstance(properties, dict) else {}
        if members:
            words["properties"] = {name: self.of(inner) for name, inner in members.items()}
        filled = [
            name for name, inner in members.items() if isinstance(inner, dict) and inner.get("default") is not None
        ]
        if filled:
            words["required"] = [*(required if isinstance(required, list) else []), *filled]
        additional = schema.get("additionalProperties")
        if isinstance(additional, dict):
            words["additionalProperties"] = self.of(additional)
        elif additional is True:
            words["additionalProperties"] = _WITHOUT_MEMBERS
        elif schema.get(PRESERVE) is not True and EMBEDDED not in schema:
            words["additionalProperties"] = False
        return words

    def _conditions(self, schema: Words) -> Iterator[JsonValue]:
        """Return the unsupported conditions as text: equal text is the same condition."""
        if "multipleOf" in schema:
            yield canonical({"multipleOf": schema["multipleOf"]})
        if schema.get(LIST_TYPE) in ("set", "map"):
            yield canonical({"unique by": schema.get(LIST_MAP_KEYS, [])})
        rules = schema.get(RULES)
        if isinstance(rules, list):
            # long, and part of each rule's condition
            of = sha256(canonical(self._typed(schema)).encode("utf-8", "surrogatepass"))
            for rule in rules:
                if isinstance(rule, dict):
                    rule_words: JsonValue = [rule.get("rule"), rule.get("optionalOldSelf")]
                    yield canonical({"rule": rule_words, "of": of})

    def _typed(self, schema: JsonValue) -> JsonValue:
        """Return the types of a schema, which CEL rules can see."""
        if not isinstance(schema, dict):
            return schema
        return _once(self._types, schema, self._types_of)

    def _types_of(self, schema: Words) -> JsonValue:
        found: dict[str, JsonValue] = {}
        for name in _OF_TYPES & schema.keys():
            inner = schema[name]
            if name == "properties" and isinstance(inner, dict):
                found[name] = {member: self._typed(each) for member, each in inner.items()}
            else:
                found[name] = self._typed(inner) if name in ("items", "additionalProperties") else inner
        return found


def _once(known: _ById, schema: JsonValue, make: Callable[[Any], JsonValue]) -> JsonValue:
    found = known.get(id(schema))
    if found is None:
        found = known[id(schema)] = schema, make(schema)
    return found[1]


def _keep_to_64_bits(form: dict[str, JsonValue]) -> None:
    """Limit integers to 64 bits, as servers decode them."""
    types, own = form["type"], form.get("allOf")
    if types == "integer" or (isinstance(types, list) and "integer" in types):
        form["allOf"] = [*(own if isinstance(own, list) else []), {"minimum": -(2**63), "maximum": 2**63 - 1}]


def _types(schema: Words) -> list[JsonValue] | None:
    """Return the types of a schema without `null`; None if it declares them in a form that current servers reject."""
    if schema.get(INT_OR_STRING) is True:
        return ["integer", "string"]
    if isinstance(type_ := schema.get("type"), str):
        return [type_]
    return _ALL_BUT_NULL if schema.get(PRESERVE) is True else None


def _lists_null(schema: Words) -> bool:
    values = schema.get("enum")
    return not isinstance(values, list) or not values or None in values


def _constraint_words(schema: Words) -> dict[str, JsonValue]:
    """Return the constraints of values; an unsupported one makes the whole unknown."""
    words: dict[str, JsonValue] = {name: value for name, value in schema.items() if name in _BOUNDS}
    if schema.get("type") == "string" and CRD.ignores(str(schema.get("format", ""))):
        words.pop("format", None)
    if values := schema.get("enum"):
        words["enum"] = values
    if required := schema.get("required"):
        words["required"] = required
    for name in _NESTED & schema.keys():
        inner = schema[name]
        words[name] = [_validated(each) for each in inner] if isinstance(inner, list) else _validated(inner)
    if "multipleOf" in schema:  # servers divide floating numbers, which is not what a multiple is
        words[CONDITIONS] = [canonical({"multipleOf": schema["multipleOf"]})]
    if schema.keys() - _READ:
        words |= _UNKNOWN
    return words


def _validated(schema: JsonValue) -> JsonValue:
    """Return a nested schema that only validates. For `null`, servers only evaluate its type and `enum`."""
    if not isinstance(schema, dict):
        return _UNKNOWN
    words = _constraint_words(schema)
    if "type" in schema:
        words["type"] = schema["type"]
        _keep_to_64_bits(words)
    if isinstance(properties := schema.get("properties"), dict):
        words["properties"] = {name: _validated(inner) for name, inner in properties.items()}
    if isinstance(items := schema.get("items"), dict):
        words["items"] = _validated(items)
    if schema.keys() & {"additionalProperties", "nullable", RULES, INT_OR_STRING, PRESERVE, LIST_TYPE}:
        words |= _UNKNOWN
    if "type" in schema or not _NESTED & schema.keys() or not _lists_null(schema):
        return words
    return {"anyOf": [{"type": "null"}, {**words, "type": _ALL_BUT_NULL}]}
