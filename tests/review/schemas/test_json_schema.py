"""JSON Schema documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.json_schema.source import JsonSchemaSource
from apigen.inputs.schemas.files import entries_of_text, top_entries
from apigen.inputs.source import Setting
from apigen.ir.surface import Alias, Enum, Keyword, Struct, UnknownFields
from apigen.review.changes.comparing import compare
from apigen.review.changes.words import change_words
from tests.review.schemas.reading import changes, schema


def test_a_document_with_definitions(tmp_path: Path) -> None:
    read = schema(
        tmp_path,
        """
        {"$schema": "http://json-schema.org/draft-07/schema#", "title": "A thing", "description": "Of use.",
         "type": "object", "required": ["port"], "additionalProperties": false,
         "properties": {"port": {"$ref": "#/definitions/Port"}, "mode": {"$ref": "#/definitions/Mode"}},
         "definitions": {"Port": {"type": "integer", "minimum": 1}, "Mode": {"enum": ["a", "b"]},
                         "Unused": {"type": "object", "properties": {"x": {}}}}}
        """,
    )
    root = read.struct("Schema")
    assert root.unknown is UnknownFields.REJECTED and root.slot.doc == "A thing\n\nOf use."
    assert root.fields["port"].required and str(root.fields["port"].slot.type) == "Port"
    port, mode = read.types["Port"], read.types["Mode"]
    assert isinstance(port, Alias) and port.slot.constraints[Keyword.MINIMUM].value == 1
    assert isinstance(mode, Enum) and str(mode.base) == "string"
    assert read.struct("Unused").unknown is UnknownFields.KEPT
    assert not read.unread


@pytest.mark.parametrize(
    ("written", "type_", "nullable"),
    [
        ('{type: [string, "null"]}', "string", True),
        ("{type: [string, integer]}", "integer or string", False),
        ('{type: [array, "null"], items: {type: string}}', "[]string", True),
        ('{type: "null"}', "anything", True),
        ("{}", "anything", True),
        ("true", "anything", True),
        ("false", "anything", False),
        ('{anyOf: [{type: integer}, {type: "null"}]}', "integer", True),
        ('{oneOf: [{type: integer}, {type: "null"}]}', "integer", True),
        ("{type: string, format: date-time}", "string", False),
        ("{minLength: 1}", "anything", True),
        ("{properties: {a: {}}}", "Schema.value(object) or []anything or bool or null or number or string", False),
        ("{enum: [a, null]}", "Schema.value", True),
        ("{type: string, enum: [a, null]}", "Schema.value", False),
        ('{type: [string, "null"], enum: [a]}', "Schema.value", False),
        ("{const: 1}", "anything", False),
        ("{anyOf: [{type: string, maxLength: 3}, {type: string, format: date}]}", "string", False),
        ("{oneOf: [{const: a}, {enum: [b, c]}]}", "string", False),
        ("{anyOf: [{type: string, maxLength: 3}, {enum: [a, null]}]}", "anything", True),
        ("{anyOf: [{type: string, maxLength: 3}, {type: integer, minimum: 1}]}", "anything", True),
        ("{anyOf: [{type: string, maxLength: 3}, {minLength: 3}]}", "anything", True),
        ("{anyOf: [{type: string, maxLength: 3}, {}]}", "anything", True),
        ("{anyOf: [{type: integer, minimum: 3}, {type: integer, maximum: 1}]}", "integer", False),
        ("{anyOf: [{type: integer, minimum: 3}, {type: number, maximum: 1}]}", "number", False),
        ("{anyOf: [{type: object, required: [a]}, {type: object, required: [b]}]}", "anything", True),
        ("{anyOf: []}", "anything", True),
    ],
)
def test_type_of_a_schema(tmp_path: Path, written: str, type_: str, nullable: bool) -> None:
    slot = schema(tmp_path, f"properties: {{value: {written}}}\ntype: object").slot("Schema", "value")
    assert (str(slot.type), slot.nullable) == (type_, nullable)


def test_alternatives_that_refer_to_strings_are_strings(tmp_path: Path) -> None:
    text = """
    {$defs: {short: {type: string, maxLength: 3}}, type: object,
     properties: {value: {anyOf: [{$ref: "#/$defs/short"}, {type: string, format: date}]}}}
    """
    assert str(schema(tmp_path, text).slot("Schema", "value").type) == "string"


def test_false_schema_rejects_all_values(tmp_path: Path) -> None:
    slot = schema(tmp_path, "{type: object, properties: {value: false}}").slot("Schema", "value")
    assert slot.constraints[Keyword.FORBIDDEN].value is True


def test_both_forms_of_exclusive_bounds(tmp_path: Path) -> None:
    old = schema(tmp_path, "{type: integer, minimum: 1, exclusiveMinimum: true}")
    new = schema(tmp_path, "{type: integer, exclusiveMinimum: 1}")
    assert changes(old, new) == []


def test_both_keywords_for_definitions(tmp_path: Path) -> None:
    shape = (
        'type: object\nproperties: {{a: {{$ref: "#/{0}/A"}}}}\n{0}: {{A: {{type: object, properties: {{x: {{}}}}}}}}'
    )
    assert changes(schema(tmp_path, shape.format("definitions")), schema(tmp_path, shape.format("$defs"))) == []


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("#/$defs/A", "A"),
        ("#", "Schema"),
        ("#/properties/b", "Schema.b"),
        ("#/properties/b/properties/c", "Schema.b.c"),
        ("#/$defs/A/properties/deep", "A.deep"),
        ("#anchored", "anchored"),
        ("https://example.com/b.json", "https://example.com/b.json"),
        ("b.json", "b.json"),
        ("#/$defs/with~1slash%20", "with/slash "),
    ],
)
def test_targets_of_references(tmp_path: Path, reference: str, target: str) -> None:
    read = schema(
        tmp_path,
        f"""
        type: object
        properties:
          a: {{$ref: "{reference}"}}
          b: {{type: object, properties: {{c: {{type: object, properties: {{d: {{type: string}}}}}}}}}}
        $defs:
          A: {{type: object, properties: {{deep: {{type: object, properties: {{e: {{}}}}}}}}}}
          B: {{$id: "https://example.com/b.json", type: integer}}
          C: {{$anchor: anchored, type: object}}
          "with/slash ": {{type: string}}
        """,
    )
    found = str(read.slot("Schema", "a").type)
    assert found == {"anchored": "C", "https://example.com/b.json": "B", "b.json": "B"}.get(target, target)
    assert found in read.types and not read.codes


def test_recursive_schemas(tmp_path: Path) -> None:
    read = schema(
        tmp_path,
        """
        $ref: "#/definitions/Node"
        definitions:
          Node:
            type: object
            properties:
              next: {$ref: "#/definitions/Node"}
              all: {type: array, items: {$ref: "#"}}
              not: {not: {$ref: "#/definitions/Node"}}
        """,
    )
    assert str(read.slot("Schema", "next").type) == "Schema" and str(read.slot("Schema", "all").type) == "[]Schema"
    assert "Node" not in read.types and not read.codes


INNER = '$id: "https://example.com/inner", $defs: {A: {type: string}}, $anchor: here'


@pytest.mark.parametrize(
    "text",
    [
        f'{{type: object, properties: {{a: {{{INNER}, $ref: "#/$defs/A"}}}}, $defs: {{A: {{type: integer}}}}}}',
        f'{{type: object, properties: {{a: {{$ref: "inner#/$defs/A"}}}}, $id: "https://example.com/outer", $defs: {{I: {{{INNER}}}}}}}',
        '{$id: "https://a.b/one", $ref: two, $defs: {Two: {$id: two, type: object, properties: {a: {$ref: "#/$defs/A"}},'
        " $defs: {A: {type: string}}}, A: {type: integer}}}",
        "{type: object, properties: {a: {$dynamicRef: '#x'}}, $defs: {A: {$dynamicAnchor: x, type: string}}}",
        "{type: object, properties: {default: {$id: other, $defs: {A: {type: string}}}, a: {$ref: 'other#/$defs/A'}}}",
    ],
)
def test_reference_is_resolved_against_the_enclosing_id(tmp_path: Path, text: str) -> None:
    read = schema(tmp_path, text)
    assert (read.codes, read.unread) == ([], [])
    led = read.types[str(read.struct("Schema").fields["a"].slot.type)]
    assert isinstance(led, Alias) and str(led.slot.type) == "string"


def test_dynamic_reference_is_reported(tmp_path: Path) -> None:
    read = schema(
        tmp_path,
        "{$id: 'https://a.b/root', $ref: list, $defs: {T: {$dynamicAnchor: t, type: string}, List: {$id: list,"
        " type: array, items: {$dynamicRef: '#t'}, $defs: {T: {$dynamicAnchor: t}}}}}",
    )
    assert read.unread == [
        "the target of this reference depends on the referring schema; apigen uses the one in this document"
    ]


def test_external_reference_is_reported(tmp_path: Path) -> None:
    read = schema(tmp_path, 'type: object\nproperties: {a: {$ref: "other.json#/definitions/A"}}')
    assert read.unread == [
        "`other.json#/definitions/A` is another document, which is not read; any value counts as valid"
    ]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ('properties: {a: {$ref: "#/definitions/B"}}', ["AG1433"]),
        (
            '{$ref: "#/definitions/A", definitions: {A: {$ref: "#/definitions/B"}, B: {$ref: "#/definitions/A"}}}',
            ["AG1434"],
        ),
        ('$ref: "#"', ["AG1434"]),
        ("[1, 2]", ["AG1430"]),
        ("just text", ["AG1430"]),
        ("", ["AG1430"]),
        ("type: object\n---\ntype: object", ["AG1432"]),
        ('{"type": "object", "properties": {', ["AG0110"]),
        ('{"type": "object", "type": "string"}', ["AG0111"]),
    ],
)
def test_invalid_schema_is_an_error(tmp_path: Path, text: str, codes: list[str]) -> None:
    read = schema(tmp_path, text)
    assert (read.surface, read.codes) == (None, codes)


def test_changed_reference_in_not_is_a_change_of_not(tmp_path: Path) -> None:
    shape = "type: object\nproperties: {{a: {{{0}}}}}\ndefinitions: {{B: {{type: integer, maximum: {1}}}}}"
    inside = 'not: {$ref: "#/definitions/B"}'
    found = changes(schema(tmp_path, shape.format(inside, 5)), schema(tmp_path, shape.format(inside, 9)))
    assert sum("branch `Schema.a(not[" in each for each in found) == 2
    inside = 'allOf: [{$ref: "#/definitions/B"}, {$ref: "#/definitions/B", minimum: 1}]'
    found = changes(schema(tmp_path, shape.format(inside, 5)), schema(tmp_path, shape.format(inside, 9)))
    assert found == ["maximum of `B` changed from 5 to 9"]


def test_exclusive_alternatives_are_compared_individually(tmp_path: Path) -> None:
    shape = """
    oneOf:
    - {{type: object, required: [kind], properties: {{kind: {{const: a}}, size: {{type: integer, maximum: {0}}}}}}}
    - {{type: object, required: [kind], properties: {{kind: {{enum: [b, c]}}}}}}
    """
    found = changes(schema(tmp_path, shape.format(5)), schema(tmp_path, shape.format(6)))
    assert found == ['maximum of `Schema(oneOf[kind: "a"]).size` changed from 5 to 6']


def test_dependencies_patterns_tuples_and_conditions(tmp_path: Path) -> None:
    read = schema(
        tmp_path,
        """
        type: object
        properties: {a: {type: string}, b: {}, t: {type: array, items: [{type: string}], additionalItems: {type: integer}}}
        dependencies: {a: [b], c: [a], d: {required: [a]}}
        patternProperties: {"^x-": {type: string}}
        propertyNames: {maxLength: 5}
        if: {required: [a]}
        then: {required: [b]}
        unevaluatedProperties: false
        """,
    )
    root = read.struct("Schema")
    assert root.fields["a"].slot.constraints[Keyword.REQUIRES].value == ("b",)
    *others, unevaluated = root.slot.branches
    assert unevaluated.keyword == "unevaluatedProperties" and "additionalItems" not in unevaluated.label
    assert [(branch.keyword, branch.label) for branch in others] == [
        ("if", '{"required":["a"]}, then: {"required":["b"]}'),
        ("patternProperties", "^x-"),
        ("propertyNames", '{"maxLength":5}'),
        ("dependencies", 'c: ["a"]'),
        ("dependencies", 'd: {"required":["a"]}'),
    ]
    tuple_ = root.fields["t"].slot
    assert str(tuple_.type) == "[]integer"
    assert [(each.keyword, each.label, str(each.slot.type)) for each in tuple_.branches] == [("items", "0", "string")]


def test_both_forms_of_tuples(tmp_path: Path) -> None:
    old = schema(tmp_path, "{type: array, items: [{type: string}], additionalItems: {type: integer}}")
    new = schema(tmp_path, "{type: array, prefixItems: [{type: string}], items: {type: integer}}")
    assert changes(old, new) == []


def test_a_folder_of_schemas(tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "one.schema.json").write_text(
        '{"$schema": "x", "type": "object", "properties": {"a": {}}}', encoding="utf-8"
    )
    (folder / "two.yaml").write_text("type: string", encoding="utf-8")
    report = Report()
    source = JsonSchemaSource()
    assert source.recognises("schemas", Setting(tmp_path))
    surface = source.load("schemas", Setting(tmp_path), report)
    assert surface is not None and list(surface.groups) == ["one", "two"]
    assert list(surface.groups["one"].versions[""].types) == ["Schema"]
    assert isinstance(surface.groups["one"].versions[""].types["Schema"], Struct)


@pytest.mark.parametrize(
    ("name", "text", "is_one"),
    [
        ("a.json", '{"type": "object"}', True),
        ("a.json", '{\n  "$schema": "x"\n}', True),
        ("a.yaml", "$defs: {}\n", True),
        ("a.yaml", "kind: Deployment\nspec: {}\n", False),
        ("a.txt", '{"type": "object"}', False),
        ("a.json", "{}", True),
        ("a.json", "\n{ }\n", True),
        ("a.json", "true", True),
        ("a.json", "[]", False),
        ("a.yaml", "", False),
        ("a.yaml", "# true\n", False),
    ],
)
def test_recognized_schema_files(tmp_path: Path, name: str, text: str, is_one: bool) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert JsonSchemaSource().recognises(name, Setting(tmp_path)) is is_one


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("kind: D\nspec: {a: 1}\nx:\n  type: string\n", False),
        ('{"x": {"type": "object", "properties": {}}, "required": "no"}', False),
        ("type: Opaque\n", False),
        ("apiVersion: v1\nkind: Secret\ntype: string\n", False),
        ("openapi: 3.0.0\ndefinitions: {}\n", False),
        ("types:\n  Thing:\n    fields:\n      a: {type: string}\n", False),
        ("items:\n- name: a\n", False),
        ("# one\n---\n  type: [string, 'null']\n", True),
        ("type:\n- integer\n", True),
        ("{a: 'type: x', # c\n allOf: []}", True),
        ('{"a": "\\"}", "b": {"c": [1, {}]}, "$ref": "#/definitions/A"}', True),
        ("not: {type: string}", True),
        ("enum:\n- a\n", True),
        ('{"title": "any"}', True),
        ('{"minimum": 10, "maximum": 20}', True),
        ('{"dependencies": {"foo": {"type": "string"}}}', True),
        ('{"name": "a", "dependencies": {"foo": "^1.0"}}', False),
        ("title: a\nauthor: b\n", False),
        ('{"$schema": "x", "apiVersion": {}, "kind": {}}', True),
        ("a: 1\n---\ntype: string\n", False),
    ],
)
def test_only_top_level_keywords_identify_a_schema(tmp_path: Path, text: str, is_one: bool) -> None:
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    assert JsonSchemaSource().recognises("a.yaml", Setting(tmp_path)) is is_one


@pytest.mark.parametrize("text", ["kind: D\nspec: {a: 1}\nx: {type: y}", '{"a": {"type": "string"}}'])
def test_root_without_keywords_is_not_a_schema(tmp_path: Path, text: str) -> None:
    read = schema(tmp_path, text)
    assert (read.surface, read.codes) == (None, ["AG1430"])


@pytest.mark.parametrize(
    "text", ["{}", "true", "{maximum: 3}", "title: A", "x-kubernetes-preserve-unknown-fields: true"]
)
def test_root_with_few_keywords_is_a_schema(tmp_path: Path, text: str) -> None:
    assert schema(tmp_path, text).surface is not None


@pytest.mark.parametrize(
    ("words", "unread"),
    [
        ("type: {enum: [x]}", "`type` is not a type or a list of types; it is ignored"),
        ("type: null", "`type` is not a type or a list of types; it is ignored"),
        ("type: [string, null]", "`type` is not a type or a list of types; it is ignored"),
        ("type: [string, {type: integer}]", "`type` is not a type or a list of types; it is ignored"),
        ("allOf: [{type: {enum: [x]}}]", "`type` is not a type or a list of types; it is ignored"),
        ("$ref: 0", "`$ref` is not text; it is ignored"),
        ("required: true", "`required` is not a list of names; it is ignored"),
        ("required: [a, 1]", "`required` is not a list of names; it is ignored"),
        ("enum: x", "`enum` is not a list; it is ignored"),
        ("anyOf: {type: string}", "`anyOf` is not a list; it is ignored"),
        ("properties: [a]", "`properties` is not a mapping; it is ignored"),
        ("additionalProperties: never", "`additionalProperties` is not a schema; it is ignored"),
        ("$defs: never", "`$defs` is not a mapping; it is ignored"),
        ("deprecated: 1", "`deprecated` is not true or false; it is ignored"),
        ("nullable: yes please", "`nullable` is not true or false; it is ignored"),
        ("minimum: NaN", "`minimum` is not a number"),
        ("multipleOf: 0", "`multipleOf` is not a number greater than 0"),
        ("not: 5", "this is not a schema"),
        ("allOf: [5]", "this is not a schema"),
        ("oneOf: [{type: string}, 5]", "this is not a schema"),
        ("if: 5", "this is not a schema"),
        ("contains: 5, minContains: 2", "this is not a schema"),
        ("propertyNames: 5", "this is not a schema"),
        ("dependentSchemas: {b: 5}", "this is not a schema"),
        ("unevaluatedProperties: 5", "this is not a schema"),
    ],
)
def test_keyword_with_invalid_value_is_reported_once(tmp_path: Path, words: str, unread: str) -> None:
    assert schema(tmp_path, f"type: object\nproperties: {{a: {{{words}}}}}").unread == [unread]


@pytest.mark.parametrize(
    "words",
    [
        *("type: [string, 'null']", "required: null", "properties: null", "additionalProperties: false", "items: true"),
        *("dependentRequired: {b: [c]}", "dependencies: {b: [c], d: {}}", "unevaluatedItems: false", "not: false"),
        "properties: {type: {type: string}, required: {type: boolean}, enum: {}}",
    ],
)
def test_keyword_with_valid_value_is_not_reported(tmp_path: Path, words: str) -> None:
    assert schema(tmp_path, f"type: object\nproperties: {{a: {{{words}}}}}").unread == []


def test_second_schema_of_a_folder_keeps_the_first(tmp_path: Path) -> None:
    sides = []
    for names in (("one",), ("one", "two")):
        folder = tmp_path / str(len(names))
        folder.mkdir()
        for name in names:
            (folder / f"{name}.json").write_text('{"$schema": "x", "type": "object"}', encoding="utf-8")
        sides.append(JsonSchemaSource().load(folder.name, Setting(tmp_path), Report()))
    assert sides[0] is not None and sides[1] is not None
    assert [change_words(each) for each in compare(sides[0], sides[1])] == ["group two was added"]


def test_file_without_schema_in_a_folder_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "one.json").write_text('{"$schema": "x", "type": "object"}', encoding="utf-8")
    (folder / "package.json").write_text('{"name": "x"}', encoding="utf-8")
    surface = JsonSchemaSource().load("schemas", Setting(tmp_path), Report())
    assert surface is not None and list(surface.groups) == ["one"]
    assert [each.message for each in surface.unread] == [
        "`schemas/package.json` is not a schema: it has no keyword of JSON Schema at its top level"
    ]


def test_unterminated_input_is_read_in_linear_time() -> None:
    """Each of these would take hours if its length counted twice."""
    texts = ('{"' + '\\"' * 120_000, "{'" * 120_000, "{a: " * 120_000, "#a\n" * 80_000, "a: 1" + "\n " * 120_000)
    assert [[*entries_of_text(text)] for text in texts] == [[], ["{"], ["a"], [], ["a"]]


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("a: {b: c}\nd: [e, [f], {g: h}, i]\n? [x, y]\n: z\nj: 'k'\n", {"a": {}, "d": ["e", "i"], "": "z", "j": "k"}),
        ("a: 1\nb: *c\na: 2\nd: }", {"a": "1", "b": []}),
        ("%YAML 1.2\n---\na: b\n---\nc: d\n", {"a": "b"}),
        ("{}\n---\na: b\n", {}),
        ("- a: b\n", {}),
        ("a\n", {}),
    ],
)
def test_entries_are_read_up_to_the_first_error(text: str, entries: dict[str, object]) -> None:
    assert entries_of_text(text) == entries


def test_keys_after_characters_that_json_escapes_differently(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{\n\t"description": "\\ud83d\\ude00",\n\t"$schema": "x"\n}', encoding="utf-8")
    assert [*top_entries(tmp_path / "a.json")] == ["description", "$schema"]
