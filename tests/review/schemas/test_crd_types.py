"""Types of definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.ir.surface import Alias, Enum, Keyword, ListOf, MapOf, Named, Struct, UnknownFields
from tests.review.schemas.reading import changes, spec


def test_nested_objects_are_structs_by_path(tmp_path: Path) -> None:
    read = spec(
        tmp_path,
        """
        type: object
        required: [ports]
        properties:
          ports:
            description: Where it listens.
            type: array
            minItems: 1
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [name]
            items:
              type: object
              required: [name]
              properties:
                name: {type: string, maxLength: 63}
                number: {type: integer, format: int32, default: 80}
        """,
    )
    ports = read.field("Thing.spec", "ports")
    assert ports.required and ports.place.line == 22 and ports.slot.doc == "Where it listens."
    assert isinstance(ports.slot.type, ListOf) and str(ports.slot.type) == "[]Thing.spec.ports[]"
    assert ports.slot.merge.list_type == "map" and ports.slot.merge.list_map_keys == ("name",)
    assert ports.slot.constraints[Keyword.MIN_ITEMS].value == 1
    number = read.slot("Thing.spec.ports[]", "number")
    assert str(number.type) == "int32" and number.default is not None and number.default.text == "80"
    assert number.default.is_read_time
    assert read.struct("Thing.spec").unknown is UnknownFields.DROPPED
    assert not read.unread


@pytest.mark.parametrize(
    ("schema", "type_"),
    [
        ("{type: string}", "string"),
        ("{type: string, format: date-time}", "Time"),
        ("{type: string, format: byte}", "bytes"),
        ("{type: integer}", "integer"),
        ("{type: integer, format: int64}", "int64"),
        ("{type: number, format: double}", "float64"),
        ("{type: number}", "number"),
        ("{type: boolean}", "bool"),
        ("{x-kubernetes-int-or-string: true}", "IntOrString"),
        ("{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", "IntOrString"),
        ("{x-kubernetes-preserve-unknown-fields: true}", "anything"),
        ("{type: object, additionalProperties: {type: string}}", "map[string]string"),
        ("{type: array, items: {type: array, items: {type: boolean}}}", "[][]bool"),
        ("{type: object, x-kubernetes-preserve-unknown-fields: true}", "Thing.spec.value"),
        ("{type: object}", "Thing.spec.value"),
    ],
)
def test_type_of_a_schema(tmp_path: Path, schema: str, type_: str) -> None:
    read = spec(tmp_path, f"type: object\nproperties:\n  value: {schema}")
    slot = read.slot("Thing.spec", "value")
    assert str(slot.type) == type_
    assert not slot.branches and not slot.constraints and not read.unread


def test_unknown_fields_that_are_preserved(tmp_path: Path) -> None:
    read = spec(
        tmp_path,
        """
        type: object
        properties:
          kept: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}
          any: {type: object, additionalProperties: true}
          both: {type: object, properties: {a: {type: string}}, additionalProperties: {type: integer}}
        """,
    )
    assert read.struct("Thing.spec.kept").unknown is UnknownFields.KEPT
    assert read.struct("Thing.spec.any").unknown is UnknownFields.EMPTIED
    assert read.struct("Thing.spec.both").unknown is UnknownFields.KEPT
    (branch,) = read.slot("Thing.spec", "both").branches
    assert (branch.keyword, str(branch.slot.type)) == ("additionalProperties", "integer")


def test_constraints_rules_and_formats(tmp_path: Path) -> None:
    read = spec(
        tmp_path,
        """
        type: object
        minProperties: 1
        x-kubernetes-validations:
        - {rule: "self.a <= self.b", message: too many}
        - {rule: "oldSelf == self", optionalOldSelf: true}
        properties:
          a: {type: integer, minimum: 1, exclusiveMinimum: true, maximum: 9, multipleOf: 2}
          b: {type: string, minLength: 0, maxLength: 5, pattern: "^a", format: uuid}
          c: {type: array, uniqueItems: true, items: {type: string, minLength: 1}}
          d: {type: string, maxItems: 5}
        """,
    )
    a, b = read.slot("Thing.spec", "a").constraints, read.slot("Thing.spec", "b").constraints
    assert {keyword.value: each.value for keyword, each in a.items()} == {
        "exclusiveMinimum": 1,
        "maximum": 9,
        "multipleOf": 2,
    }
    assert {keyword.value: each.value for keyword, each in b.items()} == {
        "maxLength": 5,
        "pattern": "^a",
        "format": "uuid",
    }
    c = read.slot("Thing.spec", "c")
    assert isinstance(c.type, ListOf) and c.type.item.constraints[Keyword.MIN_LENGTH].value == 1
    slot = read.slot("Thing", "spec")
    assert [(rule.name, rule.message) for rule in slot.rules] == [
        ("self.a <= self.b", "too many"),
        ("oldSelf == self with optionalOldSelf", None),
    ]
    assert slot.constraints[Keyword.MIN_PROPERTIES].value == 1
    assert read.unread == ["`maxItems` has no effect on string"]


def test_enums(tmp_path: Path) -> None:
    read = spec(
        tmp_path,
        """
        type: object
        properties:
          mode: {type: string, enum: [A, "", B, null], nullable: true}
          way: {type: string, enum: [A], nullable: true}
          size: {type: integer, enum: [1, 2.0]}
          part: {type: object, enum: [{a: 1}]}
          none: {type: string, enum: []}
        """,
    )
    mode = read.types["Thing.spec.mode"]
    assert isinstance(mode, Enum) and list(mode.values) == ["A", "", "B"]
    assert read.slot("Thing.spec", "mode").nullable and not read.slot("Thing.spec", "way").nullable
    assert str(read.slot("Thing.spec", "mode").type) == "Thing.spec.mode"
    size = read.types["Thing.spec.size"]
    assert isinstance(size, Enum) and list(size.values) == ["1", "2"] and str(size.base) == "integer"
    (branch,) = read.slot("Thing.spec", "part").branches
    assert (branch.keyword, branch.label) == ("enum", '{"a":1}')
    assert str(read.slot("Thing.spec", "none").type) == "string"


def test_implicit_object_fields_are_added(tmp_path: Path) -> None:
    read = spec(tmp_path, "type: object")
    root = read.struct("Thing")
    assert list(root.fields) == ["spec", "apiVersion", "kind", "metadata"]
    assert list(read.struct("Thing.metadata").fields) == ["name", "generateName"]
    assert read.struct("Thing.metadata").unknown is UnknownFields.KEPT


def test_an_embedded_resource_is_an_object(tmp_path: Path) -> None:
    kept = "x-kubernetes-preserve-unknown-fields: true, type: object"
    old = spec(tmp_path, f"type: object\nproperties:\n  template: {{{kept}}}")
    new = spec(tmp_path, f"type: object\nproperties:\n  template: {{{kept}, x-kubernetes-embedded-resource: true}}")
    fields = new.struct("Thing.spec.template").fields
    assert [name for name, field in fields.items() if field.required] == ["apiVersion", "kind"]
    assert "field v1 `Thing.spec.template.apiVersion` was added" in changes(old, new)


def test_alternatives_are_identified_by_content(tmp_path: Path) -> None:
    shape = "type: object\nproperties: {{a: {{type: string}}, b: {{type: string}}}}\n{}: {}"
    old = spec(tmp_path, shape.format("oneOf", "[{required: [a]}, {required: [b]}]"))
    moved = spec(tmp_path, shape.format("oneOf", "[{required: [b], description: or this}, {required: [a]}]"))
    assert changes(old, moved) == []
    more = spec(tmp_path, shape.format("oneOf", "[{required: [a]}, {required: [b]}, {maxProperties: 0}]"))
    assert changes(old, more) == ['branch v1 `Thing.spec(oneOf (may overlap)[{"maxProperties":0}])` was added']
    any_of = spec(tmp_path, shape.format("anyOf", "[{required: [a]}, {required: [b]}]"))
    assert len(changes(old, any_of)) == 4


def test_all_of_equals_its_merged_content(tmp_path: Path) -> None:
    old = spec(tmp_path, "type: object\nproperties: {a: {type: integer, minimum: 2, maximum: 9}}")
    new = spec(
        tmp_path, "type: object\nproperties: {a: {type: integer, maximum: 10, allOf: [{minimum: 2}, {maximum: 9}]}}"
    )
    assert changes(old, new) == []


def test_property_name_with_dots_is_not_a_path(tmp_path: Path) -> None:
    read = spec(
        tmp_path,
        """
        type: object
        properties:
          a.b: {type: object, properties: {x: {type: string}}}
          a: {type: object, properties: {b: {type: object, properties: {y: {type: string}}}}}
        """,
    )
    assert list(read.struct('Thing.spec["a.b"]').fields) == ["x"]
    assert list(read.struct("Thing.spec.a.b").fields) == ["y"]


def test_unknown_keywords_are_compared_separately(tmp_path: Path) -> None:
    old = spec(tmp_path, "type: object\nx-order: 1")
    new = spec(tmp_path, "type: object\nx-order: 2")
    assert changes(old, old) == []
    assert changes(old, new) == [
        "branch v1 `Thing.spec(x-order[2])` was added",
        "branch v1 `Thing.spec(x-order[1])` was removed",
    ]


def test_unsupported_keywords_are_reported(tmp_path: Path) -> None:
    read = spec(
        tmp_path,
        """
        type: object
        x-kubernetes-validations: nothing
        properties:
          a: {$ref: "#/definitions/A"}
          b: {type: text}
          c: {type: integer, minimum: lots}
          d: [1, 2]
          e: {type: string, maxLength: -1}
        """,
    )
    assert read.unread == [
        "`$ref: #/definitions/A` is not part of a CustomResourceDefinition; any value counts as valid",
        "`text` is not a type (object, array, string, integer, number, boolean, null); any value counts as valid",
        "`minimum` is not a number",
        "this is not a schema; any value counts as valid",
        "`maxLength` is not an integer that is not negative",
        "`x-kubernetes-validations` is not a list of rules",
    ]
    assert all(each.place.line > 15 for each in (read.surface.unread if read.surface else ()))


def test_maps_of_structs_and_their_keys(tmp_path: Path) -> None:
    read = spec(
        tmp_path,
        "type: object\nproperties: {m: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}}",
    )
    type_ = read.slot("Thing.spec", "m").type
    assert isinstance(type_, MapOf) and isinstance(type_.value.type, Named)
    assert isinstance(read.types["Thing.spec.m{}"], Struct)
    assert not any(isinstance(each, Alias) for each in read.types.values())


def test_unknown_format_is_ignored(tmp_path: Path) -> None:
    old = spec(tmp_path, "type: object\nproperties:\n  a: {type: string, format: uuid}\n  b: {type: string}")
    new = spec(
        tmp_path, "type: object\nproperties:\n  a: {type: string, format: x-uuid}\n  b: {type: string, format: nice}"
    )
    assert new.slot("Thing.spec", "a").constraints == new.slot("Thing.spec", "b").constraints == {}
    assert old.slot("Thing.spec", "a").constraints[Keyword.FORMAT].value == "uuid"
    assert len(changes(old, new)) == 1
