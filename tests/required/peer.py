"""What a published schema requires, by the jsonschema library: the peer that `decode(missing="error")` agrees with."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import jsonschema
from jsonschema.protocols import Validator

Json = Any
_ALL = jsonschema.Draft202012Validator.VALIDATORS
_ONLY_REQUIRED = jsonschema.validators.create(
    {},
    {word: _ALL[word] for word in ("$ref", "allOf", "additionalProperties", "items", "properties", "required")},
)


def missing(published: Json, kind: str, document: Json) -> list[str]:
    """The paths of the required fields that a document lacks after the defaults of the schema, sorted."""
    schemas = published["components"]["schemas"]
    root = next(name for name in schemas if name.endswith(f".{kind}"))
    schema = {"$ref": f"#/components/schemas/{root}", "components": published["components"]}
    defaulted = _defaulted(copy.deepcopy(document), schemas[root], schemas)
    validator: Validator = _ONLY_REQUIRED(schema)
    return sorted(_paths(validator.iter_errors(defaulted), schemas, root))


def _paths(errors: Iterator[jsonschema.ValidationError], schemas: Json, root: str) -> Iterator[str]:
    for error in errors:
        assert error.validator == "required"
        (name,) = [name for name in error.validator_value if error.message.startswith(f"'{name}' is a required")]
        yield _path([*error.absolute_path, name], schemas[root], schemas)


def _path(steps: list[str | int], schema: Json, schemas: Json) -> str:
    path = ""
    for step in steps:
        schema = _resolved(schema, schemas)
        if isinstance(step, int):
            path, schema = f"{path}[{step}]", schema["items"]
        elif "additionalProperties" in schema:
            path, schema = f"{path}[{step}]", schema["additionalProperties"]
        else:
            path, schema = f"{path}.{step}" if path else step, schema["properties"][step]
    return path


def _resolved(schema: Json, schemas: Json) -> Json:
    found = dict(schema)
    for each in (*schema.get("allOf", ()), schema):
        if "$ref" in each:
            found |= schemas[each["$ref"].rpartition("/")[2]]
    return found


def _defaulted(value: Json, schema: Json, schemas: Json) -> Json:
    """The value with defaults as an API server fills them in; null counts as unset unless the schema allows it."""
    schema = _resolved(schema, schemas)
    if isinstance(value, list) and "items" in schema:
        return [_defaulted({} if item is None else item, schema["items"], schemas) for item in value]
    if not isinstance(value, dict):
        return value
    if "additionalProperties" in schema:
        inner = schema["additionalProperties"]
        return {key: _defaulted({} if item is None else item, inner, schemas) for key, item in value.items()}
    filled = {}
    for name, property_ in schema.get("properties", {}).items():
        whole = _resolved(property_, schemas) | property_
        member = value.get(name)
        if member is None and not (name in value and whole.get("nullable")):
            member = copy.deepcopy(whole.get("default"))
            if member is None:
                continue
        filled[name] = _defaulted(member, property_, schemas)
    return filled
