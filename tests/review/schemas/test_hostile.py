"""What a stranger may send: an error or a surface, with bounded effort, and never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Alias, Enum, Keyword, Struct, Surface
from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.review import review
from apigen.review.sources.loading import load
from tests.effort import within
from tests.review.schemas.reading import HEAD, changes, crd, schema, spec

CALLS = 20_000_000


def nested(inner: str, levels: int, around: str) -> str:
    for _ in range(levels):
        inner = around % inner
    return inner


@pytest.mark.parametrize("levels", [20, 45, 60, 2_000, 5_000])
def test_deep_nesting(tmp_path: Path, levels: int) -> None:
    text = nested('{"type":"object"}', levels, '{"type":"object","properties":{"a":%s}}')
    with within(CALLS):
        read = schema(tmp_path, text)
    assert (read.codes == ["AG0116"]) if levels > 48 else (len(read.types) == levels + 1)


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf", "not", "items"])
def test_deep_alternatives(tmp_path: Path, word: str) -> None:
    around = f'{{"{word}":[%s, {{"minLength":1}}]}}' if word.endswith("Of") else f'{{"{word}":%s}}'
    with within(CALLS):
        read = schema(tmp_path, nested('{"type":"string"}', 30, around))
        assert changes(read, read) == []


def test_exponential_aliases(tmp_path: Path) -> None:
    lines = ["a: &a {type: string}"] + [
        f"{name}: &{name} {{type: object, properties: {{x: *{before}, y: *{before}, z: *{before}}}}}"
        for before, name in zip("abcdefghijklmnop", "bcdefghijklmnopq", strict=False)
    ]
    with within(CALLS):
        read = schema(tmp_path, "type: object\nproperties:\n" + "".join(f"  {line}\n" for line in lines))
    assert read.codes == ["AG0119"]


def test_recursive_aliases(tmp_path: Path) -> None:
    assert schema(tmp_path, "type: object\nproperties: &p {a: {properties: *p}}").codes == ["AG0117"]


@pytest.mark.parametrize("number", ["1e400", "-1E+999", ".inf", "-.INF", ".nan", ".1e1000", "1.e400"])
@pytest.mark.parametrize("said", ["maximum: %s", "enum: [%s]", "default: %s", "multipleOf: %s", "x-own: {a: [%s]}"])
def test_numbers_that_json_cannot_represent(tmp_path: Path, number: str, said: str) -> None:
    text = f"type: object\nproperties:\n  a: {{type: number, {said % number}}}"
    for read in (schema(tmp_path, text), spec(tmp_path, text)):
        assert read.codes == ["AG1435"]
    quoted = text.replace(number, f'"{number}"')
    assert "AG1435" not in schema(tmp_path, quoted).codes


def test_large_numbers_are_numbers(tmp_path: Path) -> None:
    read = schema(tmp_path, "type: number\nmaximum: 1e300\nenum: [1e100, -1e-400]\ndescription: like 1e400 and .inf")
    assert not read.codes


@pytest.mark.slow(one_in=16)
def test_a_huge_enum(tmp_path: Path) -> None:
    values = [f"value-{index}" for index in range(100_000)]
    with within(CALLS):
        old = schema(tmp_path, json.dumps({"type": "string", "enum": values}))
        new = schema(tmp_path, json.dumps({"type": "string", "enum": values[:-1]}))
        found = changes(old, new)
    enum = old.types["Schema"]
    assert isinstance(enum, Enum) and len(enum.values) == 100_000
    assert found == ["enum value `Schema.value-99999` was removed"]


@pytest.mark.slow
def test_review_of_many_added_and_removed_values(tmp_path: Path) -> None:
    values = [f"value-{index}" for index in range(3_000)]
    old = schema(tmp_path, json.dumps({"type": "string", "enum": values[:2_000]}))
    new = schema(tmp_path, json.dumps({"type": "string", "enum": values[1_000:]}))
    assert old.surface is not None and new.surface is not None
    with within(CALLS):
        assert len(review(old.surface, new.surface).findings) == 2_000


def test_review_of_exponential_patterns(tmp_path: Path) -> None:
    read = [
        schema(tmp_path, json.dumps({"type": "string", "pattern": each * 10})) for each in ("^(a|a)*(b|c)*", "(x+x+)+y")
    ]
    assert read[0].surface is not None and read[1].surface is not None
    with within(CALLS):
        assert [each.rule for each in review(read[0].surface, read[1].surface).findings] == ["pattern-changed"]


@pytest.mark.slow
def test_objects_for_many_exponential_patterns(tmp_path: Path) -> None:
    def of(end: str) -> Surface:
        pattern = "^(a|[ab]|b|[a-c])*%d?" + end
        fields = {f"f{i}": {"type": "string", "minLength": 300, "pattern": pattern % i} for i in range(20)}
        found = schema(tmp_path, json.dumps({"type": "object", "properties": fields})).surface
        assert found is not None
        return found

    with within(2 * CALLS):
        found = with_counterexamples(review(of("$"), of("z$")))
    assert len(found.findings) == 20


def test_many_alternatives_that_refer_to_each_other(tmp_path: Path) -> None:
    names = [f"T{index}" for index in range(300)]
    definitions = {
        name: {
            "type": "object",
            "properties": {other: {"$ref": f"#/definitions/{other}"} for other in names[index::30]},
        }
        for index, name in enumerate(names)
    }
    text = {"oneOf": [{"$ref": f"#/definitions/{name}"} for name in names], "definitions": definitions}
    with within(CALLS):
        read = schema(tmp_path, json.dumps(text))
        assert changes(read, read) == []
    assert len(read.types) == 301


def test_a_long_chain_of_references(tmp_path: Path) -> None:
    definitions = {f"T{index}": {"$ref": f"#/definitions/T{index + 1}"} for index in range(5_000)}
    definitions["T5000"] = {"type": "string"}  # type: ignore[dict-item]
    with within(CALLS):
        read = schema(tmp_path, json.dumps({"$ref": "#/definitions/T0", "definitions": definitions}))
    assert not read.codes


def test_long_cycle_of_references(tmp_path: Path) -> None:
    definitions = {f"T{index}": {"$ref": f"#/definitions/T{(index + 1) % 2_000}"} for index in range(2_000)}
    with within(CALLS):
        read = schema(tmp_path, json.dumps({"definitions": definitions}))
    assert read.codes == ["AG1434"]


@pytest.mark.parametrize(
    "schema_",
    [
        *(
            '{"type": 5}',
            '{"type": {"a": 1}}',
            '{"type": []}',
            '{"type": [[]]}',
            '{"properties": []}',
            '{"properties": {"a": 5}}',
        ),
        *(
            '{"required": "a"}',
            '{"required": [1, null, {}]}',
            '{"enum": 5}',
            '{"enum": [null]}',
            '{"enum": [[1], {"a": []}]}',
        ),
        *(
            '{"allOf": {}}',
            '{"allOf": [1]}',
            '{"anyOf": []}',
            '{"oneOf": [[]]}',
            '{"not": 5}',
            '{"items": 5}',
            '{"items": []}',
        ),
        *(
            '{"$ref": 5}',
            '{"$ref": ""}',
            '{"$ref": "#/"}',
            '{"$ref": "#/a/%zz"}',
            '{"$ref": "##"}',
            '{"default": {"a": [null]}}',
        ),
        *('{"minimum": 1e400}', '{"multipleOf": 0}', '{"maxLength": 1e3}', '{"pattern": "(((("}', '{"format": ["a"]}'),
        *('{"const": null}', '{"dependencies": {"a": 5}}', '{"patternProperties": 5}', '{"additionalProperties": []}'),
        *('{"description": {"a": 1}}', '{"title": 5}', '{"nullable": "yes"}', '{"x-kubernetes-validations": [5, {}]}'),
        *(
            '{"x-kubernetes-list-map-keys": "a"}',
            '{"x-kubernetes-int-or-string": 1}',
            '{"": {}}',
            '{"properties": {"": {}}}',
        ),
        *(
            '{"definitions": 5}',
            '{"$defs": {"A": 5}}',
            '{"if": true}',
            '{"contains": 5, "minContains": "a"}',
            '{"type": "null"}',
        ),
        *(
            '{"properties": {"<script>": {"type": "string"}}}',
            '{"properties": {"a\\u0000b": {}}}',
            '{"enum": ["\\u202e"]}',
        ),
    ],
)
def test_keywords_with_values_of_another_type(tmp_path: Path, schema_: str) -> None:
    for read in (schema(tmp_path, schema_), spec(tmp_path, schema_)):
        assert read.surface is not None or read.codes
        if read.surface is not None:
            assert changes(read, read) == []


def test_file_truncated_at_every_line(tmp_path: Path) -> None:
    whole = (HEAD + "            type: object\n            properties: {a: {type: string}}\n").splitlines()
    for length in range(len(whole)):
        read = crd(tmp_path, "\n".join(whole[:length]))
        assert read.surface is not None or read.codes


def test_files_with_invalid_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x00k")
    (tmp_path / "crd.yaml").mkdir()
    assert crd(tmp_path / "crd.yaml", "kind: CustomResourceDefinition").codes == ["AG1431"]


def test_json_surrogate_pair_escapes(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    file.write_text(r'{"type":"string","const":"\\\ud83d\ude00\uD83D\uDE00 \\ud83d\\ude00"}', encoding="utf-8")
    report = Report()
    found = load("old.json", Setting(tmp_path), report)
    assert found is not None and not report.diagnostics
    types = found.groups[""].versions[""].types
    alias = types["old"] if "old" in types else next(iter(types.values()))
    assert isinstance(alias, Alias)
    assert alias.slot.constraints[Keyword.CONST].value == '"\\\\😀😀 \\\\ud83d\\\\ude00"'


@pytest.mark.parametrize("character", ["\x7f", "\x85", "\u2028", "\u202e", "\u2066", "\ufeff", "\uffff"])
def test_unescaped_characters_in_json(tmp_path: Path, character: str) -> None:
    for text, name in ((character, "old"), (f"\\u{ord(character):04x}", "new")):
        schema_ = f'{{"type":"object","properties":{{\n"a":{{"const":" {text} "}},\n\t"b{text}":{{"type":"string"}}}}}}'
        (tmp_path / f"{name}.json").write_text(schema_, encoding="utf-8")
    report = Report()
    old, new = (load(f"{name}.json", Setting(tmp_path), report) for name in ("old", "new"))
    assert old is not None and new is not None
    assert review(old, new).findings == ()
    struct = next(each for each in old.groups[""].versions[""].types.values() if isinstance(each, Struct))
    assert [(each.name, each.place.line) for each in struct.fields.values()] == [("a", 2), (f"b{character}", 3)]


@pytest.mark.parametrize("character", ["\0", "\x07", "\x0c", "\x1b"])
def test_characters_that_json_must_escape(tmp_path: Path, character: str) -> None:
    (tmp_path / "old.json").write_text(f'{{"type":"object",\n"title":"{character}"}}', encoding="utf-8")
    report = Report()
    assert load("old.json", Setting(tmp_path), report) is None
    assert [(each.code, each.place.line) for each in report.diagnostics] == [("AG0107", 2)]


def test_byte_order_mark_inside_json_is_invalid(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text('\u2028{"type": "string"}', encoding="utf-8")
    report = Report()
    assert load("jsonschema:old.json", Setting(tmp_path), report) is None
    assert report.has_errors


def test_byte_order_marks(tmp_path: Path) -> None:
    text = '{"type":"object","properties":{"a":{"type":"string"}}}'
    for encoding, codes in (("utf-8-sig", []), ("utf-16", ["AG0104"])):
        (tmp_path / "old.json").write_bytes(text.encode(encoding))
        report = Report()
        found = load("old.json", Setting(tmp_path), report)
        assert [each.code for each in report.diagnostics] == codes and (found is None) == bool(codes)
