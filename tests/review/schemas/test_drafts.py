"""Keywords that a draft of JSON Schema ignores: those next to `$ref` up to draft 7, and those of other drafts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apigen.ir.surface import Alias, Keyword, ListOf, Struct
from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.results import Severity
from apigen.review.review import review
from tests.review.schemas.reading import Read, changes, schema

OLD = [f"http://json-schema.org/draft-0{number}/schema#" for number in (3, 4, 5, 6, 7)]
NEW = ["", "http://json-schema.org/schema#", "https://json-schema.org/draft/2019-09/schema", "http://example.com/own"]
OF_7, OF_2020 = OLD[-1], "https://json-schema.org/draft/2020-12/schema"


def _read(folder: Path, draft: str, name: object, **more: object) -> Read:
    document: dict[str, object] = {"$schema": draft} if draft else {}
    document |= {"type": "object", "properties": {"name": name}, "definitions": {"Name": {"type": "string"}}, **more}
    return schema(folder, json.dumps(document), "schema.json")


def _names(**beside: object) -> dict[str, object]:
    return {"$ref": "#/definitions/Name", **beside}


def _has_bounded_items(read: Read, name: str) -> bool:
    type_ = read.slot("Schema", name).type
    assert isinstance(type_, ListOf)
    return bool(type_.item.constraints)


@pytest.mark.parametrize(
    "draft", [*OLD, "https://json-schema.org/draft-07/schema", "http://json-schema.org/draft-04/hyper-schema#"]
)
def test_old_drafts_ignore_keywords_next_to_ref(tmp_path: Path, draft: str) -> None:
    read = _read(tmp_path, draft, _names(maxLength=3, anyOf=[{}], **{"x-own": 1}))
    slot = read.slot("Schema", "name")
    assert (str(slot.type), slot.constraints, slot.branches) == ("Name", {}, ())
    number = draft.split("draft-0")[1][0]
    assert read.unread == [f"draft {number} ignores keywords next to `$ref`: `maxLength`, `anyOf`, `x-own`"]


@pytest.mark.parametrize("draft", NEW)
def test_keywords_next_to_ref_apply_without_old_draft(tmp_path: Path, draft: str) -> None:
    read = _read(tmp_path, draft, _names(maxLength=3))
    assert read.slot("Schema", "name").constraints[Keyword.MAX_LENGTH].value == 3 and not read.unread


def test_annotations_next_to_ref_are_kept(tmp_path: Path) -> None:
    read = _read(tmp_path, OF_7, _names(description="Of it", default="a"))
    slot = read.slot("Schema", "name")
    assert slot.doc == "Of it" and slot.default is not None and not read.unread


def test_definitions_next_to_ref_can_be_referenced(tmp_path: Path) -> None:
    text = json.dumps(
        {"$schema": OF_7, "$id": "http://example.com/a", "$ref": "#/definitions/A", "type": "object",
         "definitions": {"A": {"type": "array", "items": {"$ref": "http://example.com/a#/definitions/B"}},
                         "B": {"type": "integer"}}}
    )  # fmt: skip
    read = schema(tmp_path, text, "schema.json")
    root = read.types["Schema"]
    assert isinstance(root, Alias) and str(root.slot.type) == "[]B" and not read.codes
    assert read.unread == ["draft 7 ignores keywords next to `$ref`: `type`"]


def test_reference_can_traverse_ignored_keywords(tmp_path: Path) -> None:
    name = _names(properties={"inner": {"type": "integer", "minimum": 1}})
    read = _read(tmp_path, OF_7, name, properties={"name": name, "b": {"$ref": "#/properties/name/properties/inner"}})
    found = read.types[str(read.slot("Schema", "b").type)]
    assert isinstance(found, Alias) and found.slot.constraints[Keyword.MINIMUM].value == 1 and not read.codes


def test_id_next_to_ref_is_not_a_base_uri(tmp_path: Path) -> None:
    mine, other = (
        {"$id": "http://elsewhere.com/x", "type": "string"},
        {
            "$id": "http://example.com/x",
            "type": "integer",
        },
    )
    name = {"$id": "http://example.com/", "$ref": "x"}
    read = _read(tmp_path, OF_7, name, **{"$id": "http://elsewhere.com/", "definitions": {"mine": mine, "o": other}})
    assert str(read.slot("Schema", "name").type) == "mine"
    assert read.unread == ["draft 7 ignores keywords next to `$ref`: `$id`"]


def test_data_and_properties_named_ref_are_not_references(tmp_path: Path) -> None:
    data = {"$ref": "#/definitions/Name", "maxLength": 3}
    name = {"type": "object", "const": data, "enum": [data], "default": data, "examples": [data]}
    members = {"$ref": {"type": "string"}, "maxLength": {"type": "integer"}}
    read = _read(tmp_path, OF_7, name, properties={"name": name, "other": {"type": "object", "properties": members}})
    other = read.types["Schema.other"]
    assert isinstance(other, Struct) and set(other.fields) == {"$ref", "maxLength"} and not read.unread
    slot = read.slot("Schema", "name")
    assert slot.default is not None and "maxLength" in slot.default.text
    assert "maxLength" in str(slot.constraints[Keyword.CONST].value)


@pytest.mark.parametrize(("outer", "inner", "counts"), [(OF_7, OF_2020, True), (OF_2020, OF_7, False)])
def test_nested_schema_with_another_draft(tmp_path: Path, outer: str, inner: str, counts: bool) -> None:
    name = {"$schema": inner, "type": "array", "items": _names(maxLength=3)}
    read = _read(tmp_path, outer, name, **{"$defs": {"Bound": {"items": [_names(maxLength=3)]}}})
    assert _has_bounded_items(read, "name") is counts
    assert len(read.unread) == 1  # the one or the other


def test_reference_below_an_unknown_keyword(tmp_path: Path) -> None:
    components = {"Bound": {"type": "object", "properties": {"a": _names(maxLength=3)}}, "other": _names(maxLength=3)}
    read = _read(tmp_path, OF_7, {"$ref": "#/components/Bound"}, components=components)
    bound = read.types[str(read.slot("Schema", "name").type)]
    assert isinstance(bound, Struct) and not bound.fields["a"].slot.constraints
    assert len(read.unread) == 1  # definitions without a reference are not reported


def test_draft_of_an_alias_depends_on_its_location(tmp_path: Path) -> None:
    text = f"""
    $schema: {OF_2020}
    type: object
    properties:
      a: {{type: array, items: &it {{$ref: "#/$defs/Name", maxLength: 3}}}}
      b: {{$schema: "{OF_7}", type: array, items: *it}}
    $defs: {{Name: {{type: string}}}}
    """
    read = schema(tmp_path, text)
    assert [_has_bounded_items(read, each) for each in "ab"] == [True, False]


def test_change_of_an_ignored_bound_is_not_a_change(tmp_path: Path) -> None:
    old, new = (_read(tmp_path, OF_7, _names(maxLength=each)) for each in (3, 2))
    assert changes(old, new) == []
    assert changes(old, _read(tmp_path, OF_2020, _names(maxLength=3)))


OBJECT = {"properties": {"a": {"type": "string"}, "b": {}}}


@pytest.mark.parametrize(
    ("keyword", "value", "first"),
    [
        ("const", {}, 6),
        ("contains", {"type": "null"}, 6),
        ("propertyNames", {"maxLength": 1}, 6),
        ("if", {"required": ["a"]}, 7),
        ("dependentRequired", {"a": ["b"]}, 2019),
        ("dependentSchemas", {"a": {"required": ["b"]}}, 2019),
        ("unevaluatedProperties", False, 2019),
        ("unevaluatedItems", False, 2019),
        ("prefixItems", [{"type": "string"}], 2020),
        ("nullable", True, 9999),
        ("exclusiveMinimum", 3, 6),
    ],
)
def test_drafts_ignore_keywords_of_newer_drafts(tmp_path: Path, keyword: str, value: object, first: int) -> None:
    drafts = dict(zip((4, 6, 7, 2019, 2020), (OLD[1], OLD[3], OLD[4], NEW[2], OF_2020), strict=True))
    for number, draft in drafts.items():
        old = schema(tmp_path, json.dumps({"$schema": draft, **OBJECT}), "old.json")
        new = schema(tmp_path, json.dumps({"$schema": draft, **OBJECT, keyword: value}), "new.json")
        assert bool(new.unread) is (number < first), number
        assert bool(new.unread) or changes(old, new), number
        assert not new.unread or not changes(old, new), number


@pytest.mark.parametrize(("draft", "counts"), [(OLD[1], True), (OF_7, False), ("", True)])
def test_exclusive_bound_is_a_flag_before_draft_6(tmp_path: Path, draft: str, counts: bool) -> None:
    read = _read(tmp_path, draft, {"type": "integer", "minimum": 1, "exclusiveMinimum": True})
    keyword = Keyword.EXCLUSIVE_MINIMUM if counts else Keyword.MINIMUM
    assert [*read.slot("Schema", "name").constraints] == [keyword]


def test_keyword_next_to_ref_has_a_counterexample_in_new_drafts(tmp_path: Path) -> None:
    old, new = (_read(tmp_path, OF_2020, each).surface for each in (_names(), _names(maxLength=3)))
    assert old is not None and new is not None
    (finding,) = with_counterexamples(review(old, new)).findings
    assert finding.counterexamples


WHOLE, INTEGER = {"type": "number", "multipleOf": 1}, {"type": "integer"}


def _severity(folder: Path, draft: str, old: object, new: object) -> Severity:
    """The worst severity of a changed property; an object shows an error."""
    sides = []
    for index, size in enumerate((old, new)):
        text = json.dumps({"$schema": draft, "type": "object", "properties": {"size": size}})
        surface = schema(folder, text, f"schema{index}.json").surface
        assert surface is not None
        sides.append(surface)
    found = with_counterexamples(review(*sides)).findings
    return max((each.severity for each in found), default=Severity.SILENT)


@pytest.mark.parametrize("draft", OLD[:3])
def test_number_with_zero_fraction_is_no_integer_before_draft_6(tmp_path: Path, draft: str) -> None:
    assert _severity(tmp_path, draft, WHOLE, INTEGER) is Severity.ERROR


@pytest.mark.parametrize("draft", [*OLD[3:], OF_2020])
def test_number_with_zero_fraction_is_an_integer_since_draft_6(tmp_path: Path, draft: str) -> None:
    assert _severity(tmp_path, draft, WHOLE, INTEGER) <= Severity.INFO
    assert _severity(tmp_path, draft, INTEGER, WHOLE) <= Severity.INFO


@pytest.mark.parametrize("draft", OLD)
def test_rewritten_integers_are_equal_in_all_drafts(tmp_path: Path, draft: str) -> None:
    nullable = {"type": ["integer", "null"]}
    assert _severity(tmp_path, draft, INTEGER, {"allOf": [INTEGER]}) <= Severity.INFO
    assert _severity(tmp_path, draft, nullable, {"anyOf": [INTEGER, {"type": "null"}]}) <= Severity.INFO


@pytest.mark.parametrize("draft", OLD)
def test_counterexamples_are_integers_of_all_drafts(tmp_path: Path, draft: str) -> None:
    sides = []
    for index, most in enumerate((64, 32)):
        size = {"type": "integer", "maximum": most}
        text = json.dumps({"$schema": draft, "type": "object", "properties": {"size": size}})
        sides.append(schema(tmp_path, text, f"schema{index}.json").surface)
    assert sides[0] is not None and sides[1] is not None
    (finding,) = with_counterexamples(review(sides[0], sides[1])).findings
    assert finding.counterexamples
