"""What an API server does with an object of a definition, as far as cases here need it: prune, default, validate."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft4Validator

from tests.yaml_files import read_yaml

POOL: tuple[Any, ...] = (
    *(None, True, 0, 1, 2, 3, 4, 5, 6, 10, 11, 20, 25, 30, 50, 100, 1.5, "", "a", "A", "abc", "abcdefghijk"),
    *(
        "foo",
        "bar",
        "Managed",
        "Unmanaged",
        "FooBar",
        [],
        [1],
        [1, 2, 3],
        list(range(4)),
        list(range(6)),
        list(range(11)),
    ),
    *(
        {},
        {"a": "x"},
        {"a": "x", "b": "y", "c": "z"},
        dict.fromkeys("abcdef", "x"),
        dict.fromkeys("abcdefghijk", "x"),
    ),
    *(["x", "y"], ["a", "b", "c", "d"], "abcd", "abcdef", {"foo": 1}),
)
"""Values that are tried at every place."""


class Server:
    """A server that knows one version of a definition."""

    def __init__(self, definition: str, version: str = "v1") -> None:
        versions = read_yaml(definition)["spec"]["versions"]
        found = next(each for each in versions if each["name"] == version)
        self.schema: dict[str, Any] = found["schema"]["openAPIV3Schema"]
        self._validator = Draft4Validator(_translated(self.schema))

    def read(self, value: Any) -> Any | None:
        """The object as it is served; None where it is rejected."""
        found = _defaulted(_without_nulls(copy.deepcopy(value), self.schema), self.schema)
        found = _pruned(found, self.schema, is_root=True)
        return found if self._validator.is_valid(found) else None


def objects(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Objects with every value of the pool at every place that a schema names, and without it."""
    base = {name: _some(inner) for name, inner in schema.get("properties", {}).items() if name != "metadata"}
    for path, _ in _places(schema, ()):
        for value in (..., *POOL):
            found = copy.deepcopy(base)
            if _put(found, path, value):
                yield found


def _places(schema: dict[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    for name, inner in schema.get("properties", {}).items():
        yield (*path, name), inner
        yield from _places(inner, (*path, name))


def _put(value: dict[str, Any], path: tuple[str, ...], what: Any) -> bool:
    for name in path[:-1]:
        value = value.setdefault(name, {})
        if not isinstance(value, dict):
            return False
    if what is ...:
        return value.pop(path[-1], ...) is not ...
    value[path[-1]] = what
    return True


def _some(schema: dict[str, Any]) -> Any:
    """A value that a schema most likely takes."""
    if "default" in schema:
        return schema["default"]
    if schema.get("enum"):
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            needed = {name: _some(inner) for name, inner in schema.get("properties", {}).items()}
            return needed or dict.fromkeys("abcdefghij"[: schema.get("minProperties", 0)], "x")
        case "array":
            return [_some(schema.get("items", {}))] * schema.get("minItems", 0)
        case "integer":
            return schema.get("minimum", 1)
        case "string":
            return "x" * schema.get("minLength", 1)
    return "x"


def _without_nulls(value: Any, schema: dict[str, Any]) -> Any:
    """Members that are null, may not be, and have no default are dropped; not so the items of lists."""
    if isinstance(value, list):
        return [_without_nulls(each, schema.get("items", {})) for each in value]
    if not isinstance(value, dict):
        return value
    others = schema.get("additionalProperties")
    found = {}
    for name, each in value.items():
        inner = schema.get("properties", {}).get(name, others if isinstance(others, dict) else None)
        is_known = inner is not None and not inner.get("nullable") and "default" not in inner
        if each is not None or not is_known:
            found[name] = _without_nulls(each, inner or {})
    return found


def _defaulted(value: Any, schema: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_defaulted(each, schema.get("items", {})) for each in value]
    if not isinstance(value, dict):
        return value
    for name, inner in schema.get("properties", {}).items():
        is_dropped = value.get(name, ...) is None and not inner.get("nullable")
        if "default" in inner and (name not in value or is_dropped):
            value[name] = copy.deepcopy(inner["default"])
        if name in value:
            value[name] = _defaulted(value[name], inner)
    others = schema.get("additionalProperties")
    if isinstance(others, dict) and others:
        return {
            name: each if name in schema.get("properties", {}) else _defaulted(each, others)
            for name, each in value.items()
        }
    return value


def _pruned(value: Any, schema: dict[str, Any], *, is_root: bool = False) -> Any:
    if isinstance(value, list):
        return [_pruned(each, schema.get("items", {})) for each in value]
    if not isinstance(value, dict) or schema.get("type") != "object":
        return value
    inner = schema.get("additionalProperties")
    keeps = inner or schema.get("x-kubernetes-preserve-unknown-fields")
    properties = schema.get("properties", {})
    return {
        name: _pruned(each, properties.get(name, inner if isinstance(inner, dict) else {}))
        for name, each in value.items()
        if name in properties or keeps or (is_root and name == "metadata")
    }


def _translated(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema of a definition as one of JSON Schema: `nullable` lets `null` in, unless there is an `enum` without it."""
    found = {
        name: each for name, each in schema.items() if name not in ("nullable", "description", "default", "id", "enum")
    }
    if schema.get("enum"):
        found["enum"] = schema["enum"]
    if not found.get("required"):
        found.pop("required", None)
    if "properties" in found:
        found["properties"] = {name: _translated(inner) for name, inner in found["properties"].items()}
    for name in ("items", "additionalProperties"):
        if isinstance(found.get(name), dict):
            found[name] = _translated(found[name])
    lets_null = schema.get("nullable") and None in (schema.get("enum") or [None])
    return {"anyOf": [{"type": "null"}, found]} if lets_null else found
