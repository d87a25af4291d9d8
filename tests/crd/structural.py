"""A checker of structural schemas, written from their documentation and not from apigen: what is wrong with a schema."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.language.json_values import JsonValue

_TYPES = ("object", "array", "string", "integer", "number", "boolean")
_JUNCTORS = ("allOf", "anyOf", "oneOf")
_WORDS = (
    frozenset(
        """type properties additionalProperties items required description default nullable enum format pattern minLength
    maxLength minItems maxItems minProperties maxProperties minimum maximum exclusiveMinimum exclusiveMaximum multipleOf not
    x-kubernetes-preserve-unknown-fields x-kubernetes-int-or-string x-kubernetes-embedded-resource x-kubernetes-list-type
    x-kubernetes-list-map-keys x-kubernetes-map-type x-kubernetes-validations""".split()
    )
    | {*_JUNCTORS}
)
_IN_JUNCTORS = _WORDS - {"description", "type", "default", "additionalProperties", "nullable"}


def problems(schema: JsonValue, path: str = "") -> Iterator[str]:
    """What is wrong with a schema and all below it."""
    if not isinstance(schema, dict):
        yield f"{path}: not a mapping"
        return
    for word in schema.keys() - _WORDS:
        yield f"{path}: there is no word {word}"
    is_any = bool(schema.get("x-kubernetes-int-or-string"))
    if is_any == ("type" in schema) or schema.get("type", "object") not in _TYPES:
        yield f"{path}: no type, or one too many"
    properties, values, items = schema.get("properties"), schema.get("additionalProperties"), schema.get("items")
    if properties is not None and values is not None:
        yield f"{path}: properties and additionalProperties are mutually exclusive"
    if (schema.get("type") == "array") != (items is not None):
        yield f"{path}: a list has items, and nothing else does"
    named = properties if isinstance(properties, dict) else {}
    for name in _listed(schema.get("required")):
        if name not in named:
            yield f"{path}: {name} is required, and there is no such property"
    for junctor in _JUNCTORS:
        for each in _listed(schema.get(junctor)):
            yield from _junctor(each, named, is_any, f"{path}/{junctor}")
    yield from _list(schema, path)
    if "default" in schema:
        yield from _default(schema["default"], schema, f"{path}/default")
    for name, each in named.items():
        yield from problems(each, f"{path}.{name}")
    for each in (values, items):
        if each is not None:
            yield from problems(each, f"{path}[]")


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _junctor(schema: JsonValue, named: dict[str, JsonValue], is_any: bool, path: str) -> Iterator[str]:
    """A junctor adds checks of values; the fields in it must also be defined outside of it."""
    assert isinstance(schema, dict)
    for word in schema.keys() - _IN_JUNCTORS - ({"type"} if is_any else set()):
        yield f"{path}: {word} is not allowed in a junctor"
    inner = schema.get("properties")
    for name in inner if isinstance(inner, dict) else ():
        if name not in named:
            yield f"{path}: {name} is described in a junctor only"
    for each in (*_listed(schema.get("anyOf")), *_listed(schema.get("oneOf")), *_listed(schema.get("allOf"))):
        yield from _junctor(each, named, is_any, path)


def _list(schema: dict[str, JsonValue], path: str) -> Iterator[str]:
    kind, items = schema.get("x-kubernetes-list-type"), schema.get("items")
    keys = _listed(schema.get("x-kubernetes-list-map-keys"))
    if (kind == "map") != bool(keys):
        yield f"{path}: a map list has keys, and nothing else does"
    if not isinstance(items, dict):
        return
    if kind in ("map", "set") and items.get("nullable"):
        yield f"{path}: null is no item of a {kind}"
    inner = items.get("properties")
    required = _listed(items.get("required"))
    for key in keys:
        described = inner.get(str(key)) if isinstance(inner, dict) else None
        if not isinstance(described, dict) or (key not in required and "default" not in described):
            yield f"{path}: the key {key} may be absent"
    if kind == "set" and items.get("type") in ("object", "array"):
        words = (items.get("x-kubernetes-map-type"), items.get("x-kubernetes-list-type"))
        if "atomic" not in words:
            yield f"{path}: a set of what is not atomic"


def _default(value: JsonValue, schema: dict[str, JsonValue], path: str) -> Iterator[str]:
    """A default is a value of its schema without other members; no defaults are applied in it."""
    properties = schema.get("properties")
    if isinstance(value, dict) and isinstance(properties, dict):
        for name in value.keys() - properties.keys():
            yield f"{path}: {name} is not described"
        for required in _listed(schema.get("required")):
            if required not in value:
                yield f"{path}: {required} is missing"
        for name, each in properties.items():
            if name in value and isinstance(each, dict):
                yield from _default(value[name], each, f"{path}.{name}")
    expected = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "number": (int, float)}
    type_ = schema.get("type")
    if isinstance(type_, str) and value is not None and not isinstance(value, expected[type_]):  # type: ignore[arg-type]
        yield f"{path}: {value!r} is no {type_}"
