"""Rules and all else in schemas: structural, complete, and true of what the code writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from apigen.codegen.pipeline import Sources, check, generate
from apigen.diagnostics import Report

Json = dict[str, Any]
SPECS = Path(__file__).parent / "specs"

WORDS = """types:
  Widget:
    doc: A widget.
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      size: {type: int32, required: false, protobuf: 2, minimum: 1, exclusiveMaximum: 10, default: 3}
      ratio: {type: float64, required: false, protobuf: 3, exclusiveMinimum: 0, multipleOf: 0.5}
      name: {type: string, protobuf: 4, minLength: 1, maxLength: 63, pattern: "^[a-z]+$", doc: What it is called.}
      color: {type: Color, required: false, protobuf: 5, default: Red}
      shape: {type: Shape, required: false, protobuf: 6}
      counts: {type: "[]int64", omitEmpty: true, protobuf: 7, listType: set, maxItems: 3, items: {minimum: 1}}
      parts: {type: "[]Part", omitEmpty: true, protobuf: 8, listType: map, listMapKeys: [name]}
      limits: {type: "map[string]Quantity", omitEmpty: true, protobuf: 9, maxProperties: 2, keys: {maxLength: 5}}
      port: {type: IntOrString, required: false, protobuf: 10, default: 80}
      since: {type: Time, optional: true, protobuf: 11}
      timeout: {type: Duration, required: false, protobuf: 12, default: 30s}
      data: {type: bytes, omitEmpty: true, protobuf: 13}
      raw: {type: RawExtension, optional: true, protobuf: 14}
      maybe: {type: int32, nullable: true, required: false, protobuf: 15}
      main: {type: Part, optional: true, protobuf: 16, immutable: true, doc: The main part.}
      tags: {type: Tags, omitEmpty: true, protobuf: 17, maxItems: 9}
      big: {type: uint64, required: false, protobuf: 18}
      flag: {type: bool, required: false, protobuf: 19}
  Color: {enum: {Red: {}, Green: {}}, unknown: Red}
  Shape: {enum: {Round: {}}, open: true}
  Tags: {is: "[]string", listType: atomic, rules: [{rule: self.size() < 5}]}
  Part:
    structType: atomic
    unions: [{members: [wheel, door], optional: true}]
    rules: [{rule: self.name != 'x', message: no x, reason: FieldValueForbidden, fieldPath: .name}]
    fields:
      name: {type: string, protobuf: 1}
      wheel: {type: Part, optional: true, protobuf: 2}
      door: {type: string, optional: true, protobuf: 3}
"""
GROUP = """
group: things.example.com
versions: {v1: {storage: true}}
hub: v1
kinds: {Widget: {scope: Namespaced, plural: widgets}}
"""


def schema_of(specs: Path) -> Json:
    report = Report()
    backend_input = check(Sources(specs, None, specs), report).backend_input
    assert backend_input is not None, report.diagnostics
    files = {f.path: f.content for f in generate(backend_input, backends=["json schema"])}
    found: Json = json.loads(files["things_example_com/v1/schema.json"])
    return found


@pytest.fixture(scope="module")
def widgets(tmp_path_factory: pytest.TempPathFactory) -> Json:
    folder = tmp_path_factory.mktemp("schema") / "things.example.com"
    folder.mkdir()
    (folder / "group.yaml").write_text(GROUP)
    (folder / "v1.yaml").write_text(WORDS)
    return schema_of(folder.parent)


def fields(document: Json, type_: str) -> Json:
    found: Json = document["components"]["schemas"][f"things.example.com.v1.{type_}"]["properties"]
    return found


PART = {"$ref": "#/components/schemas/things.example.com.v1.Part"}
INT_OR_STRING = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "size",
            {"type": "integer", "format": "int32", "minimum": 1, "maximum": 10, "exclusiveMaximum": True, "default": 3},
        ),
        ("ratio", {"type": "number", "format": "double", "minimum": 0, "exclusiveMinimum": True, "multipleOf": 0.5}),
        (
            "name",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 63,
                "pattern": "^[a-z]+$",
                "description": "What it is called.",
            },
        ),
        ("color", {"type": "string", "enum": ["Red", "Green"], "default": "Red"}),
        ("shape", {"type": "string"}),
        (
            "counts",
            {
                "type": "array",
                "items": {"type": "integer", "format": "int64", "minimum": 1},
                "x-kubernetes-list-type": "set",
                "maxItems": 3,
            },
        ),
        (
            "parts",
            {"type": "array", "items": PART, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]},
        ),
        (
            "limits",
            {
                "type": "object",
                "additionalProperties": INT_OR_STRING,
                "x-apigen-property-names": {"type": "string", "maxLength": 5},
                "maxProperties": 2,
            },
        ),
        ("port", {**INT_OR_STRING, "default": 80}),
        ("since", {"type": "string", "format": "date-time", "nullable": True}),
        ("timeout", {"type": "string", "default": "30s"}),
        ("data", {"type": "string", "format": "byte"}),
        ("raw", {"type": "object", "nullable": True, "x-kubernetes-preserve-unknown-fields": True}),
        ("maybe", {"type": "integer", "format": "int32", "nullable": True}),
        (
            "main",
            {
                "allOf": [PART],
                "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "field is immutable"}],
                "description": "The main part.",
            },
        ),
        (
            "tags",
            {
                "type": "array",
                "items": {"type": "string"},
                "x-kubernetes-list-type": "atomic",
                "x-kubernetes-validations": [{"rule": "self.size() < 5"}],
                "maxItems": 9,
            },
        ),
        ("big", {"type": "integer", "minimum": 0, "maximum": 2**64 - 1}),
        ("flag", {"type": "boolean"}),
    ],
)
def test_words(widgets: Json, name: str, expected: Json) -> None:
    assert fields(widgets, "Widget")[name] == expected


def test_structs(widgets: Json) -> None:
    schemas = widgets["components"]["schemas"]
    widget, part = schemas["things.example.com.v1.Widget"], schemas["things.example.com.v1.Part"]
    assert widget["description"] == "A widget."
    assert widget["required"] == ["name"]
    assert list(widget["properties"])[:3] == ["apiVersion", "kind", "metadata"]
    group_version_kind = [{"group": "things.example.com", "kind": "Widget", "version": "v1"}]
    assert widget["x-kubernetes-group-version-kind"] == group_version_kind
    assert part["x-kubernetes-map-type"] == "atomic"
    assert part["x-kubernetes-unions"] == [{"fields-to-discriminateBy": {"wheel": "wheel", "door": "door"}}]
    assert part["x-kubernetes-validations"] == [
        {"rule": "self.name != 'x'", "message": "no x", "reason": "FieldValueForbidden", "fieldPath": ".name"}
    ]


def test_every_rule_of_the_specs_is_in_the_schema() -> None:
    found = [rule["rule"] for node in nodes(schema_of(SPECS)) for rule in node.get("x-kubernetes-validations", ())]
    text = (SPECS / "things.example.com" / "v1.yaml").read_text()
    assert len(found) == text.count("rule: ") == 20


def nodes(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from nodes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from nodes(inner)


def schema_nodes(schema: Json) -> Iterator[Json]:
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from schema_nodes(inner)
    for word in ("items", "additionalProperties"):
        if word in schema:
            yield from schema_nodes(schema[word])


@pytest.mark.parametrize("which", ["widgets", "rules"])
def test_schemas_are_structural(widgets: Json, which: str) -> None:
    """Every node has a type, except references and int-or-string values; every reference has a target."""
    document = widgets if which == "widgets" else schema_of(SPECS)
    schemas = document["components"]["schemas"]
    count = 0
    for schema in schemas.values():
        assert schema["type"] == "object"
        for node in schema_nodes(schema):
            count += 1
            reference = node.get("$ref") or node.get("allOf", [{}])[0].get("$ref")
            if reference is not None:
                assert reference.removeprefix("#/components/schemas/") in schemas
                assert "$ref" not in node or len(node) == 1
            else:
                assert "type" in node or node.get("x-kubernetes-int-or-string")
            assert not ("properties" in node and "additionalProperties" in node)
            assert node.get("type") != "array" or "items" in node
            assert "uniqueItems" not in node
    assert count > 60


def as_draft_4(value: Any) -> Any:
    """OpenAPI's `nullable` in the words of JSON Schema."""
    if isinstance(value, list):
        return [as_draft_4(item) for item in value]
    if not isinstance(value, dict):
        return value
    made = {key: as_draft_4(item) for key, item in value.items() if key != "nullable"}
    return {"anyOf": [made, {"type": "null"}]} if value.get("nullable") is True else made


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({}, None),
        ({"size": 10}, "maximum"),
        ({"size": 0}, "minimum"),
        ({"ratio": 0}, "minimum"),
        ({"name": "X"}, "pattern"),
        ({"color": "Blue"}, "enum"),
        ({"shape": "Square"}, None),
        ({"limits": {"cpu": "100m"}}, None),
        ({"limits": {"cpu": []}}, "anyOf"),
        ({"port": "http"}, None),
        ({"port": 1.5}, "anyOf"),
        ({"maybe": None}, None),
        ({"size": None}, "type"),
        ({"parts": [{"name": "x", "wheel": {"name": 5}}]}, "type"),
        ({"parts": [{}]}, "required"),
        ({"raw": {"anything": [1]}}, None),
        ({"tags": "x"}, "type"),
        ({"big": -1}, "minimum"),
    ],
)
def test_objects_against_the_schema(widgets: Json, change: Json, problem: str | None) -> None:
    draft_4 = as_draft_4(widgets)
    schema = {"$ref": "#/components/schemas/things.example.com.v1.Widget", "components": draft_4["components"]}
    jsonschema.Draft4Validator.check_schema(draft_4["components"]["schemas"]["things.example.com.v1.Widget"])
    good = {
        "apiVersion": "things.example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "w"},
        "name": "a",
        "size": 1,
        "ratio": 1,
    }
    errors = list(jsonschema.Draft4Validator(schema).iter_errors(good | change))
    assert [error.validator for error in errors] == ([] if problem is None else [problem])
