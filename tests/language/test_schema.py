"""The JSON Schema for editors says the same as the readers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from apigen.language.schema import SchemaKind, spec_schema
from tests.language.reading import Plain, nodes_of, plain

EXAMPLES = Path(__file__).parent / "examples"
FILES = sorted(EXAMPLES.rglob("*.yaml"))


def kind_of(path: Path) -> str:
    return path.stem if path.stem in ("group", "hub", "features") else "version"


def content(path: Path) -> Plain:
    return plain(nodes_of(path.read_text()))


@pytest.mark.parametrize("kind", SchemaKind)
def test_generated_schema_is_valid(kind: str) -> None:
    Draft202012Validator.check_schema(spec_schema(kind))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(EXAMPLES).as_posix())
def test_the_worked_examples_are_valid(path: Path) -> None:
    assert list(Draft202012Validator(spec_schema(kind_of(path))).iter_errors(content(path))) == []


WRONG: list[tuple[str, Plain]] = [
    ("group", {"group": "g", "versions": {}, "kidns": {}}),
    ("group", {"group": "g"}),
    ("group", {"group": "g", "versions": {"v1": {"storage": "yes"}}}),
    ("group", {"group": "g", "versions": {}, "kinds": {"A": {"strategy": {"create": {"keep": []}}}}}),
    ("version", {"types": {"A": {"fields": {"a": {"type": "b", "optinal": True}}}}}),
    ("version", {"types": {"A": {"fields": {"a": {"optional": True}}}}}),
    ("version", {"types": {"A": {"fields": {"a": {"type": "b", "optional": True, "nullable": True}}}}}),
    ("version", {"types": {"A": {"fields": {"a": {"type": "b", "default": {"when": {}, "value": 1}}}}}}),
    ("version", {"types": {"A": {"fields": {}, "gates": []}}}),
    ("version", {"types": {"A": {"fields": {}, "enum": {}}}}),
    ("version", {"types": {"A": {}}}),
    ("hub", {"types": {"A": {"fields": {"a": {"type": "b", "protobuf": 1}}}}}),
    ("features", {"A": {"stages": [{"release": "1.1", "stage": "gamma"}]}}),
    ("features", {"A": {"stages": [{"release": "v1", "stage": "ga"}]}}),
]


@pytest.mark.parametrize(("kind", "value"), WRONG)
def test_invalid_value_is_rejected(kind: str, value: Plain) -> None:
    assert not Draft202012Validator(spec_schema(kind)).is_valid(value)


def test_every_key_is_described() -> None:
    for kind in SchemaKind:
        definitions = spec_schema(kind)["$defs"]
        assert isinstance(definitions, dict)
        for name, definition in definitions.items():
            assert re.fullmatch(r"[a-z][A-Za-z]*", name)
            assert isinstance(definition, dict)
            properties = definition.get("properties", {})
            assert isinstance(properties, dict)
            assert all(isinstance(one, dict) and one.get("description") for one in properties.values()), name


def test_unknown_file_kind_is_rejected() -> None:
    with pytest.raises(ValueError, match="lock"):
        spec_schema("lock")
